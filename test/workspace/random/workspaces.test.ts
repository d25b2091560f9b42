import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { featureTable } from './feature-table.ts';
import { ACTS, CHANGES, drawPlan, WORKERS } from './plan.ts';
import { runRepository } from './run-repository.ts';

// PRUN_RANDOM_SEED=n makes the same repositories and workers again; PRUN_RANDOM_CASES=3,17 only these repositories,
// PRUN_RANDOM_KEEP=1 leaves them on disk, and PRUN_RANDOM_THOROUGH=1 applies each delta to both bases.
// The seed stays the same from run to run, so that a red run is due to the change that it tests; another one explores.
const seed = Number(process.env.PRUN_RANDOM_SEED ?? 1) >>> 0;
/** `npm run random` takes all of them, `npm test` a sample: five cases a repository. */
const WHOLE = 101;
const REPOSITORIES = Number(process.env.PRUN_RANDOM_REPOSITORIES ?? 2);
const chosen = process.env.PRUN_RANDOM_CASES?.split(',').map(Number);
const numbers = chosen ?? Array.from({ length: REPOSITORIES }, (_, number) => number);

/** Five at once on two cores: a repository takes a quarter of a minute when the machine is quiet. */
const LIMIT_MS = 300_000;

const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun random ')));
const table = featureTable();

afterAll(() => {
  if (!process.env.PRUN_RANDOM_KEEP) rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

describe.concurrent(`random repositories and workers (PRUN_RANDOM_SEED=${seed})`, () => {
  it.each(numbers)(
    'PRUN_RANDOM_CASES=%i: clone, collect, apply and undo lose nothing',
    async (number) => {
      const folder = path.join(root, `${number}`);
      mkdirSync(folder);
      for (const features of await runRepository(drawPlan(seed, number), folder)) table.count(features);
      if (!process.env.PRUN_RANDOM_KEEP) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
    LIMIT_MS,
  );
});

describe.runIf(chosen === undefined)('what the random cases had', () => {
  it('at least 500 cases, and no feature is rare', () => {
    console.log(`PRUN_RANDOM_SEED=${seed}: ${table.cases()} cases\n${table.text()}`);
    expect(table.cases()).toBe(REPOSITORIES * WORKERS);
    if (REPOSITORIES < WHOLE) return;
    const known = [...CHANGES.map((change) => `user: ${change}`), ...ACTS.map((act) => `worker: ${act}`)];
    expect(table.rare(known, 0.01)).toEqual([]);
  });
});
