import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { git } from '../helpers/plain-git.ts';
import type { TreeImage } from '../helpers/tree-image.ts';
import { type ApplyRoom, applyRooms, changed, recordsIn } from './apply-room.ts';

// One target with every kind of change, killed at every point; each case starts from what the one before gave back.
const rooms = applyRooms();

function write(folder: string, name: string, text: string, mode = 0o644): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

function fill(repo: string): void {
  write(repo, 'private', 'private\n', 0o600);
  write(repo, 'linked', 'linked\n', 0o664);
  write(repo, 'tool', '#!/bin/sh\n', 0o644);
  write(repo, 'folder/inner/x', 'x\n');
  write(repo, 'folder/inner/y', 'y\n');
  write(repo, 'becomes-folder', 'file\n');
  symlinkSync('private', path.join(repo, 'link'));
  symlinkSync('folder', path.join(repo, 'link-to-folder'));
}

function work(copy: string): void {
  writeFileSync(path.join(copy, 'private'), 'more\n');
  writeFileSync(path.join(copy, 'linked'), 'other\n');
  rmSync(path.join(copy, 'tool'));
  write(copy, 'tool', '#!/bin/sh\n', 0o755);
  rmSync(path.join(copy, 'folder'), { recursive: true });
  write(copy, 'folder', 'a file now\n');
  rmSync(path.join(copy, 'becomes-folder'));
  write(copy, 'becomes-folder/a/b', 'b\n');
  rmSync(path.join(copy, 'link'));
  symlinkSync('tool', path.join(copy, 'link'));
  rmSync(path.join(copy, 'link-to-folder'));
  write(copy, 'link-to-folder/c', 'c\n');
}

/** Deletions come first: becomes-folder, folder/inner/x, folder/inner/y, link-to-folder. */
const DELETED = [0, 1, 2, 3];
/** becomes-folder/a/b, folder, link, link-to-folder/c, linked, private, tool. */
const PUT = [4, 5, 6, 7, 8, 9, 10];
const TAKEN = [...DELETED, 6, 8, 9, 10];
const EARLY = ['draft', 'held', 'merged', 'planned', 'staged', 'listed', 'journaled'];
const STEPS = [
  ...TAKEN.map((n) => `taken-${n}`),
  'folders-removed',
  'folders-made',
  ...PUT.map((n) => `put-${n}`),
  'swapped',
  'kept',
];
const LATE = ['done', 'release', 'released'];

describe('a SIGKILL', () => {
  let room: ApplyRoom;
  let patch: string;
  let before: TreeImage;
  let after: TreeImage;
  let gitBefore: TreeImage;
  const to = (): string[] => ['--to', room.repo];
  const cleared = (): void => {
    expect(existsSync(path.join(room.repo, '.prun-apply'))).toBe(false);
    expect(changed(gitBefore, room.gitImage())).toEqual([]);
  };
  const kill = async (argv: readonly string[], point: string): Promise<void> => {
    expect((await room.start(argv, { PRUN_FAULT: point }).ended).code, `${point} is reached`).toBe(137);
  };

  beforeAll(async () => {
    room = await rooms.open({ fill });
    patch = await room.delta('all', work);
    linkSync(path.join(room.repo, 'linked'), path.join(room.folder, 'other link'));
    before = room.image();
    gitBefore = room.gitImage();
    await room.apply([patch, ...to()]);
    after = room.image();
    expect(readFileSync(path.join(room.folder, 'other link'), 'utf8')).toBe('linked\n');
    expect(statSync(path.join(room.repo, 'private')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(room.repo, 'tool')).mode & 0o777).toBe(0o755);
    await room.apply(['--undo', ...to()]);
    expect(changed(before, room.image())).toEqual([]);
  });

  it.each([...EARLY, ...STEPS])(
    'at apply:%s is rolled back by the next command, byte for byte',
    async (step) => {
      const inode = statSync(path.join(room.repo, 'private')).ino;
      await kill([patch, ...to()], `apply:${step}`);
      const check = await room.apply([patch, ...to(), '--check']);
      expect(check.stdout).toMatch(/^WOULD-APPLY 1 files=11\n/);
      expect(check.stderr.includes('rolled back')).toBe(!EARLY.includes(step) || step === 'journaled');
      expect(changed(before, room.image())).toEqual([]);
      expect(statSync(path.join(room.repo, 'private')).ino, 'the very file is back').toBe(inode);
      cleared();
    },
  );

  it.each(LATE)('at apply:%s leaves a whole apply, and the next command clears up', async (step) => {
    await kill([patch, ...to()], `apply:${step}`);
    expect(
      changed(after, new Map([...room.image()].filter(([name]) => !name.startsWith('.prun-apply')))),
    ).toEqual([]);
    await room.apply(['--undo', ...to()]);
    expect(changed(before, room.image())).toEqual([]);
    cleared();
  });

  it.each([
    ...DELETED.map((n) => `restored-${n}`),
    ...PUT.map((n) => `removed-${n}`),
    'folders',
    'restored-9',
    'done',
    'noted',
  ])('in the middle of a rollback, at rollback:%s, is rolled back by the one after it', async (step) => {
    await kill([patch, ...to()], 'apply:kept');
    await kill([patch, ...to()], `rollback:${step}`);
    await room.apply([patch, ...to(), '--check']);
    expect(changed(before, room.image())).toEqual([]);
    expect(statSync(path.join(room.repo, 'private')).nlink, 'no second name is left').toBe(1);
    cleared();
  });

  it.each(['journaled', 'taken-2', 'put-5', 'swapped'])(
    'of an undo at apply:%s leaves the apply as it was, and the undo can be done again',
    async (step) => {
      await room.apply([patch, ...to()]);
      const applied = room.image();
      await kill(['--undo', ...to()], `apply:${step}`);
      await room.apply([patch, ...to(), '--check']);
      expect(changed(applied, room.image())).toEqual([]);
      await room.apply(['--undo', ...to()]);
      expect(changed(before, room.image())).toEqual([]);
      cleared();
    },
  );

  it('of an undo at apply:done leaves it undone', async () => {
    await room.apply([patch, ...to()]);
    await kill(['--undo', ...to()], 'apply:done');
    const again = await room.apply(['--undo', ...to()], { code: 2 });
    expect(again.stderr).toContain('every apply on');
    expect(changed(before, room.image())).toEqual([]);
    cleared();
  });

  it.each(['index-locked-0', 'index-0', 'swapped'])('at apply:%s gives the index back too', async (step) => {
    await kill([patch, ...to(), '--index'], `apply:${step}`);
    await room.apply([patch, ...to(), '--check']);
    expect(changed(before, room.image())).toEqual([]);
    expect(existsSync(path.join(room.repo, '.git/index.lock'))).toBe(false);
    expect((await git(room.repo, ['diff', '--cached', '--name-only'])).stdout.toString()).toBe('');
    gitBefore = room.gitImage();
  });

  it('leaves no record of what was rolled back', () => {
    const states = recordsIn(room).map(
      (id) =>
        JSON.parse(readFileSync(path.join(room.stateHome, 'applies', id, 'journal.json'), 'utf8')).state,
    );
    expect(new Set(states)).toEqual(new Set(['undone']));
  });
});
