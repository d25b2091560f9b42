import { describeCases, wholeMatrix } from './matrix.ts';
import { seededRandom, tortureSeed } from './random.ts';
import { TREES } from './trees.ts';
import { ENDS, type UnitCase } from './unit-case.ts';

const seed = tortureSeed();

/** Each tree and each end at least once under the plain worker, and a few under the real codex. */
function sample(): UnitCase[] {
  const random = seededRandom(seed);
  const all = wholeMatrix(2);
  const draw = (wanted: Partial<Record<keyof UnitCase, unknown>>): UnitCase =>
    random.pick(
      all.filter((unit) =>
        Object.entries(wanted).every(([key, value]) => unit[key as keyof UnitCase] === value),
      ),
    );
  const ends = random.shuffled([...ENDS, ...ENDS, ...ENDS]);
  const plain = random.shuffled(TREES).map((tree, at) => draw({ tree, worker: 'plain', end: ends[at] }));
  const codex = random
    .shuffled(TREES)
    .slice(0, ENDS.length)
    .map((tree, at) => draw({ tree, worker: 'codex', end: ENDS[at] }));
  return [...plain, ...codex];
}

describeCases(`a sample of the torture matrix (PRUN_TORTURE_SEED=${seed})`, sample());
