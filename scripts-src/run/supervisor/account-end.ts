import { monotonicMs } from '../../platform/clock.ts';
import type { RunEventBody } from '../records.ts';
import { runningOf, scheduledJobs } from './account-room.ts';
import { accountState } from './account-state.ts';
import { type AdaptiveJobs, loweredJobs, raisedByEnd } from './adaptive-jobs.ts';
import { type AccountEnd, breakerEvents } from './breaker.ts';
import { type Supervision, unitOf } from './supervision.ts';

/**
 * What an end tells of the account that its unit used: its breaker opens or closes, and its jobs are lowered or raised.
 * Gives the events that say so.
 */
export function noteAccountEnd(supervision: Supervision, id: string, end: AccountEnd): RunEventBody[] {
  const account = supervision.accountOf(unitOf(supervision, id));
  if (!account) return [];
  const state = accountState(supervision, account);
  const startedMs = state.started.get(id) ?? Number.NEGATIVE_INFINITY;
  state.started.delete(id);
  const before = state.jobs;
  if (end.status === 'succeeded') state.jobs = raisedByEnd(before, startedMs, monotonicMs());
  if (end.status === 'failed' && (end.reason === 'rate-limit' || end.reason === 'overloaded')) {
    // The unit itself is not among those that run any more.
    const now = { running: runningOf(supervision, account) + 1, scheduled: scheduledJobs(supervision) };
    state.jobs = loweredJobs(before, now, startedMs, monotonicMs());
  }
  return [
    ...breakerEvents(supervision, account, id, end),
    ...loweredNote(account.executor, before, state.jobs, end.reason),
  ];
}

function loweredNote(
  executor: string,
  before: AdaptiveJobs,
  { most, loweredMs }: AdaptiveJobs,
  reason: string,
): RunEventBody[] {
  if (loweredMs === before.loweredMs || most === before.most) return [];
  const text = `jobs of ${executor} lowered to ${most}: a unit met ${reason}`;
  return [{ type: 'note', text, wakes: false }];
}
