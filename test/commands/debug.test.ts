import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { postRequest } from '../../scripts-src/run/requests.ts';
import { runFile } from '../../scripts-src/run/run-folder.ts';
import { excludeLines, worktreesIn } from '../../scripts-src/run/views/repository-traces.ts';
import { compiledViews, unitSpec, writtenRun } from '../helpers/run-fixture.ts';
import { openStage, supervisedDir } from '../helpers/state-dir-fixture.ts';
import { scratch, testEnvironment } from '../helpers/unit-run.ts';

const views = compiledViews(['debug']);

it('says where everything is, who is alive, what is asked, and how the supervisor ended its log', async () => {
  const folder = scratch();
  const made = await writtenRun(path.join(folder, 'state'), 'r1', ['a', 'b']);
  const dir = made.start('a');
  writeFileSync(path.join(dir, 'guardian'), `boot:1:1\n`);
  writeFileSync(runFile(made.run, 'supervisorLog'), `${'older\n'.repeat(50)}the last\u0007 line\n`);
  const request = postRequest(made.run, { type: 'cancel', units: null, graceSeconds: 10 });
  const { code, stdout } = await views.run(folder, ['debug', '--run', 'r1']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toContain(`DIR ${made.run.folder}`);
  expect(lines).toContainEqual(
    expect.stringMatching(new RegExp(`^SUPERVISOR \\S+:${process.pid}:\\S+ alive$`)),
  );
  expect(lines).toContain(`REQUEST ${request} cancel`);
  expect(lines).toContain(`UNIT a running attempt=1 ${dir}`);
  expect(lines).toContain('PROCESS guardian boot:1:1 dead');
  expect(lines.at(-1)).toBe('LOG the last line');
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(code).toBe(0);
  const one = (await views.run(folder, ['debug', '--run', 'r1', '--unit', 'a'])).stdout;
  expect(one).toContain(`RESULT ${made.run.folder}/agent-io/results/a.md`);
  expect(JSON.parse((await views.run(folder, ['debug', '--run', 'r1', '--json'])).stdout)).toMatchObject({
    run: 'r1',
    isHome: true,
    requests: [{ type: 'cancel' }],
    units: [{ id: 'a', attempts: [{ attempt: 1, stateDir: dir }] }],
  });
});

it('a hundred running units are forty lines', async () => {
  const folder = scratch();
  const ids = Array.from({ length: 100 }, (_, n) => `u${n}`);
  const made = await writtenRun(path.join(folder, 'state'), 'r1', ids);
  for (const id of ids) made.start(id);
  const lines = (await views.run(folder, ['debug', '--run', 'r1'])).stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(lines).toContainEqual(expect.stringMatching(/^MORE \d+ lines of units: --json has all$/));
});

it('names every branch, worktree and exclude line that the run has added to a repository', async () => {
  const folder = scratch();
  const repository = path.join(folder, 'project');
  const worktree = path.join(repository, '.worktrees', 'int-r1');
  const git = (...argv: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@b', ...argv], {
      env: testEnvironment(folder),
      stdio: 'pipe',
    });
  mkdirSync(repository);
  git('init', '--quiet', '-b', 'main');
  git('commit', '--quiet', '--allow-empty', '-m', 'first');
  git('worktree', 'add', '--quiet', '-b', 'prun/r1/int', worktree);
  git('branch', 'prun/other/int');
  const exclude = path.join(repository, '.git', 'info', 'exclude');
  writeFileSync(exclude, '/.worktrees/\n*.log\n');
  const integration = {
    repository,
    worktree,
    branch: 'prun/r1/int',
    baseRef: 'origin/main',
    baseCommit: 'a'.repeat(40),
  };
  await writtenRun(path.join(folder, 'state'), 'r1', ['a'], { repository: worktree, integration });
  const lines = (await views.run(folder, ['debug', '--run', 'r1'])).stdout.split('\n');
  expect(lines).toContain(`REPOSITORY ${repository}`);
  expect(lines).toContain(`INTEGRATION ${worktree} branch=prun/r1/int base=origin/main aaaaaaaaaaaa`);
  expect(lines.filter((line) => line.startsWith('BRANCH'))).toEqual([
    expect.stringMatching(/^BRANCH prun\/r1\/int [0-9a-f]{12}$/),
  ]);
  expect(lines).toContain(`WORKTREE ${worktree} prun/r1/int`);
  expect(lines).toContain(`EXCLUDE ${exclude}: /.worktrees/`);
  rmSync(worktree, { recursive: true });
  const after = (await views.run(folder, ['debug', '--run', 'r1'])).stdout.split('\n');
  expect(after).toContain(`INTEGRATION ${worktree} branch=prun/r1/int base=origin/main aaaaaaaaaaaa (gone)`);
  expect(after).toContain(`WORKTREE ${worktree} prun/r1/int (gone)`);
  expect(JSON.parse((await views.run(folder, ['debug', '--run', 'r1', '--json'])).stdout)).toMatchObject({
    set: { folder: path.join(folder, 'state', 'workspaces', 'r1'), isThere: false },
    integration: { worktree, isThere: false },
    repository: { worktrees: [{ folder: worktree, isThere: false }] },
  });
});

