import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { cellsOf } from '../../scripts-src/render/cells.ts';
import { runFile } from '../../scripts-src/run/run-folder.ts';
import { compiledViews, writtenRun } from '../helpers/run-fixture.ts';
import { asTerminal } from '../helpers/terminal.ts';
import { scratch } from '../helpers/unit-run.ts';

const views = compiledViews(['list', 'status']);

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

it('a log that is a pipe breaks its own run only, and runs that nobody may look at are no empty list', async () => {
  const folder = scratch();
  const home = path.join(folder, 'state');
  await writtenRun(home, 'good', ['a']);
  const piped = await writtenRun(home, 'piped', ['a']);
  rmSync(runFile(piped.run, 'events'), { force: true });
  execFileSync('mkfifo', [runFile(piped.run, 'events')]);
  const { code, stdout } = await views.run(folder, ['list']);
  expect(stdout).toMatch(/^RUN good created /m);
  expect(stdout).toMatch(/^BROKEN piped .*events\.jsonl is no regular file$/m);
  expect(code).toBe(0);
  const status = await views.run(folder, ['status', '--run', 'piped']);
  expect(status.code).toBe(2);
  expect(status.stderr).toMatch(/^prun status: .*events\.jsonl is no regular file: somebody replaced it/);
  // A file where the folder belongs: nobody can list it, root included.
  rmSync(path.join(home, 'runs'), { recursive: true });
  writeFileSync(path.join(home, 'runs'), '');
  const closed = await views.run(folder, ['list']);
  expect(closed.code).toBe(2);
  expect(closed.stderr).toMatch(/^prun list: .*runs cannot be read \(ENOTDIR/);
});

it('a copied run stands under the name of its own folder, and says where it is from', async () => {
  const folder = scratch();
  const home = path.join(folder, 'state');
  const { run, start } = await writtenRun(home, 'first', ['a']);
  start('a');
  cpSync(run.folder, path.join(home, 'runs/other'), { recursive: true });
  const { stdout } = await views.run(folder, ['list']);
  expect(stdout).toMatch(/^RUN first running /m);
  expect(stdout).toMatch(
    /^COPIED other age=\d+s units=1 done=0 failed=0 running=1 queued=0 disk=\S+ \/.*\/runs\/other it was made as \/.*\/runs\/first: /m,
  );
  const json = JSON.parse((await views.run(folder, ['list', '--json'])).stdout);
  expect(json.runs).toContainEqual(
    expect.objectContaining({ name: 'other', kind: 'copied', state: null, supervised: false }),
  );
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

it('on a terminal it is a table, narrow where there is little room', async () => {
  const folder = scratch();
  const home = path.join(folder, 'state');
  const repository = '/home/me/projects/the-shop';
  const first = await writtenRun(home, 'first-of-all-the-runs-of-the-shop-2026', ['a', 'b', 'c'], {
    repository,
  });
  first.start('a');
  first.end('a');
  first.start('b');
  first.end('b', 'failed');
  first.allDone();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = await writtenRun(home, 'second', ['a'], { isSupervised: false });
  second.start('a');
  mkdirSync(path.join(home, 'runs', 'torn'));
  const table = async (columns: number, environment?: Record<string, string>) => {
    const { stdout } = await views.run(
      folder,
      ['list'],
      asTerminal(folder, { columns, ...(environment && { environment }) }),
    );
    return stdout.trimEnd().split('\n');
  };
  const wide = await table(160);
  expect(wide[0]).toMatch(/^run {37}state {3} *age {2}units +disk {2}repository$/);
  expect(wide).toContainEqual(
    expect.stringMatching(
      /^first-of-all-the-runs-of-the-shop-2026 {2}done {5,6}\d+s {2}1\/3 done, 1 failed +\S+kB {2}the-shop$/,
    ),
  );
  expect(wide).toContainEqual(
    expect.stringMatching(/^second {34}lost +\d+s {2}0\/1 done, 1 running +\S+kB$/),
  );
  expect(wide).toContainEqual(expect.stringMatching(/^torn {36}broken +\d+s {2}run\.json is missing/));
  const narrow = await table(50);
  expect(narrow).toContainEqual(
    expect.stringMatching(/^first-o…op-2026 {2}done +\d+s {2}1\/3 done, 1 failed/),
  );
  for (const columns of [10, 30, 50, 51, 80]) {
    for (const line of await table(columns)) expect(cellsOf(line)).toBeLessThan(columns);
  }
  const withoutAge = (lines: string[]) => lines.map((line) => line.replace(/ +\d+s /, ' '));
  expect(withoutAge(await table(160, { COLUMNS: '50' }))).toEqual(withoutAge(narrow));
  expect((await table(160, { NO_COLOR: '' })).join('\n')).toContain('\u001b[31mlost\u001b[0m');
});
