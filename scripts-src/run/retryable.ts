import { isFinalState } from './run-view.ts';
import type { Doubt, DoubtKind } from './unit-doubts.ts';
import type { UnitFacts } from './unit-facts.ts';

/** Doubts about a succeeded unit that a fresh attempt puts right. */
const CURED: readonly DoubtKind[] = [
  'outcome',
  'no-result',
  'fallback',
  'changed-result',
  'contract',
  'stale',
];
/** Those of them for which it is tried without being named: the work itself is not there as it should be. */
const INVALID: readonly DoubtKind[] = ['outcome', 'no-result', 'fallback', 'contract'];

/** Why a unit gets no fresh attempt, one line; undefined where it does. Pure. */
export function whyNotRetried(
  { state, detail }: Pick<UnitFacts, 'state' | 'detail'>,
  doubts: readonly Doubt[],
  force: boolean,
): string | undefined {
  if (state === 'created') return 'it was never started: prun start starts it';
  if (state === 'blocked') return `it is blocked (${detail}): retry its parent, and it goes on by itself`;
  if (!isFinalState(state)) return `it is ${state}: wait for it, or cancel it first`;
  if (state !== 'succeeded' || force || doubts.some(({ kind }) => CURED.includes(kind))) return undefined;
  return 'it has succeeded: --force retries it all the same';
}

/** Whether a unit gets a fresh attempt when none is named: failed, interrupted, or its result is not valid. Pure. */
export function isRetriedUnnamed({ state }: Pick<UnitFacts, 'state'>, doubts: readonly Doubt[]): boolean {
  if (state === 'failed' || state === 'interrupted') return true;
  return state === 'succeeded' && doubts.some(({ kind }) => INVALID.includes(kind));
}
