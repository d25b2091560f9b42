import { describe, expect, it } from 'vitest';
import { type FaultCase, runFaultCase, SCENARIOS } from './fault-case.ts';
import { faultPoints } from './faults.ts';
import { seededRandom, tortureSeed } from './random.ts';
import { TREES } from './trees.ts';

const seed = tortureSeed();
const random = seededRandom(seed);
const points = faultPoints();

/** Each point with two scenarios that a seed picks; `npm run torture` has them all. */
const cases = points.flatMap((point): FaultCase[] => {
  const possible = point.startsWith('guardian:') ? SCENARIOS.slice(0, 2) : scenariosAt(point);
  return random
    .shuffled(possible)
    .slice(0, 2)
    .map((scenario) => ({ point, blow: 'kill', scenario, tree: random.pick(TREES) }));
});

/** A worker that hangs never reaches the points of a dispatcher's end. */
function scenariosAt(point: string): (typeof SCENARIOS)[number][] {
  const early = ['published', 'previous', 'announced', 'launched', 'recorded'].some((name) =>
    point.endsWith(name),
  );
  return early ? [...SCENARIOS] : SCENARIOS.slice(2);
}

describe(`SIGKILL at every fault point (PRUN_TORTURE_SEED=${seed})`, () => {
  it('knows the fault points of dispatcher and guardian', () => {
    expect(points.filter((point) => point.startsWith('dispatch:')).length).toBeGreaterThanOrEqual(11);
    expect(points.filter((point) => point.startsWith('guardian:')).length).toBeGreaterThanOrEqual(8);
  });

  it.each(cases.map((fault) => ({ ...fault, name: fault.tree.name })))(
    'at $point, while the worker $scenario with $name: one outcome and nobody left',
    async (fault) => {
      await runFaultCase(fault);
    },
  );
});
