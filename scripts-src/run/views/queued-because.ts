import { localTime } from '../../platform/local-time.ts';
import { accountsIn } from '../account-of-unit.ts';
import { breakersIn } from '../breaker-of-unit.ts';
import { readHeld } from '../held.ts';
import { machineWideIn } from '../machine-slots.ts';
import { lackedResource } from '../resource-room.ts';
import type { RunView, UnitView } from '../run-view.ts';
import type { KnownUnit } from '../unit-specs.ts';
import { breakerText } from './breaker-text.ts';
import { shortLine } from './unit-text.ts';

const REASON_CHARS = 80;

/** Says why a queued unit waits, in a few words; empty for another unit, and where it is about to start. */
export type QueuedBecause = (unit: UnitView) => string;

/**
 * Why units of a run wait: for parents, for an account, for their time, for a resource, or for room as its supervisor has
 * it. `isSupervised`: whether that supervisor lives; what a dead one said is passed over.
 */
export function queuedBecauseIn(view: RunView, isSupervised: boolean): QueuedBecause {
  const nowEpochMs = Date.now();
  const held = isSupervised ? readHeld(view.run) : undefined;
  const accountOf = accountsIn(view.run);
  const isMachineWide = machineWideIn(process.env);
  const breakerOf = breakersIn(view);
  const active: KnownUnit['spec'][] = [];
  for (const { state, spec } of view.units.values()) {
    if (state === 'running' || state === 'dispatching') active.push(spec);
  }
  return (unit) => {
    const { state, spec, notBefore } = unit;
    if (state !== 'queued') return '';
    const parents = spec.after.filter((id) => view.units.get(id)?.state !== 'succeeded');
    if (parents.length > 0) return shortLine(`after ${parents.join(', ')}`, REASON_CHARS);
    const breaker = breakerOf(unit);
    if (breaker) return shortLine(breakerText(breaker, nowEpochMs), REASON_CHARS);
    const againMs = Date.parse(notBefore ?? '');
    if (againMs > nowEpochMs) return `again at ${localTime(againMs, nowEpochMs)}`;
    if (held === undefined) return '';
    const lacked = lackedResource(spec, active, view.run.record.resources, isMachineWide);
    if (lacked !== undefined) return shortLine(lacked, REASON_CHARS);
    const wanted = spec.resources.find((name) => held.slots.has(name)) ?? '*';
    const slot = spec.resources.some(isMachineWide) ? held.slots.get(wanted) : undefined;
    if (slot !== undefined) return shortLine(`waits for ${slot}`, REASON_CHARS);
    // A unit of the session takes none of the jobs.
    if (spec.executor === 'session') return '';
    const key = held.accounts.size > 0 ? accountOf(unit)?.key : undefined;
    return shortLine(held.accounts.get(key ?? '') ?? held.all ?? '', REASON_CHARS);
  };
}
