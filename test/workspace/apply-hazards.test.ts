import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { git, gitSays } from '../helpers/plain-git.ts';
import { readProcess } from '../helpers/process-table.ts';
import { isRoot, ORDINARY_UID } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { type ApplyRoom, applyRooms, changed, recordsIn } from './apply-room.ts';

const rooms = applyRooms();

function write(folder: string, name: string, text: string | Buffer, mode = 0o644): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

const read = (folder: string, name: string): string => readFileSync(path.join(folder, name), 'utf8');

/** Runs an apply to a point, lets the user do something there, and goes on. */
async function meanwhile(
  room: ApplyRoom,
  argv: readonly string[],
  point: string,
  does: () => void | Promise<void>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const running = room.start(argv, { PRUN_FAULT: `${point}:stop` });
  await waitFor(`a stop at ${point}`, () => readProcess(running.pid)?.state === 'T');
  await does();
  running.signal('SIGCONT');
  return running.ended;
}

describe('what the user does meanwhile', () => {
  it.each([
    ['apply:merged', 'is read again'],
    ['apply:staged', 'is compared'],
    ['apply:journaled', 'is compared'],
    ['apply:put-0', 'is compared'],
  ])('an edit after %s is kept, and nothing else changes', async (point) => {
    const room = await rooms.open({
      fill(repo) {
        write(repo, 'a', 'a\n');
        write(repo, 'z', 'z\n');
      },
    });
    const patch = await room.delta('both', (copy) => {
      write(copy, 'a', 'A\n');
      write(copy, 'z', 'Z\n');
    });
    // Same size, and the same time to the nanosecond: only the content tells.
    const said = await meanwhile(room, [patch, '--to', room.repo], point, () => {
      const { atime, mtime } = statSync(path.join(room.repo, 'z'));
      writeFileSync(path.join(room.repo, 'z'), 'y\n');
      execFileSync('touch', ['-d', mtime.toISOString(), path.join(room.repo, 'z')]);
      void atime;
    });
    expect(said.code, said.stderr).toBe(35);
    expect(said.stdout + said.stderr).toContain('z');
    expect(read(room.repo, 'a')).toBe('a\n');
    expect(read(room.repo, 'z')).toBe('y\n');
    expect([...room.image().keys()].sort()).toEqual(['a', 'z']);
    expect(recordsIn(room)).toEqual([]);
  });

  it('a file that appears where a new one is to go is kept', async () => {
    const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
    const patch = await room.delta('new', (copy) => {
      write(copy, 'a', 'A\n');
      write(copy, 'new', 'new\n');
    });
    const said = await meanwhile(room, [patch, '--to', room.repo], 'apply:journaled', () =>
      write(room.repo, 'new', 'mine\n'),
    );
    expect(said.code).toBe(35);
    expect([read(room.repo, 'a'), read(room.repo, 'new')]).toEqual(['a\n', 'mine\n']);
  });

  it('a folder that becomes a symlink is not followed', async () => {
    const room = await rooms.open({ fill: (repo) => write(repo, 'd/a', 'a\n') });
    const patch = await room.delta('new', (copy) => write(copy, 'd/a', 'A\n'));
    const outside = path.join(room.folder, 'outside');
    write(outside, 'a', 'a\n');
    const said = await meanwhile(room, [patch, '--to', room.repo], 'apply:journaled', () => {
      renameSync(path.join(room.repo, 'd'), path.join(room.repo, 'e'));
      symlinkSync(outside, path.join(room.repo, 'd'));
    });
    expect(said.code).toBe(35);
    expect(read(outside, 'a')).toBe('a\n');
    expect(read(room.repo, 'e/a')).toBe('a\n');
  });

  it('what an editor writes into a file that was moved away is kept', async () => {
    const room = await rooms.open({
      fill(repo) {
        write(repo, 'a', 'a\n');
        write(repo, 'b', 'b\n');
      },
    });
    const patch = await room.delta('both', (copy) => {
      write(copy, 'a', 'A\n');
      write(copy, 'b', 'B\n');
    });
    const said = await meanwhile(room, [patch, '--to', room.repo], 'apply:put-0', () =>
      writeFileSync(path.join(room.repo, '.prun-apply/old/0'), 'late words\n'),
    );
    expect(said.code).toBe(35);
    expect([read(room.repo, 'a'), read(room.repo, 'b')]).toEqual(['late words\n', 'b\n']);
  });

  it('an edit after a SIGKILL is kept by the rollback, and what was there before is kept aside', async () => {
    const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
    const patch = await room.delta('a', (copy) => write(copy, 'a', 'A\n'));
    await room.apply([patch, '--to', room.repo], { code: 137, environment: { PRUN_FAULT: 'apply:swapped' } });
    writeFileSync(path.join(room.repo, 'a'), 'after the crash\n');
    const said = await room.apply([patch, '--to', room.repo, '--check'], { code: 'any' });
    expect(said.stderr).toContain('left as somebody changed it since: a;');
    expect(read(room.repo, 'a')).toBe('after the crash\n');
    const [id = ''] = recordsIn(room);
    expect(read(room.stateHome, `applies/${id}/left/0`)).toBe('a\n');
  });
});

