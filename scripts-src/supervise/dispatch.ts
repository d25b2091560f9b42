import type { WorkerCommand } from '../executor/types.ts';
import { EXIT, messageOf, PrunError } from '../platform/errors.ts';
import { faultPoint } from '../platform/fault.ts';
import { createFamily, observerOf } from '../process/family.ts';
import { formatIdentity, identityOf } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { liveAttempt } from '../unit/live-attempt.ts';
import { claimResult } from '../unit/result-claim.ts';
import { stateFile } from '../unit/state-dir.ts';
import {
  beginLook,
  type RepositoryLook,
  type RepositoryPlace,
} from '../workspace/tripwire/repository-look.ts';
import type { Tripwire } from '../workspace/tripwire/tripwire.ts';
import {
  attemptsIn,
  noteAttempt,
  type WorkspacePlace,
  workspaceEnvironment,
  workspaceOf,
} from '../workspace/workspace-of.ts';
import { withSchemaFile } from './asked-schema.ts';
import {
  describeAttempt,
  discardAttempt,
  fillDraft,
  makeDraft,
  type PreparedAttempt,
  prepareAttempt,
  publishAttempt,
  rewriteUnitRecord,
} from './attempt.ts';
import type { EndCause } from './classify.ts';
import { containArgv } from './contain.ts';
import { type EndedAttempt, endAttempt } from './end-attempt.ts';
import { evidenceSources } from './evidence-sources.ts';
import type { Interruption } from './interruption.ts';
import { type LaunchedWorker, spawnFailure, startWorker } from './launch.ts';
import { startLifeline } from './lifeline.ts';
import { noteMembers } from './member-ledger.ts';
import { setPreviousResultAside } from './previous-result.ts';
import { trackProgress } from './progress.ts';
import { seeMembers, sleep } from './reap.ts';
import type { DispatchRequest, RunningUnit } from './running-unit.ts';
import { complain, showTail } from './show-end.ts';
import { lookIntervalMs, watchWorker } from './watch-worker.ts';
import { followOutput } from './worker-output.ts';

/** A guardian that is killed again and again is replaced no faster than this, ms. */
const REPLACE_GUARDIAN_MS = 100;
/** Loose refs of the user's repository are read for so long before the worker starts, ms; the rest right after. */
const LOOK_MS = 2;

/**
 * Runs one unit from launch to outcome and returns the exit code of `dispatch-task`. `announce` is called once with
 * the state dir, as soon as the attempt exists and its worker has been started, or could not be.
 */
export async function dispatch(
  request: DispatchRequest,
  host: ProcessHost,
  interruption: Interruption,
  announce: (stateDir: string) => void,
): Promise<number> {
  const attempt = prepareAttempt(host, request);
  const workspace = request.workdir === undefined ? undefined : workspaceOf(request.workdir);
  attempt.record.base = workspace?.base ?? null;
  if (workspace) refuseBusy(host, workspace);
  const command = buildCommand(request, attempt, workspace);
  const lifeline = startLifeline(host, attempt, guardianArgv(request, attempt));
  try {
    makeDraft(attempt);
    lifeline.begin();
    fillDraft(attempt, request, command);
    refuseIfClaimed(host, request, attempt);
    publishAttempt(attempt);
    faultPoint('dispatch:published', attempt.stateDir);
    setPreviousResultAside(request.resultFile, attempt.stateDir);
  } catch (error) {
    lifeline.release();
    // Its starter writes into the folder that goes now.
    await lifeline.settled;
    discardAttempt(attempt);
    throw error instanceof PrunError ? error : cannotPrepare(error, request);
  }
  const { stateDir, record } = attempt;
  faultPoint('dispatch:previous', stateDir);
  const running: RunningUnit = {
    ...{ request, attempt, command, lifeline },
    ...{ host, executor: request.executor, prun: request.prun, stateDir, record, interruption, workspace },
    environment: request.command.environment,
    before: Promise.resolve(undefined),
    by: 'dispatch-task',
  };
  // Before the start, so that the worker can change nothing unseen; what takes its time comes after.
  const source = workspace?.source;
  const begun = source && beginLook(source, LOOK_MS);
  const worker = interruption.signal() ? undefined : startOwnWorker(running);
  faultPoint('dispatch:launched', stateDir);
  if (source && begun) running.before = keepFingerprint(stateDir, source, begun.finish());
  if (workspace) noteAttempt(workspace, stateDir);
  describeAttempt(attempt);
  announce(stateDir);
  faultPoint('dispatch:announced', stateDir);
  const { outcome, exitCode } = await superviseAttempt(running, worker);
  if (outcome) complain(outcome);
  running.lifeline.release();
  showTail(stateDir, request.executor);
  return exitCode;
}

