import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { executorByName } from '../executor/by-name.ts';
import type { Executor } from '../executor/types.ts';
import { monotonicMs } from '../platform/clock.ts';
import { faultPoint } from '../platform/fault.ts';
import { PRIVATE_DIR, PRIVATE_FILE, readValue, writeAtomic } from '../platform/files.ts';
import { createFamily, type Family, type Observer } from '../process/family.ts';
import { formatIdentity, identityOf, isAlive } from '../process/identity.ts';
import type { ProcessEntry, ProcessHost } from '../process/types.ts';
import { readProgress, readUnitRecord } from '../unit/read-records.ts';
import type { LastEvidence, OutcomeRecord, UnitRecord } from '../unit/records.ts';
import { stateFile } from '../unit/state-dir.ts';
import { keepTripwire, readTripwire } from '../workspace/tripwire/kept-tripwire.ts';
import { type Tripwire, takeTripwire } from '../workspace/tripwire/tripwire.ts';
import { noteAttempt, workspaceOf } from '../workspace/workspace-of.ts';
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
import { exitFromFile } from './conclude.ts';
import { buildCommand, refuseIfClaimed } from './dispatch.ts';
import { type EndedWatch, endAttempt } from './end-attempt.ts';
import { evidenceSources } from './evidence-sources.ts';
import { causeOfEnd, removeTemporaries, seedShim, setOlderResultAside } from './guard.ts';
import { type Cancellation, cancellable } from './interruption.ts';
import { type LaunchedWorker, launchWorker } from './launch.ts';
import { noteMembers, recallMembers } from './member-ledger.ts';
import { setPreviousResultAside } from './previous-result.ts';
import { type EarlierProgress, type Progress, trackProgress } from './progress.ts';
import type { DispatchRequest, SupervisedUnit } from './running-unit.ts';
import type { SharedLook } from './shared-look.ts';
import { lookIntervalMs, watchWorker } from './watch-worker.ts';
import { followOutput } from './worker-output.ts';

/** How often the end of an adopted worker is looked for, ms: it is nobody's child any more. */
const ADOPTED_LOOK_MS = 50;
/** A shim that has claimed its start may not have written its pid for so long, ms. */
const SHIM_WRITES_MS = 200;

/** What the supervisor of many units shares among them. */
export interface AttemptContext {
  host: ProcessHost;
  observer: Observer;
  look: SharedLook;
  /** File with the pid of the guardian that stands behind the supervisor: shims wait for it. */
  guardianPidFile: string;
  /** The compiled `prun`. */
  prun: string;
}

/** One attempt as a run's supervisor asks for it. */
export interface RunAttemptRequest
  extends Omit<DispatchRequest, 'guardian' | 'prun' | 'contain' | 'outerMarker' | 'prompt'> {
  /** The prompt, which may name files of the attempt's state dir (absolute). */
  promptFor(stateDir: string): string;
  /** A repository to be compared before and after, where the work dir is no workspace. */
  watched?: { gitDir: string; commonDir: string } | undefined;
  /** Whether the result lies where another dispatch may write, too, and not in the run's own folder. */
  isResultShared: boolean;
  attempt: number;
  outerMarker: string | undefined;
  verify: SupervisedUnit['verify'];
  /** After how long without progress somebody wants to hear of it, 0 = never: looks are not further apart. */
  stallNoticeSeconds: number;
}

/** An attempt under way in this process. */
export interface LiveAttempt {
  stateDir: string;
  record: UnitRecord;
  lastEvidence(): LastEvidence;
  cancel(wish: Cancellation): void;
  /** Resolves with its outcome; undefined where somebody else had written one. Never rejects: see `onFault`. */
  ended: Promise<OutcomeRecord | undefined>;
}

/**
 * Starts one attempt and supervises it to its outcome. Throws where it cannot be prepared (a full disk, a result that
 * cannot be moved aside): then nothing was started and nothing is left.
 */
