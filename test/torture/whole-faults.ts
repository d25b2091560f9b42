import { describe, it } from 'vitest';
import { isRoot, ORDINARY_UID } from '../helpers/unit-run.ts';
import { type FaultCase, runFaultCase, scenariosAt } from './fault-case.ts';
import { faultPoints } from './faults.ts';
import { seededRandom } from './random.ts';
import { TREES } from './trees.ts';

/** Every point, every blow, every scenario, the trees in turn; every third as somebody else where that is possible. */
function allFaults(): FaultCase[] {
  const cases: FaultCase[] = [];
  for (const point of faultPoints()) {
    for (const blow of point.startsWith('guardian:') ? (['kill'] as const) : (['kill', 'stop'] as const)) {
      for (const scenario of scenariosAt(point)) {
        for (const tree of seededRandom(cases.length).shuffled(TREES).slice(0, 2)) {
          const asOther = isRoot && cases.length % 3 === 0;
          cases.push({ point, blow, scenario, tree, ...(asOther ? { uid: ORDINARY_UID } : {}) });
        }
      }
    }
  }
  return cases;
}

/** One of several files' share of all faults. */
export function describeFaultShard(shard: number, shards: number): void {
  const cases = seededRandom(2)
    .shuffled(allFaults())
    .filter((_, at) => at % shards === shard - 1);
  describe(`every fault, part ${shard} of ${shards}`, () => {
    it.each(cases.map((fault) => ({ ...fault, name: fault.tree.name })))(
      '$blow at $point, while the worker $scenario with $name: one outcome and nobody left',
      async (fault) => {
        await runFaultCase(fault);
      },
    );
  });
}
