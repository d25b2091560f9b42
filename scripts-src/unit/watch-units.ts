import { existsSync } from 'node:fs';
import { currentHost } from '../process/host.ts';
import type { Verdict } from './judge-unit.ts';
import { keepLooking } from './keep-looking.ts';
import type { MonitorRequest } from './monitor-arguments.ts';
import type { Clocks } from './quiet-file.ts';
import { readOutcome, readProgress, readUnitRecord } from './read-records.ts';
import { stateFile } from './state-dir.ts';
import { createTableView } from './table-view.ts';
import { createFileWatch } from './watch-files.ts';
import { createWatchedUnit } from './watched-unit.ts';

/** What `monitor` has to say: the event, and one status for each state dir in the order of the request. */
export interface WatchReport {
  event: 'all-done' | 'stall' | 'fail' | 'timeout';
  statuses: string[];
}

/**
 * Waits for the first event among the units. Fail goes before stall, stall before all-done. Throws PrunError for a
 * record of a newer schema. Signals nothing, writes nothing.
 */
export async function watchUnits(request: MonitorRequest, clocks: Clocks): Promise<WatchReport> {
  const table = createTableView(await currentHost());
  const world = {
    host: table.host,
    clocks,
    readers: { readUnitRecord, readOutcome, readProgress },
    limits: request,
  };
  const dirs = request.stateDirs;
  const units = dirs.map((dir) => createWatchedUnit(dir, world));
  const verdicts = units.map((): Verdict => ({ status: 'pending', event: 'none', dueMs: 0 }));
  const wakes = dirs.map((dir) => stateFile(dir, 'wake'));
  const watch = createFileWatch();
  let fallback: NodeJS.Timeout | undefined;
  const wait = keepLooking<WatchReport>({
    count: units.length,
    pollMs: request.pollSeconds * 1000,
    roundMs: table.roundMs,
    timeoutMs: request.timeoutSeconds * 1000,
    nowMs: clocks.nowMs,
    look,
    dueMs: (index) => verdicts[index]?.dueMs ?? Number.POSITIVE_INFINITY,
    timedOut: () => report('timeout'),
  });
  try {
    return await wait.ended;
  } finally {
    clearInterval(fallback);
    watch.close();
  }

  function look(indexes: readonly number[]): WatchReport | undefined {
    table.refresh();
    for (const index of indexes) lookAt(index);
    if (!eventOf(verdicts)) return undefined;
    // Each line tells of now, and what happened meanwhile may have more weight.
    for (const index of units.keys()) lookAt(index);
    const event = eventOf(verdicts);
    return event && report(event);
  }

  function lookAt(index: number): void {
    const unit = units[index];
    if (!unit) return;
    // Watched first, then read: an outcome that comes in between is seen by one or the other.
    watchWake(index);
    verdicts[index] = unit.look();
    // Where a wake file cannot be watched, its outcome is looked for: 3 us each, so at the most 0.3% of a core.
    if (unit.isSupervised() && !watch.isWatched(wakeOf(index))) {
      fallback ??= setInterval(lookForOutcomes, Math.max(100, units.length));
    }
  }

  function watchWake(index: number): void {
    const wake = wakeOf(index);
    if (!watch.isWatched(wake) && existsSync(wake)) watch.add(wake, () => wait.wake(index));
  }

  function lookForOutcomes(): void {
    for (const [index, unit] of units.entries()) {
      if (verdicts[index]?.event !== 'none' || !unit.isSupervised() || watch.isWatched(wakeOf(index)))
        continue;
      if (existsSync(stateFile(dirs[index] ?? '', 'outcome'))) wait.wake(index);
    }
  }

  function wakeOf(index: number): string {
    return wakes[index] ?? '';
  }

  function report(event: WatchReport['event']): WatchReport {
    return { event, statuses: verdicts.map((verdict) => verdict.status) };
  }
}

/** The event that a set of verdicts makes, or undefined. */
export function eventOf(verdicts: readonly Verdict[]): 'all-done' | 'stall' | 'fail' | undefined {
  if (verdicts.some((verdict) => verdict.event === 'fail')) return 'fail';
  if (verdicts.some((verdict) => verdict.event === 'stall')) return 'stall';
  return verdicts.every((verdict) => verdict.event === 'done') ? 'all-done' : undefined;
}
