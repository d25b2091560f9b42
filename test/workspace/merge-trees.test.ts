import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { type BytePath, bytePath, bytePathOf, shownPath } from '../../scripts-src/platform/byte-path.ts';
import type { GitPlace } from '../../scripts-src/platform/git.ts';
import { type MergeResult, mergeAll, mergeTrees } from '../../scripts-src/workspace/merge/merge-trees.ts';
import { program, scratch } from '../helpers/unit-run.ts';
import { numbered, run, type SmallFiles, type SmallSet, smallSet } from './small-store.ts';

const NUL = { bytes: Buffer.from([0, 1]) };
const link = (bytes: string) => ({ bytes, mode: '120000' });
const executable = (bytes: string) => ({ bytes, mode: '100755' });

async function merge(
  set: SmallSet,
  [base, ours, theirs]: readonly [SmallFiles, SmallFiles, SmallFiles],
  place: GitPlace = set.place,
): Promise<MergeResult> {
  const sides = [set.tree(ours), set.tree(theirs)] as const;
  return mergeTrees(place, set.tree(base), { name: 'api', tree: sides[0] }, { name: 'ui', tree: sides[1] });
}

/** A conflict in short: path, kind, detail, lines. */
function short(result: MergeResult): string[] {
  if (result.kind === 'clean') return ['clean'];
  return result.conflicts.map(({ path: where, kind, detail, lines }) => {
    const places = lines.map(({ ours, theirs }) => ` ${ours.join('-')}|${theirs.join('-')}`).join('');
    return `${shownPath(where)} ${kind}: ${detail}${places}`;
  });
}

it('changes in different files and places merge, and the tree is in the store', async () => {
  const set = smallSet(scratch());
  const result = await merge(set, [
    { a: numbered(9), b: 'b\n', gone: 'g\n' },
    { a: numbered(9, { 1: 'ours' }), b: 'b\n', gone: 'g\n', new: 'n\n' },
    { a: numbered(9, { 9: 'theirs' }), b: executable('b\n') },
  ]);
  expect(result.kind === 'clean' && set.filesOf(result.tree)).toEqual({
    a: `100644 ${numbered(9, { 1: 'ours', 9: 'theirs' })}`,
    b: '100755 b\n',
    new: '100644 n\n',
  });
});

