import { readStart } from '../platform/files.ts';

/** The fields stand at the top of a result. */
const LOOK_BYTES = 64 * 1024;

const FIELDS = ['Conclusion', 'Files', 'Open items', 'Verification'] as const;

/** `Files: …`, also `**Files:** …`, `- Files: …` and `## Files: …`, as models write it. */
const FIELD =
  /^\s{0,3}(?:[-*+]\s+|#{1,4}\s+)?(?:\*\*|__|`)?(conclusion|files|open items|verification)(?:\s+(?:changed|made|modified))?(?:\*\*|__|`)?\s*:(?:\*\*|__|`)?(.*)$/i;

/**
 * What a result lacks of its contract (DESIGN.md §4): `heading` where the first line is no `# … result`, and each of the
 * four fields that is missing or says nothing. Text in a code fence is none. Pure.
 */
export function missingInResult(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const said = fieldsThatSaySomething(lines);
  return [
    ...(/^\s{0,3}#{1,6}\s+.*\bresult\b/i.test(first) ? [] : ['heading']),
    ...FIELDS.filter((field) => !said.has(field.toLowerCase())),
  ];
}

/** The same of a file, by its first 64 KiB. */
export function missingInResultFile(file: string): string[] {
  return missingInResult(readStart(file, LOOK_BYTES));
}

/** A field speaks on its own line, or in the lines between it and the next field. */
function fieldsThatSaySomething(lines: readonly string[]): Set<string> {
  const said = new Set<string>();
  let open: string | undefined;
  let isFenced = false;
  for (const line of lines) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    if (isFenced) continue;
    const [, name, rest = ''] = FIELD.exec(line) ?? [];
    if (name !== undefined) {
      open = name.toLowerCase();
      if (rest.trim() !== '') said.add(open);
    } else if (open !== undefined && line.trim() !== '') {
      // A heading begins something else: the field before it said nothing.
      if (!/^\s{0,3}#/.test(line)) said.add(open);
      open = undefined;
    }
  }
  return said;
}
