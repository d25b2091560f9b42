import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { git, gitSays } from '../helpers/plain-git.ts';
import { applyRooms, changed, recordsIn } from '../workspace/apply-room.ts';

const rooms = applyRooms();

const lines = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n}\n`).join('');
const write = (folder: string, name: string, text: string | Buffer, mode = 0o644): void => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
};
const read = (folder: string, name: string): string => readFileSync(path.join(folder, name), 'utf8');

it('puts a delta on top of unfinished work, says how to undo it, and leaves .git as it was', async () => {
  const room = await rooms.open({
    fill(repo) {
      write(repo, 'src/a.txt', lines(20));
      write(repo, 'gone.txt', 'gone\n');
    },
  });
  const patch = await room.delta('api', (copy) => {
    write(copy, 'src/a.txt', lines(20).replace('line 15\n', 'line fifteen\n'));
    write(copy, 'new/deep/b.bin', Buffer.from([0, 1, 2, 255]), 0o755);
    rmSync(path.join(copy, 'gone.txt'));
  });
  write(room.repo, 'src/a.txt', lines(20).replace('line 2\n', 'line two\n'));
  write(room.repo, 'mine.txt', 'mine\n');
  const before = room.image();
  const gitBefore = room.gitImage();

  const check = await room.apply([patch, '--to', room.repo, '--check']);
  expect(check.stdout).toMatch(/^WOULD-APPLY 1 files=3\n/);
  expect(changed(before, room.image())).toEqual([]);

  const said = await room.apply([patch, '--to', path.join(room.repo, 'src')]);
  expect(said.stdout.split('\n').slice(0, 4)).toEqual([
    'APPLIED 1 files=3',
    'D gone.txt',
    'A new/deep/b.bin',
    'M src/a.txt',
  ]);
  expect(read(room.repo, 'src/a.txt')).toBe(
    lines(20).replace('line 15\n', 'line fifteen\n').replace('line 2\n', 'line two\n'),
  );
  expect(statSync(path.join(room.repo, 'new/deep/b.bin')).mode & 0o111).not.toBe(0);
  expect(existsSync(path.join(room.repo, 'gone.txt'))).toBe(false);
  expect(read(room.repo, 'mine.txt')).toBe('mine\n');
  expect(changed(gitBefore, room.gitImage())).toEqual([]);

  const undoPatch = /^UNDO (.+)$/m.exec(said.stdout)?.[1] ?? '';
  expect((await git(room.repo, ['apply', '--check', undoPatch])).code).toBe(0);
  const command = /^UNDO-COMMAND node .+ apply (--undo \S+)/m.exec(said.stdout)?.[1] ?? '';
  const undone = await room.apply([...command.split(' '), '--to', room.repo]);
  expect(undone.stdout).toMatch(/^UNDONE \S+ files=3\n/);
  expect(changed(before, room.image())).toEqual([]);
  expect(changed(gitBefore, room.gitImage())).toEqual([]);

  const again = await room.apply([...command.split(' '), '--to', room.repo], { code: 2 });
  expect(again.stderr).toContain('was undone already');
  const newest = await room.apply(['--undo', '--to', room.repo], { code: 2 });
  expect(newest.stderr).toContain('every apply on');
});

it('refuses an undo where a touched file was edited since, and names it', async () => {
  const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'one\n') });
  const patch = await room.delta('api', (copy) => {
    write(copy, 'a', 'two\n');
    write(copy, 'b', 'new\n');
  });
  await room.apply([patch, '--to', room.repo]);
  write(room.repo, 'b', 'mine\n');
  const before = room.image();
  const said = await room.apply(['--undo', '--to', room.repo], { code: 35 });
  expect(said.stdout).toMatch(/^EDITED-SINCE .* files=1/);
  expect(said.stdout).toContain('EDITED b:');
  expect(changed(before, room.image())).toEqual([]);
});

it('names both sides of a conflict, the user or an earlier unit, and changes nothing', async () => {
  const room = await rooms.open({
    fill(repo) {
      write(repo, 'a', lines(9));
      write(repo, 'b', lines(9));
    },
  });
  const one = await room.delta('one', (copy) => write(copy, 'a', lines(9).replace('line 4', 'from one')));
  const two = await room.delta('two', (copy) => {
    write(copy, 'a', lines(9).replace('line 4', 'from two'));
    write(copy, 'b', lines(9).replace('line 7', 'from two'));
    write(copy, 'c', 'new\n');
  });
  write(room.repo, 'b', lines(9).replace('line 7', 'mine'));
  const before = room.image();
  const said = await room.apply([one, two, '--to', room.repo], { code: 35 });
  expect(said.stdout.split('\n')).toEqual([
    expect.stringMatching(/^CONFLICTS 2 /),
    'CONFLICT two one a content two:5-5 one:5-5',
    'CONFLICT two "your tree" b content two:8-8 "your tree":8-8',
    '',
  ]);
  expect(changed(before, room.image())).toEqual([]);
  expect(recordsIn(room)).toEqual([]);
  const json = JSON.parse(
    (await room.apply([one, two, '--to', room.repo, '--json', '--check'], { code: 35 })).stdout,
  );
  expect(json.conflicts[0]).toMatchObject({ path: 'a', unit: 'two', against: 'one', kind: 'content' });
});

it('does not replace an ignored or untracked file, and takes one that is the same already', async () => {
  const room = await rooms.open({ fill: (repo) => write(repo, '.gitignore', 'out/\n') });
  const patch = await room.delta('api', async (copy) => {
    write(copy, 'new', 'new\n');
    write(copy, '.gitignore', '');
    write(copy, 'out/x', 'built\n');
    write(copy, 'out/y', 'same\n');
  });
  write(room.repo, 'out/x', 'mine\n');
  write(room.repo, 'out/y', 'same\n');
  const before = room.image();
  const said = await room.apply([patch, '--to', room.repo], { code: 35 });
  expect(said.stdout).toContain('CONFLICT - "your tree" out/x in-the-way');
  expect(changed(before, room.image())).toEqual([]);
  rmSync(path.join(room.repo, 'out/x'));
  const good = await room.apply([patch, '--to', room.repo]);
  expect(good.stdout).toMatch(/^APPLIED 1 files=3 already=1\n/);
  await room.apply(['--undo', '--to', room.repo]);
  expect(read(room.repo, 'out/y')).toBe('same\n');
  expect(existsSync(path.join(room.repo, 'out/x'))).toBe(false);
});

it('applies a patch of other origin, or one whose store has gone, by its text', async () => {
  const room = await rooms.open({ fill: (repo) => write(repo, 'a', lines(9)) });
  const foreign = path.join(room.folder, 'foreign.patch');
  writeFileSync(
    foreign,
    'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n-line 0\n+line zero\n line 1\n line 2\n',
  );
  const patch = await room.delta('api', (copy) => write(copy, 'a', lines(9).replace('line 7', 'line seven')));
  rmSync(room.store, { recursive: true });
  const said = await room.apply([foreign, patch, '--to', room.repo]);
  expect(said.stdout).toMatch(/^APPLIED 2 files=1\n/);
  expect(read(room.repo, 'a')).toBe(lines(9).replace('line 0', 'line zero').replace('line 7', 'line seven'));
  const again = await room.apply([foreign, '--to', room.repo], { code: 35 });
  expect(again.stdout).toContain('CONFLICT foreign.patch "your tree" a patch: patch failed: a:1');
  writeFileSync(foreign, 'nothing of a patch\n');
  expect((await room.apply([foreign, '--to', room.repo], { code: 35 })).stdout).toContain('No valid patches');
  writeFileSync(foreign, '');
  expect((await room.apply([foreign, '--to', room.repo])).stdout).toMatch(/^EMPTY /);
});

it('says which command takes over the commit of a submodule, and does not do it', async () => {
  const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
  const patch = await room.delta('sub', (copy) => write(copy, 'a', 'A\n'));
  const header = readFileSync(patch, 'utf8');
  const id = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(header)?.[1] ?? '';
  const [from, to] = ['1'.repeat(40), '2'.repeat(40)];
  const record = {
    base: id('base'),
    result: id('result'),
    moves: [{ path: 'lib/a b', base: from, result: to }],
  };
  write(path.dirname(room.store), 'units/sub/delta.json', JSON.stringify(record));
  const said = await room.apply([patch, '--to', room.repo, '--check']);
  expect(said.stdout).toContain('SUBMODULE "lib/a b" stands on 222222222222, not 111111111111 (sub)');
  expect(said.stdout).toContain(`git -C '${room.repo}/lib/a b' reset ${to}`);
  write(path.dirname(room.store), 'units/sub/delta.json', JSON.stringify({ ...record, result: from }));
  expect((await room.apply([patch, '--to', room.repo, '--check'])).stdout).not.toContain('SUBMODULE');
});

it('says that there is nothing to change', async () => {
  const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
  const empty = await room.delta('none', () => {});
  const said = await room.apply([empty, '--to', room.repo]);
  expect(said.stdout).toMatch(/^EMPTY 1 files=0 /);
  expect(recordsIn(room)).toEqual([]);
});

it('counts the deltas that hold something', async () => {
  const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
  const empty = await room.delta('none', () => {});
  const real = await room.delta('one', (copy) => write(copy, 'a', 'A\n'));
  const check = await room.apply([empty, real, '--to', room.repo, '--check']);
  expect(check.stdout).toBe('WOULD-APPLY 1 files=1\nM a\n');
  rmSync(room.store, { recursive: true });
  const said = await room.apply([empty, real, '--to', room.repo, '--json']);
  expect(JSON.parse(said.stdout)).toMatchObject({ status: 'applied', units: ['none', 'one'], deltas: 1 });
});

it('stages exactly the touched paths with --index, and undoes that too', async () => {
  const room = await rooms.open({
    fill(repo) {
      write(repo, 'a', 'a\n');
      write(repo, 'gone', 'gone\n');
      write(repo, 'other', 'other\n');
      write(repo, '.gitignore', 'ig\n');
    },
  });
  const patch = await room.delta('api', (copy) => {
    write(copy, 'a', 'A\n');
    write(copy, ':(glob)*', 'odd\n');
    rmSync(path.join(copy, 'gone'));
  });
  write(room.repo, 'other', 'mine\n');
  write(room.repo, 'staged', 'staged\n');
  await git(room.repo, ['add', 'staged']);
  const indexBefore = readFileSync(path.join(room.repo, '.git/index'));
  const said = await room.apply([patch, '--to', room.repo, '--index']);
  expect(said.stdout).toMatch(/^APPLIED 1 files=3 staged\n/);
  const status = await gitSays(room.repo, ['status', '--porcelain']);
  expect(status.split('\n').sort()).toEqual([' M other', 'A  :(glob)*', 'A  staged', 'D  gone', 'M  a']);
  await room.apply(['--undo', '--to', room.repo]);
  expect(readFileSync(path.join(room.repo, '.git/index')).equals(indexBefore)).toBe(true);
});

it('leaves an index alone in which something was staged since', async () => {
  const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
  const patch = await room.delta('api', (copy) => write(copy, 'a', 'A\n'));
  await room.apply([patch, '--to', room.repo, '--index']);
  write(room.repo, 'late', 'late\n');
  await git(room.repo, ['add', 'late']);
  const said = await room.apply(['--undo', '--to', room.repo]);
  expect(said.stdout).toContain('INDEX-LEFT ');
  expect(read(room.repo, 'a')).toBe('a\n');
  expect(await gitSays(room.repo, ['diff', '--cached', '--name-only'])).toBe('a\nlate');
});

it('rolls everything back when the index is locked', async () => {
  const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
  const patch = await room.delta('api', (copy) => write(copy, 'a', 'A\n'));
  writeFileSync(path.join(room.repo, '.git/index.lock'), '');
  const said = await room.apply([patch, '--to', room.repo, '--index'], { code: 1 });
  expect(said.stderr).toContain('another git command is at work');
  expect(read(room.repo, 'a')).toBe('a\n');
  expect(readFileSync(path.join(room.repo, '.git/index.lock'), 'utf8')).toBe('');
  expect(existsSync(path.join(room.repo, '.prun-apply'))).toBe(false);
});

it('works in a linked worktree, in a SHA-256 repository, and on names of any bytes', async () => {
  const odd = Buffer.from('o\xffdd "q"\n-x', 'latin1');
  const room = await rooms.open({
    format: 'sha256',
    fill(repo) {
      write(repo, '-dash', 'dash\n');
      write(repo, 'a b', 'a\n');
      writeFileSync(Buffer.concat([Buffer.from(`${repo}/`), odd]), 'odd\n');
    },
  });
  const tree = path.join(room.folder, 'linked');
  await git(room.repo, ['worktree', 'add', '--quiet', '-b', 'side', tree]);
  const patch = await room.delta('api', (copy) => {
    writeFileSync(Buffer.concat([Buffer.from(`${copy}/`), odd]), 'odder\n');
    write(copy, '-dash', 'more\n');
    write(copy, 'ü/ä', 'umlaut\n');
    symlinkSync('-dash', path.join(copy, 'link'));
  });
  const gitBefore = room.gitImage();
  const said = await room.apply([patch, '--to', tree]);
  expect(said.stdout).toContain('M "o\\377dd \\"q\\"\\n-x"');
  expect(readFileSync(Buffer.concat([Buffer.from(`${tree}/`), odd]), 'utf8')).toBe('odder\n');
  expect(read(tree, 'link')).toBe('more\n');
  expect(read(tree, 'ü/ä')).toBe('umlaut\n');
  expect(changed(gitBefore, room.gitImage())).toEqual([]);
  await room.apply(['--undo', '--to', tree]);
  expect(await gitSays(tree, ['status', '--porcelain'])).toBe('');
});

it('is bounded: 41 lines of files however many there are', async () => {
  const room = await rooms.open({ fill: (repo) => write(repo, 'a', 'a\n') });
  const patch = await room.delta('many', (copy) => {
    for (let n = 0; n < 300; n++) write(copy, `d${n % 7}/f${n}`, `${n}\n`);
  });
  const said = await room.apply([patch, '--to', room.repo]);
  expect(said.stdout.trim().split('\n').length).toBe(44);
  expect(said.stdout).toContain('MORE files=260');
  const undone = await room.apply(['--undo', '--to', room.repo, '--json']);
  expect(JSON.parse(undone.stdout).files.length).toBe(300);
  expect([...room.image().keys()]).toEqual(['a']);
});

it.each([
  [['x.patch'], '--to is missing'],
  [['--to', '.'], 'no patch given'],
  [['--to', '.', '--unit', 'a'], '--unit was given without --run'],
  [['x.patch', '--run', 'r', '--to', '.'], 'patches and --run'],
  [['--undo', '--check', '--to', '.'], '--undo and --check'],
  [['--undo', 'x y', '--to', '.'], 'is no id of an apply'],
  [['x.patch', '--to', ''], '--to is empty'],
  [['x.patch', '--to', '/nonexistent'], '--to /nonexistent does not exist'],
])('refuses %j', async (argv, words) => {
  const room = await rooms.open();
  expect((await room.apply(argv, { code: 2 })).stderr).toContain(words);
});