describe('what stands in the way', () => {
  it('an ignored file keeps its folder when all the rest of it is deleted', async () => {
    const room = await rooms.open({
      fill(repo) {
        write(repo, '.gitignore', '*.log\n');
        write(repo, 'd/e/a', 'a\n');
      },
    });
    write(room.repo, 'd/e/x.log', 'log\n');
    const patch = await room.delta('gone', (copy) => rmSync(path.join(copy, 'd'), { recursive: true }));
    await room.apply([patch, '--to', room.repo]);
    expect([...room.image().keys()].sort()).toEqual(['.gitignore', 'd', 'd/e', 'd/e/x.log']);
  });

  it('a folder of the user where a file is to go', async () => {
    const room = await rooms.open({ fill: (repo) => write(repo, 'd/a', 'a\n') });
    const patch = await room.delta('file', (copy) => {
      rmSync(path.join(copy, 'd'), { recursive: true });
      write(copy, 'd', 'file\n');
    });
    mkdirSync(path.join(room.repo, 'd/empty'));
    const before = room.image();
    const said = await room.apply([patch, '--to', room.repo], { code: 35 });
    expect(said.stdout).toContain('CONFLICT - "your tree" d in-the-way');
    expect(changed(before, room.image())).toEqual([]);
  });

  it('a symlink of the user where a folder was', async () => {
    const room = await rooms.open({ fill: (repo) => write(repo, 'd/a', 'a\n') });
    const patch = await room.delta('more', (copy) => write(copy, 'd/b', 'b\n'));
    const outside = path.join(room.folder, 'outside');
    renameSync(path.join(room.repo, 'd'), outside);
    symlinkSync(outside, path.join(room.repo, 'd'));
    const said = await room.apply([patch, '--to', room.repo], { code: 35 });
    expect(said.stdout).toMatch(/CONFLICT .* d\/b|CONFLICT .* d /);
    expect(readdirSync(outside)).toEqual(['a']);
  });

  it.each(['.git/hooks/post-checkout', 'sub/.GIT/config', '.git /x', '../out', '.prun-apply/owner.json'])(
    'a delta that names %j',
    async (name) => {
      const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
      const patch = await room.delta('evil', (copy) => write(copy, 'b', 'b\n'));
      const blob = await gitSays(room.store, ['hash-object', '-w', '--stdin'], { input: 'evil\n' });
      // Trees that git itself refuses to write into an index, made by hand.
      let entry = `100644 blob ${blob}\t${name.split('/').at(-1)}\0`;
      for (const folder of name.split('/').slice(0, -1).reverse()) {
        const tree = await gitSays(room.store, ['mktree', '-z'], { input: entry });
        entry = `040000 tree ${tree}\t${folder}\0`;
      }
      const result = await gitSays(room.store, ['mktree', '-z'], { input: entry });
      writeFileSync(patch, readFileSync(patch, 'utf8').replace(/^result: .*$/m, `result: ${result}`));
      const said = await room.apply([patch, '--to', room.repo], { code: 'any' });
      expect(said.code, said.stdout).not.toBe(0);
      expect([...room.image().keys()]).toEqual(['a']);
      expect(existsSync(path.join(room.folder, 'out'))).toBe(false);
      expect(existsSync(path.join(room.repo, '.git/hooks/post-checkout'))).toBe(false);
    },
  );

  it('a folder named .prun-apply that prun did not make is not touched', async () => {
    const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
    const patch = await room.delta('a', (copy) => write(copy, 'a', 'A\n'));
    write(
      room.repo,
      '.prun-apply/owner.json',
      JSON.stringify({ id: '20200101000000-abcdef', stateHome: '/x' }),
    );
    write(room.repo, '.prun-apply/claim-1', 'boot:1:2');
    write(room.repo, '.prun-apply/old/0', 'planted\n');
    const before = room.image();
    const said = await room.apply([patch, '--to', room.repo], { code: 2 });
    expect(said.stderr).toContain('does not know it');
    expect(changed(before, room.image())).toEqual([]);
  });
});

