import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathFromJson } from '../../scripts-src/platform/byte-path.ts';
import { git, gitSays } from '../helpers/plain-git.ts';
import { imageOf } from '../helpers/tree-image.ts';
import { isRoot, ORDINARY_UID } from '../helpers/unit-run.ts';
import {
  appliedByGit,
  changesOf,
  expectSame,
  lines,
  makeUserWithModule,
  openUserAndClone,
  problemsOf,
  type UserAndClone,
} from './user-and-clone.ts';

// What workers must not do, and do. Whatever it is: the delta is right or the damage is named, and the user's
// repository is what it was (`collect` of these tests compares it by inode, mode and hash).

/** An ordinary piece of work, so that each misdeed has something to lose. */
function work({ clone }: UserAndClone): void {
  clone.write('src/app.txt', Buffer.from(`${clone.read('src/app.txt')}by the worker\n`));
  clone.write('new.txt', lines('new', 2));
  clone.remove('docs/guide.txt');
}
const WORK = ['added new.txt', 'deleted docs/guide.txt', 'modified src/app.txt'];

const subjects = (delta: Awaited<ReturnType<UserAndClone['collect']>>) =>
  delta.record.commits.map(({ subject }) => subject);

describe.concurrent('commits and branches', () => {
  it('commit --no-verify: the delta is measured against the base, and the commit is named', async () => {
    const its = await openUserAndClone();
    work(its);
    await its.git('add', '-A');
    await its.git('commit', '-q', '--no-verify', '-m', 'I was told not to');
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual(WORK);
    expect(subjects(delta)).toEqual(['I was told not to']);
    expect(delta.counts).toMatchObject({ files: 3, added: 1, modified: 1, deleted: 1, commits: 1 });
  });

  it('commit --amend of the base', async () => {
    const its = await openUserAndClone();
    work(its);
    await its.git('add', '-A');
    await its.git('commit', '-q', '--no-verify', '--amend', '-m', 'amended');
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual(WORK);
    expect(subjects(delta)).toEqual(['amended']);
  });

  it('a branch by force, and a commit that only it holds', async () => {
    const its = await openUserAndClone();
    const branch = await gitSays(its.clone.root, ['symbolic-ref', '--short', 'HEAD'], { mayFail: true });
    work(its);
    await its.git('checkout', '-q', '-B', 'mine');
    await its.git('add', '-A');
    await its.git('commit', '-q', '--no-verify', '-m', 'on my branch');
    await its.git('branch', '-f', 'mine-too', 'HEAD');
    await its.git('checkout', '-q', branch || 'HEAD~1');
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual([]);
    expect(delta.lines.some((line) => line.startsWith('EMPTY'))).toBe(true);
    expect(subjects(delta)).toEqual(['on my branch']);
  });

  it('a tag on a commit that was then reset away', async () => {
    const its = await openUserAndClone();
    work(its);
    await its.git('add', '-A');
    await its.git('commit', '-q', '--no-verify', '-m', 'tagged');
    await its.git('tag', 'v1');
    await its.git('reset', '-q', '--hard', 'HEAD~1');
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual([]);
    expect(subjects(delta)).toEqual(['tagged']);
  });

  it('an orphan branch with everything removed', async () => {
    const its = await openUserAndClone();
    await its.git('checkout', '-q', '--orphan', 'void');
    await its.git('rm', '-rfq', '.');
    its.clone.write('only.txt', lines('only', 1));
    const delta = await its.collect();
    const gone = its.user.list().map(({ where }) => where);
    const wanted = gone.filter((where) => !where.endsWith('.log')).map((where) => `deleted ${where}`);
    expect(changesOf(delta)).toEqual(['added only.txt', ...wanted].sort());
  });

  it('checkout of another commit: what it takes away is in the delta', async () => {
    const its = await openUserAndClone();
    await its.git('checkout', '-q', '--detach', 'HEAD~2');
    its.clone.write('new.txt', lines('new', 2));
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual([
      'added new.txt',
      'deleted src/second.txt',
      'deleted staged.txt',
      'deleted untracked.txt',
      'modified src/other.txt',
    ]);
    expect(delta.record.commits).toEqual([]);
  });

  it('HEAD that points at nowhere', async () => {
    const its = await openUserAndClone();
    work(its);
    writeFileSync(path.join(its.clone.root, '.git/HEAD'), 'ref: refs/heads/../../nowhere\n');
    expect(changesOf(await its.collect())).toEqual(WORK);
  });
});

