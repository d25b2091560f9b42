import { existsSync, mkdirSync, readdirSync, rmSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { monotonicMs } from '../../platform/clock.ts';
import { errnoOf, messageOf } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { PRIVATE_DIR } from '../../platform/files.ts';
import { takeClaim } from '../../process/claim.ts';
import { observerOf } from '../../process/family.ts';
import { formatIdentity, identityOf } from '../../process/identity.ts';
import type { ProcessHost } from '../../process/types.ts';
import { type Lifeline, startLifeline } from '../../supervise/lifeline.ts';
import type { AttemptContext } from '../../supervise/run-attempt.ts';
import { sharedLook } from '../../supervise/shared-look.ts';
import { STATE_FILES } from '../../unit/state-dir.ts';
import { keepHeld } from '../held.ts';
import { endTornLine } from '../json-lines.ts';
import { forgetEnvironments } from '../keep-environment.ts';
import { openRequests } from '../requests.ts';
import { lackedResource } from '../resource-room.ts';
import { type Run, runFile } from '../run-folder.ts';
import { viewRun } from '../run-view.ts';
import type { KnownUnit } from '../unit-specs.ts';
import { adoptRun } from './adopt-run.ts';
import { handleRequests } from './handle-request.ts';
import { keepLedger } from './keep-ledger.ts';
import { defaultJobs, heldBecause, machineNow } from './room-for-start.ts';
import { noticeStalls } from './stall-notice.ts';
import { startUnit } from './start-unit.ts';
import { beginSupervision, type Supervision, unitOf } from './supervision.ts';
import { endLeftovers } from './supervisor-mark.ts';

/** How often everything is looked at that no event announces, ms. */
const TICK_MS = 1000;
/** So many supervisors in so short a time are no accident; the next ones begin after a pause that grows, ms. */
const DEATHS_WITHIN_MS = 60_000;
const MANY_DEATHS = 20;
/** A guardian that is killed again and again is replaced no faster than this, ms. */
const REPLACE_GUARDIAN_MS = 100;

/**
 * Supervises a run until nothing is left to do: elected or not at all. Resolves at once where another supervisor lives.
 * `prun` is the compiled script that this process runs.
 */
export async function superviseRun(run: Run, host: ProcessHost, prun: string): Promise<void> {
  const self = host.entry(process.pid);
  if (!self)
    throw new Error(`this process is not in the process table: ${host.trouble?.() ?? 'it cannot be read'}`);
  const identity = formatIdentity(identityOf(host, self));
  if (takeClaim(host, runFile(run, 'supervisors'), identity)) return;
  faultPoint('run:elected', run.folder);
  await pauseAmongDeaths(run);
  const guard = standBehind(host, run, prun);
  try {
    await work(run, host, prun, identity, guard.pidFile);
  } finally {
    guard.release();
  }
}

async function work(
  run: Run,
  host: ProcessHost,
  prun: string,
  identity: string,
  guardianPidFile: string,
): Promise<void> {
  let wakeUp = (): void => {};
  let isWoken = false;
  const wake = (): void => {
    isWoken = true;
    wakeUp();
  };
  const observer = observerOf(host);
  const context: AttemptContext = { host, observer, look: sharedLook(host, observer), guardianPidFile, prun };
  endTornLine(runFile(run, 'events'));
  const view = viewRun(run);
  const isFirst = view.supervisor === null;
  if (!isFirst) await endLeftovers(host, run);
  const supervision = beginSupervision(host, context, view, wake);
  const adopted = await adoptRun(supervision);
  // Somebody was quicker, or all was done long ago: no event for that.
  if (view.isAllDone && isDone(supervision)) return;
  supervision.emit({ type: 'supervisor', identity, adopted, isFirst });
  faultPoint('run:took-over', run.folder);
  if (run.record.outerMarker !== null && !isFirst) cancelAll(supervision);
  const ledger = keepLedger(supervision);
  const jobs = defaultJobs(machineNow());
  let lastStartMs = Number.NEGATIVE_INFINITY;
  const sayHeld = keepHeld(run);
  const watcher = watchRequests(run, wake);
  try {
    for (;;) {
      isWoken = false;
      if (!existsSync(runFile(run, 'record'))) cancelAll(supervision);
      else handleRequests(supervision);
      noticeStalls(supervision);
      const { retryMs, held } = startWhatMay(supervision, jobs, lastStartMs, () => {
        lastStartMs = monotonicMs();
      });
      sayHeld(held);
      ledger.refresh();
      // What could not be written is tried again.
      supervision.emit();
      if (isDone(supervision) && !isWoken) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, isWoken ? 0 : Math.max(1, Math.min(TICK_MS, retryMs)));
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    watcher();
  }
  // Before the last word: after it nobody would come to do it.
  forgetEnvironments(run, supervision.usedEnvironments);
  tellAllDone(supervision);
  ledger.finish();
  faultPoint('run:done', run.folder);
}

/** Where supervisor after supervisor is killed (by the system, for memory), the next one must not spin. */
async function pauseAmongDeaths(run: Run): Promise<void> {
  const folder = runFile(run, 'supervisors');
  const since = Date.now() - DEATHS_WITHIN_MS;
  const recent = readdirSync(folder).filter((name) => writtenAt(path.join(folder, name)) > since).length;
  const seconds = Math.min(30, recent - MANY_DEATHS);
  if (seconds > 0) await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

function writtenAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** When to try again, ms, and why not everything was started that is ready. */
interface Round {
  retryMs: number;
  held: string | undefined;
}

/** Starts ready units as long as there is room. */
function startWhatMay(
  supervision: Supervision,
  jobs: number,
  lastStartMs: number,
  onStart: () => void,
): Round {
  let startedMs = lastStartMs;
  const machine = machineNow();
  const heldMs = supervision.heldUntilMs - monotonicMs();
  if (heldMs > 0) {
    return { retryMs: heldMs, held: supervision.ready.size > 0 ? 'the disk was full' : undefined };
  }
  for (const id of [...firstReady(supervision)]) {
    if (!hasResources(supervision, id)) continue;
    if (unitOf(supervision, id).spec.executor !== 'session') {
      const held = heldBecause(supervision.schedule, {
        running: [...supervision.active.values()].filter(({ takesJob }) => takesJob).length,
        sinceStartSeconds: (monotonicMs() - startedMs) / 1000,
        machine,
        defaultJobs: jobs,
      });
      if (held) return { retryMs: held.retryMs, held: held.why };
    }
    startedMs = monotonicMs();
    onStart();
    void startUnit(supervision, id);
  }
  return { retryMs: supervision.ready.size > 0 ? TICK_MS : Number.POSITIVE_INFINITY, held: undefined };
}

/** Enough of the queue for one round: with ten thousand in it nobody wants to copy all of them each time. */
function* firstReady({ ready }: Supervision): Generator<string> {
  let count = 0;
  for (const id of ready) {
    if (count++ >= 200) return;
    yield id;
  }
}

function hasResources(supervision: Supervision, id: string): boolean {
  const limits = supervision.view.run.record.resources;
  return lackedResource(unitOf(supervision, id).spec, activeSpecs(supervision), limits) === undefined;
}

function* activeSpecs(supervision: Supervision): Generator<KnownUnit['spec']> {
  for (const id of supervision.active.keys()) yield unitOf(supervision, id).spec;
}

function isDone({ active, ready, waiting, view, log }: Supervision): boolean {
  if (active.size > 0 || ready.size > 0 || waiting.size > 0) return false;
  // What happened stands in no file yet: whoever comes next would start it again.
  if (log.isBehind() && existsSync(runFile(view.run, 'record'))) return false;
  return !existsSync(runFile(view.run, 'record')) || openRequests(view.run).length === 0;
}

function tellAllDone({ view, emit }: Supervision): void {
  if (view.isAllDone || !existsSync(runFile(view.run, 'record'))) return;
  const count = (state: string): number =>
    [...view.units.values()].filter((unit) => unit.state === state).length;
  emit({
    type: 'all-done',
    succeeded: count('succeeded'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    interrupted: count('interrupted'),
    blocked: count('blocked'),
  });
}

function cancelAll({ active, ready, waiting }: Supervision): void {
  ready.clear();
  waiting.clear();
  for (const unit of active.values()) unit.cancel({ by: 'the end of its run', graceMs: 1000 });
}

/** Calls `wake` when a request is laid down; the tick serves where nothing can be watched. Returns what ends it. */
function watchRequests(run: Run, wake: () => void): () => void {
  try {
    const watcher = watch(runFile(run, 'requests'), wake);
    // The folder has gone, or a limit was reached: the tick does.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch (error) {
    // EMFILE: the user has too many watchers (FACTS-processes.md, Waiting). Anything else is told, and no reason to end.
    if (errnoOf(error) !== 'EMFILE')
      process.stderr.write(`requests cannot be watched: ${messageOf(error)}\n`);
    return () => {};
  }
}

/** The guardian of a run: when this process dies without a word, a successor is started, and adopts the workers. */
interface RunGuard {
  /** File with the guardian's pid: shims wait for it. */
  pidFile: string;
  release(): void;
}

function standBehind(host: ProcessHost, run: Run, prun: string): RunGuard {
  const folder = path.join(run.folder, 'guardian');
  mkdirSync(folder, { recursive: true, mode: PRIVATE_DIR });
  const pidFile = path.join(folder, STATE_FILES.guardianPid);
  // An earlier supervisor's: the shims must not take it for this one's.
  rmSync(pidFile, { force: true });
  const command = [process.execPath, prun, 'supervise', '--run-dir', run.folder];
  let isReleased = false;
  let lifeline: Lifeline;
  const begin = (): void => {
    lifeline = startLifeline(host, { draft: folder, stateDir: folder }, command);
    lifeline.begin();
    const { settled, lost, record } = lifeline;
    void settled.then(() => record(folder));
    void lost
      .then(() => new Promise((resolve) => setTimeout(resolve, REPLACE_GUARDIAN_MS)))
      .then(() => {
        if (!isReleased) begin();
      });
  };
  begin();
  return {
    pidFile,
    release() {
      isReleased = true;
      lifeline.release();
    },
  };
}
