import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../helpers/plain-git.ts';
import { openPrun, type PrunCli, scriptsFolder } from '../helpers/prun-cli.ts';
import { testEnvironment } from '../helpers/unit-run.ts';
import { testFolder } from '../workspace/user-and-clone.ts';

interface Room {
  folder: string;
  repo: string;
  clone: string;
  set: string;
  cli: PrunCli;
}

async function room(): Promise<Room> {
  const folder = testFolder();
  const repo = path.join(folder, 'repo');
  mkdirSync(repo);
  await git(repo, ['init', '-q', '-b', 'main']);
  writeFileSync(path.join(repo, 'file'), 'one\n');
  writeFileSync(path.join(repo, '.gitignore'), 'dist\n');
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-qm', 'first']);
  const cli = openPrun(folder);
  const [clone = ''] = await cli.clone(repo, ['api'], ['--run', 'x']);
  return { folder, repo, clone, set: path.join(cli.stateHome, 'workspaces/x'), cli };
}

describe('prun cleanup', () => {
  it('takes the delta first, and apply still works on it afterwards', async () => {
    const { cli, clone, repo, set } = await room();
    writeFileSync(path.join(clone, 'file'), 'changed\n');
    const { stdout } = await cli.run(['cleanup', clone]);
    expect(stdout).toMatch(/^REMOVED api \d+(\.\d)? kB /);
    expect(stdout).toContain(`PATCH ${set}/units/api/delta.patch\n`);
    expect(existsSync(clone)).toBe(false);
    await cli.apply([path.join(set, 'units/api/delta.patch')], repo);
    expect(readFileSync(path.join(repo, 'file'), 'utf8')).toBe('changed\n');
  });

  it('keeps an ignored file that was taken in on purpose', async () => {
    const { cli, clone, repo } = await room();
    mkdirSync(path.join(clone, 'dist'));
    writeFileSync(path.join(clone, 'dist/app.js'), 'built\n');
    writeFileSync(path.join(clone, 'dist/other.js'), 'other\n');
    await cli.run(['collect', clone, '--include', 'dist/app.js']);
    await cli.run(['cleanup', '--run', 'x']);
    await cli.run(['apply', '--run', 'x', '--to', repo]);
    expect(readFileSync(path.join(repo, 'dist/app.js'), 'utf8')).toBe('built\n');
    expect(existsSync(path.join(repo, 'dist/other.js'))).toBe(false);
  });

  it('leaves a clone alone where its delta cannot hold everything, until it is forced', async () => {
    const { cli, clone } = await room();
    execFileSync('mkfifo', [path.join(clone, 'pipe')]);
    const kept = await cli.run(['cleanup', clone], { code: 30 });
    expect(kept.stdout).toMatch(
      /^KEPT api .*\nEMPTY api its delta holds no change\nNOTE api pipe is a pipe, .*save it, then use --force\n$/,
    );
    expect(existsSync(clone)).toBe(true);
    await cli.run(['cleanup', clone, '--force']);
    expect(existsSync(clone)).toBe(false);
  });

  it('leaves a clone alone while a unit runs in it', async () => {
    const { cli, clone, set, folder } = await room();
    const stateDir = path.join(folder, 'prun-task-00000000-api-1-0');
    mkdirSync(stateDir);
    const stat = readFileSync(`/proc/${process.pid}/stat`, 'utf8');
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    writeFileSync(path.join(stateDir, 'guardian'), `${boot}:${process.pid}:${start}\n`);
    appendFileSync(path.join(set, 'units/api/attempts'), `${stateDir}\n`);
    const kept = await cli.run(['cleanup', clone], { code: 30 });
    expect(kept.stdout).toContain(
      `NOTE api a unit runs in it (state dir ${stateDir}): wait for it, or stop it first`,
    );
    const collected = await cli.run(['collect', clone]);
    expect(collected.stderr).toContain(`a unit still runs in ${clone} (state dir ${stateDir})`);
    writeFileSync(path.join(folder, 'prompt'), 'work\n');
    const argv = ['--prompt-file', 'prompt', '--result-file', 'r.md', '--unit-id', 'two', '--workdir', clone];
    const second = spawnSync(process.execPath, [path.join(scriptsFolder(), 'dispatch-task.cjs'), ...argv], {
      cwd: folder,
      env: testEnvironment(cli.home, { PRUN_STATE_HOME: cli.stateHome, TMPDIR: folder }),
      encoding: 'utf8',
    });
    expect(second).toMatchObject({ status: 2, stdout: '' });
    expect(second.stderr).toContain(`another unit works in ${clone} (state dir ${stateDir})`);
    writeFileSync(path.join(stateDir, 'outcome.json'), '{}\n');
    await cli.run(['cleanup', clone]);
    expect(existsSync(clone)).toBe(false);
  });

  it('killed in the middle, goes on the next time, and the archived delta stays what it was', async () => {
    const { cli, clone, set } = await room();
    writeFileSync(path.join(clone, 'precious'), 'precious\n');
    await cli.run(['collect', clone]);
    // As a SIGKILL leaves it: the mark is there, and half of the files are gone.
    writeFileSync(path.join(set, 'units/api/removing'), '');
    rmSync(path.join(clone, 'file'));
    const refused = await cli.run(['collect', clone], { code: 30 });
    expect(refused.stderr).toContain('prun cleanup finishes the removal');
    await cli.run(['cleanup', clone]);
    expect(existsSync(clone)).toBe(false);
    const patch = readFileSync(path.join(set, 'units/api/delta.patch'), 'utf8');
    expect(patch).toContain('+precious');
    expect(patch).not.toContain('deleted file');
  });

  it('removes nothing outside the run, whatever a record or a symlink says', async () => {
    const { cli, clone, set, folder } = await room();
    const victims = path.join(folder, 'victims');
    mkdirSync(path.join(victims, 'api'), { recursive: true });
    writeFileSync(path.join(victims, 'api/file'), 'the user’s\n');
    const record = path.join(set, 'units/api/workspace.json');
    writeFileSync(record, readFileSync(record, 'utf8').replace(clone, path.join(victims, 'api')));
    renameSync(path.join(set, 'clones'), path.join(set, 'aside'));
    symlinkSync(victims, path.join(set, 'clones'));
    for (const flags of [[], ['--force']]) {
      const kept = await cli.run(['cleanup', '--run', 'x', ...flags], { code: 30 });
      expect(kept.stdout).toContain('nothing is removed there');
    }
    rmSync(path.join(set, 'clones'));
    renameSync(path.join(set, 'aside'), path.join(set, 'clones'));
    await cli.run(['cleanup', '--run', 'x']);
    expect(existsSync(clone)).toBe(false);
    expect(readFileSync(path.join(victims, 'api/file'), 'utf8')).toBe('the user’s\n');
  });

  it('a clone that is a symlink now: only the link goes, and only when it is forced', async () => {
    const { cli, clone, folder } = await room();
    mkdirSync(path.join(folder, 'theirs'));
    writeFileSync(path.join(folder, 'theirs/file'), 'theirs\n');
    rmSync(clone, { recursive: true });
    symlinkSync(path.join(folder, 'theirs'), clone);
    await cli.run(['cleanup', clone], { code: 30 });
    await cli.run(['cleanup', clone, '--force']);
    expect(existsSync(clone)).toBe(false);
    expect(readFileSync(path.join(folder, 'theirs/file'), 'utf8')).toBe('theirs\n');
  });

  it('--everything keeps the run while something unknown lies among its clones', async () => {
    const { cli, clone, set } = await room();
    await git(clone, ['worktree', 'add', '-q', path.join(set, 'clones/api-side')]);
    const kept = await cli.run(['cleanup', '--run', 'x', '--everything'], { code: 30 });
    expect(kept.stdout).toContain('KEPT run x: it still has clones: api-side\n');
    expect(existsSync(path.join(set, 'clones/api-side/file'))).toBe(true);
  });

  it('keeps every stash and every commit of a worker in the store', async () => {
    const { cli, clone, set } = await room();
    for (const text of ['one\n', 'two\n']) {
      appendFileSync(path.join(clone, 'file'), text);
      await git(clone, ['stash', '-q']);
    }
    appendFileSync(path.join(clone, 'file'), 'side\n');
    await git(clone, ['checkout', '-q', '-b', 'side']);
    await git(clone, ['commit', '-q', '--no-verify', '-am', 'on a branch']);
    const ids = [];
    for (const name of ['side', 'stash@{0}', 'stash@{1}']) {
      ids.push((await git(clone, ['rev-parse', name])).stdout.toString().trim());
    }
    writeFileSync(path.join(clone, '.git/refs/heads/bogus'), `${'12'.repeat(20)}\n`);
    await cli.run(['cleanup', clone]);
    for (const id of ids) {
      const type = await git(set, ['--git-dir', path.join(set, 'store.git'), 'cat-file', '-t', id]);
      expect(type.stdout.toString()).toBe('commit\n');
    }
  });

  it('removes folders that a worker has closed, and is content with a clone that is gone', async () => {
    const { cli, clone } = await room();
    mkdirSync(path.join(clone, 'closed/inner'), { recursive: true });
    writeFileSync(path.join(clone, 'closed/inner/file'), 'x\n');
    chmodSync(path.join(clone, 'closed'), 0);
    await cli.run(['cleanup', clone]);
    expect(existsSync(clone)).toBe(false);
    const again = await cli.run(['cleanup', clone]);
    expect(again.stdout).toContain('NOTE api it was gone already');
  });

  it('--everything removes the run when all its clones are gone', async () => {
    const { cli, clone, repo, set } = await room();
    await cli.clone(repo, ['ui'], ['--run', 'x']);
    const half = await cli.run(['cleanup', '--run', 'x', '--unit', 'api', '--everything'], { code: 30 });
    expect(half.stdout).toContain('KEPT run x: it still has clones: ui');
    rmSync(clone, { recursive: true, force: true });
    const { stdout } = await cli.run(['cleanup', '--run', 'x', '--everything']);
    expect(stdout).toContain(`REMOVED run x ${set}\n`);
    expect(existsSync(set)).toBe(false);
  });

  it.each([
    ['is no workspace of prun', ['.']],
    ['no clone is given', []],
    ['there are no workspaces of run "y"', ['--run', 'y']],
    ['has no unit "ui"', ['--run', 'x', '--unit', 'ui']],
    ['--everything needs --run', ['--everything']],
    ['--unit needs --run', ['--unit', 'api']],
  ])('refuses: %s', async (message, argv) => {
    const { cli, repo, clone } = await room();
    const { stderr } = await cli.run(['cleanup', ...argv], { code: 2, cwd: repo });
    expect(stderr).toContain(message);
    expect(existsSync(clone)).toBe(true);
  });
});
