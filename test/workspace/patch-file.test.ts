import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type BytePath, bytePath, bytePathOf } from '../../scripts-src/platform/byte-path.ts';
import { gitEnvironment } from '../../scripts-src/platform/git.ts';
import { loadDelta } from '../../scripts-src/workspace/delta/load-delta.ts';
import { readPatchHeader, writePatch } from '../../scripts-src/workspace/delta/patch-file.ts';
import { scratch } from '../helpers/unit-run.ts';
import { run, type SmallFile, smallSet } from './small-store.ts';

const ODD_NAMES: BytePath[] = [
  ...['with space', 'quo"te', 'back\\slash', 'new\nline', '-dash', 'übung/日本', ' edge ', 'tab\there'].map(
    bytePathOf,
  ),
  bytePath(Buffer.from([0x66, 0xff, 0xfe])),
];

/** What `git apply` makes of a base tree: paths and content as a tree again. */
function applied(set: ReturnType<typeof smallSet>, base: string, patch: string): string {
  const place = { gitDir: set.store, indexFile: path.join(set.folder, 'apply.index') };
  run(place, ['read-tree', base]);
  run(place, ['apply', '--cached', '--whitespace=nowarn', patch]);
  return run(place, ['write-tree']).toString().trim();
}

it('a patch has a header that git ignores, and git apply makes the result of the base', async () => {
  const set = smallSet(scratch());
  const base = set.tree({
    edit: 'a\nb\nc\n',
    gone: 'x\n',
    mode: 'm\n',
    crlf: 'a\r\nb\r\n',
    'old name': 'one\ntwo\nthree\nfour\nfive\n',
    turns: 'file\n',
    bin: { bytes: Buffer.from([0, 1, 2, 255]) },
  });
  const result = set.tree({
    edit: 'a\nB\nc\n',
    mode: { bytes: 'm\n', mode: '100755' },
    crlf: 'a\r\nb changed\r\n',
    'new name': 'one\ntwo\nthree\nfour\nfive\n',
    turns: { bytes: 'elsewhere', mode: '120000' },
    bin: { bytes: Buffer.from([0, 9, 2, 255]) },
    'no newline': 'end',
    empty: '',
  });
  const file = await set.delta('api', base, result);
  const text = readFileSync(file, 'latin1');
  expect(text.split('\n').slice(0, 8)).toEqual([
    'prun delta 1',
    'unit: api',
    'set: items-1',
    `base: ${base}`,
    `result: ${result}`,
    `store: ${JSON.stringify(set.store)}`,
    '',
    'diff --git a/bin b/bin',
  ]);
  expect(readPatchHeader(file)).toEqual({ unit: 'api', set: 'items-1', base, result, store: set.store });
  expect(text).toContain('rename from old name');
  expect(applied(set, base, file)).toBe(result);
});

it('odd names go through patch and header byte for byte', async () => {
  const set = smallSet(scratch('odd "set'), 'items-1');
  const with_ = (text: string) => set.tree(ODD_NAMES.map((where) => [where, text] as [BytePath, SmallFile]));
  const [base, result] = [with_('before\n'), with_('after\n')];
  const file = await set.delta('api', base, result);
  expect(applied(set, base, file)).toBe(result);
  const delta = await loadDelta(file);
  expect(delta.files.map(({ path: where }) => where).sort()).toEqual([...ODD_NAMES].sort());
});

it('an empty delta is a header alone', async () => {
  const set = smallSet(scratch());
  const base = set.tree({ a: '1\n' });
  const file = await set.delta('api', base, base);
  expect(readFileSync(file, 'utf8').endsWith('"\n\n')).toBe(true);
  expect((await loadDelta(file)).files).toEqual([]);
});

it('moves of submodules are gitlink changes as git writes them', async () => {
  const folder = scratch();
  const set = smallSet(folder);
  const [from, to] = ['1'.repeat(40), '2'.repeat(40)];
  const names = ['sub', 'a sub', 'q"sub', 'süb'].map(bytePathOf);
  const links = (id: string, gone: boolean) => {
    const index = path.join(folder, 'links.index');
    const lines = names.filter((name) => !gone || name !== 'a sub').map((name) => `160000 ${id}\t${name}\0`);
    const place = { gitDir: set.store, indexFile: index };
    run(place, ['read-tree', '--empty']);
    run(place, ['update-index', '-z', '--index-info'], Buffer.from(lines.join(''), 'latin1'));
    return run(place, ['write-tree', '--missing-ok']).toString().trim();
  };
  const empty = set.tree({});
  const moves = names.map((name) => ({ path: name, base: from, result: name === 'a sub' ? null : to }));
  const file = await set.delta('api', empty, empty, { moves });
  expect(applied(set, links(from, false), file)).toBe(links(to, true));
});

