import { RUN_BREAKER, RUN_BREAKER_KEY } from '../breaker-of-unit.ts';
import { tokensOfRun } from '../token-sums.ts';
import type { Supervision } from './supervision.ts';

/**
 * Opens the run's own breaker when its tokens are used up and something is left to start, and closes it when somebody has
 * raised the limit. It wakes once: only a command lets the run go on.
 */
export function holdForTokens({ schedule, view, ready, waiting, emit }: Supervision): void {
  const limit = schedule.tokenLimit ?? 0;
  const isOpen = view.breakers.has(RUN_BREAKER_KEY);
  if (limit === 0 && !isOpen) return;
  const used = tokensOfRun(view)?.total ?? 0;
  const isReached = limit > 0 && used >= limit;
  const common = { type: 'breaker' as const, ...RUN_BREAKER, until: null, byUnit: null };
  if (isOpen && !isReached) {
    const detail = limit > 0 ? `the token limit is ${limit} now` : 'the run has no token limit any more';
    emit({ ...common, state: 'closed', reason: null, detail, wakes: false });
  }
  if (isOpen || !isReached || ready.size + waiting.size === 0) return;
  const detail = `token limit of the run reached (${used} of ${limit})`;
  emit({ ...common, state: 'open', reason: 'token-limit', detail, wakes: true });
}
