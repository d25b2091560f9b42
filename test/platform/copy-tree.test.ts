import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { shownPath } from '../../scripts-src/platform/byte-path.ts';
import { copiedLink } from '../../scripts-src/platform/copy-links.ts';
import { copyTree } from '../../scripts-src/platform/copy-tree.ts';
import { scratch } from '../helpers/unit-run.ts';

const isPosix = process.platform !== 'win32';
const isRoot = process.getuid?.() === 0;

function place(): { from: string; to: string } {
  const folder = scratch();
  const from = path.join(folder, 'from');
  mkdirSync(from);
  return { from, to: path.join(folder, 'deep/to') };
}

it('copies files and folders with modes and times, read-only folders too', async () => {
  const { from, to } = place();
  mkdirSync(path.join(from, 'a/b'), { recursive: true });
  writeFileSync(path.join(from, 'a/b/run.sh'), 'echo', { mode: 0o755 });
  writeFileSync(path.join(from, 'a/empty'), '');
  utimesSync(path.join(from, 'a/b/run.sh'), 1_600_000_000, 1_600_000_000.123457);
  utimesSync(path.join(from, 'a/b'), 1, 499_162_500);
  chmodSync(path.join(from, 'a/b'), 0o555);
  const report = await copyTree(from, to);
  chmodSync(path.join(from, 'a/b'), 0o755);
  const copied = statSync(path.join(to, 'a/b/run.sh'));
  const microseconds = (mtimeMs: number) => Math.floor(mtimeMs * 1000);
  expect(microseconds(copied.mtimeMs)).toBe(microseconds(statSync(path.join(from, 'a/b/run.sh')).mtimeMs));
  expect(statSync(path.join(to, 'a/b')).mtimeMs).toBe(499_162_500_000);
  if (isPosix)
    expect([copied.mode & 0o777, statSync(path.join(to, 'a/b')).mode & 0o777]).toEqual([0o755, 0o555]);
  chmodSync(path.join(to, 'a/b'), 0o755);
  expect(report).toMatchObject({
    files: 2,
    folders: 3,
    links: 0,
    bytes: 4,
    skippedCount: 0,
    outsideCount: 0,
  });
  expect(['yes', 'no']).toContain(report.reflinked);
  expect(readdirSync(to)).toEqual(['a']);
});

it('a file that is written in the copy stays as it is in the source, hard links included', async () => {
  const { from, to } = place();
  writeFileSync(path.join(from, 'one'), 'same');
  linkSync(path.join(from, 'one'), path.join(from, 'two'));
  await copyTree(from, to);
  writeFileSync(path.join(to, 'one'), 'changed', { flag: 'r+' });
  expect(['one', 'two'].map((name) => readFileSync(path.join(from, name), 'utf8'))).toEqual(['same', 'same']);
  expect(readFileSync(path.join(to, 'two'), 'utf8')).toBe('same');
  expect(statSync(path.join(to, 'one')).nlink).toBe(1);
});

it.runIf(isPosix)(
  'links stay links: inside they lead into the copy, outside they stay and are named',
  async () => {
    const { from, to } = place();
    const outside = path.join(path.dirname(from), 'outside');
    mkdirSync(outside);
    mkdirSync(path.join(from, '.bin'));
    writeFileSync(path.join(from, 'tool.js'), '1');
    const links: Record<string, [string, string]> = {
      '.bin/tool': ['../tool.js', '../tool.js'],
      absolute: [path.join(from, 'tool.js'), path.join(to, 'tool.js')],
      whole: [from, to],
      dangling: ['nowhere', 'nowhere'],
      out: ['../outside', '../outside'],
      'out-absolute': [outside, outside],
      'beside-by-name': [`${from}-other/x`, `${from}-other/x`],
      'out-and-back': ['../from/tool.js', 'tool.js'],
    };
    for (const [name, [target]] of Object.entries(links)) symlinkSync(target, path.join(from, name));
    const report = await copyTree(from, to);
    for (const [name, [, target]] of Object.entries(links)) {
      expect([name, readlinkSync(path.join(to, name))]).toEqual([name, target]);
    }
    expect(report.outside.map(shownPath).sort()).toEqual(['beside-by-name', 'out', 'out-absolute']);
    expect(report).toMatchObject({ links: 8, outsideCount: 3 });
  },
);

it.runIf(isPosix)('wider roots: what leads from the tree into its repository is inside', async () => {
  const { from, to } = place();
  const [repo, clone] = [path.dirname(from), path.join(path.dirname(from), 'clone')];
  symlinkSync('../packages/a', path.join(from, 'a'));
  symlinkSync(path.join(repo, 'packages/b'), path.join(from, 'b'));
  const report = await copyTree(from, to, { roots: { from: repo, to: clone } });
  expect(report.outsideCount).toBe(0);
  expect(readlinkSync(path.join(to, 'a'))).toBe('../packages/a');
  expect(readlinkSync(path.join(to, 'b'))).toBe(path.join(clone, 'packages/b'));
});

