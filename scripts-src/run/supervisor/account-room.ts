import { monotonicMs } from '../../platform/clock.ts';
import type { UnitAccount } from '../account-of-unit.ts';
import { accountState } from './account-state.ts';
import { raisedByTime } from './adaptive-jobs.ts';
import { type AccountHold, heldByBreaker, noteProbe } from './breaker.ts';
import { paceAfterStart, paceLeftMs } from './start-pace.ts';
import { type Supervision, unitOf } from './supervision.ts';

/** Why an account has no room for another start now: its breaker, its rate limits, or a start a moment ago. */
export function heldByAccount(supervision: Supervision, account: UnitAccount): AccountHold | undefined {
  const held = heldByBreaker(supervision, account);
  if (held) return held;
  const state = accountState(supervision, account);
  state.jobs = raisedByTime(state.jobs, scheduledJobs(supervision), monotonicMs());
  const { most } = state.jobs;
  if (most !== null && runningOf(supervision, account) >= most) {
    const why = `jobs of ${account.executor} lowered to ${most} by rate limits`;
    return { why, retryMs: Number.POSITIVE_INFINITY };
  }
  const retryMs = paceLeftMs(state.pace, monotonicMs());
  return retryMs > 0 ? { why: `starts of ${account.executor} are a moment apart`, retryMs } : undefined;
}

/** A unit of the account is being started. */
export function noteStart(supervision: Supervision, account: UnitAccount, unit: string): void {
  const state = accountState(supervision, account);
  const nowMs = monotonicMs();
  state.pace = paceAfterStart(state.pace, nowMs, Math.random());
  state.started.set(unit, nowMs);
  noteProbe(supervision, account, unit);
}

/** How many units of an account are under way. */
export function runningOf(supervision: Supervision, { key }: UnitAccount): number {
  let running = 0;
  for (const id of supervision.active.keys()) {
    if (supervision.accountOf(unitOf(supervision, id))?.key === key) running += 1;
  }
  return running;
}

/** Units that run at once, as the schedule or the machine has it. */
export function scheduledJobs({ schedule, defaultJobs }: Supervision): number {
  return schedule.jobs ?? defaultJobs;
}
