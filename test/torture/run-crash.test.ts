import { describe, it } from 'vitest';
import { seededRandom, tortureSeed } from './random.ts';
import { drawBlows, type RunCase, runRunCase } from './run-case.ts';
import { blowsBefore, runFaultPoints } from './run-faults.ts';

const seed = tortureSeed();
const random = seededRandom(seed + 11);

const kills = Array.from(
  { length: Number(process.env.PRUN_TORTURE_RUNS ?? 4) },
  (_, at): RunCase & { at: number } => ({
    at,
    seed: seed * 100 + at,
    blows: drawBlows(random),
  }),
);

describe.concurrent(`SIGKILL in a run of ten units (PRUN_TORTURE_SEED=${seed})`, () => {
  it.for(
    kills.map((plan) => ({
      ...plan,
      what: plan.blows.map(({ victim, afterMs }) => `${victim}+${afterMs}`).join(' '),
    })),
  )(
    'run $at, $what: every unit ends once, as its worker did',
    { timeout: 170_000 },
    async (plan, { onTestFinished }) => {
      await runRunCase(plan, onTestFinished);
    },
  );

  it.for(runFaultPoints())(
    'at %s, and the successors too: every unit ends once, as its worker did',
    { timeout: 170_000 },
    async (fault, { onTestFinished }) => {
      await runRunCase({ seed: random.below(1_000_000), fault, blows: blowsBefore(fault) }, onTestFinished);
    },
  );
});