it('a repository that has gone is said, and hides nothing else', async () => {
  const folder = scratch();
  await writtenRun(path.join(folder, 'state'), 'r1', ['a'], { repository: path.join(folder, 'gone') });
  const { code, stdout } = await views.run(folder, ['debug', '--run', 'r1']);
  expect(stdout).toMatch(/^REPOSITORY .*\/gone cannot be asked: /m);
  expect(code).toBe(0);
});

it('what a run that was never finished has left is named', async () => {
  const folder = scratch();
  const draft = path.join(folder, 'state', 'runs', '.half-1-01234567.draft');
  mkdirSync(draft, { recursive: true });
  const { code, stdout } = await views.run(folder, ['debug', '--run', 'half']);
  expect(stdout).toContain(`UNFINISHED ${draft}`);
  expect(code).toBe(0);
  expect(await views.run(folder, ['debug', '--run', 'none'])).toMatchObject({ code: 2, stdout: '' });
});

it('worktrees and exclude lines are found in what git and the file say', () => {
  const porcelain = [
    'worktree /repo\nHEAD 1\nbranch refs/heads/main\n',
    'worktree /repo/.worktrees/int r1\nHEAD 2\nbranch refs/heads/prun/r1/int\n',
    'worktree /elsewhere\nHEAD 3\ndetached\n',
  ].join('\n');
  expect(worktreesIn(porcelain, 'refs/heads/prun/r1/')).toEqual([
    { folder: '/repo/.worktrees/int r1', branch: 'prun/r1/int' },
  ]);
  expect(excludeLines('# .worktrees/\n/.worktrees/\n*.log\nmy.worktrees\n')).toEqual(['/.worktrees/']);
});

it('a process of several units is told once', async () => {
  const folder = scratch();
  const made = await writtenRun(path.join(folder, 'state'), 'r1', ['a', 'b', 'c']);
  const stage = openStage();
  for (const [n, unit] of ['a', 'b', 'c'].entries()) {
    const file = path.join(supervisedDir(stage, unit, { supervisor: 'boot:1:1' }), 'unit.json');
    const record = { ...JSON.parse(readFileSync(file, 'utf8')), worker: `boot:${10 + n}:1` };
    writeFileSync(path.join(made.start(unit), 'unit.json'), JSON.stringify(record));
  }
  const { stdout } = await views.run(folder, ['debug', '--run', 'r1']);
  expect(stdout.match(/^PROCESS .*$/gm)).toEqual([
    'PROCESS supervisor boot:1:1 dead',
    'PROCESS worker boot:10:1 dead',
    'PROCESS worker boot:11:1 dead',
    'PROCESS worker boot:12:1 dead',
  ]);
  const { units } = JSON.parse((await views.run(folder, ['debug', '--run', 'r1', '--json'])).stdout);
  for (const unit of units) expect(unit.attempts[0].processes).toHaveLength(2);
});

it('what a cleanup has removed is marked as gone, and what never was is not', async () => {
  const folder = scratch();
  const home = path.join(folder, 'state');
  const repository = path.join(folder, 'project');
  await writtenRun(home, 'plain', ['a']);
  expect((await views.run(folder, ['debug', '--run', 'plain'])).stdout).toContain(
    `SET ${home}/workspaces/plain (not made)\n`,
  );
  const made = await writtenRun(home, 'r1', [unitSpec('a', { mode: 'clone' })], { repository });
  made.start('a');
  const set = path.join(home, 'workspaces', 'r1');
  const clone = path.join(set, 'clones', 'a');
  mkdirSync(clone, { recursive: true });
  const debug = async () => (await views.run(folder, ['debug', '--run', 'r1', '--unit', 'a'])).stdout;
  const before = await debug();
  expect(before).toContain(`SET ${set}\n`);
  expect(before).toContain(`WORKSPACE ${clone}\n`);
  expect(before).toContain(`RESULT ${made.run.folder}/agent-io/results/a.md (not there)\n`);
  rmSync(set, { recursive: true });
  const after = await debug();
  expect(after).toContain(`SET ${set} (gone)\n`);
  expect(after).toContain(`WORKSPACE ${clone} (gone)\n`);
});
