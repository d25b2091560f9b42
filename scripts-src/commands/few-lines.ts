import { readableLine } from '../executor/readable-line.ts';

/** What a coordinator is asked to read of one command, lines (promise P7). */
const MAX_LINES = 40;
const MAX_CHARACTERS = 400;

/**
 * Head, lines and tail as they are printed: every line one line and bounded, and 40 in all. Of more lines the first ones
 * are there, and `rest` says where the others are to be read. `characters`: of a line, at most.
 */
export function fewLines(
  head: readonly string[],
  lines: readonly string[],
  tail: readonly string[],
  rest: string,
  characters: number = MAX_CHARACTERS,
): string {
  const room = MAX_LINES - head.length - tail.length;
  const shown = lines.length <= room ? lines : lines.slice(0, room - 1);
  const left = lines.length - shown.length;
  const all = [...head, ...shown, ...(left > 0 ? [`… and ${left} more: ${rest}`] : []), ...tail];
  return all.map((line) => `${readableLine(line, characters)}\n`).join('');
}
