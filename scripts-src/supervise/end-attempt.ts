import { existsSync } from 'node:fs';
import { monotonicMs } from '../platform/clock.ts';
import { EXIT } from '../platform/errors.ts';
import { faultPoint } from '../platform/fault.ts';
import { readStart, writeAtomic } from '../platform/files.ts';
import type { Family, Observer } from '../process/family.ts';
import type { OutcomeRecord, TripwireSummary, VerifyRecord } from '../unit/records.ts';
import { stateFile } from '../unit/state-dir.ts';
import { workspaceEnvironment } from '../workspace/workspace-of.ts';
import { type EndCause, exitFromShellCode, SESSION_LOST, type WorkerExit } from './classify.ts';
import { askedReader, concludeAttempt, exitFromFile, signalName } from './conclude.ts';
import { endFamily } from './end-family.ts';
import type { WorkspaceEnd } from './end-workspace.ts';
import { evidenceText } from './evidence-text.ts';
import type { Interruption } from './interruption.ts';
import type { LaunchedWorker } from './launch.ts';
import type { Progress } from './progress.ts';
import { askToEnd, type Sweep, seeMembers, sleep } from './reap.ts';
import type { SupervisedUnit } from './running-unit.ts';
import { SHIM_NAME, SHIM_REFUSED } from './shim.ts';
import type { WorkerOutput } from './worker-output.ts';

/** A hung worker may take this long to end in good order, ms; codex needs under 200 (FACTS-codex.md). */
const ASK_MS = 3000;
/** The same when this process is itself being stopped: the host sends SIGKILL after 1.4 s (FACTS-claude-code.md). */
const ASK_WHEN_STOPPED_MS = 300;
const KILL_MS = 5000;
const KILL_WHEN_STOPPED_MS = 500;
/** A worker that was ended by the same stop as this process: our own signal may come a moment later, ms. */
const SAME_STOP_MS = 50;

/** Exit code of a check that was stopped, as `runVerify` gives it. */
const STOPPED = 130;

/** What is in hand when the watch over a worker is over. */
export interface EndedWatch {
  worker: LaunchedWorker | undefined;
  /** Whether the worker was ever started; a supervisor that took over may hold none that lives. */
  wasStarted: boolean;
  /** Taken over from a supervisor that died: processes may be there that nobody here has started. */
  isAdopted?: boolean;
  output: WorkerOutput;
  family: Family;
  observer: Observer;
  progress: Progress;
  cause: EndCause;
}

/** How an attempt ended. */
export interface EndedAttempt {
  /** undefined where another supervisor was first with it. */
  outcome: OutcomeRecord | undefined;
  /** Exit code of `dispatch-task`. */
  exitCode: number;
}

/**
 * Brings an attempt to its outcome after the watch is over: ends every process, names the end, rescues a result,
 * publishes.
 */
export async function endAttempt(running: SupervisedUnit, ended: EndedWatch): Promise<EndedAttempt> {
  const { stateDir, record, interruption } = running;
  let { cause } = ended;
  const lastEvidence = ended.progress.lastEvidence();
  if (cause.kind === 'reaped') {
    note(stateDir, 'reapReason', `${cause.reason}\nlast evidence: ${evidenceText(lastEvidence)}\n`);
  }
  if (cause.kind === 'dispatcher-signalled') note(stateDir, 'stopSignal', `${cause.signal}\n`);
  if (cause.kind === 'cancelled') note(stateDir, 'reapReason', `cancelled\nby ${cause.by}\n`);
  if (cause.kind === 'other-session')
    note(stateDir, 'reapReason', `${SESSION_LOST}\nanother session began\n`);
  const sweep = await endProcesses(running, ended);
  faultPoint('dispatch:reaped', stateDir);
  let exit = await workerExit(ended, stateDir);
  if (cause.kind === 'worker-ended') cause = await afterWorkerEnd(cause, exit, interruption, stateDir);
  if (cause.kind === 'spawn-failed') exit = { kind: 'code', code: cause.exitCode };
  const workspace = await endWorkspaceOf(running, ended, cause);
  const verify = isCleanEnd(cause, exit) ? await verifyWork(running, ended) : undefined;
  const cancelled = interruption.cancelled?.();
  // It was the wish that ended the check, and the check says nothing of the work.
  if (verify && cancelled) cause = { kind: 'cancelled', by: cancelled.by };
  const outcome = concludeAttempt({
    stateDir,
    record,
    executor: running.executor,
    output: ended.output,
    cause,
    exit,
    sweep,
    lastEvidence,
    durationMs: durationOf(running),
    by: running.by,
    workspace,
    tripwire: workspace ? undefined : await repositoryOf(running),
    verify,
    environment: running.environment,
    readAsked: await askedReader(record),
    isHurried: interruption.signal() !== undefined,
  });
  return { outcome, exitCode: exitCodeOf(cause, exit, outcome) };
}

