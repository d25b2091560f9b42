import { fitCells } from './cells.ts';
import { countOf } from './figures.ts';
import type { Paint, Tone } from './paint.ts';

const MAX_LINES = 40;

/** A patch for people: bounded, cut to the width, control characters shown as `?`. Not to be applied. Pure. */
export function patchLines(
  patch: string,
  width: number,
  paint: Paint,
  maxLines: number = MAX_LINES,
): string[] {
  const all = patch.split('\n');
  if (all.at(-1) === '') all.pop();
  const shown = all.slice(0, maxLines).map((line) => {
    const text = line.replaceAll('\t', '    ').replace(/\p{Cc}/gu, '?');
    return paint(toneOf(line), fitCells(text, width));
  });
  const left = all.length - shown.length;
  return left > 0 ? [...shown, paint('faint', `… ${countOf(left, 'more line')}`)] : shown;
}

function toneOf(line: string): Tone {
  if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return 'faint';
  if (line.startsWith('@@')) return 'busy';
  if (line.startsWith('+')) return 'good';
  return line.startsWith('-') ? 'bad' : 'plain';
}