it.each<[string, readonly [SmallFiles, SmallFiles, SmallFiles], string[]]>([
  [
    'the same line',
    [{ f: numbered(9) }, { f: numbered(9, { 1: 'x\nx', 5: 'A' }) }, { f: numbered(9, { 5: 'B\nC' }) }],
    ['f content: both changed the same lines 6-6|5-6'],
  ],
  [
    'two places, and what only one side changed beside them',
    [
      { f: numbered(30) },
      { f: numbered(30, { 2: 'A', 10: 'mine\nmine', 20: 'A\nA' }) },
      { f: numbered(30, { 2: 'B', 20: 'B', 29: 'their' }) },
    ],
    ['f content: both changed the same lines 2-2|2-2 21-22|20-20'],
  ],
  [
    'lines that one side deleted',
    [{ f: numbered(9) }, { f: numbered(9).replace('line 4\nline 5\n', '') }, { f: numbered(9, { 5: 'B' }) }],
    ['f content: both changed the same lines 4-3|4-5'],
  ],
  [
    'neighbouring lines, which git takes for a clash',
    [{ f: numbered(9) }, { f: numbered(9, { 4: 'A' }) }, { f: numbered(9, { 5: 'B' }) }],
    ['f content: both changed the same lines 4-5|4-5'],
  ],
  [
    'insertions at one place',
    [{ f: numbered(4) }, { f: numbered(4, { 2: 'line 2\nA' }) }, { f: numbered(4, { 2: 'line 2\nB\nC' }) }],
    ['f content: both changed the same lines 3-3|3-4'],
  ],
  [
    'no newline at the end',
    [{ f: 'a' }, { f: 'b' }, { f: 'a\n' }],
    ['f content: both changed the same lines 1-1|1-1'],
  ],
  ['equal changes', [{ f: 'a\n' }, { f: 'b\n', n: 'n\n' }, { f: 'b\n', n: 'n\n', m: 'm\n' }], ['clean']],
  [
    'one file added twice',
    [{}, { f: 'same\nA\n' }, { f: 'same\nB\nC\n' }],
    ['f add/add: both added it, with different content 2-2|2-3'],
  ],
  [
    'a file added in two modes',
    [{}, { f: executable('x') }, { f: 'x' }],
    ['f mode: api made it an executable file, ui a plain file'],
  ],
  [
    'changed and deleted',
    [{ f: 'a\n' }, { f: 'b\n' }, {}],
    ['f modify/delete: api changed it, ui deleted it'],
  ],
  [
    'deleted and changed',
    [{ f: 'a\n' }, {}, { f: 'b\n' }],
    ['f modify/delete: ui changed it, api deleted it'],
  ],
  [
    'binary files',
    [{ f: NUL }, { f: { bytes: 'a\0' } }, { f: { bytes: 'b\0' } }],
    ['f binary: both changed it, and it is a binary file'],
  ],
  [
    'symbolic links',
    [{ f: link('a') }, { f: link('b') }, { f: link('c') }],
    ['f symlink: both changed where this symbolic link points'],
  ],
  [
    'added links',
    [{}, { f: link('b') }, { f: link('c') }],
    ['f symlink: both changed where this symbolic link points'],
  ],
  [
    'a file and a link',
    [{ f: 'a\n' }, { f: 'b\n' }, { f: link('c') }],
    ['f mode: api made it a plain file, ui a symbolic link'],
  ],
  [
    'a file and a folder',
    [{}, { f: 'a\n' }, { 'f/x': 'b\n' }],
    ['f file/directory: api has a file here, ui a folder'],
  ],
  [
    'a folder and a file',
    [{}, { 'f/x': 'a\n' }, { f: 'b\n' }],
    ['f file/directory: ui has a file here, api a folder'],
  ],
  [
    'a folder in place of a file that the other side did not touch, beside another clash',
    [
      { 'd/e/f': '1\n', q: 'q\n', 'd/o': '1\n' },
      { 'd/e/f/in': '9\n', n: 'q\n', 'd/o': '1\n' },
      { 'd/e/f': '1\n', 'd/o': '2\n' },
    ],
    ['q rename/delete: api renamed it to n, ui deleted it'],
  ],
  [
    'renamed and changed: the change follows',
    [{ f: numbered(9) }, { g: numbered(9) }, { f: numbered(9, { 5: 'B' }) }],
    ['clean'],
  ],
  [
    'renamed and changed, at the same line',
    [{ f: numbered(9) }, { g: numbered(9, { 5: 'A' }) }, { f: numbered(9, { 5: 'B' }) }],
    ['g content: both changed the same lines 5-5|5-5'],
  ],
  [
    'renamed and deleted',
    [{ f: numbered(9) }, { g: numbered(9) }, {}],
    ['f rename/delete: api renamed it to g, ui deleted it'],
  ],
  [
    'deleted, and renamed with a change',
    [{ f: numbered(9) }, {}, { g: numbered(9, { 5: 'B' }) }],
    ['f rename/delete: ui renamed it to g, api deleted it'],
  ],
  [
    'renamed to two names',
    [{ f: numbered(9) }, { z: numbered(9) }, { a: numbered(9) }],
    ['f rename/rename: api renamed it to z, ui to a'],
  ],
  [
    'two files renamed to one name',
    [
      { f: numbered(9), g: numbered(9, { 1: 'q', 2: 'q', 3: 'q', 4: 'q', 5: 'q', 6: 'q' }) },
      {
        h: numbered(9),
        g: numbered(9, { 1: 'q', 2: 'q', 3: 'q', 4: 'q', 5: 'q', 6: 'q' }),
      },
      {
        f: numbered(9),
        h: numbered(9, { 1: 'q', 2: 'q', 3: 'q', 4: 'q', 5: 'q', 6: 'q' }),
      },
    ],
    ['h add/add: both added it, with different content 1-6|1-6'],
  ],
  [
    'a folder renamed on one side, a new file in it on the other: nothing is moved by a guess',
    [
      { 'd/a': numbered(9), 'd/b': numbered(8) },
      { 'e/a': numbered(9), 'e/b': numbered(8) },
      {
        'd/a': numbered(9),
        'd/b': numbered(8),
        'd/c': 'new\n',
      },
    ],
    ['clean'],
  ],
])('%s', async (_what, trees, expected) => {
  expect(short(await merge(smallSet(scratch()), trees))).toEqual(expected);
});

