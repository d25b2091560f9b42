import type { UnitState } from '../records.ts';
import type { UnitView } from '../run-view.ts';

const RANKS: Record<UnitState, number> = {
  failed: 0,
  interrupted: 1,
  blocked: 2,
  cancelled: 5,
  running: 6,
  dispatching: 7,
  queued: 8,
  created: 9,
  succeeded: 10,
};

/** Units in the order in which somebody should look at them: what went wrong, what stands still, what runs, the rest. */
export function byUrgency(units: Iterable<UnitView>): UnitView[] {
  return [...units].sort((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ state, stalled, staleParents }: UnitView): number {
  if (stalled) return 3;
  return staleParents.length > 0 ? 4 : RANKS[state];
}
