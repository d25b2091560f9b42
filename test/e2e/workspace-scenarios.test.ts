import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../helpers/plain-git.ts';
import { differencesOf, filesOf, imageOf } from '../helpers/tree-image.ts';
import { diskAt } from '../workspace/random/disk.ts';
import { appliedByGit, changesOf, lines, openUserAndClone } from '../workspace/user-and-clone.ts';

// PEERS.md, the scenarios that are about workspaces: 18 and 27.

const binary = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7) % 256));

describe.concurrent('a clone that lacks work, a diff that lacks files (18)', () => {
  it('the clone has the uncommitted work: staged, unstaged and new', async () => {
    const { user, clone } = await openUserAndClone();
    for (const where of ['staged.txt', 'src/other.txt', 'untracked.txt']) {
      expect(clone.read(where).equals(user.read(where)), where).toBe(true);
    }
    expect(clone.has('noise.log')).toBe(false);
  });

  it('the user’s own unfinished work is not in the delta', async () => {
    const its = await openUserAndClone();
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual([]);
    expect(delta.lines.some((line) => line.startsWith('EMPTY'))).toBe(true);
  });

  it('the delta is not empty after the worker has committed', async () => {
    const its = await openUserAndClone();
    its.clone.write('src/app.txt', lines('by the worker', 4));
    await its.git('add', '-A');
    await its.git('commit', '-q', '--no-verify', '-m', 'done');
    expect((await git(its.clone.root, ['diff'])).stdout.toString()).toBe('');
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual(['modified src/app.txt']);
    expect(readFileSync(delta.patch, 'utf8')).toContain('+by the worker 1');
  });

  it('new files are in the delta, whether they were added or not', async () => {
    const its = await openUserAndClone();
    its.clone.write('new/added.txt', lines('added', 1));
    await its.git('add', '-A');
    its.clone.write('new/not added.txt', lines('not added', 1));
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual(['added new/added.txt', 'added new/not added.txt']);
  });

  it('a plain commit is refused by one clear line, and the remote is not there to push to', async () => {
    const { clone } = await openUserAndClone();
    clone.write('new.txt', lines('new', 1));
    await git(clone.root, ['add', '-A']);
    const commit = await git(clone.root, ['commit', '-m', 'x'], { mayFail: true });
    expect(commit.code).not.toBe(0);
    expect(commit.stderr.trim().split('\n')).toHaveLength(1);
    expect((await git(clone.root, ['remote'])).stdout.toString()).toBe('');
    expect((await git(clone.root, ['push'], { mayFail: true })).code).not.toBe(0);
  });
});

describe.concurrent('a patch that does not apply, logs and work that go (27)', () => {
  it('a patch of binary files applies with plain git apply, and with prun apply', async () => {
    const its = await openUserAndClone();
    its.clone.write('pic.bin', binary);
    its.clone.write('readme.md', binary);
    its.clone.chmod('src/app.txt', 0o755);
    its.clone.move('src/second.txt', 'moved.txt');
    const delta = await its.collect();
    const copy = await appliedByGit(its, delta);
    expect(copy.read('pic.bin').equals(binary) && copy.read('readme.md').equals(binary)).toBe(true);
    const target = path.join(its.folder, 'copy');
    execFileSync('cp', ['-a', its.user.root, target]);
    await its.cli.apply([delta.patch], target);
    const wanted = filesOf(imageOf(its.clone.root, { git: 'skip' }));
    const made = filesOf(imageOf(target, { git: 'skip' }));
    made.delete('noise.log');
    expect(differencesOf(wanted, made).join('\n')).toBe('');
  });

  it('apply never stages and never commits', async () => {
    const its = await openUserAndClone();
    its.clone.write('src/app.txt', lines('by the worker', 4));
    its.clone.write('new.txt', lines('new', 1));
    const delta = await its.collect();
    const target = path.join(its.folder, 'copy');
    execFileSync('cp', ['-a', its.user.root, target]);
    const before = imageOf(target, { git: 'only', identity: true });
    await its.cli.apply([delta.patch], target);
    expect(differencesOf(before, imageOf(target, { git: 'only', identity: true })).join('\n')).toBe('');
    const status = (await git(target, ['status', '--porcelain'])).stdout.toString();
    expect(status).toContain('?? new.txt\n');
    expect(status).toContain(' M src/app.txt\n');
  });

  it('collecting again keeps no half of the earlier patch, and an earlier patch elsewhere stays', async () => {
    const its = await openUserAndClone();
    its.clone.write('one.txt', lines('one', 500));
    const first = path.join(its.folder, 'first.patch');
    await its.collect(['--patch', first]);
    const text = readFileSync(first);
    its.clone.remove('one.txt');
    its.clone.write('two.txt', lines('two', 1));
    const delta = await its.collect();
    expect(changesOf(delta)).toEqual(['added two.txt']);
    expect(readFileSync(delta.patch, 'utf8')).not.toContain('one.txt');
    expect(readFileSync(first).equals(text)).toBe(true);
  });

  it('cleanup archives what nobody collected before the clone goes', async () => {
    const its = await openUserAndClone();
    its.clone.write('precious.txt', lines('precious', 3));
    const records = path.join(its.clone.root, '../../units', path.basename(its.clone.root));
    await its.cli.run(['cleanup', its.clone.root]);
    expect(existsSync(its.clone.root)).toBe(false);
    expect(readFileSync(path.join(records, 'delta.patch'), 'utf8')).toContain('+precious 3');
    const target = path.join(its.folder, 'copy');
    execFileSync('cp', ['-a', its.user.root, target]);
    await its.cli.apply([path.join(records, 'delta.patch')], target);
    expect(diskAt(target).read('precious.txt').equals(lines('precious', 3))).toBe(true);
    its.expectUserUntouched();
  });
});
