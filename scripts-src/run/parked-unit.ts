import { type BreakerOfUnit, breakersIn, RUN_BREAKER } from './breaker-of-unit.ts';
import type { RunView, UnitView } from './run-view.ts';
import type { UnitFacts } from './unit-facts.ts';
import { breakerText } from './views/breaker-text.ts';

/** Why a unit is queued behind an open breaker, and the command that is next; undefined for every other unit. */
export type ParkedUnit = (unit: UnitView) => UnitFacts['parked'];

/** The same for the units of a run. `nowEpochMs`: wall time. */
export function parkedIn(view: RunView, nowEpochMs: number): ParkedUnit {
  const breakerOf = breakersIn(view);
  return (unit) => {
    const breaker = breakerOf(unit);
    return breaker && { why: breakerText(breaker, nowEpochMs), next: nextOf(breaker) };
  };
}

function nextOf({
  executor,
  until,
}: NonNullable<ReturnType<BreakerOfUnit>>): NonNullable<UnitFacts['parked']>['next'] {
  if (executor === RUN_BREAKER.executor) return 'start';
  return until === null ? 'resume' : 'wait';
}
