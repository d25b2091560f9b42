import { existsSync, readdirSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { monotonicMs } from '../../platform/clock.ts';
import { errnoOf, messageOf } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { takeClaim } from '../../process/claim.ts';
import { observerOf } from '../../process/family.ts';
import { formatIdentity, identityOf } from '../../process/identity.ts';
import type { ProcessHost } from '../../process/types.ts';
import { sharedLook } from '../../supervise/shared-look.ts';
import type { AttemptContext } from '../../supervise/supervised-attempt.ts';
import { keepHeld } from '../held.ts';
import { endTornLine } from '../json-lines.ts';
import { forgetEnvironments } from '../keep-environment.ts';
import { openRequests } from '../requests.ts';
import { type Run, runFile } from '../run-folder.ts';
import { viewRun } from '../run-view.ts';
import { adoptRun } from './adopt-run.ts';
import { noticeRecovery } from './breaker.ts';
import { handleRequests } from './handle-request.ts';
import { keepLedger } from './keep-ledger.ts';
import { endQuestions } from './ready-worker.ts';
import { standBehindRun } from './run-guardian.ts';
import { noticeStalls } from './stall-notice.ts';
import { startReady } from './start-ready.ts';
import { beginSupervision, type Supervision } from './supervision.ts';
import { endLeftovers } from './supervisor-mark.ts';

/** How often everything is looked at that no event announces, ms. */
const TICK_MS = 1000;
/** So many supervisors in so short a time are no accident; the next ones begin after a pause that grows, ms. */
const DEATHS_WITHIN_MS = 60_000;
const MANY_DEATHS = 20;

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
  const guard = standBehindRun(host, run, prun);
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
  if (view.isAllDone && isDone(supervision)) return supervision.leases.close();
  supervision.emit({ type: 'supervisor', identity, adopted, isFirst });
  faultPoint('run:took-over', run.folder);
  if (run.record.outerMarker !== null && !isFirst) cancelAll(supervision);
  const ledger = keepLedger(supervision);
  let lastStartMs = Number.NEGATIVE_INFINITY;
  const sayHeld = keepHeld(run);
  const stopWatching = watchRequests(run, wake);
  try {
    for (;;) {
      isWoken = false;
      if (!existsSync(runFile(run, 'record'))) cancelAll(supervision);
      else handleRequests(supervision);
      noticeStalls(supervision);
      noticeRecovery(supervision);
      const { retryMs, held } = startReady(supervision, lastStartMs, () => {
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
    stopWatching();
  }
  // Before the last word: after it nobody would come to do it.
  supervision.leases.close();
  await endQuestions(supervision);
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
