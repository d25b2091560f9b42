import { localTime } from '../../platform/local-time.ts';
import { RUN_BREAKER } from '../breaker-of-unit.ts';
import type { OpenBreaker, RunView } from '../run-view.ts';

/** An open breaker for programs. `until`: ISO 8601, null where only a command closes it. */
export type BreakerFacts = Pick<OpenBreaker, 'executor' | 'account' | 'reason' | 'until' | 'detail'>;

/** The open breakers of a run, in the order in which they opened. `executor` is `*` for the run's own, by its token limit. */
export function breakerFacts({ breakers }: Pick<RunView, 'breakers'>): BreakerFacts[] {
  return [...breakers.values()].map(({ executor, account, reason, until, detail }) => ({
    ...{ executor, account, reason, until, detail },
  }));
}

/** Why a breaker keeps units waiting, in a few words: `the breaker of codex is open until 19:24`. */
export function breakerText(
  { executor, reason, until, detail }: Pick<OpenBreaker, 'executor' | 'reason' | 'until' | 'detail'>,
  nowEpochMs: number,
): string {
  if (executor === RUN_BREAKER.executor) return detail;
  const what = `the breaker of ${executor} is open`;
  if (until === null) return `${what} (${reason ?? 'unknown'}) until prun resume`;
  const epochMs = Date.parse(until);
  return epochMs > nowEpochMs
    ? `${what} until ${localTime(epochMs, nowEpochMs)}`
    : `${what}, one unit is tried first`;
}