export function launchAttempt(request: RunAttemptRequest, context: AttemptContext): LiveAttempt {
  const { host } = context;
  const attempt = prepareAttempt(host, request);
  const prompt = Buffer.from(request.promptFor(attempt.stateDir));
  const workspace = request.workdir === undefined ? undefined : workspaceOf(request.workdir);
  attempt.record.base = workspace?.base ?? null;
  const command = buildCommand(request, attempt, workspace);
  const { stateDir, record } = attempt;
  try {
    makeDraft(attempt);
    fillDraft(attempt, { prompt }, command);
    // A worker may have removed the folder: that is no reason to fail those that come after it.
    mkdirSync(path.dirname(request.promptFile), { recursive: true, mode: PRIVATE_DIR });
    writeAtomic(request.promptFile, prompt, { sync: false });
    if (request.isResultShared) refuseIfClaimed(host, request, attempt);
    publishAttempt(attempt);
    faultPoint('run:published', stateDir);
    setPreviousResultAside(request.resultFile, stateDir);
  } catch (error) {
    discardAttempt(attempt);
    throw error;
  }
  const source = workspace?.source ?? request.watched;
  const before = source && fingerprint(stateDir, source);
  const worker = startWorker(request, attempt, command, context);
  faultPoint('run:launched', stateDir);
  if (workspace) noteAttempt(workspace, stateDir);
  describeAttempt(attempt);
  const { interruption, cancel } = cancellable();
  const unit: SupervisedUnit = {
    ...{ host, executor: request.executor, prun: context.prun, stateDir, record, interruption, workspace },
    environment: request.command.environment,
    before: Promise.resolve(before),
    by: 'run',
    anybodyLeft: context.look.anybodyLeft,
    verify: request.verify,
  };
  const shim = worker && host.entry(worker.pid);
  record.worker = shim ? formatIdentity(identityOf(host, shim)) : null;
  if (worker) rewriteUnitRecord(stateDir, record);
  faultPoint('run:recorded', stateDir);
  const family = createFamily(attempt.marker, record.rssMark, record.since);
  if (shim) family.members.set(shim.pid, shim);
  const cause = worker ? undefined : notStarted(request);
  return supervise(unit, context, {
    worker,
    wasStarted: worker !== undefined,
    stallNoticeSeconds: request.stallNoticeSeconds,
    family,
    cause,
    cancel,
    isAdopted: false,
  });
}

/** A fingerprint of the user's repository, before the worker can change anything. */
function fingerprint(stateDir: string, source: { gitDir: string; commonDir: string }): Tripwire | undefined {
  try {
    const before = takeTripwire(source);
    keepTripwire(stateFile(stateDir, 'repository'), before);
    return before;
  } catch {
    // A full disk: only a successor would need the file. Or nobody may look: then nothing is compared.
    return undefined;
  }
}

function startWorker(
  request: RunAttemptRequest,
  attempt: PreparedAttempt,
  command: ReturnType<typeof buildCommand>,
  { host, guardianPidFile }: AttemptContext,
): LaunchedWorker | undefined {
  if (request.program.kind !== 'found') return undefined;
  try {
    const worker = launchWorker({
      stateDir: attempt.stateDir,
      workdir: attempt.workdir,
      command,
      rssMarkKib: attempt.rssMarkKib,
      platform: host.platform,
      guardianPidFile,
    });
    return worker.pid > 0 ? worker : undefined;
  } catch {
    // No descriptor left (EMFILE), or the state dir has gone: the attempt exists, and needs its outcome.
    return undefined;
  }
}

function notStarted({ program }: RunAttemptRequest): EndCause {
  if (program.kind === 'missing') {
    return { kind: 'spawn-failed', message: `${program.tried} was not found`, exitCode: 127 };
  }
  const message =
    program.kind === 'found' ? `${program.path} could not be started` : `${program.path} is not executable`;
  return { kind: 'spawn-failed', message, exitCode: 126 };
}

/** What became of an attempt that another supervisor had left. */
export type Adoption =
  /** It goes on, or is brought to its end. */
  | { kind: 'live'; attempt: LiveAttempt; wasStarted: boolean }
  /** Its `unit.json` cannot be read: nobody can tell what it was. */
  | { kind: 'unreadable' };