it('sides change places', async () => {
  const set = smallSet(scratch());
  const trees = [
    { f: numbered(9) },
    { f: numbered(9, { 5: 'A\nA' }) },
    { f: numbered(9, { 5: 'B' }) },
  ] as const;
  expect(short(await merge(set, [trees[0], trees[2], trees[1]]))).toEqual([
    'f content: both changed the same lines 5-5|5-6',
  ]);
});

it('odd names clash under their own bytes', async () => {
  const names: BytePath[] = [
    ...['a b', 'q"', 'new\nline', '-dash', 'ü', '~tilde', 'tab\t', 'deep/er/ name'].map(bytePathOf),
    bytePath(Buffer.from([0x66, 0xff])),
  ];
  const set = smallSet(scratch());
  const all = (text: string) => names.map((where) => [where, text] as const);
  const result = await merge(set, [all('a\n'), all('b\n'), all('c\n')]);
  expect(result.kind === 'conflict' && result.conflicts.map(({ path: where }) => where)).toEqual(
    [...names].sort(),
  );
  const folders = names.map((where) => [`${where}/x` as BytePath, 'x\n'] as const);
  const clash = await merge(set, [{}, all('a\n'), folders]);
  expect(clash.kind === 'conflict' && clash.conflicts.map(({ path: where, kind }) => [where, kind])).toEqual(
    [...names].sort().map((where) => [where, 'file/directory']),
  );
});

it('attributes of trees, of the user and of a working tree neither run a program nor merge in silence', async () => {
  const folder = scratch();
  const set = smallSet(folder);
  const ran = path.join(folder, 'ran');
  const driver = program(folder, 'driver', `echo ran >>"${ran}"; exit 0`);
  run(set.place, ['config', 'merge.mine.driver', `"${driver}" %A %O %B`]);
  run(set.place, ['config', 'merge.default', 'mine']);
  const attributes =
    '*.u merge=union\n*.d merge=mine diff=mine\n*.m -merge\n*.o merge=ours\n* conflict-marker-size=1\n';
  const config = path.join(folder, 'xdg');
  mkdirSync(path.join(config, 'git'), { recursive: true });
  writeFileSync(path.join(config, 'git/attributes'), attributes);
  writeFileSync(path.join(folder, '.gitattributes'), attributes);
  vi.stubEnv('XDG_CONFIG_HOME', config);
  const files = (line: string) => ({
    '.gitattributes': attributes,
    ...Object.fromEntries(['f.u', 'f.d', 'f.m', 'f.o'].map((name) => [name, numbered(5, { 3: line })])),
  });
  const trees = [files('base'), files('A'), files('B')] as const;
  try {
    for (const place of [set.place, { ...set.place, workTree: folder, asUser: true }]) {
      expect(short(await merge(set, trees, place))).toEqual(
        ['f.d', 'f.m', 'f.o', 'f.u'].map((name) => `${name} content: both changed the same lines 3-3|3-3`),
      );
    }
  } finally {
    vi.unstubAllEnvs();
  }
  expect(existsSync(ran)).toBe(false);
});

it('lines that look like a patch or like conflict markers do not confuse the lines', async () => {
  const tricky =
    '@@ -1 +1 @@\n+plus\n-minus\n<<<<<<< x\n=======\n>>>>>>> y\ndiff --git a/x b/x\n\\ No newline\n';
  const set = smallSet(scratch());
  const result = await merge(set, [
    { f: `${tricky}base\n${tricky}` },
    { f: `${tricky}${tricky}A\n${tricky}` },
    { f: `${tricky}B\nB\n${tricky}` },
  ]);
  expect(short(result)).toHaveLength(1);
  expect(short(result)[0]).toMatch(/^f content: both changed the same lines .*\d+-17\|9-10$/);
});

