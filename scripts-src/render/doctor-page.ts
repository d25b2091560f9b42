import { wrapCells } from './cells.ts';
import { noPaint, type Paint, type Tone } from './paint.ts';

/** One check as the page shows it. */
export interface DoctorLine {
  id: string;
  state: 'ok' | 'note' | 'problem';
  fact: string;
  /** What to do, null where nothing is wrong. */
  do: string | null;
}

const WORDS: Readonly<Record<DoctorLine['state'], [string, Tone]>> = {
  ok: ['OK', 'good'],
  note: ['NOTE', 'warn'],
  problem: ['PROBLEM', 'bad'],
};
const INDENT = '  ';
/** Narrower than this nothing can be read any more: then lines are longer than the terminal. */
const LEAST_WIDTH = 20;

/**
 * The doctor's page: a line a check, below it what to do, and the suggested jobs at the end, with a word on them where there is one. On a terminal (`width` cells)
 * long lines go on in the next one; elsewhere each is one line. Pure.
 */
export function doctorPage(
  checks: readonly DoctorLine[],
  { jobs, why }: { jobs: number; why?: string | undefined },
  terminal?: { width: number; paint: Paint },
): string[] {
  const { width = Number.POSITIVE_INFINITY, paint = noPaint } = terminal ?? {};
  const cells = Math.max(LEAST_WIDTH, width);
  const lines = checks.flatMap(({ id, state, fact, do: next }) => {
    const [word, tone] = WORDS[state];
    const [first = '', ...rest] = wrapCells(`${word} ${id}: ${fact}`, cells, INDENT);
    // Colour comes last: with it a text has no width any more.
    const head = paint(tone, word) + first.slice(word.length);
    const steps = next === null ? [] : wrapCells(`DO ${next}`, cells - INDENT.length, INDENT);
    return [head, ...rest, ...steps.map((step) => INDENT + step)];
  });
  return [
    ...lines,
    ...wrapCells(why === undefined ? `JOBS ${jobs}` : `JOBS ${jobs} (${why})`, cells, INDENT),
  ];
}
