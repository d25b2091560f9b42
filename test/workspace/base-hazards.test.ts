import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytePathOf } from '../../scripts-src/platform/byte-path.ts';
import { cannotStart, gitEnvironment, runGit } from '../../scripts-src/platform/git.ts';
import { closedFoldersIn } from '../../scripts-src/workspace/base/closed-folders.ts';
import { gitFoldersIn } from '../../scripts-src/workspace/base/git-folders.ts';
import { git, gitSays } from '../helpers/plain-git.ts';
import { openPrun, type PrunCli } from '../helpers/prun-cli.ts';
import { isRoot, ORDINARY_UID, program } from '../helpers/unit-run.ts';
import { changesOf, testFolder } from './user-and-clone.ts';

// What may go wrong with a base before a worker has done anything: killed calls, odd places, files that make git wait.

interface Room {
  folder: string;
  repo: string;
  cli: PrunCli;
  /** A file of run `x`. */
  run(where: string): string;
  put(where: string, text?: string): void;
}

async function room(flags: string[] = [], uid?: number): Promise<Room> {
  const folder = testFolder();
  const repo = path.join(folder, 'a repo');
  mkdirSync(repo);
  await git(repo, ['init', '-q', '-b', 'main', ...flags, '.']);
  const put = (where: string, text = 'text\n'): void => {
    mkdirSync(path.dirname(path.join(repo, where)), { recursive: true });
    writeFileSync(path.join(repo, where), text);
  };
  put('file', 'one\n');
  put('src/deep/file', 'two\n');
  await git(repo, ['add', 'file', 'src']);
  await git(repo, ['commit', '-qm', 'first']);
  const cli = openPrun(folder, uid);
  const run = (where: string): string => path.join(cli.stateHome, 'workspaces/x', where);
  return { folder, repo, cli, run, put };
}

const call = ({ repo }: Room, unit: string, ...flags: string[]): string[] => [
  'clone',
  '--repo',
  repo,
  '--unit',
  unit,
  '--run',
  'x',
  ...flags,
];

/** PATH with a git that does `body` (a case of its arguments) before or instead of the real one. */
function pathWithGit({ folder }: Room, body: string): { PATH: string } {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  program(
    path.join(folder, 'bin'),
    'git',
    `#!/bin/sh\nreal='${real}'\ncase "$*" in\n${body}\nesac\nexec "$real" "$@"\n`,
  );
  return { PATH: `${path.join(folder, 'bin')}${path.delimiter}${process.env.PATH}` };
}

const noteOf = (room: Room): string => readFileSync(room.run('PRUN-BASE.md'), 'utf8');