/** By the clock that nobody sets; after a reboot that one began anew, and only the wall clock tells. */
function durationOf({ host, record }: SupervisedUnit): number {
  if (record.boot === host.bootId()) return monotonicMs() - record.startedMonotonicMs;
  return Math.max(0, Date.now() - Date.parse(record.startedAt));
}

function isCleanEnd(cause: EndCause, exit: WorkerExit): boolean {
  return cause.kind === 'worker-ended' && exit.kind === 'code' && exit.code === 0;
}

/** Runs the unit's own check in its workspace, when the worker ended well. */
async function verifyWork(
  { host, stateDir, record, environment, interruption, workspace, verify }: SupervisedUnit,
  { progress }: EndedWatch,
): Promise<VerifyRecord | undefined> {
  if (!verify) return undefined;
  progress.noteCollecting('verifying');
  const { runVerify } = await import('./verify.ts');
  const log = stateFile(stateDir, 'verifyLog');
  const { command, timeoutSeconds, passEnv } = verify;
  const stop = interruption.cancelArrived;
  const { marker, cwd: workdir } = record;
  // Whoever cancels it while it waits has cancelled the unit.
  if (verify.slots && !(await verify.slots.hold(stop))) return { command, exitCode: STOPPED, log };
  const told = {
    ...verify.told,
    ...verify.slots?.told(),
    ...(workspace ? workspaceEnvironment(workspace) : {}),
  };
  try {
    const { exitCode } = await runVerify({
      host,
      command,
      workdir,
      log,
      environment,
      marker,
      timeoutSeconds,
      passEnv,
      told,
      onStart: verify.slots?.keptBy,
      stop,
    });
    return { command, exitCode, log };
  } finally {
    verify.slots?.giveBack();
  }
}

/** Collects the delta, unless this process is being stopped; looks at the user's repository in any case. */
async function endWorkspaceOf(
  { host, prun, stateDir, record, interruption, workspace, before }: SupervisedUnit,
  { wasStarted, progress }: EndedWatch,
  cause: EndCause,
): Promise<WorkspaceEnd | undefined> {
  if (!workspace) return undefined;
  const { endWorkspace } = await import('./end-workspace.ts');
  const stop = interruption.arrived;
  const because = interruption.signal() ? 'dispatch-task was stopped' : undefined;
  const notNow = wasStarted && cause.kind !== 'spawn-failed' ? because : 'the worker was not started';
  if (notNow === undefined) progress.noteCollecting('collecting');
  const place = workspace;
  return endWorkspace({
    host,
    place,
    stateDir,
    record,
    prun,
    before: await before,
    notNow,
    stop,
  });
}

/** What changed in the repository that a unit without a workspace worked in. */
async function repositoryOf({ before }: SupervisedUnit): Promise<TripwireSummary | null> {
  const fingerprint = await before;
  if (!fingerprint) return null;
  const { repositoryNow } = await import('./end-workspace.ts');
  return repositoryNow(fingerprint);
}

/** Writes down why the unit ends before anything is done about it: a guardian that takes over goes by it. */
function note(stateDir: string, file: 'reapReason' | 'stopSignal', text: string): void {
  try {
    // By rename: never through a link or into a pipe that stands there.
    writeAtomic(stateFile(stateDir, file), text, { sync: false });
  } catch {
    // A full disk must not keep the worker alive; the outcome says the same.
  }
}

