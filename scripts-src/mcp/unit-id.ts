const MAX_LENGTH = 40;

/**
 * A unit's id for a task: its name as far as ids allow, with a number where that is taken. `taken`: ids of the run;
 * upper and lower case count as the same, because files are named after them.
 */
export function unitIdFor(taskId: string, taken: Iterable<string>): string {
  const used = new Set([...taken].map((id) => id.toLowerCase()));
  const plain = taskId
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '')
    .slice(0, MAX_LENGTH);
  const name = plain === '' ? 'task' : plain;
  for (let n = 1; ; n++) {
    const id = n === 1 ? name : `${name}-${n}`;
    if (!used.has(id.toLowerCase())) return id;
  }
}
