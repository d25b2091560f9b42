/** A part of a prompt, under a heading of its own. */
export function promptSection(title: string, ...lines: readonly string[]): string {
  return [`# ${title}`, '', ...lines, ''].join('\n');
}

/** What a worker is told of the command that is run after it; nothing where there is none. */
export function verification(verify: string | null): string[] {
  if (verify === null) return [];
  return [
    'After your end this is run where you work, and your work counts only if it ends with 0:',
    '',
    `    ${verify}`,
    '',
  ];
}