describe.concurrent('reset, clean, stash, gc', () => {
  it('reset --hard HEAD~1 takes the user’s unfinished work back: the delta says so', async () => {
    const its = await openUserAndClone();
    work(its);
    await its.git('reset', '-q', '--hard', 'HEAD~1');
    expect(changesOf(await its.collect())).toEqual([
      'added new.txt',
      'deleted staged.txt',
      'deleted untracked.txt',
      'modified src/other.txt',
    ]);
  });

  it('clean -fdx takes only what the worker made', async () => {
    const its = await openUserAndClone();
    work(its);
    await its.git('clean', '-qfdx');
    expect(changesOf(await its.collect())).toEqual(['deleted docs/guide.txt', 'modified src/app.txt']);
  });

  it('stash: the tree is the base again, and the stash is named', async () => {
    const its = await openUserAndClone();
    work(its);
    await its.git('stash', '-q', '-u');
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual([]);
    expect(delta.lines.join('\n')).toMatch(/stash/i);
  });

  it('stash, then gc --prune=now', async () => {
    const its = await openUserAndClone();
    work(its);
    await its.git('stash', '-q', '-u');
    await its.git('gc', '-q', '--prune=now');
    its.clone.write('after.txt', lines('after', 1));
    expect(changesOf(await its.collect())).toEqual(['added after.txt']);
  });

  it('gc --prune=now --aggressive and an emptied reflog', async () => {
    const its = await openUserAndClone();
    work(its);
    await its.git('add', '-A');
    await its.git('reflog', 'expire', '--expire=now', '--all');
    await its.git('gc', '-q', '--prune=now', '--aggressive');
    expect(changesOf(await its.collect())).toEqual(WORK);
    const [again = ''] = await its.cli.clone(its.user.root, ['another']);
    expect((await git(again, ['fsck'])).code).toBe(0);
  });
});

describe.concurrent('a broken .git', () => {
  it.each([
    ['rm -rf .git', (root: string) => rmSync(path.join(root, '.git'), { recursive: true })],
    ['rm .git/index', (root: string) => rmSync(path.join(root, '.git/index'))],
    ['an index of garbage', (root: string) => writeFileSync(path.join(root, '.git/index'), 'DIRC garbage')],
    ['index.lock left behind', (root: string) => writeFileSync(path.join(root, '.git/index.lock'), '')],
    [
      'garbage in .git/config',
      (root: string) => writeFileSync(path.join(root, '.git/config'), '[core\n\0= {{{'),
    ],
    ['an empty .git file', emptyGitFile],
    ['.git replaced by a link to nowhere', linkedAway],
    ['in-place writes into .git/objects', (root: string) => scribble(path.join(root, '.git/objects'))],
    ['rm -rf .git/objects', (root: string) => rmSync(path.join(root, '.git/objects'), { recursive: true })],
    ['rm -rf .git/refs', (root: string) => rmSync(path.join(root, '.git/refs'), { recursive: true })],
  ])('%s: the delta is right', async (_, damage) => {
    const its = await openUserAndClone();
    const [other = ''] = await its.cli.clone(its.user.root, ['other']);
    work(its);
    damage(its.clone.root);
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual(WORK);
    expect((await appliedByGit(its, delta)).read('new.txt')).toEqual(lines('new', 2));
    expect((await git(other, ['status', '--porcelain'])).stdout.toString()).toBe('');
  });

  it('git init over a removed .git', async () => {
    const its = await openUserAndClone();
    work(its);
    rmSync(path.join(its.clone.root, '.git'), { recursive: true });
    await its.git('init', '-q');
    await its.git('add', '-A');
    await its.git('commit', '-q', '--no-verify', '-m', 'a history of my own');
    expect(changesOf(await its.collect())).toEqual(WORK);
  });

  it('core.worktree that points at the user’s tree', async () => {
    const its = await openUserAndClone();
    work(its);
    await its.git('config', 'core.worktree', its.user.root);
    expect(changesOf(await its.collect())).toEqual(WORK);
  });

  it('alternates that point at the user’s objects, then gc', async () => {
    const its = await openUserAndClone();
    work(its);
    const objects = path.join(its.user.root, '.git/objects');
    appendFileSync(path.join(its.clone.root, '.git/objects/info/alternates'), `${objects}\n`);
    await its.git('gc', '-q', '--prune=now');
    expect(changesOf(await its.collect())).toEqual(WORK);
  });

  it('settings and hooks that run programs: collect runs none of them', async () => {
    const its = await openUserAndClone();
    const mark = path.join(its.folder, 'mark');
    const evil = `sh -c ': >"${mark}"; cat'`;
    for (const key of [
      'core.fsmonitor',
      'core.pager',
      'diff.external',
      'filter.evil.clean',
      'filter.evil.process',
      'diff.evil.textconv',
      'core.sshCommand',
      'core.askPass',
      'alias.status',
    ]) {
      await its.git('config', key, evil);
    }
    for (const name of readdirSync(path.join(its.clone.root, '.git/hooks')).concat(
      'post-index-change',
      'pre-auto-gc',
    )) {
      its.clone.write(`.git/hooks/${name}`, Buffer.from(`#!/bin/sh\n: >'${mark}'\n`), 0o755);
    }
    its.clone.write('.gitattributes', Buffer.from('* filter=evil diff=evil\n'));
    work(its);
    expect(changesOf(await its.collect())).toEqual(['added .gitattributes', ...WORK]);
    expect(existsSync(mark)).toBe(false);
  });

  it('the clone removed altogether: said, and no delta that deletes everything', async () => {
    const its = await openUserAndClone();
    work(its);
    rmSync(its.clone.root, { recursive: true });
    const said = await its.cli.run(['collect', its.clone.root], { code: 'any' });
    expect(said.code).not.toBe(0);
    expect(said.stdout + said.stderr).toContain(its.clone.root);
    expect(said.stdout).not.toMatch(/deleted=[1-9]/);
    its.expectUserUntouched();
  });
});

