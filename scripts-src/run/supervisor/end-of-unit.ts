import { failureKind } from '../../executor/failure-kinds.ts';
import { readOutcome } from '../../unit/read-records.ts';
import type { OutcomeReason, OutcomeRecord, OutcomeStatus } from '../../unit/records.ts';
import { totalTokens } from '../../unit/token-counts.ts';
import type { RunEventBody } from '../records.ts';
import { noteAccountEnd } from './account-end.ts';
import { type Further, furtherAttempt } from './further-attempt.ts';
import { placeFirst, placeQueued, settleChildren } from './queue-units.ts';
import { type LastEnd, type Supervision, unitOf } from './supervision.ts';

/** An end without an outcome: nothing was started. */
export interface PlainEnd {
  status: OutcomeStatus;
  reason: OutcomeReason;
  detail: string;
}

/**
 * An attempt has its outcome: the run goes on from it. `stateDir` is where it lies. `isCancelled`: somebody wanted its
 * end, and may have come too late for the outcome to say so; there is no other attempt.
 */
export function endWithOutcome(
  supervision: Supervision,
  id: string,
  stateDir: string,
  isCancelled = false,
): void {
  const outcome = outcomeIn(supervision, stateDir);
  supervision.active.delete(id);
  if (!outcome) {
    endUnit(supervision, id, stateDir, {
      status: 'failed',
      reason: 'disk',
      detail: `its outcome could not be written or read (${stateDir})`,
    });
    return;
  }
  endUnit(supervision, id, stateDir, outcome, isCancelled);
}

/** A unit ends before its attempt had a state dir. */
export function endWithoutAttempt(supervision: Supervision, id: string, end: PlainEnd): void {
  supervision.active.delete(id);
  endUnit(supervision, id, null, end);
}

function endUnit(
  supervision: Supervision,
  id: string,
  stateDir: string | null,
  end: PlainEnd & Partial<OutcomeRecord>,
  isCancelled = false,
): void {
  const { spec, attempt } = unitOf(supervision, id);
  supervision.ready.delete(id);
  supervision.waiting.delete(id);
  supervision.leases.drop(id);
  const isGood = end.status === 'succeeded';
  const isWanted = !isGood && !isCancelled && end.status !== 'cancelled';
  const ofAccount = noteAccountEnd(supervision, id, end);
  const further = isWanted ? furtherAttempt(supervision, id, end, stateDir) : NOTHING;
  const isAgain = further.kind === 'attempt';
  const because = further.kind === 'none' && further.because !== '' ? `${further.because}: ` : '';
  if (!isGood) noteBadEnd(supervision, id, { attempt, reason: end.reason, detail: end.detail, stateDir });
  for (const { pid, command } of (end.survivors ?? []).slice(0, 5)) {
    const text = `unit ${id}: its process ${pid} (${command.slice(0, 80)}) could not be ended: end it by hand`;
    supervision.emit({ type: 'note', text, wakes: true });
  }
  const ended: RunEventBody = {
    type: 'ended',
    unit: id,
    attempt,
    status: end.status,
    reason: end.reason,
    detail: `${because}${end.detail}`.slice(0, 400),
    stateDir,
    resultFile: end.result?.path ?? null,
    origin: end.result?.origin ?? null,
    durationMs: end.durationMs ?? 0,
    tokens: end.tokens ? totalTokens(end.tokens) : null,
    tokenCounts: end.tokens ?? null,
    sessionId: end.sessionId ?? null,
    isFinal: !isAgain,
    wakes: isGood ? spec.wakeOnFinish : !isAgain && end.status !== 'cancelled',
  };
  // In one write: a successor must not find a unit that failed and is neither over nor queued.
  supervision.emit(...ofAccount, ended, ...(isAgain ? [further.queued] : []));
  if (!isAgain) settleChildren(supervision, id);
  else if (further.queued.why === 'failed') placeQueued(supervision, [id]);
  else placeFirst(supervision, [id]);
  supervision.wake();
}

const NOTHING: Further = { kind: 'none', because: '' };

/**
 * Keeps what a further attempt is told of this one, and counts it among those that use up the unit's retries: a failure of
 * the account, or one that may be over soon, is no fault of the unit.
 */
export function noteBadEnd({ lastEnds, badEnds }: Supervision, id: string, end: LastEnd): void {
  const { attempt, reason, detail, stateDir } = end;
  lastEnds.set(id, { attempt, reason, detail, stateDir });
  const kind = failureKind(reason);
  if (kind !== 'account' && kind !== 'transient') badEnds.set(id, (badEnds.get(id) ?? 0) + 1);
}

function outcomeIn({ say }: Supervision, stateDir: string): OutcomeRecord | undefined {
  try {
    return readOutcome(stateDir);
  } catch (error) {
    // A newer prun has written it: this one cannot tell what it says.
    say(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
