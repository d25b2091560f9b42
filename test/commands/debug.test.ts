import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { postRequest } from '../../scripts-src/run/requests.ts';
import { runFile } from '../../scripts-src/run/run-folder.ts';
import { excludeLines, worktreesIn } from '../../scripts-src/run/views/repository-traces.ts';
import { compiledViews, writtenRun } from '../helpers/run-fixture.ts';
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