it('many merges at once keep their order, and a side that changed nothing costs no git', async () => {
  const set = smallSet(scratch());
  const base = set.tree({ f: numbered(9), g: 'g\n' });
  const trees = ['A', 'B', 'C', 'D', 'E'].map((line) => set.tree({ f: numbered(9, { 5: line }), g: 'g\n' }));
  const other = set.tree({ f: numbered(9), g: 'other\n' });
  const tasks = [...trees, other, base].flatMap((ours) =>
    [...trees, other, base].map((theirs) => ({
      base,
      ours: { name: 'a', tree: ours },
      theirs: { name: 'b', tree: theirs },
    })),
  );
  const results = await mergeAll(set.place, tasks);
  expect(results).toHaveLength(tasks.length);
  for (const [n, { ours, theirs }] of tasks.entries()) {
    const isClash = ours.tree !== theirs.tree && [ours, theirs].every(({ tree }) => trees.includes(tree));
    expect(results[n]?.kind).toBe(isClash ? 'conflict' : 'clean');
  }
  expect(results[4 * 7 + 5]).toEqual({
    kind: 'clean',
    tree: set.tree({ f: numbered(9, { 5: 'E' }), g: 'other\n' }),
  });
});

it('a SHA-256 store, thousands of files, and nothing left in the temporary folder', async () => {
  const [temporary, set] = [scratch(), smallSet(scratch(), 'items-1', 'sha256')];
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, temporary);
  const blob = (text: string) => run(set.place, ['hash-object', '-w', '--stdin'], text).toString().trim();
  const many = (id: string) => {
    const lines = Array.from(
      { length: 3000 },
      (_, n) => `100644 ${id}\ta rather long folder name/file ${n}\0`,
    );
    const place = { ...set.place, indexFile: path.join(set.folder, 'many.index') };
    run(place, ['read-tree', '--empty']);
    run(place, ['update-index', '-z', '--index-info'], lines.join(''));
    return run(place, ['write-tree']).toString().trim();
  };
  const [base, ours, theirs] = [many(blob('a\n')), many(blob('b\n')), many(blob('c\n'))];
  try {
    expect(os.tmpdir()).toBe(temporary);
    const result = await mergeTrees(set.place, base, { name: 'a', tree: ours }, { name: 'b', tree: theirs });
    expect(result.kind === 'conflict' && result.conflicts.length).toBe(3000);
    expect(result.kind === 'conflict' && result.conflicts[2999]?.lines).toEqual([
      { ours: [1, 1], theirs: [1, 1] },
    ]);
  } finally {
    vi.unstubAllEnvs();
  }
  expect(readdirSync(temporary)).toEqual([]);
});

it('a tree that is missing, at the top or below, is an error: git itself takes it for an empty one', async () => {
  const set = smallSet(scratch());
  const base = set.tree({ 'd/a': '1\n', b: '1\n' });
  const ours = { name: 'a', tree: set.tree({ 'd/a': '1\n', b: '2\n' }) };
  const theirs = { name: 'b', tree: set.tree({ 'd/a': '2\n', b: '1\n' }) };
  const none = 'd'.repeat(40);
  for (const [one, two, three] of [
    [none, ours, theirs],
    [base, { name: 'a', tree: none }, theirs],
    [base, ours, { name: 'b', tree: none }],
  ] as const) {
    await expect(mergeTrees(set.place, one, two, three)).rejects.toThrow(/missing|merge-tree/);
  }
  const below = run(set.place, ['rev-parse', `${theirs.tree}:d`])
    .toString()
    .trim();
  rmSync(path.join(set.store, 'objects', below.slice(0, 2), below.slice(2)));
  await expect(mergeTrees(set.place, base, ours, theirs)).rejects.toThrow(/unable to read tree/);
});