/** Two units in one clone would be charged with each other's changes. */
function refuseBusy(host: ProcessHost, workspace: WorkspacePlace): void {
  const stateDir = liveAttempt(host, attemptsIn(workspace));
  if (stateDir === undefined) return;
  throw new PrunError(
    'E_WORKSPACE_BUSY',
    `another unit works in ${workspace.clone} (state dir ${stateDir})`,
    'wait for it or stop it, or make a clone for this unit with prun clone',
  );
}

/** Loaded when the worker is at work: hashing needs a module that takes longer to load than the look. */
async function keepFingerprint(
  stateDir: string,
  source: RepositoryPlace,
  look: RepositoryLook,
): Promise<Tripwire | undefined> {
  const { fingerprintOf } = await import('../workspace/tripwire/tripwire.ts');
  const { keepTripwire } = await import('../workspace/tripwire/kept-tripwire.ts');
  let before: Tripwire | undefined;
  try {
    before = fingerprintOf(source, look);
    keepTripwire(stateFile(stateDir, 'repository'), before);
  } catch {
    // A full disk, or the state dir has gone: only a guardian would need the file.
  }
  return before;
}

async function superviseAttempt(
  running: RunningUnit,
  worker: LaunchedWorker | undefined,
): Promise<EndedAttempt> {
  const { request, host, interruption, attempt } = running;
  const { stateDir, record } = attempt;
  standBehind(running);
  const shim = worker && host.entry(worker.pid);
  record.worker = shim ? formatIdentity(identityOf(host, shim)) : null;
  if (worker) rewriteUnitRecord(stateDir, record);
  faultPoint('dispatch:recorded', stateDir);

  const output = followOutput(stateDir, request.executor);
  const family = createFamily(attempt.marker, record.rssMark, record.since);
  if (shim) family.members.set(shim.pid, shim);
  const observer = observerOf(host);
  const intervalMs = lookIntervalMs(request.limits, host.platform);
  const progress = trackProgress(
    stateDir,
    record.boot,
    evidenceSources(running, worker, output, family, (of) => seeMembers(host, of, observer)),
    intervalMs,
    quietScanMs(request),
  );
  let noted = '';
  const keepLedger = () => {
    // Linux has marks; on Windows a look costs too much to be taken without need.
    if (host.platform !== 'darwin') return;
    seeMembers(host, family, observer);
    noted = noteMembers(host, stateDir, family, noted);
  };
  const cause = worker
    ? await watchWorker({
        stateDir,
        worker,
        progress,
        limits: request.limits,
        intervalMs,
        interruption,
        executor: request.executor,
        askedSession: record.resumed?.sessionId,
        onLook: () => {
          keepGuarded(running);
          keepLedger();
        },
      })
    : notStarted(request, interruption);
  faultPoint('dispatch:ended', stateDir);
  const wasStarted = worker !== undefined;
  return endAttempt(running, { worker, wasStarted, output, family, observer, progress, cause });
}

function startOwnWorker({ request, host, attempt, command }: RunningUnit): LaunchedWorker | undefined {
  const { program, contain } = request;
  // The probe for a stronger wall costs a process: not for a program that is not there.
  const isContained = contain && program.kind === 'found';
  return startWorker(program, {
    stateDir: attempt.stateDir,
    workdir: attempt.workdir,
    command: isContained ? { ...command, argv: containArgv(command.argv, host.platform) } : command,
    rssMarkKib: attempt.rssMarkKib,
    platform: host.platform,
  });
}