/**
 * Takes over an attempt without an outcome whose supervisor is dead. A worker that lives goes on; one that has ended
 * gets its outcome as if the supervisor had been there; one that was never started never will be (the start fence).
 */
export async function adoptAttempt(
  stateDir: string,
  context: AttemptContext,
  wish: Pick<RunAttemptRequest, 'verify' | 'stallNoticeSeconds'>,
  environment: NodeJS.ProcessEnv,
): Promise<Adoption> {
  const { host } = context;
  const record = readUnitRecord(stateDir);
  if (!record) return { kind: 'unreadable' };
  const wasStarted = !(await claimStart(stateDir));
  faultPoint('run:adopted', stateDir);
  removeTemporaries(path.dirname(record.resultFile), record.supervisor);
  if (!wasStarted) setOlderResultAside(stateDir, record);
  const executor = executorByName(record.executor);
  const family = createFamily(record.marker, record.rssMark, record.since);
  const shimPid = seedShim(stateDir, host, record, family);
  recallMembers(host, stateDir, family);
  const shim = family.members.get(shimPid);
  const { interruption, cancel } = cancellable();
  const self = host.entry(process.pid);
  if (self) record.supervisor = formatIdentity(identityOf(host, self));
  record.worker ??= shim ? formatIdentity(identityOf(host, shim)) : null;
  rewriteUnitRecord(stateDir, record);
  const unit: SupervisedUnit = {
    ...{ host, executor, prun: context.prun, stateDir, record, interruption, environment },
    workspace: workspaceOf(record.cwd),
    before: Promise.resolve(readTripwire(stateFile(stateDir, 'repository'))),
    by: 'run',
    anybodyLeft: context.look.anybodyLeft,
    verify: wish.verify,
  };
  const goesOn = shim !== undefined && exitFromFile(stateDir).kind === 'lost';
  const worker = goesOn ? adoptedWorker(host, stateDir, shim) : undefined;
  const known = causeOfEnd(stateDir);
  const cause = known.kind === 'dispatcher-dead' ? deadCause(worker !== undefined, wasStarted) : known;
  const attempt = supervise(unit, context, {
    ...{ worker, wasStarted, family, cancel, cause, isAdopted: true },
    stallNoticeSeconds: wish.stallNoticeSeconds,
    earlier: earlierProgress(stateDir, record, host),
  });
  return { kind: 'live', attempt, wasStarted };
}

/**
 * Whether an attempt that has its outcome came to its end before its worker ran, because a supervisor that took over
 * was first at the start fence: the unit may be tried again as if it had never been.
 */
export function wasNeverStarted(stateDir: string): boolean {
  return readValue(stateFile(stateDir, 'started')) === '' && exitFromFile(stateDir).kind === 'lost';
}

/** Takes the start fence if it is free: then the worker was never started, and now never will be. */
async function claimStart(stateDir: string): Promise<boolean> {
  const file = stateFile(stateDir, 'started');
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE));
    return true;
  } catch {
    // The shim has it, or an earlier supervisor that took over and was killed. A shim writes its pid at once.
    const deadline = monotonicMs() + SHIM_WRITES_MS;
    while (readValue(file) === '' && !existsSync(stateFile(stateDir, 'exit')) && monotonicMs() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return wasNeverStarted(stateDir);
  }
}

/** A worker that is nobody's child: its end is in the exit file of its shim, or the shim is gone. */
function adoptedWorker(host: ProcessHost, stateDir: string, shim: ProcessEntry): LaunchedWorker {
  const identity = identityOf(host, shim);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    const look = setInterval(() => {
      if (exitFromFile(stateDir).kind === 'lost' && isAlive(host, identity)) return;
      clearInterval(look);
      resolve({ code: null, signal: null });
    }, ADOPTED_LOOK_MS);
  });
  return { pid: shim.pid, ended };
}

function earlierProgress(
  stateDir: string,
  record: UnitRecord,
  host: ProcessHost,
): EarlierProgress | undefined {
  if (record.boot !== host.bootId()) return undefined;
  const now = monotonicMs();
  const progress = readProgress(stateDir);
  const lastMs = progress?.monotonicMs ?? record.startedMonotonicMs;
  return {
    awakeMs: Math.max(0, now - record.startedMonotonicMs),
    quietMs: Math.max(0, now - lastMs),
    kind: progress?.kind ?? 'start',
    at: progress?.at ?? record.startedAt,
  };
}

