import type { UnitState } from '../records.ts';
import type { RunView, UnitView } from '../run-view.ts';

/** How many units are in which state. */
export interface UnitCounts {
  total: number;
  created: number;
  queued: number;
  /** `dispatching` among them. */
  running: number;
  /** Of those that run: without progress. */
  stalled: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  interrupted: number;
  blocked: number;
  /** Built on a result that has been replaced since. */
  stale: number;
}

/** Counts the units of a run. */
export function countUnits(units: Iterable<UnitView>): UnitCounts {
  const counts: UnitCounts = {
    total: 0,
    created: 0,
    queued: 0,
    running: 0,
    stalled: 0,
    succeeded: 0,
    failed: 0,
    cancelled: 0,
    interrupted: 0,
    blocked: 0,
    stale: 0,
  };
  for (const { state, stalled, staleParents } of units) {
    counts.total += 1;
    counts[state === 'dispatching' ? 'running' : state] += 1;
    if (stalled) counts.stalled += 1;
    if (staleParents.length > 0) counts.stale += 1;
  }
  return counts;
}

/** The figures of a line: done, failed, running and queued always, others where there are some. */
export function countsText(counts: UnitCounts): string {
  const rare = (['stalled', 'blocked', 'cancelled', 'stale', 'created'] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => `${name}=${counts[name]}`);
  const failed = counts.failed + counts.interrupted;
  return [
    `done=${counts.succeeded}`,
    `failed=${failed}`,
    `running=${counts.running}`,
    `queued=${counts.queued}`,
    ...rare,
  ].join(' ');
}

/** A state from which a unit moves on by itself. */
export function isUnderWay(state: UnitState): boolean {
  return state === 'queued' || state === 'dispatching' || state === 'running';
}

/** Whether something of the run is under way. */
export function isAnyUnderWay(view: Pick<RunView, 'units'>): boolean {
  for (const { state } of view.units.values()) if (isUnderWay(state)) return true;
  return false;
}

/** Whether something of the run was ever started. */
export function wasStarted(view: Pick<RunView, 'units'>): boolean {
  for (const { state } of view.units.values()) if (state !== 'created') return true;
  return false;
}
