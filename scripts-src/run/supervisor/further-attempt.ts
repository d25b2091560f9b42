import { failureKind } from '../../executor/failure-kinds.ts';
import { monotonicMs, wallTime } from '../../platform/clock.ts';
import type { OutcomeReason, OutcomeRecord } from '../../unit/records.ts';
import { totalTokens } from '../../unit/token-counts.ts';
import type { Resumption, RunEventBody } from '../records.ts';
import { sessionToGoOn } from '../resumable.ts';
import type { UnitView } from '../run-view.ts';
import { backoffMs, transientRetriesOf } from './backoff.ts';
import { type Supervision, unitOf } from './supervision.ts';

/**
 * Ends for which another attempt would do the same: somebody wanted it, there is nothing to run, the session is in use, or
 * the worker itself says that it cannot go on as things are.
 */
const NOT_AGAIN: readonly OutcomeReason[] = [
  ...(['cancelled', 'spawn', 'bad-flags', 'bad-request', 'model-gone', 'session-live'] as const),
  ...(['worker-blocked', 'needs-context', 'token-limit'] as const),
];

/** What follows an end by itself: a further attempt as its event says it, or nothing, and in a few words why where it is a limit. */
export type Further =
  | { kind: 'attempt'; queued: Extract<RunEventBody, { type: 'queued' }> }
  | { kind: 'none'; because: string };

/** How an attempt ended, as far as a further one is concerned. */
export type BadEnd = Pick<OutcomeRecord, 'reason'> & Partial<Pick<OutcomeRecord, 'failure' | 'tokens'>>;

/**
 * What follows a bad end that nobody wanted. A failure of the account parks the unit, one that may be over soon is tried
 * again after a pause, each with its session where that can go on; neither uses up the unit's retries. `stateDir`: null
 * where the attempt never began.
 */
export function furtherAttempt(
  supervision: Supervision,
  id: string,
  end: BadEnd,
  stateDir: string | null,
): Further {
  const unit = unitOf(supervision, id);
  const again = againOf(supervision, unit, end);
  if (!again) return { kind: 'none', because: '' };
  const limit = unit.spec.options?.tokenLimit ?? 0;
  const used = (unit.tokenSum?.total ?? 0) + (end.tokens ? totalTokens(end.tokens) : 0);
  if (limit > 0 && used >= limit) {
    return {
      kind: 'none',
      because: `token limit of the unit reached (${used} of ${limit}), not tried again`,
    };
  }
  const { why, resume, pauseMs } = again;
  const isSameAttempt = stateDir === null && why !== 'failed';
  return {
    kind: 'attempt',
    queued: {
      type: 'queued',
      unit: id,
      attempt: unit.attempt + (isSameAttempt ? 0 : 1),
      why,
      environment: supervision.environments.get(id) ?? null,
      ...(resume ? { resume } : {}),
      ...(pauseMs > 0 ? { notBefore: pausedUntil(supervision, id, pauseMs) } : {}),
    },
  };
}

interface Again {
  why: 'failed' | 'transient' | 'parked';
  resume: Resumption | null;
  pauseMs: number;
}

function againOf(supervision: Supervision, unit: UnitView, end: BadEnd): Again | undefined {
  const { id, spec } = unit;
  const retriesLeft = Math.max(0, spec.retries - (supervision.badEnds.get(id) ?? 0));
  const kind = supervision.accountOf(unit) && failureKind(end.reason);
  if (kind === 'account') return { why: 'parked', resume: resumptionOf(supervision, unit), pauseMs: 0 };
  if (kind === 'transient') {
    const tries = supervision.transientTries.get(id) ?? 0;
    if (tries >= transientRetriesOf(supervision.schedule) + retriesLeft) return undefined;
    supervision.transientTries.set(id, tries + 1);
    const asked = end.failure?.retryAfterSeconds ?? null;
    const pauseMs = backoffMs(supervision.schedule, tries, asked, Math.random());
    return { why: 'transient', resume: resumptionOf(supervision, unit), pauseMs };
  }
  // Nobody asked for that session: it went on by itself, and begins anew where it is lost.
  const isOwn = unit.queuedWhy === 'parked' || unit.queuedWhy === 'transient';
  if (end.reason === 'session-lost' && isOwn && unit.resume !== null) {
    return { why: 'failed', resume: null, pauseMs: 0 };
  }
  if (NOT_AGAIN.includes(end.reason) || retriesLeft === 0) return undefined;
  return { why: 'failed', resume: null, pauseMs: 0 };
}

function resumptionOf({ view }: Supervision, unit: UnitView): Resumption | null {
  const session = sessionToGoOn(view.run, unit);
  if (!session) return null;
  // What it was to be told and was not told yet.
  const promptFile = unit.stateDir === null ? (unit.resume?.promptFile ?? null) : null;
  return { ...session, promptFile, timeoutSeconds: unit.resume?.timeoutSeconds };
}

function pausedUntil({ pauses }: Supervision, id: string, pauseMs: number): string {
  const notBefore = wallTime(Date.now() + pauseMs);
  pauses.set(id, { notBefore, endMs: monotonicMs() + pauseMs });
  return notBefore;
}
