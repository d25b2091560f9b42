import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, gitSays } from '../helpers/plain-git.ts';
import { openPrun, type PrunCli } from '../helpers/prun-cli.ts';
import { differencesOf, filesOf, imageAt, imageOf } from '../helpers/tree-image.ts';
import { isRoot, ORDINARY_UID } from '../helpers/unit-run.ts';
import { type Disk, diskAt } from './random/disk.ts';
import { changesOf, expectSame, lines, makeUser, makeUserWithModule, testFolder } from './user-and-clone.ts';

// Every kind of repository that users have, one readable test each: the clone is what they see, nothing of theirs
// changes, and an edit comes back.

interface Source {
  folder: string;
  user: Disk;
  cli: PrunCli;
}

async function open(make: (folder: string) => Promise<Disk>): Promise<Source> {
  const folder = testFolder();
  const user = await make(folder);
  return { folder, user, cli: openPrun(folder) };
}

/** A repository without commits. */
async function emptyRepository(folder: string, ...flags: string[]): Promise<Disk> {
  const root = path.join(folder, 'user repo');
  await git(folder, ['init', '-q', ...flags, root]);
  return diskAt(root);
}

/** Clones, sees that the clone holds exactly `files` of the user's, and takes an edit back. */
async function expectFaithful(
  { folder, user, cli }: Source,
  files: string[],
  repo = user.root,
): Promise<Disk> {
  const container = imageOf(folder, { git: 'all', identity: true });
  for (const own of ['home', 'state home'])
    for (const where of container.keys()) if (where.startsWith(own)) container.delete(where);
  const [place = ''] = await cli.clone(repo, ['unit']);
  const clone = diskAt(place);
  const wanted = filesOf(imageAt(imageOf(user.root, { git: 'skip' }), files));
  expect([...wanted.keys()].sort()).toEqual([...files].sort());
  expect(differencesOf(wanted, filesOf(imageOf(place, { git: 'skip' }))).join('\n')).toBe('');
  expect((await git(place, ['status', '--porcelain'])).stdout.toString()).toBe('');
  clone.write('made by the worker.txt', lines('made', 2));
  const [first] = files;
  if (first !== undefined) clone.remove(first);
  const [delta] = await cli.collect([place]);
  if (!delta) throw new Error('no delta');
  const gone = first === undefined ? [] : [`deleted ${first}`];
  expect(changesOf(delta)).toEqual(['added made by the worker.txt', ...gone].sort());
  const now = imageOf(folder, { git: 'all', identity: true });
  for (const own of ['home', 'state home'])
    for (const where of now.keys()) if (where.startsWith(own)) now.delete(where);
  expectSame(container, now);
  return clone;
}

const nothing = () => {};
const put = (where: string, text: string) => (user: Disk) => user.write(where, Buffer.from(text));
const gone = (where: string) => (user: Disk) => user.remove(where);

const SEEN = [
  'docs/guide.txt',
  '.gitignore',
  'link',
  'readme.md',
  'run.sh',
  'src/app.txt',
  'src/other.txt',
  'src/second.txt',
  'staged.txt',
  'untracked.txt',
];