describe('the file system', () => {
  it.runIf(isRoot)('a folder that an ordinary user may not write: named, and nothing changed', async () => {
    const room = await rooms.open({
      fill(repo) {
        write(repo, 'a', 'a\n');
        write(repo, 'closed/b', 'b\n');
      },
    });
    const patch = await room.delta('both', (copy) => {
      write(copy, 'a', 'A\n');
      write(copy, 'closed/b', 'B\n');
    });
    execFileSync('chown', ['-R', `${ORDINARY_UID}:${ORDINARY_UID}`, room.folder]);
    chmodSync(path.join(room.repo, 'closed'), 0o555);
    const before = room.image();
    const said = await room.apply([patch, '--to', room.repo], { code: 35, uid: ORDINARY_UID });
    expect(said.stdout).toContain('the folder closed may not be written');
    expect(changed(before, room.image())).toEqual([]);
    chmodSync(room.repo, 0o555);
    const top = await room.apply([patch, '--to', room.repo], { code: 2, uid: ORDINARY_UID });
    expect(top.stderr).toContain('cannot be written');
    expect(changed(new Map([...before]), room.image())).toEqual([]);
  });

  it('other names of a file keep their content, and bits and owner stay', async () => {
    const room = await rooms.open({
      fill(repo) {
        write(repo, 'a', 'a\n');
        write(repo, 'x', 'x\n');
      },
    });
    const file = path.join(room.repo, 'a');
    chmodSync(file, 0o664);
    chmodSync(path.join(room.repo, 'x'), 0o640);
    if (isRoot) chownSync(file, ORDINARY_UID, ORDINARY_UID);
    linkSync(file, path.join(room.folder, 'other'));
    const patch = await room.delta('a', (copy) => {
      write(copy, 'a', 'A\n');
      chmodSync(path.join(copy, 'x'), 0o755);
    });
    const { uid, gid } = statSync(file);
    await room.apply([patch, '--to', room.repo]);
    expect(read(room.folder, 'other')).toBe('a\n');
    expect(statSync(file)).toMatchObject({ uid, gid, mode: 0o100664 });
    expect(statSync(path.join(room.repo, 'x')).mode & 0o777).toBe(0o750);
    await room.apply(['--undo', '--to', room.repo]);
    expect(statSync(file)).toMatchObject({ uid, gid, mode: 0o100664 });
    expect(statSync(path.join(room.repo, 'x')).mode & 0o777).toBe(0o640);
  });

  const mounted: string[] = [];
  afterAll(() => {
    for (const place of mounted) execFileSync('umount', [place]);
  });
  const mount = (place: string, size: string): boolean => {
    mkdirSync(place, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', place], { stdio: 'ignore' });
      mounted.push(place);
      return true;
    } catch {
      return false;
    }
  };

  it.runIf(isRoot)('a full disk is noticed before anything has changed', async ({ skip }) => {
    const place = path.join((await rooms.open()).folder, 'small disk');
    if (!mount(place, '2m')) return skip();
    const room = await rooms.open({
      repo: path.join(place, 'repo'),
      fill: (repo) => write(repo, 'a', 'a\n'),
    });
    const patch = await room.delta('big', (copy) => {
      write(copy, 'a', 'A\n');
      write(copy, 'big', Buffer.alloc(3 * 1024 * 1024, 7));
    });
    const before = room.image();
    const said = await room.apply([patch, '--to', room.repo], { code: 1 });
    expect(said.stderr).toContain('make room');
    expect(changed(before, room.image())).toEqual([]);
    expect(recordsIn(room)).toEqual([]);
  });

  it.runIf(isRoot)('a folder on another device is refused', async ({ skip }) => {
    const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
    const patch = await room.delta('far', (copy) => {
      write(copy, 'a', 'A\n');
      write(copy, 'mnt/b', 'b\n');
    });
    if (!mount(path.join(room.repo, 'mnt'), '1m')) return skip();
    const said = await room.apply([patch, '--to', room.repo], { code: 'any' });
    expect(said.stderr).toContain('another device');
    expect(said.code).not.toBe(0);
    expect(read(room.repo, 'a')).toBe('a\n');
    expect(readdirSync(path.join(room.repo, 'mnt'))).toEqual([]);
  });
});

