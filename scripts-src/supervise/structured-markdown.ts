import { oneLine } from '../platform/one-line.ts';
import type { StructuredResult } from '../unit/structured-schema.ts';
import { pathWords } from '../workspace/claims/claimed-paths.ts';
import { readResultFields } from '../workspace/claims/result-fields.ts';

/** `none`, `none (read-only)`, `nothing`, `n/a`, a dash: a field that names nothing. */
const NONE =
  /^[\s`"'*_([-]*(?:none|nothing|nil|n\/a|no (?:open items?|blockers?|follow-?ups?|concerns?|files?|changes?))\b|^\s*[-–—]?\s*$/i;

/** Readers of a result look at 2000 lines at most (result-fields.ts): three lists of so many entries leave room. */
const MOST_ENTRIES = 500;

/** A structured result as the Markdown that the result contract asks for (DESIGN.md §4). */
export function markdownOf(unit: string, result: StructuredResult): string {
  const { status, summary, files_changed, tests, concerns } = result;
  const named = concerns.map(oneLine).filter((item) => !NONE.test(item));
  const isUnnamed = status === 'DONE_WITH_CONCERNS' && named.length === 0;
  const items = isUnnamed ? ['concerns that it does not name'] : named.map(noField);
  const conclusion = oneLine(summary);
  return [
    `# ${unit} result`,
    `Conclusion: ${conclusion}`,
    ...field('Files', files_changed.map(codeWord), 'none (read-only)'),
    ...field('Open items', items, 'none'),
    ...field('Verification', tests.map(testText), 'none'),
    '',
    `Status: ${status}`,
    ...(summary.trim() === conclusion ? [] : ['', summary.trim()]),
    '',
  ].join('\n');
}

/**
 * A result that a worker wrote in Markdown, as a structured one: DONE, or DONE_WITH_CONCERNS where it names open items.
 * Files are the words of its `Files:` field that are surely paths.
 */
export function structuredOf(markdown: string): StructuredResult {
  const fields = readResultFields(markdown);
  const concerns = itemsOf(fields.openItems);
  return {
    status: concerns.length > 0 ? 'DONE_WITH_CONCERNS' : 'DONE',
    summary: oneLine(fields.conclusion ?? ''),
    files_changed: [...new Set(itemsOf(fields.files).flatMap(pathsOf))],
    tests: itemsOf(fields.verification).map(testOf),
    concerns,
  };
}

/**
 * One entry beside the field's name, several as a list below it: commas and semicolons belong to the entries. One that is
 * empty would end the list for its readers.
 */
function field(name: string, entries: readonly string[], none: string): string[] {
  const items = entries.filter((item) => item !== '');
  if (items.length <= 1) return [`${name}: ${items[0] ?? none}`];
  const more = items.length - MOST_ENTRIES;
  const lines = items.slice(0, MOST_ENTRIES).map((item) => `- ${item}`);
  return [`${name}:`, ...lines, ...(more > 0 ? [`- and ${more} more`] : [])];
}

/** An entry that would be read as a field of its own, in quotation marks. */
function noField(item: string): string {
  const isField = Object.values(readResultFields(`- ${item}`)).some((text) => text !== undefined);
  return isField ? `"${item}"` : item;
}

function itemsOf(text = ''): string[] {
  if (NONE.test(text)) return [];
  const lines = text.split('\n').map((line) => line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, '').trim());
  return lines.filter((line) => line !== '');
}

/** A word in backticks alone is a path, whatever it looks like. */
function pathsOf(item: string): string[] {
  const word = /^`([^`]+)`$/.exec(item)?.[1];
  if (word !== undefined) return [word];
  return pathWords(item).flatMap(({ text, isSure }) => (isSure ? [text] : []));
}

function testText({ command, result }: StructuredResult['tests'][number]): string {
  return noField([codeWord(command), oneLine(result)].filter((text) => text !== '').join(': '));
}

function testOf(text: string): StructuredResult['tests'][number] {
  const [, command, result = ''] = /^`([^`]+)`\s*:?\s*(.*)$/.exec(text) ?? [];
  return command === undefined ? { command: text, result: '' } : { command, result };
}

/** In backticks a path or a command is one word, whatever is in it. */
function codeWord(text: string): string {
  const line = oneLine(text);
  return line.includes('`') || line === '' ? line : `\`${line}\``;
}
