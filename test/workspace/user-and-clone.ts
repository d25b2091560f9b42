import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { pathFromJson } from '../../scripts-src/platform/byte-path.ts';
import { git } from '../helpers/plain-git.ts';
import { type Collected, openPrun, type PrunCli, type PrunWish } from '../helpers/prun-cli.ts';
import { differencesOf, imageOf, type TreeImage } from '../helpers/tree-image.ts';
import { type Disk, diskAt } from './random/disk.ts';

/** A user's repository, one worker's clone of it, and prun. */
export interface UserAndClone {
  cli: PrunCli;
  folder: string;
  user: Disk;
  clone: Disk;
  /** git in the clone, as a worker types it. */
  git(...argv: string[]): Promise<void>;
  /** Collects, and sees that the user's repository is what it was, by inode, mode and hash. */
  collect(flags?: string[], wish?: PrunWish): Promise<Collected>;
  /** Sees that the user's repository is what it was. */
  expectUserUntouched(): void;
}

const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun workspace ')));
chmodSync(root, 0o755);
let folders = 0;
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

/** A new folder; it goes with the test file. */
export function testFolder(): string {
  const folder = path.join(root, `test ${++folders}`);
  mkdirSync(folder);
  return folder;
}

/** The user's files in these tests: two commits, and unfinished work of every kind. */
export async function makeUser(folder: string): Promise<Disk> {
  const root = path.join(folder, 'user repo');
  mkdirSync(root);
  const user = diskAt(root);
  await git(root, ['init', '-q']);
  user.write('readme.md', lines('readme', 30));
  user.write('src/app.txt', lines('app', 40));
  user.write('src/other.txt', lines('other', 40));
  user.write('docs/guide.txt', lines('guide', 5));
  user.write('run.sh', Buffer.from('#!/bin/sh\n'), 0o755);
  user.write('.gitignore', Buffer.from('*.log\n/build/\n'));
  user.link('link', 'src/app.txt');
  await git(root, ['add', '-A']);
  await git(root, ['commit', '-q', '-m', 'one']);
  user.write('src/second.txt', lines('second', 10));
  await git(root, ['add', '-A']);
  await git(root, ['commit', '-q', '-m', 'two']);
  user.write('staged.txt', lines('staged', 3));
  await git(root, ['add', 'staged.txt']);
  user.write('src/other.txt', lines('other, edited', 40));
  user.write('untracked.txt', lines('untracked', 3));
  user.write('noise.log', Buffer.from('ignored\n'));
  return user;
}

/** The same with a submodule `mod` that has two commits. */
export async function makeUserWithModule(folder: string): Promise<Disk> {
  const origin = path.join(folder, 'module origin');
  await git(folder, ['init', '-q', origin]);
  const module = diskAt(origin);
  for (const name of ['first', 'second']) {
    module.write(`${name}.txt`, lines(name, 20));
    await git(origin, ['add', '-A']);
    await git(origin, ['commit', '-q', '-m', name]);
  }
  const user = await makeUser(folder);
  await git(user.root, ['submodule', '--quiet', 'add', origin, 'mod']);
  await git(user.root, ['commit', '-q', '-m', 'with a submodule']);
  return user;
}

/** A user, and a fresh clone for `unit`. */
export async function openUserAndClone(
  make: (folder: string) => Promise<Disk> = makeUser,
  uid?: number,
): Promise<UserAndClone> {
  const folder = testFolder();
  const user = await make(folder);
  const cli = openPrun(folder, uid);
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${uid}`, folder]);
  const before = imageOf(user.root, { git: 'all', identity: true });
  const [place = ''] = await cli.clone(user.root, ['unit']);
  const expectUserUntouched = () => expectSame(before, imageOf(user.root, { git: 'all', identity: true }));
  expectUserUntouched();
  return {
    cli,
    folder,
    user,
    clone: diskAt(place),
    expectUserUntouched,
    git: async (...argv) => {
      await git(place, argv);
    },
    async collect(more = [], wish = {}) {
      const [delta] = await cli.collect([place], more, wish);
      expectUserUntouched();
      if (!delta) throw new Error('collect printed no delta');
      return delta;
    },
  };
}

/** What a delta says of its files: one line each, `added`, `modified`, `deleted` or `type-changed`, then the path. */
export function changesOf(delta: Collected): string[] {
  return delta.record.files.map((file) => `${file.status} ${pathFromJson(file.path)}`).sort();
}

/** Problems as `path: what`, with `LOST` where something is missing in the delta. */
export function problemsOf(delta: Collected): string[] {
  return delta.record.problems.map(
    ({ path: where, what, lost }) => `${lost ? 'LOST ' : ''}${pathFromJson(where)}: ${what}`,
  );
}

/** Puts the delta into a fresh copy of the user's tree by its patch alone; the copy. */
export async function appliedByGit(it: UserAndClone, delta: Collected): Promise<Disk> {
  const copy = path.join(it.folder, 'applied by git');
  expect(existsSync(copy)).toBe(false);
  mkdirSync(copy);
  const target = diskAt(copy);
  for (const { where, isLink, isExecutable } of it.user.list()) {
    if (isLink) target.link(where, 'src/app.txt');
    else target.write(where, it.user.read(where), isExecutable ? 0o755 : 0o644);
  }
  await git(copy, ['init', '-q']);
  await git(copy, ['apply', '--whitespace=nowarn', '--allow-empty', delta.patch]);
  return target;
}

/** Two images are the same. */
export function expectSame(before: TreeImage, after: TreeImage): void {
  expect(differencesOf(before, after).join('\n')).toBe('');
}

/** Numbered lines of text. */
export function lines(what: string, count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, at) => `${what} ${at + 1}\n`).join(''));
}
