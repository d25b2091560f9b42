import { describe, it } from 'vitest';
import { seededRandom } from './random.ts';
import { drawBlows, type RunCase, runRunCase } from './run-case.ts';
import { blowsBefore, runFaultPoints } from './run-faults.ts';

const LIMIT = { timeout: 170_000 };

/** Defines runs of ten units, each with blows at instants that a seed decides. */
export function describeRunKills(title: string, seed: number, count: number): void {
  const random = seededRandom(seed);
  const cases = Array.from({ length: count }, (_, at): RunCase & { at: number; what: string } => {
    const blows = drawBlows(random);
    const what = blows.map(({ victim, afterMs }) => `${victim}+${afterMs}`).join(' ');
    return { at, what, seed: random.below(2 ** 31), hasRepository: at % 3 === 2, blows };
  });
  describe.concurrent(title, () => {
    it.for(cases)(
      'run $at, $what: every unit ends once, as its worker did',
      LIMIT,
      async (plan, { onTestFinished }) => {
        await runRunCase(plan, onTestFinished);
      },
    );
  });
}

/** Defines runs whose supervisors die at one fault point after the other; `deaths` times each. */
export function describeRunFaults(title: string, seed: number, deaths: number): void {
  const random = seededRandom(seed);
  const cases = runFaultPoints().map((fault): RunCase & { fault: string } => ({
    seed: random.below(2 ** 31),
    hasRepository: random.below(3) === 0,
    fault,
    deaths,
    blows: blowsBefore(fault),
  }));
  describe.concurrent(title, () => {
    it.for(cases)(
      'at $fault, and its successors too: every unit ends once, as its worker did',
      LIMIT,
      async (plan, { onTestFinished }) => {
        await runRunCase(plan, onTestFinished);
      },
    );
    it(
      'wait, after it has told and before it has noted it: it tells again',
      LIMIT,
      async ({ onTestFinished }) => {
        await runRunCase({ seed: random.below(2 ** 31), blows: [], waitFault: 'wait-told' }, onTestFinished);
      },
    );
  });
}