describe.concurrent('modes', () => {
  it('chmod -R 777 of the clone reaches neither the user’s files nor the objects', async () => {
    const its = await openUserAndClone();
    execFileSync('chmod', ['-R', '777', its.clone.root]);
    const delta = await its.collect();
    const plain = its.clone.list().filter(({ where, isLink }) => !isLink && where !== 'run.sh');
    expect(changesOf(delta)).toEqual(plain.map(({ where }) => `modified ${where}`).sort());
    expect(
      delta.record.files.every(({ oldMode, newMode }) => oldMode === '100644' && newMode === '100755'),
    ).toBe(true);
  });

  describe.each(isRoot ? [{ uid: undefined }, { uid: ORDINARY_UID }] : [{ uid: undefined }])(
    'as uid $uid',
    ({ uid }) => {
      it('chmod 000 of an edited file: read if it can be, else named; never deleted', async () => {
        const its = await openUserAndClone(undefined, uid);
        work(its);
        its.clone.write('src/other.txt', lines('other, by the worker', 3));
        if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${uid}`, its.clone.root]);
        chmodSync(path.join(its.clone.root, 'src/other.txt'), 0);
        const before = imageOf(its.clone.root, { git: 'all', identity: true });
        const delta = await its.collect();
        expectSame(before, imageOf(its.clone.root, { git: 'all', identity: true }));
        const isIn = changesOf(delta).includes('modified src/other.txt');
        expect(changesOf(delta)).toEqual(isIn ? [...WORK, 'modified src/other.txt'] : WORK);
        if (!isIn) expect(problemsOf(delta).join('\n')).toMatch(/^LOST src\/other\.txt: /m);
      });

      it('chmod 000 of a folder with edits in it: read if it can be, else named; nothing in it is deleted', async () => {
        const its = await openUserAndClone(undefined, uid);
        its.clone.write('src/other.txt', lines('other, by the worker', 3));
        its.clone.write('src/hidden.txt', lines('hidden', 1));
        its.clone.write('new.txt', lines('new', 2));
        if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${uid}`, its.clone.root]);
        chmodSync(path.join(its.clone.root, 'src'), 0);
        const before = imageOf(its.clone.root, { git: 'all', identity: true });
        const delta = await its.collect();
        expectSame(before, imageOf(its.clone.root, { git: 'all', identity: true }));
        chmodSync(path.join(its.clone.root, 'src'), 0o755);
        const isIn = changesOf(delta).includes('modified src/other.txt');
        const inside = ['added src/hidden.txt', 'modified src/other.txt'];
        expect(changesOf(delta)).toEqual(isIn ? ['added new.txt', ...inside] : ['added new.txt']);
        if (!isIn) expect(problemsOf(delta).join('\n')).toMatch(/^LOST src\b/m);
      });
    },
  );
});

