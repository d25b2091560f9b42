import path from 'node:path';
import { scrubEnvironment } from '../../executor/scrub-environment.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { errnoOf, messageOf } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { makeFolders } from '../../platform/make-folders.ts';
import type { Cancellation } from '../../supervise/interruption.ts';
import { launchAttempt } from '../../supervise/launch-attempt.ts';
import { type LiveSession, launchSession } from '../../supervise/session-attempt.ts';
import { keptEnvironment } from '../keep-environment.ts';
import type { KnownUnit } from '../unit-specs.ts';
import { attemptRequest } from './attempt-request.ts';
import { isStoppedAtStart } from './breaker.ts';
import { clearStateDir } from './dead-temporaries.ts';
import { endWithOutcome, endWithoutAttempt } from './end-of-unit.ts';
import { keptWorkspace, provideWorkspace } from './provide-workspace.ts';
import { placeFirst, placeQueued, queueOnceMore } from './queue-units.ts';
import { readyWorker } from './ready-worker.ts';
import { resumedSession } from './resumed-session.ts';
import { type ActiveUnit, type LastEnd, type Supervision, unitOf } from './supervision.ts';

/** How often a unit is tried on a full disk, ms. */
const SPACE_LOOK_MS = 10_000;

/**
 * Starts a queued unit and sees it to its end. The unit is active from the call on; the promise ends with the attempt
 * and never rejects.
 */
export async function startUnit(supervision: Supervision, id: string): Promise<void> {
  const known = supervision.known.units.get(id);
  if (!known) return;
  const { attempt } = unitOf(supervision, id);
  const earlier = earlierOf(supervision, id, attempt);
  const stop = new AbortController();
  const preparing: ActiveUnit = {
    attempt,
    takesJob: known.spec.executor !== 'session',
    lastEvidence: () => undefined,
    cancel: () => stop.abort(),
  };
  supervision.ready.delete(id);
  supervision.active.set(id, preparing);
  supervision.emit({ type: 'dispatching', unit: id, attempt });
  faultPoint('run:dispatching', supervision.view.run.folder);
  try {
    await launch(supervision, known, attempt, earlier, stop.signal);
  } catch (error) {
    if (isDiskFull(error)) return holdForSpace(supervision, id, attempt);
    endWithoutPlace(supervision, id, `it could not be started: ${messageOf(error)}`);
  }
}

/** There is no place in which its worker can be started; `detail` says why. */
function endWithoutPlace(supervision: Supervision, id: string, detail: string): void {
  endWithoutAttempt(supervision, id, { status: 'failed', reason: 'workspace', detail });
}

/** A full disk is no fault of any unit: the queue waits for room, and the coordinator is told once. */
function holdForSpace(supervision: Supervision, id: string, attempt: number): void {
  if (supervision.heldUntilMs === 0) {
    const text = 'the disk is full: no unit is started before there is room again';
    supervision.emit({ type: 'note', text, wakes: true });
  }
  supervision.heldUntilMs = monotonicMs() + SPACE_LOOK_MS;
  putBack(supervision, id, attempt);
}

/** Its worker was not started: the same attempt is queued once more. */
function putBack(supervision: Supervision, id: string, attempt: number): void {
  supervision.active.delete(id);
  queueOnceMore(supervision, id, attempt);
  // What had begun goes on before others begin.
  if (attempt > 1) placeFirst(supervision, [id]);
  else placeQueued(supervision, [id]);
  supervision.wake();
}

function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '');
}

