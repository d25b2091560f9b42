import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../helpers/plain-git.ts';
import { openPrun, type PrunCli, scriptsFolder } from '../helpers/prun-cli.ts';
import { testEnvironment } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { testFolder } from '../workspace/user-and-clone.ts';

interface Room {
  folder: string;
  repo: string;
  cli: PrunCli;
  /** Folder of a run's set. */
  run(name: string): string;
}

async function room(): Promise<Room> {
  const folder = testFolder();
  const repo = path.join(folder, 'a repo');
  mkdirSync(repo);
  await git(repo, ['init', '-q', '-b', 'main']);
  writeFileSync(path.join(repo, 'file'), 'one\n');
  writeFileSync(path.join(repo, '.gitignore'), 'node_modules\n.env\n');
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-qm', 'first']);
  const cli = openPrun(folder);
  return { folder, repo, cli, run: (name) => path.join(cli.stateHome, 'workspaces', name) };
}

describe('prun clone', () => {
  it('prints one line for each unit, in order, and what a person wants to know on stderr', async () => {
    const { cli, repo, run } = await room();
    const units = ['d', 'a', 'c', 'b'].flatMap((unit) => ['--unit', unit]);
    const { stdout, stderr } = await cli.run(['clone', '--repo', repo, ...units, '--run', 'x']);
    expect(stdout).toBe(['d', 'a', 'c', 'b'].map((unit) => `CLONE ${run('x')}/clones/${unit}\n`).join(''));
    expect(stderr).toContain('4 clones of 2 files');
    expect(stderr).toContain(path.join(run('x'), 'PRUN-BASE.md'));
  });

  it('freezes one base for a run: a later clone has the files of the first moment', async () => {
    const { cli, repo } = await room();
    await cli.clone(repo, ['api'], ['--run', 'x']);
    writeFileSync(path.join(repo, 'file'), 'edited later\n');
    const [clone = ''] = await cli.clone(repo, ['ui'], ['--run', 'x']);
    expect(readFileSync(path.join(clone, 'file'), 'utf8')).toBe('one\n');
    const [fresh = ''] = await cli.clone(repo, ['ui']);
    expect(readFileSync(path.join(fresh, 'file'), 'utf8')).toBe('edited later\n');
  });

  it('ten processes at once on one run share one base, and each unit has one clone', async () => {
    const { cli, repo, run } = await room();
    const units = Array.from({ length: 10 }, (_, n) => `u${n % 5}`);
    const ends = await Promise.all(
      units.map((unit) => cli.run(['clone', '--repo', repo, '--unit', unit, '--run', 'x'], { code: 'any' })),
    );
    expect(ends.filter(({ code }) => code === 0)).toHaveLength(5);
    const refused = ends.filter(({ code }) => code !== 0);
    expect(refused.every(({ code, stderr }) => code === 2 && /has a workspace already/.test(stderr))).toBe(
      true,
    );
    expect(readdirSync(path.join(run('x'), 'clones')).sort()).toEqual(['u0', 'u1', 'u2', 'u3', 'u4']);
    expect(readdirSync(path.join(run('x'), 'units')).sort()).toEqual(['u0', 'u1', 'u2', 'u3', 'u4']);
    expect(readdirSync(path.join(cli.stateHome, 'workspaces'))).toEqual(['x']);
  });

  it('gives every unit ten ports of its own, and keeps its state private', async () => {
    const { cli, repo, run } = await room();
    const { stdout } = await cli.run([
      'clone',
      '--repo',
      repo,
      '--unit',
      'a',
      '--unit',
      'b',
      '--json',
      '--run',
      'x',
    ]);
    const { workspaces } = JSON.parse(stdout);
    const [a, b] = workspaces.map(({ ports }: { ports: { first: number; last: number } }) => ports);
    expect(a.last - a.first).toBe(9);
    expect(a.last < b.first || b.last < a.first).toBe(true);
    for (const place of ['', 'store.git', 'clones/a', 'units/a']) {
      expect(statSync(path.join(run('x'), place)).mode & 0o077, place).toBe(0);
    }
    for (const file of ['set.json', 'PRUN-BASE.md', 'units/a/workspace.json']) {
      expect(statSync(path.join(run('x'), file)).mode & 0o777, file).toBe(0o600);
    }
  });

  it('brings ignored inputs that are named, and never a secret that is not', async () => {
    const { cli, repo } = await room();
    mkdirSync(path.join(repo, 'node_modules/.bin'), { recursive: true });
    writeFileSync(path.join(repo, 'node_modules/tool.js'), 'tool\n');
    symlinkSync('../tool.js', path.join(repo, 'node_modules/.bin/tool'));
    writeFileSync(path.join(repo, 'package-lock.json'), '{}\n');
    writeFileSync(path.join(repo, '.env'), 'KEY=secret\n');
    const [clone = ''] = await cli.clone(repo, ['api'], ['--warm', 'auto']);
    expect(readFileSync(path.join(clone, 'node_modules/.bin/tool'), 'utf8')).toBe('tool\n');
    expect(existsSync(path.join(clone, '.env'))).toBe(false);
    writeFileSync(path.join(clone, 'node_modules/tool.js'), 'edited in place\n');
    expect(readFileSync(path.join(repo, 'node_modules/tool.js'), 'utf8')).toBe('tool\n');
    const [named = ''] = await cli.clone(repo, ['api'], ['--warm', '.env']);
    expect(readFileSync(path.join(named, '.env'), 'utf8')).toBe('KEY=secret\n');
    const [delta] = await cli.collect([clone]);
    expect(delta?.record.files).toEqual([]);
    expect(delta?.record.ignored).toEqual([]);
  });

  it('runs a setup once in each clone, with its ports, keeps what it printed, and says when it failed', async () => {
    const { cli, repo, run } = await room();
    const setup = 'echo "in $(pwd) with $PORT"; test ! -f file || exit 7';
    const ended = await cli.run(['clone', '--repo', repo, '--unit', 'a', '--setup', setup, '--run', 'x'], {
      code: 30,
    });
    expect(ended.stdout).toBe(`CLONE ${run('x')}/clones/a\n`);
    expect(ended.stderr).toMatch(
      /a: the setup failed with 7, its output is in .*setup\.log; the clone is there/,
    );
    const record = JSON.parse(readFileSync(path.join(run('x'), 'units/a/workspace.json'), 'utf8'));
    expect(record.setup).toMatchObject({ command: setup, exitCode: 7 });
    expect(readFileSync(record.setup.log, 'utf8')).toBe(
      `in ${run('x')}/clones/a with ${record.ports.first}\n`,
    );
    await cli.clone(repo, ['b'], ['--setup', 'true', '--run', 'x']);
  });

  it('goes on to its end when nobody reads its output any more, and its exit code stays true', async () => {
    const { cli, repo, run } = await room();
    const argv = ['clone', '--repo', repo, '--unit', 'a', '--unit', 'b', '--unit', 'c', '--run', 'x'];
    const child = spawn(process.execPath, [path.join(scriptsFolder(), 'prun.cjs'), ...argv], {
      env: testEnvironment(cli.home, { PRUN_STATE_HOME: cli.stateHome }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    child.stderr.destroy();
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    expect(readdirSync(path.join(run('x'), 'units')).sort()).toEqual(['a', 'b', 'c']);
  });

  it('says that a unit’s clone is gone, and what to do', async () => {
    const { cli, repo } = await room();
    const [clone = ''] = await cli.clone(repo, ['a'], ['--run', 'x']);
    await cli.run(['cleanup', clone]);
    const { stderr } = await cli.run(['clone', '--repo', repo, '--unit', 'a', '--run', 'x'], { code: 2 });
    expect(stderr).toContain('its clone is gone and its delta is kept: give another --unit, such as a-2');
  });

  it('leaves nothing half-made that counts when it is killed, and the next call cleans up', async () => {
    const { cli, repo, run, folder } = await room();
    const argv = ['clone', '--repo', repo, '--unit', 'a', '--run', 'x', '--setup', 'touch started; sleep 60'];
    const child = spawn(process.execPath, [path.join(scriptsFolder(), 'prun.cjs'), ...argv], {
      env: testEnvironment(cli.home, { PRUN_STATE_HOME: cli.stateHome }),
      stdio: 'ignore',
      cwd: folder,
    });
    const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
    await waitFor('the setup', () => existsSync(path.join(run('x'), 'clones/a/started')));
    child.kill('SIGTERM');
    expect(await ended).toBe(128 + 15);
    const dead = path.join(run('x'), 'clones', '.b-999999999-0123abcd.draft');
    mkdirSync(dead);
    await cli.clone(repo, ['b'], ['--run', 'x']);
    expect(existsSync(dead)).toBe(false);
  });

  it.each([
    ['--repo is missing', ['--unit', 'a']],
    ['--unit is missing', ['--repo', '.']],
    ['"a b" is no unit id', ['--repo', '.', '--unit', 'a b']],
    ['--unit a is given twice', ['--repo', '.', '--unit', 'a', '--unit', 'a']],
    ['"../x" is no name', ['--repo', '.', '--unit', 'a', '--run', '../x']],
    ['does not say whose it is', ['--repo', '.', '--unit', 'a', '--unit', 'b', '--owns', 'src/**']],
    ['names a unit yy that is not among --unit', ['--repo', '.', '--unit', 'a', '--owns', 'yy=src/**']],
    ['is no path below the repository', ['--repo', '.', '--unit', 'a', '--owns', '/abs/src/**']],
    ['unexpected argument "b"', ['--repo', '.', '--unit', 'a', 'b']],
    ['not a whole number of seconds', ['--repo', '.', '--unit', 'a', '--setup-timeout', '10m']],
    ['there is no such path', ['--repo', '.', '--unit', 'a', '--warm', 'nowhere']],
    ['unknown flag --bogus', ['--repo', '.', '--unit', 'a', '--bogus']],
  ])('refuses: %s', async (message, argv) => {
    const { cli, repo } = await room();
    const { stderr, stdout } = await cli.run(['clone', ...argv], { code: 2, cwd: repo });
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(existsSync(path.join(cli.stateHome, 'workspaces'))).toBe(false);
  });

  it('a worktree has a branch of its own, the files of the base, and the same delta', async () => {
    const { cli, repo, run } = await room();
    writeFileSync(path.join(repo, 'file'), 'not committed\n');
    writeFileSync(path.join(repo, 'new'), 'new\n');
    const [tree = ''] = await cli.clone(repo, ['api'], ['--worktree', '--run', 'x']);
    expect(await said(tree, 'branch', '--show-current')).toBe('prun/x/api');
    expect(await said(tree, 'status', '--short')).toBe('M file\n?? new');
    writeFileSync(path.join(tree, 'file'), 'by the worker\n');
    await git(tree, ['add', '-A']);
    await git(tree, ['commit', '-qm', 'on its branch']);
    const [delta] = await cli.collect([tree]);
    expect(delta?.record.files.map(({ path: where }) => where)).toEqual(['file']);
    expect(delta?.record.commits.map(({ subject }) => subject)).toEqual(['on its branch']);
    expect(delta?.record.repository).toEqual([]);
    const gone = await cli.run(['cleanup', '--run', 'x']);
    expect(gone.stdout).toContain('the branch prun/x/api stays, with 1 commits that are not in HEAD');
    expect(await said(repo, 'worktree', 'list', '--porcelain')).not.toContain('clones/api');
    expect(await said(repo, 'branch', '--list', 'prun/*')).toContain('prun/x/api');
    expect(existsSync(path.join(run('x'), 'clones/api'))).toBe(false);
  });
});

async function said(folder: string, ...argv: string[]): Promise<string> {
  return (await git(folder, argv)).stdout.toString().trim();
}