it.runIf(process.platform === 'linux')('names that are no UTF-8 are copied byte for byte', async () => {
  const { from, to } = place();
  const [folder, file, link] = [
    Buffer.from([0x64, 0xff]),
    Buffer.from([0x66, 0xfe]),
    Buffer.from([0x6c, 0xc3]),
  ];
  const below = (root: string, ...names: Buffer[]) =>
    Buffer.concat([Buffer.from(root), ...names.flatMap((name) => [Buffer.from('/'), name])]);
  mkdirSync(below(from, folder));
  writeFileSync(below(from, folder, file), 'bytes');
  writeFileSync(path.join(from, 'a\nb "c" '), 'odd');
  symlinkSync(file, below(from, folder, link));
  const report = await copyTree(from, to);
  expect(readFileSync(below(to, folder, file), 'utf8')).toBe('bytes');
  expect(readlinkSync(below(to, folder, link), 'buffer')).toEqual(file);
  expect(readFileSync(path.join(to, 'a\nb "c" '), 'utf8')).toBe('odd');
  expect(report).toMatchObject({ files: 2, links: 1, skippedCount: 0 });
});

it.runIf(isPosix)('pipes, and what cannot be read, are named; the rest is copied', async () => {
  const { from, to } = place();
  execFileSync('mkfifo', [path.join(from, 'pipe')]);
  writeFileSync(path.join(from, 'fine'), 'x');
  writeFileSync(path.join(from, 'secret'), 'x', { mode: 0 });
  mkdirSync(path.join(from, 'closed'), { mode: 0 });
  const report = await copyTree(from, to);
  chmodSync(path.join(from, 'closed'), 0o700);
  const skipped = Object.fromEntries(report.skipped.map((one) => [shownPath(one.path), one.why]));
  expect(skipped.pipe).toBe('is a pipe, a socket or a device');
  if (!isRoot)
    expect(skipped).toMatchObject({ secret: 'no permission (EACCES)', closed: 'no permission (EACCES)' });
  expect(readFileSync(path.join(to, 'fine'), 'utf8')).toBe('x');
  expect(existsSync(path.join(to, 'pipe'))).toBe(false);
});

it('what is there already is never replaced, and nothing is written through a link', async () => {
  const { from, to } = place();
  const elsewhere = path.join(path.dirname(from), 'elsewhere');
  mkdirSync(elsewhere);
  mkdirSync(path.join(to, 'shared'), { recursive: true });
  for (const folder of ['shared', 'linked']) {
    mkdirSync(path.join(from, folder));
    writeFileSync(path.join(from, folder, 'file'), 'new');
  }
  writeFileSync(path.join(to, 'shared/file'), 'old');
  symlinkSync(elsewhere, path.join(to, 'linked'), 'junction');
  writeFileSync(path.join(from, 'top'), 'top');
  const report = await copyTree(from, to);
  expect(readFileSync(path.join(to, 'shared/file'), 'utf8')).toBe('old');
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(readFileSync(path.join(to, 'top'), 'utf8')).toBe('top');
  expect(report.skipped.map((one) => shownPath(one.path)).sort()).toEqual(['linked', 'shared/file']);
});

it('leaves out what it is told to, and says why', async () => {
  const { from, to } = place();
  for (const file of ['keep/a', 'drop/b', 'keep/drop']) {
    mkdirSync(path.dirname(path.join(from, file)), { recursive: true });
    writeFileSync(path.join(from, file), '');
  }
  const seen: string[] = [];
  const report = await copyTree(from, to, {
    leaveOut: ({ name }) => (name === 'drop' ? 'is not wanted' : undefined),
    onFile: (where) => seen.push(shownPath(where)),
  });
  expect(seen).toEqual(['keep/a']);
  expect(report.skipped.map(({ path: where, why }) => `${where}: ${why}`).sort()).toEqual([
    'drop: is not wanted',
    'keep/drop: is not wanted',
  ]);
});

it('copies a single file, and a large folder with names in the report bounded', async () => {
  const { from, to } = place();
  for (let n = 0; n < 300; n++) writeFileSync(path.join(from, `f${n}`), String(n));
  mkdirSync(to, { recursive: true });
  for (let n = 0; n < 150; n++) writeFileSync(path.join(to, `f${n}`), 'there');
  const report = await copyTree(from, to);
  expect(report).toMatchObject({ files: 150, skippedCount: 150 });
  expect(report.skipped.length).toBe(100);
  const single = path.join(path.dirname(to), 'single/file');
  expect(await copyTree(path.join(from, 'f7'), single)).toMatchObject({ files: 1, folders: 0 });
  expect(readFileSync(single, 'utf8')).toBe('7');
});

it('refuses to copy a folder into itself, and ends when it is told to', async () => {
  const { from, to } = place();
  await expect(copyTree(from, path.join(from, 'in'))).rejects.toThrow('lies in');
  writeFileSync(path.join(from, 'a'), '');
  const stop = AbortSignal.abort(new Error('stopped'));
  await expect(copyTree(from, to, { signal: stop })).rejects.toThrow('stopped');
  expect(lstatSync(from).isDirectory()).toBe(true);
});

it.each([
  ['x', 'C:\\r\\a', { target: 'x', leadsOut: false }],
  ['C:\\r\\b\\c', 'C:\\r\\a', { target: 'D:\\to\\b\\c', leadsOut: false }],
  ['c:\\R\\b', 'C:\\r\\a', { target: 'D:\\to\\b', leadsOut: false }],
  ['..\\..\\out', 'C:\\r\\a', { target: '..\\..\\out', leadsOut: true }],
  ['E:\\other', 'C:\\r\\a', { target: 'E:\\other', leadsOut: true }],
] as const)('on Windows a link to %s in %s becomes %o', (target, folder, expected) => {
  expect(copiedLink(target, folder, { from: ['C:\\r'], to: 'D:\\to' }, path.win32)).toEqual(expected);
});