/** Asks where there is somebody to ask, then kills at sight whatever is left. */
async function endProcesses(running: SupervisedUnit, ended: EndedWatch): Promise<Sweep> {
  const { host, interruption } = running;
  const { worker, family, observer, cause } = ended;
  if (!worker && !ended.isAdopted) return { reaped: [], survivors: [] };
  const isStopped = cause.kind === 'dispatcher-signalled';
  ended.output.advance();
  const { sessionId, structured } = ended.output.events.facts();
  if (sessionId && structured) family.threadIds.add(sessionId);
  if (worker && cause.kind !== 'worker-ended' && !interruption.isUrgent()) {
    seeMembers(host, family, observer);
    const whom = structured ? 'leader' : 'group';
    // Somebody may stop this process while it asks: then there is no time for the rest of the wait.
    const answered = isStopped ? worker.ended : Promise.race([worker.ended, interruption.arrived]);
    // A session that began by mistake need not stay whole.
    const isBrief = isStopped || cause.kind === 'other-session';
    await askToEnd(host, family, worker.pid, whom, askMs(interruption, isBrief), answered);
  }
  // One look without a hit ends a sweep (FACTS-processes.md), whoever takes it.
  if (cause.kind === 'worker-ended' && (await running.anybodyLeft?.(family)) === false) {
    return { reaped: [], survivors: [] };
  }
  return endFamily(
    host,
    family,
    worker?.pid ?? -1,
    observer,
    interruption.signal() ? KILL_WHEN_STOPPED_MS : KILL_MS,
  );
}

/** How long a worker may take to end in good order. */
function askMs(interruption: Interruption, isBrief: boolean): number {
  return interruption.cancelled?.()?.graceMs ?? (isBrief ? ASK_WHEN_STOPPED_MS : ASK_MS);
}

/** The shim's `$?` as its own end or its exit file says; a shim that was killed leaves neither. */
async function workerExit({ worker, wasStarted }: EndedWatch, stateDir: string): Promise<WorkerExit> {
  if (!worker) return wasStarted ? exitFromFile(stateDir) : { kind: 'lost' };
  const end = await Promise.race([worker.ended, sleep(200).then(() => undefined)]);
  if (end?.code !== null && end?.code !== undefined) return exitFromShellCode(end.code, signalName);
  const written = exitFromFile(stateDir);
  if (written.kind !== 'lost') return written;
  return end?.signal ? { kind: 'signal', signal: end.signal, inferred: false } : { kind: 'lost' };
}

/** Tells a worker that could not be started, and one that a stop of this whole process tree ended, from its own end. */
async function afterWorkerEnd(
  cause: EndCause,
  exit: WorkerExit,
  interruption: Interruption,
  stateDir: string,
): Promise<EndCause> {
  if (exit.kind === 'code' && (exit.code === EXIT.notExecutable || exit.code === EXIT.notFound)) {
    const said = shimComplaint(stateDir);
    if (said) return { kind: 'spawn-failed', message: said, exitCode: exit.code };
  }
  if (exit.kind === 'code' && exit.code === SHIM_REFUSED && !existsSync(stateFile(stateDir, 'started'))) {
    const message = 'the guardian could not be started, and a worker that nobody would reap is not started';
    return { kind: 'spawn-failed', message, exitCode: EXIT.notExecutable };
  }
  if (exit.kind === 'signal' && ['SIGTERM', 'SIGINT', 'SIGHUP'].includes(exit.signal)) {
    await Promise.race([interruption.arrived, sleep(SAME_STOP_MS)]);
    const signal = interruption.signal();
    if (signal) return { kind: 'dispatcher-signalled', signal };
  }
  return cause;
}

/** What sh said about a program that it could not run, without its own name, or undefined. */
function shimComplaint(stateDir: string): string | undefined {
  const file = existsSync(stateFile(stateDir, 'stderr')) ? 'stderr' : 'tail';
  const line = readStart(stateFile(stateDir, file), 4096)
    .split('\n')
    .find((text) => text.startsWith(`${SHIM_NAME}:`));
  return line?.replace(/^[^:]*: (?:line )?\d+: /, '');
}

/** The exit code, decided in one place (DESIGN.md §5). Codes may coincide with the worker's own. */
function exitCodeOf(cause: EndCause, exit: WorkerExit, outcome: OutcomeRecord | undefined): number {
  if (cause.kind === 'dispatcher-signalled') return 128 + signalNumber(cause.signal);
  if (outcome?.result === null) return EXIT.noResult;
  if (cause.kind === 'reaped') return EXIT.reaped;
  if (cause.kind === 'spawn-failed') return cause.exitCode;
  if (exit.kind === 'code') return exit.code;
  return exit.kind === 'signal' ? 128 + signalNumber(exit.signal) : 1;
}

function signalNumber(name: string): number {
  return Array.from({ length: 64 }, (_, number) => number).find((number) => signalName(number) === name) ?? 0;
}
