import { accountsIn } from './account-of-unit.ts';
import { breakerKey, type OpenBreaker, type RunView, type UnitView } from './run-view.ts';

/** The breaker of a whole run, which opens when its tokens are used up. */
export const RUN_BREAKER = { executor: '*', account: '' } as const;

/** Under which name it is kept. */
export const RUN_BREAKER_KEY = breakerKey(RUN_BREAKER.executor, RUN_BREAKER.account);

/** The open breaker that keeps a unit from being started; undefined where none does, and for one that is not queued. */
export type BreakerOfUnit = (unit: UnitView) => OpenBreaker | undefined;

/** Breakers of a run as they concern its queued units. A subagent of the session is started by nobody here. */
export function breakersIn({ run, breakers }: Pick<RunView, 'run' | 'breakers'>): BreakerOfUnit {
  if (breakers.size === 0) return () => undefined;
  const accountOf = accountsIn(run);
  return (unit) => {
    if (unit.state !== 'queued' || unit.spec.executor === 'session') return undefined;
    const ofRun = breakers.get(RUN_BREAKER_KEY);
    if (ofRun) return ofRun;
    const account = accountOf(unit);
    return account && breakers.get(account.key);
  };
}

/** Whether a unit goes nowhere before somebody does something. */
export type IsStuck = (unit: UnitView) => boolean;

/**
 * Units that wait for somebody: behind a breaker that nothing but a command closes, or for parents that do. Each unit is
 * looked at once.
 */
export function stuckIn(view: RunView): IsStuck {
  const breakerOf = breakersIn(view);
  const known = new Map<string, boolean>();
  const isStuck: IsStuck = (unit) => {
    const seen = known.get(unit.id);
    if (seen !== undefined) return seen;
    // Units that wait for each other in a ring: none of them is the reason.
    known.set(unit.id, false);
    const breaker = breakerOf(unit);
    const waitsFor = unit.state === 'queued' ? unit.spec.after : [];
    const parents = waitsFor.flatMap((id) => view.units.get(id) ?? []);
    const stuck = (breaker !== undefined && breaker.until === null) || parents.some(isStuck);
    known.set(unit.id, stuck);
    return stuck;
  };
  return isStuck;
}