describe.skipIf(process.platform === 'win32')('a call that was killed', () => {
  it.each([
    ['before its files are written', 'checkout-index*) kill -9 $PPID; exit 1;;'],
    ['before its index is written', '"read-tree HEAD") kill -9 $PPID; exit 1;;'],
    ['before it is added', '"worktree add"*) kill -9 $PPID; exit 1;;'],
    ['when its folder is there', '"worktree add"*) "$real" "$@"; kill -9 $PPID; exit 1;;'],
  ])('leaves no worktree that counts, %s, and the next call makes it', async (_, body) => {
    const here = await room();
    const environment = pathWithGit(here, body);
    await here.cli.run(call(here, 'u1', '--worktree'), { environment, code: 137 });
    expect(existsSync(here.run('units/u1'))).toBe(false);
    const none = await here.cli.run(['collect', '--run', 'x'], { code: 2 });
    expect(none.stderr).toContain('has no workspaces');
    await here.cli.run(call(here, 'u1', '--worktree'));
    expect(readdirSync(here.run('units'))).toEqual(['u1']);
    expect(readdirSync(here.run('clones'))).toEqual(['u1']);
    expect((await gitSays(here.repo, ['worktree', 'list'])).split('\n')).toHaveLength(2);
    expect(await gitSays(here.run('clones/u1'), ['status', '--short', '--branch'])).toBe('## prun/x/u1');
    writeFileSync(here.run('clones/u1/file'), 'by the worker\n');
    const [delta] = await here.cli.collect([here.run('clones/u1')]);
    expect(delta && changesOf(delta)).toEqual(['modified file']);
  });

  it('leaves a clone without records: the next call makes it anew, as a worktree too', async () => {
    const here = await room();
    for (const [unit, flags] of [
      ['u1', []],
      ['u2', ['--worktree']],
    ] as const) {
      rmSync(here.run('.fault-clone-named'), { force: true });
      await here.cli.run(call(here, unit), { environment: { PRUN_FAULT: 'clone-named' }, code: 137 });
      expect(existsSync(here.run(`clones/${unit}`))).toBe(true);
      expect(existsSync(here.run(`units/${unit}`))).toBe(false);
      await here.cli.run(call(here, unit, ...flags));
    }
    expect(readdirSync(here.run('units')).sort()).toEqual(['u1', 'u2']);
    expect(readdirSync(here.run('clones')).sort()).toEqual(['u1', 'u2']);
  });

  it('is told from one that is still at work: that one’s files stay', async () => {
    const here = await room();
    await here.cli.run(call(here, 'other'));
    mkdirSync(here.run('clones/u1'));
    writeFileSync(here.run('clones/u1/file'), 'half of it\n');
    mkdirSync(here.run(`units/.u1-${process.pid}-0123abcd.draft`));
    for (const flags of [[], ['--worktree']]) {
      const { stderr } = await here.cli.run(call(here, 'u1', ...flags), { code: 2 });
      expect(stderr).toContain('another call is making now');
      expect(readFileSync(here.run('clones/u1/file'), 'utf8')).toBe('half of it\n');
    }
  });

  it('is told from two at once: one of them makes the worktree', async () => {
    const here = await room();
    await here.cli.run(call(here, 'other'));
    const argv = call(here, 'u1', '--worktree');
    const ends = await Promise.all([1, 2, 3].map(() => here.cli.run(argv, { code: 'any' })));
    expect(ends.map(({ code }) => code).sort()).toEqual([0, 2, 2]);
    expect(await gitSays(here.run('clones/u1'), ['status', '--short', '--branch'])).toBe('## prun/x/u1');
    expect(existsSync(here.run('units/u1/index-0'))).toBe(true);
  });

  it('a branch with commits is never taken for what it left', async () => {
    const here = await room();
    await git(here.repo, ['branch', 'prun/x/u1']);
    await git(here.repo, ['commit', '-q', '--allow-empty', '-m', 'second']);
    await here.cli.run(call(here, 'other'));
    mkdirSync(here.run('clones/u1'));
    const { stderr } = await here.cli.run(call(here, 'u1', '--worktree'), { code: 2 });
    expect(stderr).toContain('prun/x/u1');
    expect(await gitSays(here.repo, ['branch', '--list', 'prun/*'])).toContain('prun/x/u1');
  });

  it('a worktree that cannot be filled leaves neither folder nor entry nor branch', async () => {
    const here = await room();
    const environment = pathWithGit(here, 'checkout-index*) echo "fatal: no room" >&2; exit 128;;');
    const { stderr } = await here.cli.run(call(here, 'u1', '--worktree'), { environment, code: 1 });
    expect(stderr).toContain('no room');
    expect([...readdirSync(here.run('units')), ...readdirSync(here.run('clones'))]).toEqual([]);
    expect((await gitSays(here.repo, ['worktree', 'list'])).split('\n')).toHaveLength(1);
    expect(await gitSays(here.repo, ['branch', '--list', 'prun/*'])).toBe('');
  });
});

describe('a git folder among the files', () => {
  const HOOK = [
    'diff --git a/meta/hooks/post-checkout b/meta/hooks/post-checkout',
    'new file mode 100755',
    '--- /dev/null',
    '+++ b/meta/hooks/post-checkout',
    '@@ -0,0 +1 @@',
    '+#!/bin/sh',
    '',
  ].join('\n');

  it.each([false, true])(
    'is no part of the base, and no delta reaches it; tracked: %s',
    async (isTracked) => {
      const here = await room(['--separate-git-dir=meta']);
      if (isTracked) {
        await git(here.repo, ['add', '-f', 'meta/config']);
        await git(here.repo, ['commit', '-qm', 'by mistake']);
      }
      const [clone = ''] = await here.cli.clone(here.repo, ['u1'], ['--run', 'x']);
      expect(readdirSync(clone).sort()).toEqual(['.git', 'file', 'src']);
      expect(await gitSays(clone, ['status', '--porcelain'])).toBe('');
      expect(noteOf(here)).toContain("- meta/ (git's own folder of the repository)");
      const config = readFileSync(path.join(here.repo, 'meta/config'), 'utf8');
      mkdirSync(path.join(clone, 'meta'));
      writeFileSync(path.join(clone, 'meta/config'), '[core]\n\tfsmonitor = evil\n');
      writeFileSync(path.join(clone, 'file'), 'work\n');
      const [delta] = await here.cli.collect([clone]);
      const patch = path.join(here.folder, 'hook.patch');
      writeFileSync(patch, HOOK);
      for (const one of [delta?.patch ?? '', patch]) {
        const { stderr, stdout, code } = await here.cli.apply([one], here.repo, [], { code: 'any' });
        expect(code).not.toBe(0);
        expect(stderr + stdout).toContain("it lies in git's own folder of the repository");
      }
      expect(readFileSync(path.join(here.repo, 'meta/config'), 'utf8')).toBe(config);
      expect(existsSync(path.join(here.repo, 'meta/hooks/post-checkout'))).toBe(false);
      expect(readFileSync(path.join(here.repo, 'file'), 'utf8')).toBe('one\n');
    },
  );

  it('is found by the .git file and by the folder that worktrees share', async () => {
    const here = await room(['--separate-git-dir=meta']);
    expect(gitFoldersIn(here.repo)).toEqual(['meta']);
    const linked = path.join(here.folder, 'linked');
    await git(here.repo, ['worktree', 'add', '-q', linked]);
    expect(gitFoldersIn(linked)).toEqual([]);
    renameSync(path.join(here.repo, 'meta'), path.join(linked, 'store'));
    writeFileSync(path.join(linked, '.git'), 'gitdir: store/worktrees/linked\n');
    expect(gitFoldersIn(linked)).toEqual(['store']);
    expect(gitFoldersIn(here.folder)).toEqual([]);
  });
});

