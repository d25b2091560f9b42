import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../helpers/wait-for.ts';
import { seededRandom, tortureSeed } from './random.ts';
import { callPrun, killSame, type RunPlace, textOf } from './run-place.ts';
import { claimsOf, makeUnsupervised, openTortured, seeThrough } from './run-tortured.ts';
import { beginnings, drawUnits, release, unitThat } from './run-units.ts';
import { attemptsOf, electedOf, namesIn, workersOf } from './run-victims.ts';
import { TREES } from './trees.ts';

const seed = tortureSeed();
const LIMIT = { timeout: 170_000 };

describe.concurrent(`many at the same instant (PRUN_TORTURE_SEED=${seed})`, () => {
  it('five supervisors of one run: one works, and the others go', LIMIT, async ({ onTestFinished }) => {
    const run = openTortured(onTestFinished, drawUnits(seededRandom(seed + 1)));
    await makeUnsupervised(run);
    const { place } = run;
    const rivals = Array.from({ length: 5 }, () =>
      callPrun(place, ['supervise', '--run-dir', place.runFolder]),
    );
    expect(await Promise.all(rivals.map(({ ended }) => ended))).toEqual([0, 0, 0, 0, 0]);
    expect(rivals.map(({ stderr }) => stderr()).join('')).toBe('');
    await seeThrough(run);
    expect(claimsOf(place)).toEqual(['1']);
  });

  it('twenty commands on a run whose supervisor died: one successor', LIMIT, async ({ onTestFinished }) => {
    const run = openTortured(onTestFinished, drawUnits(seededRandom(seed + 2)));
    await makeUnsupervised(run);
    const { place, story } = run;
    const asks = [['wait', '--timeout', '1'], ['status'], ['reconcile']];
    const calls = Array.from({ length: 20 }, (_, at) => {
      const [name = '', ...flags] = asks[at % asks.length] ?? [];
      return { name, call: callPrun(place, [name, '--run', place.run, ...flags]) };
    });
    for (const { name, call } of calls) {
      const code = await call.ended;
      const said = `${name}: ${call.stdout()}${call.stderr()}`;
      expect({ wait: [0, 30, 33], status: [0], reconcile: [0, 36] }[name], said).toContain(code);
      story.told.push(call.stdout());
    }
    await seeThrough(run);
    expect(claimsOf(place)).toEqual(['1']);
  });

  it(
    'twenty runs of one name: one is made, the others say that it is there',
    LIMIT,
    async ({ onTestFinished }) => {
      const run = openTortured(onTestFinished, drawUnits(seededRandom(seed + 3)));
      const { place, manifest } = run;
      const calls = Array.from({ length: 20 }, () => callPrun(place, ['run', manifest]));
      const codes = await Promise.all(calls.map(({ ended }) => ended));
      expect(codes.sort()).toEqual([0, ...Array.from({ length: 19 }, () => 2)]);
      for (const [at, call] of calls.entries()) {
        if ((await call.ended) === 0) expect(call.stdout(), String(at)).toContain(`RUN ${place.run}\n`);
        else expect(call.stderr()).toMatch(/^prun run: run \S+ is there already \([^\n]+\n$/);
      }
      expect(namesIn(path.dirname(place.runFolder))).toEqual([place.run]);
      await seeThrough(run);
    },
  );

  it.for([
    { what: 'at peace', deaths: 0 },
    { what: 'while supervisors are killed', deaths: 3 },
  ])(
    'twenty starts $what: every unit is started once, and every call says so',
    LIMIT,
    async ({ deaths }, { onTestFinished }) => {
      const run = openTortured(onTestFinished, drawUnits(seededRandom(seed + 4 + deaths)));
      const { place, units } = run;
      await makeUnsupervised(run);
      removeRequests(place);
      const calls = Array.from({ length: 20 }, () =>
        callPrun(place, ['start', '--run', place.run, '--json']),
      );
      let isOver = false;
      const struck = strikeHeirs(place, deaths, () => isOver);
      const codes = await Promise.all(calls.map(({ ended }) => ended));
      isOver = true;
      await struck;
      const said = calls.map((call) => `${call.stdout()}${call.stderr()}`).join('\n');
      // A supervisor that dies at its own start cannot be told from one that cannot be started.
      const allowed = deaths === 0 ? [0] : [0, 34];
      expect(
        codes.every((code) => code !== null && allowed.includes(code)),
        said,
      ).toBe(true);
      await seeThrough(run);
      const firsts = textOf(path.join(place.runFolder, 'events.jsonl')).match(/"why":"start"/g);
      expect(firsts?.length, said).toBe(units.length);
    },
  );

  it('start --jobs holds for the run, whoever supervises it', LIMIT, async ({ onTestFinished }) => {
    const ids = ['a', 'b', 'c', 'd'];
    const run = openTortured(
      onTestFinished,
      ids.map((id) => unitThat(id, 'waits')),
    );
    const { place } = run;
    await makeUnsupervised(run);
    removeRequests(place);
    const call = callPrun(place, ['start', '--run', place.run, '--jobs', '2']);
    expect(await call.ended, call.stderr()).toBe(0);
    await waitFor('two to begin', () => beginnings(place, textOf).size >= 2, 60_000);
    await strikeHeirs(place, 2, () => false);
    await seeThrough(run, {}, async () => {
      for (const id of ids) {
        await waitFor(`${id} to begin`, () => hasBegun(place, id), 60_000);
        expect(workersBegun(place), 'at most two at once').toBeLessThanOrEqual(2);
        release(place, id);
      }
    });
  });

  it(
    'cancel while supervisors are killed: nothing goes on, and nothing is started any more',
    LIMIT,
    async ({ onTestFinished }) => {
      const units = [
        ...['a', 'b', 'c'].map((id) => unitThat(id, 'sleeps once', { retries: 1 })),
        unitThat('d', 'hangs', { tree: seededRandom(seed).pick(TREES), retries: 1 }),
        ...['e', 'f'].map((id) => unitThat(id, 'sleeps once')),
        unitThat('g', 'writes', { after: ['a'] }),
      ];
      const run = openTortured(onTestFinished, units);
      const { place, manifest, story } = run;
      await callPrun(place, ['run', manifest]).ended;
      await waitFor('workers to begin', () => beginnings(place, textOf).size >= 4, 60_000);
      let isOver = false;
      const struck = strikeHeirs(place, 3, () => isOver);
      for (let code: number | null = 34; code !== 0; ) {
        const call = callPrun(place, ['cancel', '--run', place.run, '--grace', '1']);
        code = await call.ended;
        expect([0, 34], `${call.stdout()}${call.stderr()}`).toContain(code);
      }
      expect(workersOf(place), 'what was cancelled is gone when cancel returns').toEqual([]);
      isOver = true;
      await struck;
      for (const { record } of attemptsOf(place)) story.struck.add(record.marker);
      for (const { id } of units) story.struck.add(`${id}-0123456789abcdef`);
      await seeThrough(run);
      const ends = textOf(path.join(place.runFolder, 'events.jsonl')).match(/"status":"\w+"/g) ?? [];
      expect(ends.filter((end) => end.includes('succeeded'))).toEqual([]);
    },
  );
});

function hasBegun(place: RunPlace, unit: string): boolean {
  return [...beginnings(place, textOf).keys()].some((marker) => marker.startsWith(`${unit}-`));
}

/** How many attempts have begun and have no outcome yet. */
function workersBegun(place: RunPlace): number {
  const open = attemptsOf(place).filter(({ hasOutcome }) => !hasOutcome);
  const begun = beginnings(place, textOf);
  return open.filter(({ record }) => begun.has(record.marker)).length;
}

/** As if units had been added and none started. */
function removeRequests({ runFolder }: RunPlace): void {
  for (const part of ['requests', 'environments']) {
    const folder = path.join(runFolder, part);
    for (const name of namesIn(folder)) rmSync(path.join(folder, name));
  }
}

/** Strikes so many supervisors as they are elected, unless `isOver` comes first. */
async function strikeHeirs(place: RunPlace, deaths: number, isOver: () => boolean): Promise<void> {
  for (let left = deaths; left > 0 && !isOver(); ) {
    const heir = electedOf(place);
    if (heir && killSame(heir)) left--;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