it('the patch is private, appears whole, and leaves nothing behind when git fails', async () => {
  const set = smallSet(scratch());
  const base = set.tree({ a: '1\n' });
  const file = path.join(set.folder, 'out.patch');
  writeFileSync(file, 'an earlier one');
  const header = { unit: 'api', set: 'items-1', base, result: 'f'.repeat(40), store: set.store };
  await expect(writePatch(set.place, header, [], file)).rejects.toThrow(/git diff-tree/);
  expect(readFileSync(file, 'utf8')).toBe('an earlier one');
  expect(readdirSync(set.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  const bytes = await writePatch(set.place, { ...header, result: set.tree({ a: '2\n' }) }, [], file);
  expect(bytes).toBe(statSync(file).size);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('a patch from a shell works in a repository that never saw prun', async () => {
  const folder = scratch();
  const set = smallSet(folder);
  const file = await set.delta('api', set.tree({ a: '1\n' }), set.tree({ a: '2\n', 'b c': 'new\n' }));
  const tree = path.join(folder, 'plain');
  mkdirSync(tree);
  writeFileSync(path.join(tree, 'a'), '1\n');
  execFileSync('git', ['apply', file], { cwd: tree, env: gitEnvironment({}, process.env) });
  expect(readFileSync(path.join(tree, 'a'), 'utf8')).toBe('2\n');
  expect(existsSync(path.join(tree, 'b c'))).toBe(true);
});

it('a patch of other origin has no header', () => {
  const file = path.join(scratch(), 'x.patch');
  for (const text of ['', 'diff --git a/x b/x\n', 'prune delta\n', '\0\0\0']) {
    writeFileSync(file, text);
    expect(readPatchHeader(file)).toBeUndefined();
  }
});

it.each([
  ['cut within the first line', () => 'prun delta', /ends within its first line/],
  ['cut after the unit', (whole: string) => whole.split('\n').slice(0, 2).join('\n'), /set is missing/],
  ['without its end', (whole: string) => whole.trimEnd(), /does not end with an empty line/],
  ['with a short id', (whole: string) => whole.replace(/base: .*/, 'base: abc'), /base is "abc"/],
  ['with a path as unit', (whole: string) => whole.replace('unit: api', 'unit: ../api'), /unit is/],
  ['with a relative store', (whole: string) => whole.replace(/store: .*/, 'store: "x"'), /no absolute path/],
  ['with a torn store', (whole: string) => whole.replace(/store: .*/, 'store: "x'), /no JSON string/],
  ['of a newer prun', (whole: string) => whole.replace('delta 1', 'delta 2'), /begins with "prun delta 2"/],
])('a header %s is refused', async (_what, damage, message) => {
  const set = smallSet(scratch());
  const base = set.tree({});
  const file = await set.delta('api', base, base);
  writeFileSync(file, damage(readFileSync(file, 'utf8')));
  expect(() => readPatchHeader(file)).toThrow(message);
});

it('what is no file is refused', () => {
  const folder = scratch();
  expect(() => readPatchHeader(path.join(folder, 'none'))).toThrow(/does not exist/);
  expect(() => readPatchHeader(folder)).toThrow(/is no file/);
  symlinkSync('nowhere', path.join(folder, 'dangling'));
  expect(() => readPatchHeader(path.join(folder, 'dangling'))).toThrow(/does not exist/);
});

it('a delta whose store has gone, or does not hold its trees, says what to do', async () => {
  const folder = scratch();
  const set = smallSet(folder);
  const base = set.tree({ a: '1\n' });
  const file = await set.delta('api', base, set.tree({ a: '2\n' }));
  const whole = readFileSync(file, 'utf8');
  const elsewhere = path.join(folder, 'moved', 'store.git');
  writeFileSync(file, whole.replace(JSON.stringify(set.store), JSON.stringify(elsewhere)));
  await expect(loadDelta(file)).rejects.toMatchObject({
    code: 'E_STORE_GONE',
    next: /collect unit api again/,
  });
  writeFileSync(file, whole.replace(`base: ${base}`, `base: ${'e'.repeat(40)}`));
  await expect(loadDelta(file)).rejects.toMatchObject({ code: 'E_TREE_MISSING' });
  const blob = run(set.place, ['hash-object', '-w', '--stdin'], 'x').toString().trim();
  writeFileSync(file, whole.replace(`base: ${base}`, `base: ${blob}`));
  await expect(loadDelta(file)).rejects.toMatchObject({ code: 'E_TREE_MISSING' });
});

it('ownership comes from the record beside the store; a damaged one is refused', async () => {
  const set = smallSet(scratch());
  const base = set.tree({});
  const file = await set.delta('api', base, base, { owns: ['src/**'] });
  expect((await loadDelta(file)).owns).toEqual(['src/**']);
  writeFileSync(path.join(set.folder, 'units/api/workspace.json'), '{"owns": ');
  await expect(loadDelta(file)).rejects.toThrow(/is damaged/);
});