describe.concurrent('submodules', () => {
  it('edits in a submodule are edits', async () => {
    const its = await openUserAndClone(makeUserWithModule);
    its.clone.write('mod/first.txt', lines('edited', 3));
    its.clone.write('mod/new.txt', lines('new', 3));
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual(['added mod/new.txt', 'modified mod/first.txt']);
    expect(delta.record.moves).toEqual([]);
  });

  it('commits in a submodule: files, move and commit are in the delta', async () => {
    const its = await openUserAndClone(makeUserWithModule);
    its.clone.write('mod/new.txt', lines('new', 3));
    const module = path.join(its.clone.root, 'mod');
    const start = await gitSays(module, ['rev-parse', 'HEAD']);
    await its.git('-C', 'mod', 'add', '-A');
    await its.git('-C', 'mod', 'commit', '-q', '--no-verify', '-m', 'inside');
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual(['added mod/new.txt']);
    const now = await gitSays(module, ['rev-parse', 'HEAD']);
    expect(delta.record.moves).toEqual([{ path: 'mod', base: start, result: now }]);
    expect(delta.record.commits).toEqual([{ id: now, subject: 'inside', submodule: 'mod' }]);
    const patch = readFileSync(delta.patch, 'utf8');
    expect(patch).toContain(`index ${start}..${now} 160000`);
    expect(patch).toContain(`+Subproject commit ${now}`);
  });

  it('another commit checked out in a submodule', async () => {
    const its = await openUserAndClone(makeUserWithModule);
    await its.git('-C', 'mod', 'checkout', '-q', '--detach', 'HEAD~1');
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual(['deleted mod/second.txt']);
    expect(delta.record.moves.map(({ path: where }) => where)).toEqual(['mod']);
  });

  it('submodule deinit -f takes its files', async () => {
    const its = await openUserAndClone(makeUserWithModule);
    await its.git('submodule', '--quiet', 'deinit', '-f', 'mod');
    expect(changesOf(await its.collect())).toEqual(['deleted mod/first.txt', 'deleted mod/second.txt']);
  });

  it('rm -rf of a submodule’s .git', async () => {
    const its = await openUserAndClone(makeUserWithModule);
    rmSync(path.join(its.clone.root, 'mod/.git'), { recursive: true });
    its.clone.write('mod/first.txt', lines('edited', 3));
    expect(changesOf(await its.collect())).toEqual(['modified mod/first.txt']);
  });
});

describe.concurrent('nested repositories', () => {
  it.each([false, true])(
    'a repository of the worker’s own (with a commit: %s) is in the delta or named',
    async (hasCommit) => {
      const its = await openUserAndClone();
      work(its);
      its.clone.write('own/inside.txt', lines('inside', 2));
      await its.git('init', '-q', 'own');
      if (hasCommit) {
        await its.git('-C', 'own', 'add', '-A');
        await its.git('-C', 'own', 'commit', '-q', '-m', 'own');
      }
      const delta = await its.collect();
      const isIn = changesOf(delta).includes('added own/inside.txt');
      expect(changesOf(delta)).toEqual(isIn ? [...WORK, 'added own/inside.txt'].sort() : WORK);
      if (!isIn) expect(problemsOf(delta).join('\n')).toMatch(/^LOST own\b/m);
    },
  );

  it('git init around tracked files does not hide them', async () => {
    const its = await openUserAndClone();
    work(its);
    await its.git('init', '-q', 'src');
    its.clone.write('src/made inside.txt', lines('inside', 2));
    const delta = await its.collect();
    const changes = changesOf(delta).filter((line) => !line.includes('made inside'));
    expect(changes).toEqual(WORK);
    const isIn = changesOf(delta).includes('added src/made inside.txt');
    if (!isIn) expect(problemsOf(delta).join('\n')).toMatch(/^LOST src\b/m);
  });

  it('an empty folder called .git in a subfolder', async () => {
    const its = await openUserAndClone();
    work(its);
    mkdirSync(path.join(its.clone.root, 'src/.git'));
    its.clone.write('src/beside.txt', lines('beside', 1));
    expect(changesOf(await its.collect())).toEqual([
      'added new.txt',
      'added src/beside.txt',
      ...WORK.slice(1),
    ]);
  });
});

