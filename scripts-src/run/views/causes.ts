import { accountsIn } from '../account-of-unit.ts';
import { RUN_BREAKER } from '../breaker-of-unit.ts';
import type { RunEvent } from '../records.ts';
import { breakerKey, isFinalState, type RunView } from '../run-view.ts';
import { isUnderWay } from './counts.ts';
import { type Delivered, isDelivered } from './delivered.ts';

/** What somebody waits for. */
export interface Wish {
  /** Only what concerns these units; all when empty. */
  units: ReadonlySet<string>;
  /** Every end of a unit, not only those that need somebody. */
  each: boolean;
}

/** Why a coordinator is woken, the gravest first. */
export type WakeEvent = 'all-done' | 'breaker' | 'fail' | 'blocked' | 'stall' | 'note' | 'finish';

/** An event that wakes whoever waits. */
export interface Cause {
  what: WakeEvent;
  event: RunEvent;
}

/** Whether an event can wake anybody at all: only these have to be kept. */
export function canWake(event: RunEvent): boolean {
  return ['ended', 'stalled', 'blocked', 'note', 'breaker', 'all-done'].includes(event.type);
}

/**
 * Of these events those that wake: not told before, wished for, and not over by now. An end is never over; a stall is
 * when the unit moves, a block when the unit is queued, a breaker when it is closed, `all-done` when something is started
 * again.
 */
export function causesAmong(
  events: readonly RunEvent[],
  view: RunView,
  delivered: Delivered,
  wish: Wish,
): Cause[] {
  const causes: Cause[] = [];
  for (const event of events) {
    if (isDelivered(delivered, event.n)) continue;
    if (wish.units.size > 0 && !concerns(event, view, wish.units)) continue;
    const what = wakeOf(event, view, wish);
    if (what) causes.push({ what, event });
  }
  return causes;
}

/** A breaker concerns every unit of its account that is under way: those that run will wait behind it, too. */
function concerns(event: RunEvent, view: RunView, units: Wish['units']): boolean {
  if (event.type !== 'breaker') return 'unit' in event && units.has(event.unit);
  const accountOf = accountsIn(view.run);
  return [...units].some((id) => {
    const unit = view.units.get(id);
    if (unit === undefined || !isUnderWay(unit.state)) return false;
    if (event.executor === RUN_BREAKER.executor) return unit.state === 'queued';
    return accountOf(unit)?.key === breakerKey(event.executor, event.account);
  });
}

function wakeOf(event: RunEvent, view: RunView, wish: Wish): WakeEvent | undefined {
  switch (event.type) {
    case 'ended': {
      const isWished = event.wakes || (event.isFinal && (wish.each || wish.units.size > 0));
      if (!isWished) return undefined;
      return event.status === 'succeeded' ? 'finish' : 'fail';
    }
    case 'stalled': {
      const unit = view.units.get(event.unit);
      return unit?.stalled && unit.attempt === event.attempt ? 'stall' : undefined;
    }
    case 'blocked':
      return view.units.get(event.unit)?.state === 'blocked' ? 'blocked' : undefined;
    case 'breaker': {
      const isOpen = view.breakers.has(breakerKey(event.executor, event.account));
      return event.wakes && isOpen ? 'breaker' : undefined;
    }
    case 'note':
      return event.wakes ? 'note' : undefined;
    case 'all-done':
      return view.isAllDone ? 'all-done' : undefined;
    default:
      return undefined;
  }
}

/** The gravest of several causes. */
export function gravest(causes: readonly Cause[]): WakeEvent | undefined {
  return (['all-done', 'breaker', 'fail', 'blocked', 'stall', 'note', 'finish'] as const).find((what) =>
    causes.some((cause) => cause.what === what),
  );
}

/** Whether all of these units have ended, so that nothing more comes of them by itself. */
export function haveAllEnded(view: RunView, units: ReadonlySet<string>): boolean {
  return [...units].every((id) => isFinalState(view.units.get(id)?.state ?? 'created'));
}