interface Watch {
  worker: LaunchedWorker | undefined;
  wasStarted: boolean;
  family: Family;
  /** Why it ends, where that is known already. */
  cause: EndCause | undefined;
  cancel(wish: Cancellation): void;
  isAdopted: boolean;
  stallNoticeSeconds: number;
  earlier?: EarlierProgress | undefined;
}

function supervise(unit: SupervisedUnit, context: AttemptContext, watch: Watch): LiveAttempt {
  const { host, stateDir, record, executor } = unit;
  const { worker, wasStarted, family, cancel } = watch;
  const output = followOutput(stateDir, executor);
  const intervalMs = intervalOf(record.limits, watch.stallNoticeSeconds, host);
  let noted = '';
  const see = () => {
    context.look.see();
    if (host.platform === 'darwin') noted = noteMembers(host, stateDir, family, noted);
  };
  const progress = trackProgress(
    stateDir,
    record.boot,
    evidenceSources(unit, worker, output, family, see),
    intervalMs,
    (record.limits.stallThresholdSeconds * 1000) / 4,
    watch.earlier,
  );
  context.look.join(family);
  const run = async (): Promise<OutcomeRecord | undefined> => {
    try {
      const cause = watch.cause ?? (worker ? await watched(unit, worker, progress, see, intervalMs) : lost());
      context.look.leave(family);
      restoreStateDir(stateDir, record);
      faultPoint('run:ended', stateDir);
      const ended: EndedWatch = {
        ...{ worker, wasStarted, output, family, observer: context.observer, progress, cause },
        isAdopted: watch.isAdopted,
      };
      return (await endAttempt(unit, ended)).outcome;
    } finally {
      context.look.leave(family);
    }
  };
  return { stateDir, record, lastEvidence: progress.lastEvidence, cancel, ended: run() };
}

/** A worker that removed its own state dir has an end all the same: its outcome needs a place (promise P1). */
function restoreStateDir(stateDir: string, record: UnitRecord): void {
  if (existsSync(stateDir)) return;
  try {
    mkdirSync(stateDir, { mode: PRIVATE_DIR });
  } catch {
    // The whole run has gone, or the disk is full: then the outcome cannot be written, and that is said.
  }
  rewriteUnitRecord(stateDir, record);
}

function watched(
  { stateDir, record, interruption, host }: SupervisedUnit,
  worker: LaunchedWorker,
  progress: Progress,
  see: () => void,
  intervalMs: number,
): Promise<EndCause> {
  return watchWorker({
    ...{ stateDir, worker, progress, interruption, intervalMs },
    limits: record.limits,
    // Without marks descendants are known only while their parents live.
    onLook: host.platform === 'darwin' ? see : () => {},
  });
}

/** A notice asks for looks as a threshold of the same length does. */
function intervalOf(limits: UnitRecord['limits'], noticeSeconds: number, { platform }: ProcessHost): number {
  const stallThresholdSeconds = noticeSeconds > 0 ? noticeSeconds : limits.stallThresholdSeconds;
  const byNotice = lookIntervalMs({ ...limits, stallThresholdSeconds }, platform);
  return Math.min(byNotice, lookIntervalMs(limits, platform));
}

/** Why an attempt ends of which no file says it; undefined where its worker goes on. */
function deadCause(goesOn: boolean, wasStarted: boolean): EndCause | undefined {
  if (goesOn) return undefined;
  const detail = wasStarted
    ? 'its supervisor died, and nobody saw how the worker ended'
    : 'its supervisor died before the worker began';
  return { kind: 'dispatcher-dead', detail };
}

function lost(): EndCause {
  return { kind: 'dispatcher-dead' };
}

/** The executor of a unit's record, for whoever reads its output. */
export function executorOf(record: Pick<UnitRecord, 'executor'>): Executor {
  return executorByName(record.executor);
}
