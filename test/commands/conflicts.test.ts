import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BytePath, bytePath, bytePathOf } from '../../scripts-src/platform/byte-path.ts';
import type { SetRecord } from '../../scripts-src/workspace/records.ts';
import { ROOT, scratch, testEnvironment } from '../helpers/unit-run.ts';
import { numbered, type SmallFiles, type SmallSet, smallSet } from '../workspace/small-store.ts';

/** The command alone, compiled as `prun.cjs` is. */
const built = mkdtempSync(path.join(os.tmpdir(), 'prun conflicts '));
const script = path.join(built, 'conflicts.cjs');

beforeAll(() => {
  buildSync({
    stdin: {
      contents: [
        "import { runMain } from './platform/errors.ts';",
        "import { conflicts } from './commands/conflicts.ts';",
        "void runMain('prun conflicts', () => conflicts(process.argv.slice(2)));",
      ].join('\n'),
      resolveDir: path.join(ROOT, 'scripts-src'),
    },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    outfile: script,
  });
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

function prun(folder: string, ...argv: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...argv], {
    cwd: folder,
    env: testEnvironment(folder, { PRUN_STATE_HOME: path.join(folder, 'state') }),
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

const BASE: Record<string, string> = { 'src/a.ts': numbered(20), 'docs/x.md': 'x\n' };

function changed(
  set: SmallSet,
  unit: string,
  changes: Record<string, string>,
  owns: string[] = [],
): Promise<string> {
  return set.delta(unit, set.tree(BASE), set.tree({ ...BASE, ...changes }), { owns });
}

it('units that go together: an order, and 0', async () => {
  const folder = scratch();
  const set = smallSet(folder);
  const patches = [
    await changed(set, 'ui', { 'src/a.ts': numbered(20, { 18: 'ui' }) }),
    await changed(set, 'api', { 'src/a.ts': numbered(20, { 2: 'api' }) }, ['src/**']),
  ];
  expect(prun(folder, ...patches)).toEqual({
    code: 0,
    stdout: 'CONFLICTS units=2 pairs=0 outside=0\nORDER ui api\n',
    stderr: '',
  });
});

it('units that clash: both sides and their lines, and 35', async () => {
  const folder = scratch();
  const set = smallSet(folder);
  const patches = [
    await changed(set, 'api', { 'src/a.ts': numbered(20, { 10: 'a\na\na' }) }),
    await changed(set, 'ui', { 'src/a.ts': numbered(20, { 10: 'b' }), 'a b': '1' }),
    await changed(set, 'docs', { 'a b': '2' }),
  ];
  expect(prun(folder, ...patches)).toEqual({
    code: 35,
    stdout: [
      'CONFLICTS units=3 pairs=2 outside=0',
      'CONFLICT api ui src/a.ts content api:10-12 ui:10-10',
      'CONFLICT ui docs "a b" add/add ui:1-1 docs:1-1',
      'NO-ORDER api docs WITHOUT ui',
      '',
    ].join('\n'),
    stderr: '',
  });
});

it('a file outside what its unit owns: 35, and 0 for somebody who allows it', async () => {
  const folder = scratch();
  const patch = await changed(smallSet(folder), 'api', { 'src/a.ts': 'x\n', 'docs/x.md': 'y\n' }, ['src']);
  const stdout = 'CONFLICTS units=1 pairs=0 outside=1\nOUTSIDE api docs/x.md\nORDER api\n';
  expect(prun(folder, patch)).toEqual({ code: 35, stdout, stderr: '' });
  expect(prun(folder, '--allow-outside', patch)).toEqual({ code: 0, stdout, stderr: '' });
});

it('what is printed is bounded, and --json has all', async () => {
  const folder = scratch();
  const set = smallSet(folder);
  const many = (line: string) =>
    Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}`, `${line}\n`]));
  const patches = [
    await changed(set, 'one', many('1'), ['src']),
    await changed(set, 'two', many('2'), ['src', 'f*']),
  ];
  const lines = prun(folder, ...patches)
    .stdout.trimEnd()
    .split('\n');
  expect(lines).toHaveLength(40);
  expect(lines[0]).toBe('CONFLICTS units=2 pairs=1 outside=60');
  expect(lines.filter((line) => line.startsWith('OUTSIDE one f'))).toHaveLength(8);
  expect(lines[38]).toBe('MORE conflicts=31 outside=52 (--json has all)');
  expect(lines[39]).toBe('NO-ORDER one WITHOUT two');
  const said = prun(folder, '--json', ...patches);
  expect(said.code).toBe(35);
  const json = JSON.parse(said.stdout);
  expect([json.conflicts.length, json.outside.length, json.order, json.leftOut]).toEqual([
    60,
    60,
    ['one'],
    ['two'],
  ]);
  expect(json.conflicts[0]).toEqual({
    units: ['one', 'two'],
    path: 'f0',
    kind: 'add/add',
    detail: 'both added it, with different content',
    lines: [
      [
        [1, 1],
        [1, 1],
      ],
    ],
  });
  expect(json.units[0]).toMatchObject({ unit: 'one', patch: patches[0], store: set.store, files: 60 });
});

it('odd names stay on one line, and whole in JSON', async () => {
  const folder = scratch("odd 'folder");
  const set = smallSet(folder);
  const names: BytePath[] = [
    ...['new\nline', 'quo"te', '-dash', 'übung'].map(bytePathOf),
    bytePath(Buffer.from([0x66, 0xff])),
  ];
  const files = (text: string): SmallFiles => names.map((where) => [where, text] as const);
  const base = set.tree(files('0\n'));
  const patches = [
    await set.delta('a', base, set.tree(files('1\n')), { file: path.join(folder, '-a b.patch') }),
    await set.delta('b', base, set.tree(files('2\n'))),
  ];
  const { stdout } = prun(folder, ...patches);
  expect(stdout.split('\n').slice(1, 6)).toEqual(
    ['-dash', '"f\\377"', '"new\\nline"', '"quo\\"te"', 'übung'].map(
      (name) => `CONFLICT a b ${name} content a:1-1 b:1-1`,
    ),
  );
  const json = JSON.parse(prun(folder, '--json', '--', '-a b.patch', patches[1] ?? '').stdout);
  expect(json.conflicts.map((each: { path: unknown }) => each.path)).toEqual([
    '-dash',
    { base64: 'Zv8=' },
    'new\nline',
    'quo"te',
    'übung',
  ]);
});

it('--run takes all collected deltas of a run', async () => {
  const folder = scratch();
  const set = smallSet(path.join(folder, 'state', 'workspaces'), 'items');
  const base = set.tree(BASE);
  const record: SetRecord = {
    schema: 1,
    id: 'items',
    createdAt: '',
    source: { workTree: folder, gitDir: folder, commonDir: folder },
    objectFormat: 'sha1',
    base: { tree: base, commit: base, head: null, branch: null, files: 2, bytes: 0, submodules: [] },
    excludesFile: null,
  };
  writeFileSync(path.join(set.folder, 'set.json'), JSON.stringify(record));
  expect(prun(folder, '--run', 'items')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no collected delta/),
  });
  await changed(set, 'b', { 'docs/x.md': 'b\n' });
  await changed(set, 'a', { 'docs/x.md': 'a\n' });
  mkdirSync(path.join(set.folder, 'units', 'not-yet-collected'));
  const stdout =
    'CONFLICTS units=2 pairs=1 outside=0\nCONFLICT a b docs/x.md content a:1-1 b:1-1\nNO-ORDER a WITHOUT b\n';
  expect(prun(folder, '--run', 'items')).toEqual({
    code: 35,
    stdout,
    stderr: 'prun conflicts: note: unit not-yet-collected has not been collected\n',
  });
  expect(prun(folder, '--run=items', '--state-home', 'state')).toMatchObject({ code: 35, stdout });
  expect(prun(folder, '--run', 'other')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no workspaces of run "other"/),
  });
});

it.each<[string, string[], RegExp]>([
  ['no patch', [], /no patch given/],
  ['an empty name', [''], /empty name/],
  ['a run and patches', ['--run', 'x', 'y'], /one of them/],
  ['a path as a run', ['--run', '../x'], /name of a run/],
  ['an unknown flag', ['--frobnicate'], /unknown flag/],
  ['a missing patch', ['none.patch'], /does not exist/],
  ['a folder', ['.'], /is no file/],
  ['a patch of other origin', ['plain.patch'], /is no patch of prun collect: make one with: prun collect/],
  ['an empty file', ['empty.patch'], /is no patch of prun collect/],
  ['a torn header', ['torn.patch'], /header of .* is damaged/],
  ['one patch twice', ['good.patch', './good.patch'], /given twice/],
  ['one patch twice, by a link', ['good.patch', 'link.patch'], /given twice/],
  ['one delta twice, by a copy', ['good.patch', 'copy.patch'], /unit api is given twice/],
])('%s: 2, and what to do', async (_what, argv, message) => {
  const folder = scratch();
  const set = smallSet(folder);
  const good = path.join(folder, 'good.patch');
  await set.delta('api', set.tree({}), set.tree({ a: '1\n' }), { file: good });
  writeFileSync(path.join(folder, 'plain.patch'), 'diff --git a/x b/x\n');
  writeFileSync(path.join(folder, 'empty.patch'), '');
  writeFileSync(path.join(folder, 'torn.patch'), 'prun delta 1\nunit: api\n');
  symlinkSync('good.patch', path.join(folder, 'link.patch'));
  copyFileSync(good, path.join(folder, 'copy.patch'));
  const said = prun(folder, ...argv);
  expect(said).toMatchObject({ code: 2, stdout: '' });
  expect(said.stderr).toMatch(/^prun conflicts: [^\n]+: [^\n]+\n$/);
  expect(said.stderr).toMatch(message);
});

it('a patch whose store has gone, and one whose trees have, say so; --help helps', async () => {
  const folder = scratch();
  const set = smallSet(folder);
  const patch = await changed(set, 'api', { 'src/a.ts': 'x\n' });
  rmSync(path.join(set.store, 'objects'), { recursive: true });
  expect(prun(folder, patch)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/store of .* has gone .*: collect unit api again/),
  });
  mkdirSync(path.join(set.store, 'objects'));
  expect(prun(folder, patch)).toMatchObject({ code: 2, stderr: /lacks the trees of its header/ });
  expect(prun(folder, '--help')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^usage: prun conflicts/),
  });
});
