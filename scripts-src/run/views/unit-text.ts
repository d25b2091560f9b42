import { readableLine, withoutEscapes } from '../../executor/readable-line.ts';
import { readEnd, readStart } from '../../platform/files.ts';
import { readProgress } from '../../unit/read-records.ts';
import type { UnitView } from '../run-view.ts';

/** A line has room for this much of what a worker or a record says. */
const TEXT_CHARS = 160;
/** The fields of a result stand at its beginning. */
const RESULT_BYTES = 4096;

/** One bounded line of a text, without whole dates. */
export function shortLine(text: string, chars: number = TEXT_CHARS): string {
  return readableLine(text.replace(/ at \d{4}-\d\d-\d\dT[\d:.]+Z/g, ''), chars);
}

/** A result as it is told in one line. */
export type ToldResult = Pick<UnitView, 'resultFile' | 'origin'>;

/**
 * What a result says in its `Conclusion:` line; of what a command printed, where there often is no such line, its last
 * one with a word in it: programs say at their end how it went. Empty where there is neither.
 */
export function conclusionIn({ resultFile, origin }: ToldResult): string {
  if (resultFile === null) return '';
  const conclusion = conclusionOf(readStart(resultFile, RESULT_BYTES));
  if (conclusion !== undefined) return shortLine(conclusion);
  if (origin !== 'stdout') return '';
  const end = readEnd(resultFile, RESULT_BYTES);
  return shortLine(conclusionOf(end) ?? lastWords(end));
}

function conclusionOf(text: string): string | undefined {
  return /^Conclusion:[ \t]*(.*\S.*)$/m.exec(text)?.[1];
}

function lastWords(text: string): string {
  const lines = withoutEscapes(text)
    .split(/[\r\n]/)
    .filter((line) => line.trim() !== '');
  // A fence or a rule says nothing.
  return lines.findLast((line) => /[\p{L}\p{N}]/u.test(line)) ?? lines.at(-1) ?? '';
}

/** For how long a unit has shown no progress, in whole seconds. `nowEpochMs`: wall time. */
export function stalledSeconds(
  { quietSeconds, since }: NonNullable<UnitView['stalled']>,
  nowEpochMs: number,
): number {
  return quietSeconds + Math.max(0, Math.round((nowEpochMs - Date.parse(since)) / 1000));
}

/** The last evidence of progress of a running attempt and its age in ms; undefined before the first. */
export function lastEvidence(
  stateDir: string | null,
  nowMonotonicMs: number,
): { kind: string; ageMs: number } | undefined {
  const progress = stateDir === null ? undefined : readProgress(stateDir);
  return progress && { kind: progress.kind, ageMs: Math.max(0, nowMonotonicMs - progress.monotonicMs) };
}
