/** What a result says of itself in the fields of its contract (DESIGN.md §4). Missing fields are undefined. */
export interface ResultFields {
  conclusion: string | undefined;
  /** The `Files:` field, with the lines of a list below it. */
  files: string | undefined;
  openItems: string | undefined;
  verification: string | undefined;
}

const MAX_LINES = 2000;

/** `Files: …`, also `**Files:** …`, `- Files: …` and `## Files: …`, as models write it. */
const FIELD =
  /^\s{0,3}(?:[-*+]\s+|#{1,4}\s+)?(?:\*\*|__|`)?(conclusion|files|open items|verification)(?:\s+(?:changed|made|modified))?(?:\*\*|__|`)?\s*:(?:\*\*|__|`)?(.*)$/i;

/** Reads the fields of a result. Only the first of each name counts; text in a code fence is none. */
export function readResultFields(text: string): ResultFields {
  const fields = new Map<string, string[]>();
  let current: string[] | undefined;
  let isFenced = false;
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      isFenced = !isFenced;
      current = undefined;
      continue;
    }
    if (isFenced) continue;
    const [, name = '', rest = ''] = FIELD.exec(line) ?? [];
    if (name !== '') {
      const key = name.toLowerCase();
      current = fields.has(key) ? undefined : [rest];
      if (current) fields.set(key, current);
    } else if (current) {
      if (goesOn(line, current)) current.push(line);
      else current = undefined;
    }
  }
  const textOf = (name: string) => fields.get(name)?.join('\n').trim();
  return {
    conclusion: textOf('conclusion'),
    files: textOf('files'),
    openItems: textOf('open items'),
    verification: textOf('verification'),
  };
}

/** A list or an indented line goes on; an empty line does between the field's name and its list, and in it. */
function goesOn(line: string, lines: readonly string[]): boolean {
  if (/^\s*(?:[-*+•]|\d+[.)])\s+\S/.test(line) || /^\s+\S/.test(line)) return true;
  const isAllBlank = lines.every((one) => one.trim() === '');
  if (line.trim() === '') return isAllBlank;
  // `Files:` alone, and the text on the next line.
  return isAllBlank && !line.startsWith('#');
}
