import { localTime } from '../platform/local-time.ts';
import { countOf, durationText } from '../render/figures.ts';
import { breakersIn, RUN_BREAKER } from '../run/breaker-of-unit.ts';
import type { CommandText } from '../run/command-text.ts';
import type { OpenBreaker, RunView } from '../run/run-view.ts';
import { isAnyUnderWay } from '../run/views/counts.ts';
import { shortLine } from '../run/views/unit-text.ts';

/** Breakers that have a line of their own; a run seldom has more accounts. */
const SHOWN = 4;

/**
 * One line for each open breaker of a run: since what, until when, and how many units wait behind it. None where nothing is
 * left to do.
 */
export function breakerLines(view: RunView, nowEpochMs: number): string[] {
  if (view.breakers.size === 0 || !isAnyUnderWay(view)) return [];
  const breakerOf = breakersIn(view);
  const waiting = new Map<OpenBreaker, number>();
  for (const unit of view.units.values()) {
    const breaker = breakerOf(unit);
    if (breaker) waiting.set(breaker, (waiting.get(breaker) ?? 0) + 1);
  }
  return [...view.breakers.values()]
    .slice(0, SHOWN)
    .map((breaker) => `BREAKER ${lineOf(breaker, waiting.get(breaker) ?? 0, nowEpochMs)}`);
}

function lineOf(
  { executor, reason, until, detail }: OpenBreaker,
  waiting: number,
  nowEpochMs: number,
): string {
  const what = `${executor === RUN_BREAKER.executor ? 'run' : executor} open(${reason ?? 'unknown'})`;
  return `${what} ${untilText(executor, until, nowEpochMs)}; ${countOf(waiting, 'unit')} queued: ${shortLine(detail)}`;
}

function untilText(executor: OpenBreaker['executor'], until: string | null, nowEpochMs: number): string {
  if (executor === RUN_BREAKER.executor) return 'until the limit is raised';
  if (until === null) return 'until prun resume';
  const epochMs = Date.parse(until);
  const leftMs = epochMs - nowEpochMs;
  const time = localTime(epochMs, nowEpochMs);
  return leftMs > 0
    ? `until ${time} local time (in ${durationText(leftMs)})`
    : `until ${time} local time, one unit is tried first`;
}

/** What a coordinator does about the breakers of a run, a command first; `wait` where it goes on by itself. */
export function afterBreaker({ breakers }: Pick<RunView, 'breakers'>, text: CommandText): string {
  const wait = text('wait');
  const all = [...breakers.values()];
  if (all.some(({ executor }) => executor === RUN_BREAKER.executor)) {
    return `${text('start', '--token-limit', 'N')} (a higher limit lets the run go on; then ${wait})`;
  }
  const byHand = all.find(({ until }) => until === null);
  if (byHand) return `${text('resume')} (${beforeResume(byHand)}; then ${wait})`;
  return `${wait} (it goes on by itself after the reset; at once: ${text('resume')})`;
}

function beforeResume({ executor, reason }: OpenBreaker): string {
  if (reason === 'quota') return `when ${executor} has something left to pay with`;
  if (reason === 'usage-limit') return `when the limit of ${executor} is reset`;
  return `when ${executor} is logged in again`;
}
