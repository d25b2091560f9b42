import { readHeld } from '../held.ts';
import { lackedResource } from '../resource-room.ts';
import type { RunView, UnitView } from '../run-view.ts';
import type { KnownUnit } from '../unit-specs.ts';
import { shortLine } from './unit-text.ts';

const REASON_CHARS = 80;

/** Says why a queued unit waits, in a few words; empty for another unit, and where it is about to start. */
export type QueuedBecause = (unit: UnitView) => string;

/**
 * Why units of a run wait: for parents, for a resource, or for room as its supervisor has it. `isSupervised`: whether
 * that supervisor lives; what a dead one said is passed over.
 */
export function queuedBecauseIn(view: RunView, isSupervised: boolean): QueuedBecause {
  const held = isSupervised ? readHeld(view.run) : undefined;
  const active: KnownUnit['spec'][] = [];
  for (const { state, spec } of view.units.values()) {
    if (state === 'running' || state === 'dispatching') active.push(spec);
  }
  return ({ state, spec }) => {
    if (state !== 'queued') return '';
    const parents = spec.after.filter((id) => view.units.get(id)?.state !== 'succeeded');
    if (parents.length > 0) return shortLine(`after ${parents.join(', ')}`, REASON_CHARS);
    if (!isSupervised) return '';
    const lacked = lackedResource(spec, active, view.run.record.resources);
    // A unit of the session takes none of the jobs.
    const why = lacked ?? (spec.executor === 'session' ? undefined : held);
    return shortLine(why ?? '', REASON_CHARS);
  };
}