describe.concurrent('sources', () => {
  it('an ordinary repository with unfinished work', async () => {
    await expectFaithful(await open(makeUser), SEEN);
  });

  it('--repo in a subfolder means the whole repository', async () => {
    const source = await open(makeUser);
    await expectFaithful(source, SEEN, path.join(source.user.root, 'src'));
  });

  it('a sparse checkout: files outside are neither in the clone nor deleted', async () => {
    const source = await open(async (folder) => {
      const user = await makeUser(folder);
      await git(user.root, ['sparse-checkout', 'set', '--cone', 'docs']);
      return user;
    });
    expect(source.user.has('src/app.txt')).toBe(false);
    const dirty = source.user.list('src').map(({ where }) => where);
    await expectFaithful(source, SEEN.filter((where) => !where.startsWith('src/')).concat(dirty));
  });

  it('skip-worktree and assume-unchanged: what lies on disk counts', async () => {
    const source = await open(makeUser);
    const { user } = source;
    await git(user.root, ['update-index', '--skip-worktree', 'readme.md', 'run.sh']);
    await git(user.root, ['update-index', '--assume-unchanged', 'src/app.txt', 'docs/guide.txt']);
    user.write('readme.md', lines('mine', 2));
    user.remove('run.sh');
    user.write('src/app.txt', lines('mine', 2));
    user.remove('docs/guide.txt');
    await expectFaithful(
      source,
      SEEN.filter((where) => where !== 'run.sh' && where !== 'docs/guide.txt'),
    );
  });

  it.each([
    ['shallow', ['--depth=1']],
    ['partial', ['--filter=blob:none']],
    ['partial and sparse', ['--filter=blob:none', '--sparse']],
    ['partial without a checkout', ['--filter=blob:none', '--no-checkout']],
  ])('a %s clone, whose origin has gone: no network is needed', async (_, flags) => {
    const source = await open(async (folder) => {
      const origin = await makeUser(folder);
      await git(origin.root, ['config', 'uploadpack.allowFilter', 'true']);
      const root = path.join(folder, 'clone of it');
      await git(folder, ['clone', '-q', ...flags, `file://${origin.root}`, root]);
      renameSync(origin.root, path.join(folder, 'gone'));
      const user = diskAt(root);
      user.write('untracked.txt', lines('untracked', 1));
      return user;
    });
    await expectFaithful(
      source,
      source.user.list().map(({ where }) => where),
    );
  });

  it('a SHA-256 repository', async () => {
    const source = await open(async (folder) => {
      const user = await emptyRepository(folder, '--object-format=sha256');
      user.write('a.txt', lines('a', 3));
      await git(user.root, ['add', '-A']);
      await git(user.root, ['commit', '-q', '-m', 'one']);
      user.write('b.txt', lines('b', 3));
      return user;
    });
    const clone = await expectFaithful(source, ['a.txt', 'b.txt']);
    expect(await gitSays(clone.root, ['rev-parse', '--show-object-format'])).toBe('sha256');
  });

  it('a split index', async () => {
    const source = await open(makeUser);
    await git(source.user.root, ['update-index', '--split-index']);
    source.user.write('untracked.txt', lines('more', 2));
    await expectFaithful(source, SEEN);
  });

  it('objects that are borrowed by alternates', async () => {
    const source = await open(async (folder) => {
      const lender = await makeUser(folder);
      const root = path.join(folder, 'borrower');
      await git(folder, ['clone', '-q', '--shared', lender.root, root]);
      return diskAt(root);
    });
    await expectFaithful(
      source,
      source.user.list().map(({ where }) => where),
    );
  });

  it('LFS: real files stay real files, pointers stay pointers, and git-lfs is not needed', async () => {
    const source = await open(async (folder) => {
      const user = await emptyRepository(folder);
      const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
      user.write('.gitattributes', Buffer.from('*.psd filter=lfs diff=lfs merge=lfs -text\n'));
      user.write('real.psd', Buffer.from(pointer));
      user.write('pointer.psd', Buffer.from(pointer));
      await git(user.root, ['add', '-A']);
      await git(user.root, ['commit', '-q', '-m', 'pointers']);
      user.write('real.psd', Buffer.concat([Buffer.from([0, 1, 2]), lines('pixels', 500)]));
      const lfs =
        '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\trequired = true\n';
      appendFileSync(path.join(user.root, '.git/config'), lfs);
      return user;
    });
    const clone = await expectFaithful(source, ['.gitattributes', 'pointer.psd', 'real.psd']);
    clone.write('real.psd', Buffer.from([9, 9, 0, 9]));
    const [delta] = await source.cli.collect([clone.root]);
    if (!delta) throw new Error('no delta');
    expect(changesOf(delta)).toContain('modified real.psd');
    const copy = path.join(source.folder, 'copy');
    execFileSync('cp', ['-a', source.user.root, copy]);
    await source.cli.apply([delta.patch], copy);
    expect(readFileSync(path.join(copy, 'real.psd'))).toEqual(Buffer.from([9, 9, 0, 9]));
  });

  it('autocrlf and eol attributes: bytes as they lie on disk, and git status stays clean when times change', async () => {
    const source = await open(async (folder) => {
      const user = await emptyRepository(folder);
      await git(user.root, ['config', 'core.autocrlf', 'true']);
      user.write('.gitattributes', Buffer.from('*.sh eol=lf\n*.bat eol=crlf\n'));
      user.write('a.txt', Buffer.from('one\r\ntwo\r\n'));
      user.write('mixed.txt', Buffer.from('one\r\ntwo\n'));
      user.write('b.bat', Buffer.from('one\ntwo\n'));
      await git(user.root, ['add', '-A'], { config: { 'core.safecrlf': 'false' } });
      await git(user.root, ['commit', '-q', '-m', 'one']);
      return user;
    });
    const [place = ''] = await source.cli.clone(source.user.root, ['early']);
    for (const { where } of diskAt(place).list()) {
      const bytes = diskAt(place).read(where);
      diskAt(place).write(where, bytes);
    }
    expect((await git(place, ['status', '--porcelain'])).stdout.toString()).toBe('');
    await expectFaithful(source, ['.gitattributes', 'a.txt', 'b.bat', 'mixed.txt']);
  });

  // git trusts its index only for files that are older than it: `before` and `after` enclose the add of aged files.
  const LINES = '*.txt text eol=crlf\n';
  it.each([
    ['an untracked .gitattributes', put('.gitattributes', LINES), ['add', 'lib', 'b.txt'], nothing],
    [
      'an untracked text=auto',
      put('.gitattributes', '* text=auto eol=crlf\n'),
      ['add', 'lib', 'b.txt'],
      nothing,
    ],
    ['.git/info/attributes', put('.git/info/attributes', LINES), ['add', '-A'], nothing],
    ['a .gitattributes that has gone', put('.gitattributes', LINES), ['add', '-A'], gone('.gitattributes')],
    [
      'attributes that changed',
      put('.gitattributes', LINES),
      ['add', '-A'],
      put('.gitattributes', '*.c text\n'),
    ],
    ['autocrlf that was on', nothing, ['-c', 'core.autocrlf=true', 'add', '-A'], nothing],
    ['a clean filter that is gone', nothing, ['-c', 'filter.up.clean=tr a-z A-Z', 'add', '-A'], nothing],
  ] as const)(
    'line ends by %s: the clone has the bytes that lie on disk',
    async (name, before, add, after) => {
      const source = await open(async (folder) => {
        const made = await emptyRepository(folder);
        const user = diskAt(made.root, true);
        user.folder('.git/info');
        if (name.includes('filter')) user.write('.gitattributes', Buffer.from('*.txt filter=up\n'));
        before(user);
        user.write('lib/a.txt', Buffer.from('one\r\ntwo\r\n'));
        user.write('b.txt', Buffer.from('three\r\n'));
        await git(user.root, [...add]);
        await git(user.root, ['commit', '-q', '-m', 'one']);
        after(user);
        return user;
      });
      await expectFaithful(
        source,
        source.user.list().map(({ where }) => where),
      );
    },
  );

  it('a sparse checkout with autocrlf', async () => {
    const source = await open(async (folder) => {
      const user = await emptyRepository(folder);
      await git(user.root, ['config', 'core.autocrlf', 'true']);
      user.write('in/a.txt', Buffer.from('one\r\n'));
      user.write('out/b.txt', Buffer.from('two\r\n'));
      await git(user.root, ['add', '-A']);
      await git(user.root, ['commit', '-q', '-m', 'one']);
      await git(user.root, ['sparse-checkout', 'set', '--cone', 'in']);
      return user;
    });
    await expectFaithful(source, ['in/a.txt']);
  });

  it('a sparse checkout whose clone loses its index and is staged anew: what nobody saw is not deleted', async () => {
    const { user, cli } = await open(makeUser);
    await git(user.root, ['stash', '-q', '-u']);
    await git(user.root, ['sparse-checkout', 'set', '--cone', 'docs']);
    const [place = ''] = await cli.clone(user.root, ['unit']);
    rmSync(path.join(place, '.git/index'));
    await git(place, ['add', '-A']);
    const [delta] = await cli.collect([place]);
    expect(delta && changesOf(delta)).toEqual([]);
  });

  it('submodules: initialised ones from the local files, without network, remotes or the user’s config', async () => {
    const source = await open(async (folder) => {
      const user = await makeUserWithModule(folder);
      user.write('mod/first.txt', lines('dirty', 2));
      user.write('mod/new.txt', lines('new', 2));
      renameSync(path.join(folder, 'module origin'), path.join(folder, 'gone'));
      return user;
    });
    const clone = await expectFaithful(source, [
      ...SEEN,
      '.gitmodules',
      'mod/first.txt',
      'mod/second.txt',
      'mod/new.txt',
    ]);
    const module = path.join(clone.root, 'mod');
    expect(await gitSays(module, ['remote'])).toBe('');
    expect((await git(module, ['status', '--porcelain'])).stdout.toString()).toBe('');
    expect(await gitSays(module, ['rev-parse', '--show-toplevel'])).toBe(module);
    expect(await gitSays(module, ['config', 'push.default'])).toBe('nothing');
  });

  it('a submodule in which nothing was changed', async () => {
    await expectFaithful(await open(makeUserWithModule), [
      ...SEEN,
      '.gitmodules',
      'mod/first.txt',
      'mod/second.txt',
    ]);
  });

  it('an uninitialised submodule is an empty folder', async () => {
    const source = await open(async (folder) => {
      const made = await makeUserWithModule(folder);
      const root = path.join(folder, 'fresh');
      await git(folder, ['clone', '-q', made.root, root]);
      return diskAt(root);
    });
    const clone = await expectFaithful(
      source,
      source.user.list().map(({ where }) => where),
    );
    expect(clone.has('mod')).toBe(true);
    expect(clone.list('mod')).toEqual([]);
  });

  it('an unborn branch with staged and untracked files', async () => {
    const source = await open(async (folder) => {
      const user = await emptyRepository(folder);
      user.write('staged.txt', lines('staged', 2));
      await git(user.root, ['add', 'staged.txt']);
      user.write('untracked.txt', lines('untracked', 2));
      return user;
    });
    await expectFaithful(source, ['staged.txt', 'untracked.txt']);
  });

  it('an empty repository', async () => {
    await expectFaithful(await open(emptyRepository), []);
  });

  it('a detached HEAD', async () => {
    const source = await open(makeUser);
    await git(source.user.root, ['checkout', '-q', '--detach']);
    await expectFaithful(source, SEEN);
  });

  it('a linked worktree', async () => {
    const source = await open(async (folder) => {
      const main = await makeUser(folder);
      const root = path.join(folder, 'linked');
      await git(main.root, ['worktree', 'add', '-q', '-b', 'side', root]);
      const user = diskAt(root);
      user.write('readme.md', lines('linked', 3));
      user.write('untracked.txt', lines('here', 1));
      return user;
    });
    await expectFaithful(
      source,
      source.user.list().map(({ where }) => where),
    );
  });

  it('in the middle of a merge: the files as they are, conflict markers too', async () => {
    const source = await open(async (folder) => {
      const user = await emptyRepository(folder);
      const commit = async (text: string) => {
        user.write('both.txt', Buffer.from(text));
        await git(user.root, ['add', '-A']);
        await git(user.root, ['commit', '-q', '-m', text]);
      };
      await commit('base\n');
      await git(user.root, ['checkout', '-q', '-b', 'other']);
      await commit('theirs\n');
      await git(user.root, ['checkout', '-q', 'main']);
      await commit('ours\n');
      await git(user.root, ['merge', 'other'], { mayFail: true });
      return user;
    });
    expect(source.user.read('both.txt').toString()).toContain('<<<<<<<');
    await expectFaithful(source, ['both.txt']);
  });
});

