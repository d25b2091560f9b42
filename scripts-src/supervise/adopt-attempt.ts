import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { executorByName } from '../executor/by-name.ts';
import { monotonicMs } from '../platform/clock.ts';
import { faultPoint } from '../platform/fault.ts';
import { PRIVATE_FILE, readValue } from '../platform/files.ts';
import { createFamily } from '../process/family.ts';
import { formatIdentity, identityOf, isAlive } from '../process/identity.ts';
import type { ProcessEntry, ProcessHost } from '../process/types.ts';
import { readProgress, readUnitRecord } from '../unit/read-records.ts';
import type { UnitRecord } from '../unit/records.ts';
import { stateFile } from '../unit/state-dir.ts';
import { readTripwire } from '../workspace/tripwire/kept-tripwire.ts';
import { workspaceOf } from '../workspace/workspace-of.ts';
import { rewriteUnitRecord } from './attempt.ts';
import type { EndCause } from './classify.ts';
import { exitFromFile } from './conclude.ts';
import { causeOfEnd, removeTemporaries, seedShim, setOlderResultAside } from './guard.ts';
import { cancellable } from './interruption.ts';
import type { LaunchedWorker } from './launch.ts';
import type { RunAttemptRequest } from './launch-attempt.ts';
import { recallMembers } from './member-ledger.ts';
import type { EarlierProgress } from './progress.ts';
import type { SupervisedUnit } from './running-unit.ts';
import { type AttemptContext, type LiveAttempt, superviseAttempt } from './supervised-attempt.ts';

/** How often the end of an adopted worker is looked for, ms: it is nobody's child any more. */
const ADOPTED_LOOK_MS = 50;
/** A shim that has claimed its start may not have written its pid for so long, ms. */
const SHIM_WRITES_MS = 200;

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
  const attempt = superviseAttempt(unit, context, {
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

/** Why an attempt ends of which no file says it; undefined where its worker goes on. */
function deadCause(goesOn: boolean, wasStarted: boolean): EndCause | undefined {
  if (goesOn) return undefined;
  const detail = wasStarted
    ? 'its supervisor died, and nobody saw how the worker ended'
    : 'its supervisor died before the worker began';
  return { kind: 'dispatcher-dead', detail };
}
