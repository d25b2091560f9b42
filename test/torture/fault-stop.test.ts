import { describe, it } from 'vitest';
import { type FaultCase, runFaultCase, scenariosAt } from './fault-case.ts';
import { faultPoints } from './faults.ts';
import { seededRandom, tortureSeed } from './random.ts';
import { TREES } from './trees.ts';

const seed = tortureSeed();
const random = seededRandom(seed + 1);

const cases = faultPoints()
  .filter((point) => point.startsWith('dispatch:'))
  .map(
    (point): FaultCase => ({
      point,
      blow: 'stop',
      scenario: random.pick(scenariosAt(point)),
      tree: random.pick(TREES),
    }),
  );

describe(`the host's whole stop of a frozen dispatcher (PRUN_TORTURE_SEED=${seed})`, () => {
  it.each(cases.map((fault) => ({ ...fault, name: fault.tree.name })))(
    'frozen at $point, while the worker $scenario with $name: one outcome and nobody left',
    async (fault) => {
      await runFaultCase(fault);
    },
  );
});