describe('many at once', () => {
  it('two applies on one target take turns', async () => {
    const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
    const patches = await Promise.all(
      ['one', 'two', 'three'].map(async (unit) => {
        // One after the other: the store has one index.
        return unit;
      }),
    );
    const files: string[] = [];
    for (const unit of patches) files.push(await room.delta(unit, (copy) => write(copy, unit, `${unit}\n`)));
    const said = await Promise.all(files.map((patch) => room.apply([patch, '--to', room.repo])));
    expect(said.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect([...room.image().keys()].sort()).toEqual(['a', 'one', 'three', 'two']);
    for (let n = 0; n < 3; n++) await room.apply(['--undo', '--to', room.repo]);
    expect([...room.image().keys()]).toEqual(['a']);
  });

  it('three commands that find a dead one roll it back once', async () => {
    const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
    const patch = await room.delta('a', (copy) => write(copy, 'a', 'A\n'));
    await room.apply([patch, '--to', room.repo], { code: 137, environment: { PRUN_FAULT: 'apply:swapped' } });
    const said = await Promise.all([1, 2, 3].map(() => room.apply([patch, '--to', room.repo, '--check'])));
    expect(said.filter(({ stderr }) => stderr.includes('rolled back')).length).toBe(1);
    expect(read(room.repo, 'a')).toBe('a\n');
  });

  it('another state home does not guess what an interrupted apply was', async () => {
    const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
    const patch = await room.delta('a', (copy) => write(copy, 'a', 'A\n'));
    await room.apply([patch, '--to', room.repo], { code: 137, environment: { PRUN_FAULT: 'apply:swapped' } });
    const moved = path.join(room.folder, 'elsewhere');
    renameSync(room.stateHome, moved);
    const said = await room.apply([patch, '--to', room.repo], { code: 2 });
    expect(said.stderr).toContain('does not know it');
    rmSync(room.stateHome, { recursive: true });
    renameSync(moved, room.stateHome);
    await room.apply([patch, '--to', room.repo, '--check']);
    expect(read(room.repo, 'a')).toBe('a\n');
  });

  it('a signal stops it, and everything is as it was', async () => {
    const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
    const patch = await room.delta('a', (copy) => write(copy, 'a', 'A\n'));
    const running = room.start([patch, '--to', room.repo], { PRUN_FAULT: 'apply:staged:stop' });
    await waitFor('a stop', () => readProcess(running.pid)?.state === 'T');
    running.signal('SIGTERM');
    running.signal('SIGCONT');
    const said = await running.ended;
    expect(said.code, said.stderr).toBe(143);
    expect([...room.image().keys()]).toEqual(['a']);
    expect(read(room.repo, 'a')).toBe('a\n');
  });
});

describe('repositories of other kinds', () => {
  it('a submodule: its files are written, its .git is not, and --index stages in it', async () => {
    const inner = await rooms.open({ fill: (repo) => write(repo, 's', 's\n') });
    const room = await rooms.open({
      async fill(repo) {
        write(repo, 'a', 'a\n');
        await git(repo, ['submodule', '--quiet', 'add', inner.repo, 'sub']);
      },
    });
    // The trees of a set hold the files of submodules like others.
    const patch = await room.delta('sub', (copy) => {
      write(copy, 'sub/s', 'S\n');
      write(copy, 'sub/t', 't\n');
    });
    const gitBefore = room.gitImage();
    await room.apply([patch, '--to', room.repo]);
    expect([read(room.repo, 'sub/s'), read(room.repo, 'sub/t')]).toEqual(['S\n', 't\n']);
    expect(changed(gitBefore, room.gitImage())).toEqual([]);
    await room.apply(['--undo', '--to', room.repo]);
    expect(existsSync(path.join(room.repo, 'sub/t'))).toBe(false);
    await room.apply([patch, '--to', room.repo, '--index']);
    const sub = path.join(room.repo, 'sub');
    expect((await gitSays(sub, ['status', '--porcelain'])).split('\n').sort()).toEqual(['A  t', 'M  s']);
    expect(await gitSays(room.repo, ['diff', '--cached', '--name-only'])).toBe('');
    await room.apply(['--undo', '--to', room.repo]);
    expect(await gitSays(sub, ['status', '--porcelain'])).toBe('');
  });

  it('line ends as they lie on disk, with autocrlf, and staged as the user has them', async () => {
    const room = await rooms.open({
      async fill(repo) {
        await git(repo, ['config', 'core.autocrlf', 'true']);
        write(repo, 'a', 'one\r\ntwo\r\n');
      },
    });
    const patch = await room.delta('a', (copy) => write(copy, 'a', 'one\r\nTWO\r\n'));
    await room.apply([patch, '--to', room.repo, '--index']);
    expect(read(room.repo, 'a')).toBe('one\r\nTWO\r\n');
    expect(await gitSays(room.repo, ['show', ':a'])).toBe('one\nTWO');
  });

  it('a file that a sparse checkout leaves out is written when a unit changed it, and taken away by undo', async () => {
    const room = await rooms.open({
      fill(repo) {
        write(repo, 'in/a', 'a\n');
        write(repo, 'out/b', 'b\n');
      },
    });
    const patch = await room.delta('b', (copy) => write(copy, 'out/b', 'B\n'));
    await git(room.repo, ['sparse-checkout', 'set', 'in']);
    expect(existsSync(path.join(room.repo, 'out'))).toBe(false);
    await room.apply([patch, '--to', room.repo]);
    expect(read(room.repo, 'out/b')).toBe('B\n');
    await room.apply(['--undo', '--to', room.repo]);
    expect(existsSync(path.join(room.repo, 'out'))).toBe(false);
  });
});
