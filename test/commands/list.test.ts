import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runFile } from '../../scripts-src/run/run-folder.ts';
import { compiledViews, writtenRun } from '../helpers/run-fixture.ts';
import { scratch } from '../helpers/unit-run.ts';

const views = compiledViews(['list']);

it('all runs, newest first, with age, units by state and disk', async () => {
  const folder = scratch();
  const home = path.join(folder, 'state');
  const first = await writtenRun(home, 'first', ['a', 'b']);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = await writtenRun(home, 'second', ['a'], { isSupervised: false });
  for (const made of [first, second]) made.start('a');
  writeFileSync(path.join(first.run.folder, 'big'), Buffer.alloc(1_000_000, 'x'));
  const { code, stdout } = await views.run(folder, ['list']);
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(
      /^RUN second lost age=\d+s units=1 done=0 failed=0 running=1 queued=0 disk=\S+ \/.*\/runs\/second$/,
    ),
    expect.stringMatching(
      /^RUN first running age=\d+s units=2 done=0 failed=0 running=1 queued=0 created=1 disk=1\.\dMB \/.*\/runs\/first$/,
    ),
  ]);
  expect(code).toBe(0);
});

it('a run of a newer prun, one without its record, an old draft and clones without a run hide none of the others', async () => {
  const folder = scratch();
  const home = path.join(folder, 'state');
  await writtenRun(home, 'good', ['a']);
  const newer = await writtenRun(home, 'newer', ['a']);
  writeFileSync(runFile(newer.run, 'record'), '{"schema":99}');
  const gone = await writtenRun(home, 'gone', ['a']);
  rmSync(runFile(gone.run, 'record'));
  const newerUnits = await writtenRun(home, 'units', ['a']);
  writeFileSync(runFile(newerUnits.run, 'units'), '{"schema":99}\n');
  const draft = path.join(home, 'runs', '.half-1-01234567.draft');
  mkdirSync(draft);
  utimesSync(draft, new Date(0), new Date(0));
  mkdirSync(path.join(home, 'runs', '.young-1-01234567.draft'));
  const { code, stdout } = await views.run(folder, ['list']);
  expect(stdout).toMatch(/^RUN good created /m);
  expect(stdout).toMatch(/^BROKEN newer .*has schema 99, this prun knows 1$/m);
  expect(stdout).toMatch(/^BROKEN gone .*run\.json is missing$/m);
  expect(stdout).toMatch(/^BROKEN units .*has schema 99, this prun knows 1$/m);
  expect(stdout).toMatch(/^BROKEN \.half-1-01234567\.draft .*it was never finished/m);
  expect(stdout).not.toContain('.young');
  expect(code).toBe(0);
});

it('says that there is nothing, and where it has looked', async () => {
  const folder = scratch();
  const { code, stdout } = await views.run(folder, ['list']);
  expect(stdout).toBe(`no runs in ${folder}/state/runs\n`);
  expect(code).toBe(0);
});

it('fifty runs are forty lines; --json has them all', async () => {
  const folder = scratch();
  for (let n = 0; n < 50; n++) await writtenRun(path.join(folder, 'state'), `run-${n}`, []);
  const lines = (await views.run(folder, ['list'])).stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(40);
  expect(lines.at(-1)).toBe('MORE runs=11');
  expect(JSON.parse((await views.run(folder, ['list', '--json'])).stdout).runs).toHaveLength(50);
});