describe('a state home among the files', () => {
  it('is refused unless git ignores it', async () => {
    const here = await room();
    const environment = { PRUN_STATE_HOME: path.join(here.repo, '.st') };
    const argv = ['clone', '--repo', here.repo, '--unit', 'u1'];
    const { stderr } = await here.cli.run(argv, { environment, code: 2 });
    expect(stderr).toContain('--state-home');
    expect(stderr).toContain(`add /.st/ to ${path.join(here.repo, '.git/info/exclude')}`);
    expect(existsSync(path.join(here.repo, '.st'))).toBe(false);
    const top = await here.cli.run([...argv, '--state-home', here.repo], { code: 2 });
    expect(top.stderr).toContain('give a folder elsewhere');
    mkdirSync(path.join(here.repo, '.git/info'), { recursive: true });
    appendFileSync(path.join(here.repo, '.git/info/exclude'), '/.st/\n');
    const said = await here.cli.run(argv, { environment });
    const clone = said.stdout.slice('CLONE '.length, -1);
    expect(readdirSync(clone).sort()).toEqual(['.git', 'file', 'src']);
    await here.cli.run([...argv, '--state-home', path.join(here.repo, 'agent-io/state')]);
  });
});

describe.skipIf(process.platform === 'win32')('files that git passes over', () => {
  it('a new folder that may not be read is named in the note, an ignored one is not', async () => {
    const uid = isRoot ? ORDINARY_UID : undefined;
    const here = await room([], uid);
    here.put('closed/inside/file');
    here.put('open/file');
    here.put('ignored/file');
    here.put('.gitignore', 'ignored/\n');
    const closed = ['closed/inside', 'ignored'].map((name) => path.join(here.repo, name));
    if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${uid}`, here.folder]);
    for (const name of closed) chmodSync(name, 0);
    const [clone = ''] = await here.cli.clone(here.repo, ['u1'], ['--run', 'x']);
    for (const name of closed) chmodSync(name, 0o700);
    expect(existsSync(path.join(clone, 'open/file'))).toBe(true);
    expect(noteOf(here)).toMatch(/^- closed\/inside \(a folder that may not be read/m);
    expect(noteOf(here)).not.toContain('- ignored');
  });

  it('git’s warnings are read', () => {
    const said = [
      "warning: could not open directory 'a b/it's/': Permission denied",
      'warning: something else',
      "warning: could not open directory 'a b/it's/': Permission denied",
      "warning: could not open directory 'é/': Permission denied",
    ].join('\n');
    expect(closedFoldersIn(said)).toEqual(["a b/it's", 'é'].map(bytePathOf));
  });

  it.runIf(process.platform === 'linux')(
    'names that git keeps for itself are named in the note',
    async () => {
      const here = await room();
      here.put('.GIT/notes');
      here.put('src/git~1');
      await here.cli.run(call(here, 'u1'));
      expect(noteOf(here)).toMatch(/^- \.GIT\/notes \(/m);
      expect(noteOf(here)).toMatch(/^- src\/git~1 \(/m);
    },
  );

  it.each(['.gitignore', 'src/deep/.gitattributes', 'src/.gitignore'])(
    'a pipe %s is named before git waits for it',
    async (where) => {
      const here = await room();
      const [clone = ''] = await here.cli.clone(here.repo, ['u1'], ['--run', 'x']);
      writeFileSync(path.join(clone, 'file'), 'work\n');
      const [delta] = await here.cli.collect([clone]);
      execFileSync('mkfifo', [path.join(here.repo, where)]);
      for (const argv of [
        ['clone', '--repo', here.repo, '--unit', 'u2'],
        ['clone', '--repo', here.repo, '--unit', 'u2', '--warm', 'auto'],
        ['apply', delta?.patch ?? '', '--to', here.repo],
      ]) {
        const { stderr } = await here.cli.run(argv, { code: 2 });
        expect(stderr).toContain(`${where} in ${here.repo} is a pipe; git would wait for ever`);
      }
      expect(readFileSync(path.join(here.repo, 'file'), 'utf8')).toBe('one\n');
    },
  );

  it('a git command with a limit does not wait for ever', async () => {
    const here = await room();
    execFileSync('mkfifo', [path.join(here.repo, '.gitignore')]);
    const waiting = runGit({ cwd: here.repo }, ['status', '--porcelain'], { limitMs: 300 });
    await expect(waiting).rejects.toThrow(/did not end within 0\.3 s/);
  });
});

describe('the caller’s configuration', () => {
  it('of GIT_CONFIG_GLOBAL and GIT_CONFIG_COUNT says what is ignored', async () => {
    const here = await room();
    for (const name of ['one.tmp', 'two.tmp', 'new']) here.put(name);
    const rules = (name: string, text: string): string => {
      writeFileSync(path.join(here.folder, name), text);
      return path.join(here.folder, name);
    };
    const one = rules('one', 'one.tmp\n');
    const config = rules('config', `[core]\n\texcludesFile = ${one}\n`);
    const [first = ''] = await here.cli.clone(here.repo, ['u1'], [], {
      environment: { GIT_CONFIG_GLOBAL: config },
    });
    expect(readdirSync(first).sort()).toEqual(['.git', 'file', 'new', 'src', 'two.tmp']);
    const [second = ''] = await here.cli.clone(here.repo, ['u1'], [], {
      environment: {
        GIT_CONFIG_GLOBAL: config,
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'core.excludesFile',
        GIT_CONFIG_VALUE_0: rules('two', 'two.tmp\n'),
      },
    });
    expect(readdirSync(second).sort()).toEqual(['.git', 'file', 'new', 'one.tmp', 'src']);
  });

  it('is kept where the user’s repository is asked, and nowhere else', () => {
    const caller = {
      GIT_CONFIG_GLOBAL: '/g',
      GIT_CONFIG_SYSTEM: '/s',
      GIT_CONFIG_NOSYSTEM: '0',
      GIT_CONFIG_PARAMETERS: "'a.b=c'",
      GIT_DIR: '/elsewhere',
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: '/hooks',
      GIT_CONFIG_KEY_1: 'no.value',
    };
    const user = gitEnvironment({ asUser: true }, caller);
    expect(user).toMatchObject({
      GIT_CONFIG_GLOBAL: '/g',
      GIT_CONFIG_SYSTEM: '/s',
      GIT_CONFIG_NOSYSTEM: '0',
    });
    expect(user).toMatchObject({ GIT_CONFIG_KEY_0: 'core.hooksPath', GIT_CONFIG_VALUE_0: '/hooks' });
    expect(user).toMatchObject({ GIT_CONFIG_KEY_1: 'core.hooksPath', GIT_CONFIG_VALUE_1: '/dev/null' });
    expect(user).not.toHaveProperty('GIT_DIR');
    expect(user).not.toHaveProperty('GIT_CONFIG_PARAMETERS');
    const own = gitEnvironment({}, caller);
    expect(own).toMatchObject({ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' });
    expect(own).not.toHaveProperty('GIT_CONFIG_SYSTEM');
    expect(own).toMatchObject({ GIT_CONFIG_KEY_0: 'core.hooksPath', GIT_CONFIG_VALUE_0: '/dev/null' });
    expect(Number(user.GIT_CONFIG_COUNT)).toBe(Number(own.GIT_CONFIG_COUNT) + 1);
  });
});

describe('git that cannot be started', () => {
  it('says which of the reasons it is', async () => {
    const folder = testFolder();
    const because = (code: string, cwd = folder) =>
      cannotStart(Object.assign(new Error(code), { code }), { cwd });
    expect(because('ENOENT')).toMatchObject({ exitCode: 127, next: 'install git 2.38 or newer' });
    expect(because('EMFILE')).toMatchObject({ exitCode: 1, next: expect.stringContaining('ulimit -n') });
    expect(because('EAGAIN').next).toContain('end some programs');
    const gone = path.join(folder, 'gone');
    const started = runGit({ cwd: gone }, ['version']);
    await expect(started).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('that folder is not there'),
      next: expect.not.stringContaining('install'),
    });
  });
});
