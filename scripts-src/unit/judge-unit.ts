import type { OutcomeReason, OutcomeRecord } from './records.ts';

/** What one look at a unit says: its status for people, and whether it is an event for the coordinator. */
export interface Verdict {
  status: string;
  event: 'done' | 'fail' | 'stall' | 'none';
  /** Monotonic ms at which time alone may change the verdict; Infinity when only a change on disk can. */
  dueMs: number;
}

/** How long a fault waits for the outcome that explains it, so that one hang is one event (DESIGN.md §5). */
export const OUTCOME_GRACE_MS = 2000;

/** The same while the dispatcher says that it is reaping: it first asks for 3 s, then kills. */
export const REAPING_GRACE_MS = 8000;

/** What was seen of a supervised unit (one with a `unit.json`). */
export interface SupervisedFacts {
  outcome: Pick<OutcomeRecord, 'status' | 'reason' | 'result'> | undefined;
  dispatcherAlive: boolean;
  /** Only asked for when the dispatcher is dead. */
  guardianAlive: boolean;
  /** Monotonic ms at which this watcher first saw the dispatcher dead. */
  deadSinceMs: number;
  /** Monotonic ms of the last evidence of progress, or of the start before the first. */
  lastProgressMs: number;
  /** At how many seconds the unit's own dispatcher reaps; 0 = never. */
  ownThresholdSeconds: number;
  /** A `reap-reason` is there: the dispatcher is ending the worker now. */
  reaping: boolean;
  /** The worker was started. */
  started: boolean;
}

/**
 * Verdict on a supervised unit. Only an outcome makes it done: a result that is there may still grow (PEERS.md 5).
 * The stall clock is the unit's, so a monitor that is launched again does not start it anew (PEERS.md 10).
 */
export function judgeSupervised(facts: SupervisedFacts, thresholdSeconds: number, nowMs: number): Verdict {
  if (facts.outcome) return judgeOutcome(facts.outcome);
  if (!facts.dispatcherAlive) {
    const patienceMs = facts.deadSinceMs + OUTCOME_GRACE_MS;
    if (facts.guardianAlive && nowMs < patienceMs) return open(facts.started, patienceMs);
    return { status: 'failed(dispatch-dead)', event: 'fail', dueMs: Number.POSITIVE_INFINITY };
  }
  if (thresholdSeconds === 0) return open(facts.started, Number.POSITIVE_INFINITY);
  const quietMs = Math.max(0, nowMs - facts.lastProgressMs);
  const limitMs = thresholdSeconds * 1000 + graceMs(facts, thresholdSeconds);
  return quietMs >= limitMs ? stalled(quietMs) : open(facts.started, nowMs - quietMs + limitMs);
}

/** Verdict on an outcome, final. A FALLBACK is always `failed(fallback)`; a new reason is shown as it is written. */
export function judgeOutcome(outcome: Pick<OutcomeRecord, 'status' | 'reason' | 'result'>): Verdict {
  const dueMs = Number.POSITIVE_INFINITY;
  if (outcome.status === 'succeeded') return { status: 'done', event: 'done', dueMs };
  if (isSaved(outcome)) return { status: 'failed(fallback)', event: 'fail', dueMs };
  return { status: `failed(${outcome.reason})`, event: 'fail', dueMs };
}

/** What a worker can only fail with after it has given a result, in a file or in its last message. */
const WITH_RESULT: readonly OutcomeReason[] = [
  'worker-blocked',
  'needs-context',
  'claim-mismatch',
  'nothing-done',
  'verify',
];

/** Whether the result of an attempt that did not succeed is a FALLBACK, and not what its worker gave as its result. */
export function isSaved({ reason, result }: Pick<OutcomeRecord, 'reason' | 'result'>): boolean {
  if (result?.origin === 'tail') return true;
  return result?.origin === 'last-message' && !WITH_RESULT.includes(reason);
}

/** A verdict of silence. */
export function stalled(quietMs: number): Verdict {
  return {
    status: `stalled(${Math.floor(quietMs / 1000)}s)`,
    event: 'stall',
    dueMs: Number.POSITIVE_INFINITY,
  };
}

/** A verdict on a unit that is at work, or whose worker has yet to start. */
export function open(started: boolean, dueMs: number): Verdict {
  return { status: started ? 'growing' : 'pending', event: 'none', dueMs };
}

function graceMs(facts: SupervisedFacts, thresholdSeconds: number): number {
  if (facts.reaping) return REAPING_GRACE_MS;
  const reapsItself = facts.ownThresholdSeconds > 0 && facts.ownThresholdSeconds <= thresholdSeconds;
  return reapsItself ? OUTCOME_GRACE_MS : 0;
}
