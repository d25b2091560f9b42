import { describe, expect, it } from 'vitest';
import { type FaultCase, runFaultCase, scenariosAt } from './fault-case.ts';
import { faultPoints } from './faults.ts';
import { seededRandom, tortureSeed } from './random.ts';
import { TREES } from './trees.ts';

const seed = tortureSeed();
const random = seededRandom(seed);
const points = faultPoints();

/** Each point with a scenario and a tree that the seed picks; `npm run torture` has them all. */
const cases = points.map(
  (point): FaultCase => ({
    point,
    blow: 'kill',
    scenario: random.pick(scenariosAt(point)),
    tree: random.pick(TREES),
  }),
);

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