function notStarted({ program }: DispatchRequest, interruption: Interruption): EndCause {
  const signal = interruption.signal();
  return signal ? { kind: 'dispatcher-signalled', signal } : spawnFailure(program);
}

/** The files of the workspace are looked at when nothing else has moved for a quarter of the threshold, ms. */
function quietScanMs(request: DispatchRequest): number {
  return (request.limits.stallThresholdSeconds * 1000) / 4;
}

/** A guardian that somebody killed is replaced: a worker never runs with nobody behind it. */
function keepGuarded(running: RunningUnit): void {
  if (running.lifeline.isAlive()) return;
  const { host, request, attempt } = running;
  const next = startLifeline(host, attempt, guardianArgv(request, attempt));
  next.begin();
  running.lifeline = next;
  standBehind(running);
}

/**
 * Writes down who stands by, and hears of a guardian's end at once: looks may be five seconds apart. One that could
 * not be started is recorded as absent, and the next look tries again.
 */
function standBehind(running: RunningUnit): void {
  const { lifeline, attempt } = running;
  void lifeline.settled.then(() => lifeline.record(attempt.stateDir));
  void lifeline.lost.then(() => sleep(REPLACE_GUARDIAN_MS)).then(() => keepGuarded(running));
}

/** Beside the state dir what a guardian needs when it is not there: not yet, or not any more. */
function guardianArgv(request: DispatchRequest, { stateDir, marker, record }: PreparedAttempt): string[] {
  const unit = ['--marker', marker, '--since', String(record.since), '--dispatcher', record.supervisor];
  return [...request.guardian, '--state-dir', stateDir, ...unit];
}

/** The worker's command line. `workspace`: where it works, if that is one. */
export function buildCommand(
  request: Pick<DispatchRequest, 'program' | 'executor' | 'command' | 'resultFile'>,
  attempt: Pick<PreparedAttempt, 'marker' | 'stateDir' | 'workdir' | 'record'>,
  workspace: WorkspacePlace | undefined,
): WorkerCommand {
  const { program } = request;
  return request.executor.command({
    ...request.command,
    binary: program.kind === 'missing' ? program.tried : program.path,
    marker: attempt.marker,
    lastMessageFile: stateFile(attempt.stateDir, 'lastMessage'),
    unit: attempt.record.unit,
    workdir: attempt.workdir,
    promptFile: stateFile(attempt.stateDir, 'prompt'),
    resultFile: request.resultFile,
    options: withSchemaFile(request.command.options, attempt.stateDir),
    ...(workspace ? { told: { ...request.command.told, ...workspaceEnvironment(workspace) } } : {}),
  });
}

/** Mostly a full disk. Nothing was started, and nothing is left. */
function cannotPrepare(error: unknown, { stateHome }: DispatchRequest): PrunError {
  return new PrunError(
    'E_STATE_DIR',
    `no state dir can be made in ${stateHome} (${messageOf(error)})`,
    'make room there, or give another folder with --state-home',
    EXIT.noResult,
  );
}

/** Claims the result path for an attempt. Throws PrunError where a live one holds it (promise P3). */
export function refuseIfClaimed(
  host: ProcessHost,
  request: Pick<DispatchRequest, 'resultFile'>,
  attempt: Pick<PreparedAttempt, 'stateDir' | 'record'>,
): void {
  const holder = claimResult(host, {
    stateDir: attempt.stateDir,
    holder: attempt.record.supervisor,
    resultFile: request.resultFile,
  });
  if (!holder) return;
  throw new PrunError(
    'E_RESULT_CLAIMED',
    `another live dispatch writes to ${request.resultFile} (state dir ${holder.stateDir})`,
    'wait for it, stop it (reap-watch --state-dir ends one that was left behind), or give this unit another --result-file',
  );
}
