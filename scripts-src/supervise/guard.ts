import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Executor } from '../executor/types.ts';
import { monotonicMs } from '../platform/clock.ts';
import { usageError } from '../platform/errors.ts';
import { faultPoint } from '../platform/fault.ts';
import { isTemporaryOf, PRIVATE_FILE, readValue, writeAtomic } from '../platform/files.ts';
import { createFamily, type Family, observerOf } from '../process/family.ts';
import { isAlive, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { readProgress, readUnitRecord } from '../unit/read-records.ts';
import type { LastEvidence, UnitRecord } from '../unit/records.ts';
import { isOwnFallback, moveFile, resultStateOf } from '../unit/result-file.ts';
import { draftOf, stateFile } from '../unit/state-dir.ts';
import { readTripwire } from '../workspace/tripwire/kept-tripwire.ts';
import { workspaceOf } from '../workspace/workspace-of.ts';
import { type EndCause, SESSION_LOST } from './classify.ts';
import { askedReader, concludeAttempt, exitFromFile } from './conclude.ts';
import { endFamily } from './end-family.ts';
import { endWorkspace, type WorkspaceEnd } from './end-workspace.ts';
import { isStopSignal } from './interruption.ts';
import { recallMembers } from './member-ledger.ts';
import { wakeWatchers } from './publish-outcome.ts';
import { askToEnd, type Sweep, seeMembers, sleep } from './reap.ts';
import { isReapReason } from './stall-verdict.ts';
import { followOutput, type WorkerOutput } from './worker-output.ts';

/** How often a guardian that stands by without a pipe looks for its dispatcher, ms. */
const STAND_BY_MS = 1000;
/** The kernel closes a dying process's pipe a moment before it is dead. */
const DYING_MS = 20;
/** Time for the worker to end in good order, so that its session stays whole, ms. */
const ASK_MS = 500;
const KILL_MS = 5000;
/** What a guardian writes down as its reason to reap. */
const DEAD = 'dispatch-dead';

/** What a guardian knows without a state dir: before it is there, and when somebody has removed it. */
export interface GuardedUnit {
  marker: string;
  since: number;
  /** Identity of the dispatcher, `boot:pid:start`. */
  dispatcher: string;
}

/**
 * Stands by until the attempt has an outcome or its dispatcher is dead; then reaps the worker at once, salvages,
 * and writes the outcome. `executorOf` knows the executors by name; `prun` is the compiled script that collects deltas.
 */
export async function guardAttempt(
  stateDir: string,
  host: ProcessHost,
  executorOf: (name: string) => Executor,
  prun: string,
  unit?: GuardedUnit,
): Promise<void> {
  if (!(await hasStateDir(stateDir, host, unit))) return endWithoutStateDir(stateDir, host, unit);
  const record = readUnitRecord(stateDir);
  if (!record && unit) await endByMarker(host, unit);
  if (!record)
    throw usageError(`${stateDir} has no readable unit.json`, 'give the STATE-DIR of a dispatched unit');
  await dispatcherGone(stateDir, host, record);
  // Whoever wrote the outcome may have died before it could say so.
  if (hasOutcome(stateDir)) return wakeWatchers(stateDir);
  faultPoint('guardian:awake', stateDir);
  await takeOver(stateDir, host, record, executorOf(record.executor), prun);
}

/** Where there is no pipe to sleep on (Windows), a guardian is there before its attempt is. */
async function hasStateDir(
  stateDir: string,
  host: ProcessHost,
  unit: GuardedUnit | undefined,
): Promise<boolean> {
  const dispatcher = parseIdentity(unit?.dispatcher ?? '');
  while (!existsSync(stateDir)) {
    if (!dispatcher || !isAlive(host, dispatcher)) return existsSync(stateDir);
    await sleep(DYING_MS);
  }
  return true;
}

async function dispatcherGone(stateDir: string, host: ProcessHost, record: UnitRecord): Promise<void> {
  const dispatcher = parseIdentity(record.supervisor);
  for (let looks = 0; dispatcher && isAlive(host, dispatcher) && !hasOutcome(stateDir); looks++) {
    await sleep(looks < 25 ? DYING_MS : STAND_BY_MS);
  }
}

async function takeOver(
  stateDir: string,
  host: ProcessHost,
  record: UnitRecord,
  executor: Executor,
  prun: string,
): Promise<void> {
  claimStart(stateDir);
  faultPoint('guardian:claimed', stateDir);
  const output = followOutput(stateDir, executor);
  output.advance();
  const lastEvidence = lastEvidenceOf(stateDir, record);
  const cause = causeOfEnd(stateDir);
  if (cause.kind === 'dispatcher-dead') noteDead(stateDir);
  const sweep = await endWorker(stateDir, host, record, output);
  faultPoint('guardian:reaped', stateDir);
  const exit = exitFromFile(stateDir);
  removeTemporaries(path.dirname(record.resultFile), record.supervisor);
  if (!wasStarted(stateDir, record)) setOlderResultAside(stateDir, record);
  const workspace = await endWorkspaceOf(stateDir, host, record, prun);
  concludeAttempt({
    stateDir,
    record,
    executor,
    output,
    cause,
    exit,
    sweep,
    lastEvidence,
    durationMs: monotonicMs() - record.startedMonotonicMs,
    by: 'guardian',
    workspace,
    environment: process.env,
    readAsked: await askedReader(record),
    isHurried: false,
  });
}

/** Nobody hurries a guardian: it collects the delta also where a stop of the dispatcher left no time for it. */
async function endWorkspaceOf(
  stateDir: string,
  host: ProcessHost,
  record: UnitRecord,
  prun: string,
): Promise<WorkspaceEnd | undefined> {
  const place = workspaceOf(record.cwd);
  if (!place) return undefined;
  const before = readTripwire(stateFile(stateDir, 'repository'));
  const notNow = wasStarted(stateDir, record) ? undefined : 'the worker was not started';
  return endWorkspace({ host, place, stateDir, record, prun, before, notNow });
}

/**
 * Why a unit ends that its dispatcher did not bring to its end, asked before anything is done to it: the dispatcher's own decision if it wrote one down, and a
 * worker that ended by itself ended so, whoever was there to see it. A stop of the host reaches worker and dispatcher.
 */
export function causeOfEnd(stateDir: string): EndCause {
  const reason = readValue(stateFile(stateDir, 'reapReason'))?.split('\n', 1)[0];
  if (reason === DEAD) return { kind: 'dispatcher-dead' };
  if (reason === 'cancelled') return { kind: 'cancelled', by: 'prun cancel' };
  if (reason === SESSION_LOST) return { kind: 'other-session' };
  if (isReapReason(reason)) return { kind: 'reaped', reason };
  const signal = readValue(stateFile(stateDir, 'stopSignal'));
  if (isStopSignal(signal)) return { kind: 'dispatcher-signalled', signal };
  const exit = exitFromFile(stateDir);
  const ended =
    exit.kind === 'code' ||
    (exit.kind === 'signal' && exit.signal !== 'SIGKILL' && !isStopSignal(exit.signal));
  return ended ? { kind: 'worker-ended' } : { kind: 'dispatcher-dead' };
}

/** For the next guardian, if this one is killed: a worker that was asked to end may well exit with a code of its own. */
function noteDead(stateDir: string): void {
  try {
    writeAtomic(stateFile(stateDir, 'reapReason'), `${DEAD}\n`, { sync: false });
  } catch {
    // A full disk must not keep the worker alive.
  }
}

/** A dispatcher that was killed while it saved a result leaves a half-written file beside it. */
export function removeTemporaries(folder: string, dispatcher: string): void {
  const writer = parseIdentity(dispatcher)?.pid;
  try {
    for (const name of readdirSync(folder)) {
      if (isTemporaryOf(name, writer)) rmSync(path.join(folder, name), { force: true });
    }
  } catch {
    // The folder has gone, or it may not be listed: then it stays.
  }
}

/** Whether the shim came to its worker. An empty fence is a guardian's, unless the worker removed the shim's. */
function wasStarted(stateDir: string, record: UnitRecord): boolean {
  return (
    readValue(stateFile(stateDir, 'started')) !== '' ||
    record.worker !== null ||
    exitFromFile(stateDir).kind !== 'lost'
  );
}

/** For a worker that never ran: whoever wanted to start it may have died before it came to this (promise P3). */
export function setOlderResultAside(stateDir: string, { unit, resultFile }: UnitRecord): void {
  const aside = stateFile(stateDir, 'previousResult');
  if (existsSync(aside) || isOwnFallback(resultFile, unit) || resultStateOf(resultFile) === 'missing') return;
  try {
    moveFile(resultFile, aside);
  } catch {
    // It stays where it is; the outcome names the file and this unit's status.
  }
}

/** Takes the start fence, if it is free: then the worker was never started, and now never will be. */
function claimStart(stateDir: string): void {
  try {
    closeSync(openSync(stateFile(stateDir, 'started'), 'wx', PRIVATE_FILE));
  } catch {
    // The shim has it, or an earlier guardian that was killed: either way the sweep finds whoever is there.
  }
}

async function endWorker(
  stateDir: string,
  host: ProcessHost,
  record: UnitRecord,
  output: WorkerOutput,
): Promise<Sweep> {
  const family = createFamily(record.marker, record.rssMark, record.since);
  const { structured, sessionId } = output.events.facts();
  if (sessionId && structured) family.threadIds.add(sessionId);
  const shimPid = seedShim(stateDir, host, record, family);
  recallMembers(host, stateDir, family);
  const observer = observerOf(host);
  seeMembers(host, family, observer);
  if (exitFromFile(stateDir).kind === 'lost') {
    await askToEnd(host, family, shimPid, structured ? 'leader' : 'group', ASK_MS, exitWritten(stateDir));
  }
  faultPoint('guardian:asked', stateDir);
  return endFamily(host, family, shimPid, observer, KILL_MS);
}

/**
 * The shim by its recorded identity, or by the pid that it wrote when it claimed the start: puts it among the family's
 * members where it lives, and returns its pid.
 */
export function seedShim(stateDir: string, host: ProcessHost, record: UnitRecord, family: Family): number {
  const recorded = record.worker === null ? undefined : parseIdentity(record.worker);
  const pid = recorded?.pid ?? Number(readValue(stateFile(stateDir, 'started')));
  const entry = Number.isInteger(pid) && pid > 1 ? host.entry(pid) : undefined;
  if (!entry) return pid;
  const isShim = recorded
    ? recorded.boot === host.bootId() && entry.start === recorded.start
    : host.marks(entry)?.unit === record.marker;
  if (isShim) family.members.set(entry.pid, entry);
  return pid;
}

async function exitWritten(stateDir: string): Promise<void> {
  while (exitFromFile(stateDir).kind === 'lost') await sleep(10);
}

function lastEvidenceOf(stateDir: string, record: UnitRecord): LastEvidence {
  const progress = readProgress(stateDir);
  const monotonic = progress?.monotonicMs ?? record.startedMonotonicMs;
  return {
    kind: progress?.kind ?? 'start',
    at: progress?.at ?? record.startedAt,
    quietSeconds: Math.max(0, Math.round((monotonicMs() - monotonic) / 100) / 10),
  };
}

function hasOutcome(stateDir: string): boolean {
  return existsSync(stateFile(stateDir, 'outcome'));
}

/**
 * The dispatcher died before its attempt existed: nothing was started, and nothing is to be left. Or somebody
 * removed the state dir: there is no place for an outcome any more, but the worker must not run on.
 */
async function endWithoutStateDir(
  stateDir: string,
  host: ProcessHost,
  unit: GuardedUnit | undefined,
): Promise<void> {
  if (unit) await endByMarker(host, unit);
  rmSync(draftOf(stateDir), { recursive: true, force: true });
}

/** Ends the worker of a dead dispatcher by what the guardian was told at its start. */
async function endByMarker(host: ProcessHost, unit: GuardedUnit): Promise<void> {
  const dispatcher = parseIdentity(unit.dispatcher);
  while (dispatcher && isAlive(host, dispatcher)) await sleep(DYING_MS);
  const family = createFamily(unit.marker, null, unit.since);
  await endFamily(host, family, -1, observerOf(host), KILL_MS);
}
