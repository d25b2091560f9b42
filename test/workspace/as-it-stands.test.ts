import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, gitSays } from '../helpers/plain-git.ts';
import { differencesOf, imageOf } from '../helpers/tree-image.ts';
import { lines, runRoom } from './run-room.ts';

describe('a clone of the tree as it stands', () => {
  it('has what the user did since the base was frozen, committed or not; the others keep the frozen base', async () => {
    const room = await runRoom();
    await room.clone('first');
    room.write(room.repo, { f: lines({ 3: 'committed later' }) });
    await git(room.repo, ['commit', '-aqm', 'second']);
    room.write(room.repo, { 'new later': 'x\n', g: 'edited later\n' });
    const wish = { git: 'all', identity: true } as const;
    const before = imageOf(room.repo, wish);
    const clone = await room.clone('now', '--as-it-stands');
    expect(differencesOf(before, imageOf(room.repo, wish))).toEqual([]);
    expect(room.read(clone, 'f')).toBe(lines({ 3: 'committed later' }));
    expect(room.read(clone, 'new later')).toBe('x\n');
    expect(await gitSays(clone, ['status', '--porcelain'])).toBe('');
    expect(await gitSays(clone, ['log', '--format=%s'])).toBe(
      'prun base: work that was not committed yet\nsecond\nfirst',
    );
    room.write(clone, { g: 'by the unit\n' });
    expect((await room.collect('now')).files).toMatchObject([{ path: 'g', status: 'modified' }]);
    const old = await room.clone('second');
    expect(room.read(old, 'f')).toBe(lines());
    expect(existsSync(path.join(old, 'new later'))).toBe(false);
  });

  it('needs nothing of the user’s repository afterwards: not its objects, not its history', async () => {
    const room = await runRoom();
    await room.clone('first');
    room.write(room.repo, { f: lines({ 3: 'staged later' }) });
    await git(room.repo, ['add', '-A']);
    const clone = await room.clone('now', '--as-it-stands');
    await git(room.repo, ['reset', '-q', '--hard']);
    await git(room.repo, ['gc', '-q', '--prune=now']);
    await git(room.repo, ['prune', '--expire=now']);
    expect(await gitSays(clone, ['fsck', '--no-dangling', '--connectivity-only'], { mayFail: true })).toBe(
      '',
    );
    room.write(clone, { g: 'by the unit\n' });
    expect((await room.collect('now')).files).toMatchObject([{ path: 'g' }]);
  });

  it('is the base of the run where nothing has changed, and the first call of a run freezes it', async () => {
    const room = await runRoom();
    await room.clone('first', '--as-it-stands');
    await room.clone('same', '--as-it-stands');
    expect(room.record('first').origin).toBeNull();
    expect(room.record('same')).toMatchObject({ origin: null, base: room.record('first').base });
  });

  it('goes with results that were made before: what was applied meanwhile clashes with nobody', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    await room.work('b', { f: lines({ 9: 'B' }) });
    await room.cli.run(['apply', '--run', 'r', '--unit', 'a', '--to', room.repo]);
    await room.work('c', { f: lines({ 3: 'A, then C' }) }, '--as-it-stands');
    const said = await room.cli.run(['conflicts', '--run', 'r', '--unit', 'b', '--unit', 'c']);
    expect(said.stdout).toBe('CONFLICTS units=2 pairs=0 outside=0\nORDER b c\n');
    const clone = await room.clone('d', '--after', 'b', '--after', 'c', '--after', 'a');
    expect(room.read(clone, 'f')).toBe(lines({ 3: 'A, then C', 9: 'B' }));
    await room.cli.run(['apply', '--run', 'r', '--unit', 'b', '--unit', 'c', '--to', room.repo]);
    expect(room.read(room.repo, 'f')).toBe(lines({ 3: 'A, then C', 9: 'B' }));
  });

  it('a tree that went on twice is one history: the newer state is no clash with the older one', async () => {
    const room = await runRoom();
    await room.work('first', {});
    room.write(room.repo, { f: lines({ 3: 'foundation' }) });
    await room.work('a', { f: lines({ 3: 'foundation', 9: 'A' }) }, '--as-it-stands');
    room.write(room.repo, { f: lines({ 3: 'better foundation' }) });
    await room.work('b', { f: lines({ 3: 'better foundation', 15: 'B' }) }, '--as-it-stands');
    const clone = await room.clone('c', '--after', 'a', '--after', 'b');
    expect(room.read(clone, 'f')).toBe(lines({ 3: 'better foundation', 9: 'A', 15: 'B' }));
  });

  it('six at once, while the tree changes, are each whole', async () => {
    const room = await runRoom();
    await room.clone('first');
    const units = Array.from({ length: 6 }, (_, n) => `u${n}`);
    await Promise.all(
      units.map((unit, n) => {
        room.write(room.repo, { [`new ${n}`]: `${n}\n` });
        return room.clone(unit, '--as-it-stands');
      }),
    );
    for (const unit of units) {
      expect((await room.collect(unit)).files).toEqual([]);
      const clone = path.join(room.set, 'clones', unit);
      expect(await gitSays(clone, ['status', '--porcelain'])).toBe('');
    }
    const clone = await room.clone('all', ...units.flatMap((unit) => ['--after', unit]));
    expect(readFileSync(path.join(clone, 'new 0'), 'utf8')).toBe('0\n');
  });

  it('a worktree is on a branch at the user’s HEAD of now', async () => {
    const room = await runRoom();
    await room.clone('first');
    await git(room.repo, ['commit', '-aqm', 'second']);
    room.write(room.repo, { f: 'not committed\n' });
    const folder = await room.clone('w', '--worktree', '--as-it-stands');
    expect(await gitSays(folder, ['log', '--format=%s'])).toBe('second\nfirst');
    expect(await gitSays(folder, ['status', '--porcelain'])).toBe(' M f');
    await git(folder, ['commit', '-aqm', 'by the worker']);
    const delta = await room.collect('w');
    expect(delta.files).toEqual([]);
    expect(delta.commits).toMatchObject([{ subject: 'by the worker' }]);
  });

  it('takes a submodule that is new since, with its files', async () => {
    const room = await runRoom();
    await room.clone('first');
    const library = path.join(room.folder, 'library');
    room.write(library, { 'lib.txt': 'lib\n' });
    for (const argv of [
      ['init', '-q', '-b', 'main'],
      ['add', '-A'],
      ['commit', '-qm', 'lib'],
    ])
      await git(library, argv);
    await git(room.repo, ['submodule', '--quiet', 'add', library, 'lib']);
    const clone = await room.clone('now', '--as-it-stands');
    expect(room.read(clone, 'lib/lib.txt')).toBe('lib\n');
    expect(await gitSays(path.join(clone, 'lib'), ['log', '--format=%s'])).toBe('lib');
    room.write(clone, { 'lib/lib.txt': 'edited\n' });
    expect((await room.collect('now')).files).toMatchObject([{ path: 'lib/lib.txt' }]);
  });
});