async function launch(
  supervision: Supervision,
  known: KnownUnit,
  attempt: number,
  earlier: LastEnd | null,
  stop: AbortSignal,
): Promise<void> {
  const { spec } = known;
  const { run } = supervision.view;
  const environment = keptEnvironment(run, supervision.environments.get(spec.id) ?? null);
  const { resume } = unitOf(supervision, spec.id);
  const session = resume === null ? undefined : resumedSession(run, known, resume);
  if (typeof session === 'string') return endWithoutPlace(supervision, spec.id, session);
  const provided = session
    ? await keptWorkspace(supervision, spec, session.folder)
    : await provideWorkspace(supervision, {
        ...{ spec, attempt, stop },
        // What only the worker needs to sign in is not for its setup.
        environment: scrubEnvironment(environment, spec.passEnv, {}),
      });
  faultPoint('run:provided', run.folder);
  if (stop.aborted) {
    return endCancelled(supervision, spec.id);
  }
  if (provided.kind === 'clash') return block(supervision, spec.id, provided.detail);
  if (provided.kind === 'failed') return endWithoutPlace(supervision, spec.id, provided.detail);
  const { workspace } = provided;
  const request = attemptRequest(run, known, {
    ...{ attempt, workspace, environment, earlier, session, leases: supervision.leases },
    tokensUsed: unitOf(supervision, spec.id).tokenSum?.total ?? 0,
  });
  const ready = await readyWorker(supervision, request, stop);
  if (stop.aborted) return endCancelled(supervision, spec.id);
  // Its account's breaker has opened meanwhile.
  if (isStoppedAtStart(supervision, spec.id)) return putBack(supervision, spec.id, attempt);
  if (ready.kind === 'not') return endWithoutAttempt(supervision, spec.id, ready.end);
  request.command.probe = ready.probe;
  makeFolders(path.dirname(request.resultFile));
  const live =
    spec.executor === 'session'
      ? launchSession(request, supervision.host)
      : launchAttempt(request, supervision.context);
  supervision.heldUntilMs = 0;
  await follow(supervision, spec.id, attempt, live);
}

/** A unit that was cancelled before its worker ran. */
export function endCancelled(supervision: Supervision, id: string): void {
  const detail = 'it was cancelled before its worker was started';
  endWithoutAttempt(supervision, id, { status: 'cancelled', reason: 'cancelled', detail });
}

/** What both kinds of attempts have in common: they can be cancelled, and they end. */
type Followed = Pick<LiveSession, 'stateDir' | 'record' | 'lastEvidence' | 'cancel' | 'ended'>;

/** Sees an attempt to its outcome and says in the run's log what happens to it. */
export async function follow(
  supervision: Supervision,
  id: string,
  attempt: number,
  live: Followed,
  { isAgain = false, isAdopted = false }: { isAgain?: boolean; isAdopted?: boolean } = {},
): Promise<void> {
  const { stateDir, record } = live;
  const takesJob = record.executor !== 'session';
  let isCancelled = false;
  const cancel = (wish: Cancellation): void => {
    isCancelled = true;
    live.cancel(wish);
  };
  supervision.active.set(id, { attempt, takesJob, lastEvidence: live.lastEvidence, cancel });
  const { state } = unitOf(supervision, id);
  if (state !== 'running') {
    supervision.emit({ type: 'running', unit: id, attempt, stateDir, resultFile: record.resultFile });
  }
  try {
    await live.ended;
  } catch (error) {
    supervision.say(`unit ${id}: ${messageOf(error)}`);
  }
  if (isAdopted) clearStateDir(stateDir);
  faultPoint('run:outcome', supervision.view.run.folder);
  if (isAgain && isCancelled) endCancelled(supervision, id);
  else if (isAgain) queueAgain(supervision, id, attempt);
  else endWithOutcome(supervision, id, stateDir, isCancelled);
  faultPoint('run:told', supervision.view.run.folder);
}

/** Its worker never ran: the attempt has its outcome, and the unit another try. */
export function queueAgain(supervision: Supervision, id: string, attempt: number): void {
  supervision.active.delete(id);
  queueOnceMore(supervision, id, attempt + 1);
  placeQueued(supervision, [id]);
  supervision.wake();
}

function block(supervision: Supervision, id: string, detail: string): void {
  supervision.active.delete(id);
  supervision.emit({ type: 'blocked', unit: id, detail: `the results that it builds on clash: ${detail}` });
  supervision.wake();
}

/** What became of the attempt before this one, for the worker that tries again. */
function earlierOf(supervision: Supervision, id: string, attempt: number): LastEnd | null {
  const last = supervision.lastEnds.get(id);
  return last && last.attempt < attempt ? last : null;
}