describe.concurrent('what is no source', () => {
  const refused = async (make: (folder: string) => Promise<string> | string) => {
    const folder = testFolder();
    const cli = openPrun(folder);
    const place = await make(folder);
    const before = imageOf(folder, { git: 'all', identity: true });
    const said = await cli.run(['clone', '--repo', place, '--unit', 'unit'], { code: 2 });
    expect(said.stdout).toBe('');
    expect(said.stderr).toMatch(/^prun clone: .+: .+\n$/);
    expect(said.stderr).toContain(path.basename(place));
    expectSame(before, imageOf(folder, { git: 'all', identity: true }));
  };
  it('a folder that is no repository', async () => {
    await refused((folder) => {
      mkdirSync(path.join(folder, 'plain'));
      return path.join(folder, 'plain');
    });
  });
  it('a bare repository', async () => {
    await refused(async (folder) => {
      await git(folder, ['init', '-q', '--bare', path.join(folder, 'bare.git')]);
      return path.join(folder, 'bare.git');
    });
  });
  it('a file', async () => {
    await refused((folder) => {
      writeFileSync(path.join(folder, 'file'), '');
      return path.join(folder, 'file');
    });
  });
  it('a folder that is missing', async () => {
    await refused((folder) => path.join(folder, 'missing'));
  });

  it.runIf(isRoot)('a repository of another user: refused, with what git says to do', async () => {
    const { folder, user, cli } = await open(makeUser);
    chmodSync(folder, 0o777);
    execFileSync('chown', ['-R', `${ORDINARY_UID}:${ORDINARY_UID}`, cli.home, cli.stateHome]);
    const said = await cli.run(['clone', '--repo', user.root, '--unit', 'unit'], {
      uid: ORDINARY_UID,
      code: 'any',
    });
    expect(said.code).not.toBe(0);
    expect(said.stderr).toContain('safe.directory');
    expect(said.stderr).toContain(user.root);
  });

  it.runIf(isRoot)('a state home that cannot be written: said, and nothing is made', async () => {
    const { folder, user, cli } = await open(makeUser);
    execFileSync('chown', ['-R', `${ORDINARY_UID}:${ORDINARY_UID}`, folder]);
    chmodSync(cli.stateHome, 0o555);
    const said = await cli.run(['clone', '--repo', user.root, '--unit', 'unit'], {
      uid: ORDINARY_UID,
      code: 'any',
    });
    expect(said.code).not.toBe(0);
    expect(said.stderr).toMatch(/^prun clone: .+: .+\n$/);
    expect(said.stderr).toContain(cli.stateHome);
  });

  it('a unit that has a clone already keeps it: a second clone of the same run is refused', async () => {
    const { user, cli } = await open(makeUser);
    const [first = ''] = await cli.clone(user.root, ['unit'], ['--run', 'mine']);
    diskAt(first).write('work.txt', lines('work', 1));
    const said = await cli.run(['clone', '--repo', user.root, '--unit', 'unit', '--run', 'mine'], {
      code: 'any',
    });
    expect(said.code).not.toBe(0);
    expect(diskAt(first).has('work.txt')).toBe(true);
  });
});