describe.concurrent('files of every kind', () => {
  it('a sparse file of 1 GB is in the delta or named', { timeout: 180_000 }, async () => {
    const its = await openUserAndClone();
    work(its);
    const fd = openSync(path.join(its.clone.root, 'huge.img'), 'w');
    ftruncateSync(fd, 1024 ** 3);
    closeSync(fd);
    const delta = await its.collect();
    const isIn = changesOf(delta).includes('added huge.img');
    expect(changesOf(delta)).toEqual(isIn ? ['added huge.img', ...WORK] : WORK);
    if (!isIn) expect(problemsOf(delta).join('\n')).toMatch(/^LOST huge\.img: /m);
    expect(statSync(delta.patch).size).toBeLessThan(50 * 1024 ** 2);
  });

  it('a FIFO and a socket are named, and nobody waits for them', async () => {
    const its = await openUserAndClone();
    work(its);
    execFileSync('mkfifo', [path.join(its.clone.root, 'src/pipe')]);
    rmSync(path.join(its.clone.root, 'readme.md'));
    execFileSync('mkfifo', [path.join(its.clone.root, 'readme.md')]);
    const script = `require('net').createServer().listen('socket', () => process.kill(process.pid, 'SIGKILL'))`;
    const made = spawn(process.execPath, ['-e', script], { cwd: its.clone.root });
    await new Promise((resolve) => made.once('close', resolve));
    const delta = await its.collect();
    expect(changesOf(delta).filter((line) => !line.includes('readme'))).toEqual(WORK);
    const problems = problemsOf(delta).join('\n');
    for (const name of ['src/pipe', 'socket', 'readme.md']) expect(problems).toContain(`${name}: `);
  });

  it('a file that grows while it is read', async () => {
    const its = await openUserAndClone();
    work(its);
    const file = path.join(its.clone.root, 'grows.txt');
    writeFileSync(file, 'line 0\n');
    const script = `const fs = require('fs'); let n = 0; const fd = fs.openSync(${JSON.stringify(file)}, 'a');
      for (;;) fs.writeSync(fd, 'line ' + ++n + '\\n')`;
    const grower = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
    const delta = await its.collect().finally(() => grower.kill('SIGKILL'));
    const changes = changesOf(delta);
    expect(changes.filter((line) => line !== 'added grows.txt')).toEqual(WORK);
    if (!changes.includes('added grows.txt')) expect(problemsOf(delta).join('\n')).toContain('grows.txt: ');
    else {
      const taken = (await appliedByGit(its, delta)).read('grows.txt');
      const now = readFileSync(file);
      expect(now.subarray(0, taken.length).equals(taken)).toBe(true);
    }
  });

  it('a tracked folder replaced by a link to the user’s repository is a link', async () => {
    const its = await openUserAndClone();
    its.clone.remove('src');
    symlinkSync(its.user.root, path.join(its.clone.root, 'src'));
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual([
      'added src',
      'deleted src/app.txt',
      'deleted src/other.txt',
      'deleted src/second.txt',
    ]);
    expect(delta.record.files.find(({ path: where }) => where === 'src')?.newMode).toBe('120000');
  });

  it('a file replaced by a folder, and a folder by a file', async () => {
    const its = await openUserAndClone();
    its.clone.remove('readme.md');
    its.clone.write('readme.md/part one', lines('part', 1));
    its.clone.remove('docs');
    its.clone.write('docs', lines('docs', 1));
    expect(changesOf(await its.collect())).toEqual([
      'added docs',
      'added readme.md/part one',
      'deleted docs/guide.txt',
      'deleted readme.md',
    ]);
  });

  it('a file replaced by a link is another type', async () => {
    const its = await openUserAndClone();
    its.clone.remove('readme.md');
    its.clone.link('readme.md', 'src/app.txt');
    expect(changesOf(await its.collect())).toEqual(['type-changed readme.md']);
  });

  it('10,000 new files: all in the delta, few on the screen', async () => {
    const its = await openUserAndClone();
    for (let at = 0; at < 10_000; at++) {
      if (at % 100 === 0) its.clone.folder(`many/${at / 100}`);
      writeFileSync(path.join(its.clone.root, `many/${Math.floor(at / 100)}/${at}`), `${at}`);
    }
    const delta = await its.collect();
    expect(delta.counts).toMatchObject({ files: 10_000, added: 10_000, modified: 0, deleted: 0 });
    expect(delta.record.files.length).toBe(10_000);
    expect(delta.lines.length).toBeLessThanOrEqual(60);
    expect(delta.lines.join('\n').length).toBeLessThan(8000);
  });

  it('names with newlines, quotes and bytes that are no UTF-8', async () => {
    const its = await openUserAndClone();
    const names = [
      'new\nline',
      'DELTA unit files=9\nPATCH /etc/passwd',
      '-rf',
      'quo"te',
      'by\xfft\xfes',
      ' space ',
      '\x1b[31mred',
    ];
    for (const name of names) its.clone.write(name, Buffer.from(name));
    const delta = await its.collect();
    expect(delta.record.files.map((file) => pathFromJson(file.path) as string).sort()).toEqual(
      [...names].sort(),
    );
    expect(delta.lines.filter((line) => line.startsWith('DELTA '))).toHaveLength(1);
    expect(delta.lines.join('')).not.toMatch(/\p{Cc}/u);
    const copy = await appliedByGit(its, delta);
    for (const name of names) expect(copy.read(name).toString()).toBe(name);
  });

  it('.gitattributes with filter, eol and export-subst change no byte', async () => {
    const its = await openUserAndClone();
    its.clone.write(
      '.gitattributes',
      Buffer.from('* text eol=crlf filter=lfs ident export-subst working-tree-encoding=UTF-16\n'),
    );
    its.clone.write('mixed.txt', Buffer.from('one\r\ntwo\n$Id$ $Format:%H$\r\n'));
    its.clone.write(
      'src/app.txt',
      Buffer.from(its.clone.read('src/app.txt').toString().replaceAll('\n', '\r\n')),
    );
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual(['added .gitattributes', 'added mixed.txt', 'modified src/app.txt']);
    const target = path.join(its.folder, 'copy');
    execFileSync('cp', ['-a', its.user.root, target]);
    await its.cli.apply([delta.patch], target);
    for (const name of ['mixed.txt', 'src/app.txt', '.gitattributes']) {
      expect(readFileSync(path.join(target, name)).equals(its.clone.read(name)), name).toBe(true);
    }
  });

  it('an edit of the same size whose time was set back is seen', async () => {
    const its = await openUserAndClone();
    const file = path.join(its.clone.root, 'src/app.txt');
    const { atime, mtime } = statSync(file);
    const fd = openSync(file, 'r+');
    writeSync(fd, 'APP');
    closeSync(fd);
    utimesSync(file, atime, mtime);
    expect(changesOf(await its.collect())).toEqual(['modified src/app.txt']);
  });

  it('a .gitignore that hides everything: tracked edits count, hidden new files are named', async () => {
    const its = await openUserAndClone();
    work(its);
    its.clone.write('.gitignore', Buffer.from('*\n'));
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual([...WORK.slice(1), 'modified .gitignore'].sort());
    expect(delta.record.ignored).toContain('new.txt');
    const all = await its.collect(['--include-ignored']);
    expect(changesOf(all)).toContain('added new.txt');
  });

  it('a path of more than 3,000 bytes', async () => {
    const its = await openUserAndClone();
    const name = `${'d'.repeat(200)}/`.repeat(16);
    its.clone.write(`${name}deep.txt`, lines('deep', 1));
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual([`added ${name}deep.txt`]);
  });

  it('a rename that changes only the case', async () => {
    const its = await openUserAndClone();
    its.clone.move('readme.md', 'README.md');
    expect(changesOf(await its.collect())).toEqual(['added README.md', 'deleted readme.md']);
  });

  it('every file deleted', async () => {
    const its = await openUserAndClone();
    const all = its.clone.list().map(({ where }) => where);
    for (const name of readdirSync(its.clone.root)) if (name !== '.git') its.clone.remove(name);
    expect(changesOf(await its.collect())).toEqual(all.map((where) => `deleted ${where}`).sort());
  });
});

/** Overwrites every file in place. */
function scribble(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) scribble(file);
    else {
      chmodSync(file, 0o644);
      writeFileSync(file, 'garbage', { flag: 'r+' });
    }
  }
}

function emptyGitFile(root: string): void {
  rmSync(path.join(root, '.git'), { recursive: true });
  writeFileSync(path.join(root, '.git'), '');
}

function linkedAway(root: string): void {
  rmSync(path.join(root, '.git'), { recursive: true });
  symlinkSync('/nonexistent', path.join(root, '.git'));
}
