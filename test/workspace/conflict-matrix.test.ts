import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bytePathOf, shownPath } from '../../scripts-src/platform/byte-path.ts';
import { type LoadedDelta, loadDelta } from '../../scripts-src/workspace/delta/load-delta.ts';
import { type ConflictMatrix, conflictMatrix } from '../../scripts-src/workspace/merge/conflict-matrix.ts';
import { mergeAll, mergeTrees } from '../../scripts-src/workspace/merge/merge-trees.ts';
import { contactsOf } from '../../scripts-src/workspace/merge/shared-paths.ts';
import { scratch } from '../helpers/unit-run.ts';
import { numbered, type SmallFiles, type SmallSet, smallSet } from './small-store.ts';

const BASE = { 'src/a': numbered(20), 'src/b': numbered(20), docs: 'd\n' };

/** Deltas of one set, in order, each as the files that it changes; null: deleted. */
async function matrixOf(
  set: SmallSet,
  units: Record<string, Record<string, string | null>>,
  base: Record<string, string> = BASE,
): Promise<ConflictMatrix> {
  const deltas: LoadedDelta[] = [];
  for (const [unit, changes] of Object.entries(units)) {
    const files = Object.entries({ ...base, ...changes }).filter(([, text]) => text !== null);
    const result = set.tree(Object.fromEntries(files) as SmallFiles);
    deltas.push(await loadDelta(await set.delta(unit, set.tree(base), result)));
  }
  return conflictMatrix(deltas);
}

/** The clashing pairs in short. */
function pairsOf({ pairs }: ConflictMatrix): string[] {
  return pairs.flatMap(({ units, conflicts }) =>
    conflicts.map(
      ({ path: where, kind, lines }) =>
        `${units.join(' ')} ${shownPath(where)} ${kind}${lines.map(({ ours, theirs }) => ` ${ours.join('-')}|${theirs.join('-')}`).join('')}`,
    ),
  );
}

it('pairs clash by line, by rename and by deletion, and all others do not', async () => {
  const matrix = await matrixOf(smallSet(scratch('odd "set: it')), {
    top: { 'src/a': numbered(20, { 2: 'top' }) },
    low: { 'src/a': numbered(20, { 18: 'low' }) },
    both: { 'src/a': numbered(20, { 2: 'both', 18: 'both' }) },
    gone: { 'src/b': null },
    moved: { 'src/b': null, 'src/c': numbered(20) },
    alone: { 'new/x': 'x\n' },
    folder: { 'docs/x': 'x\n', docs: null },
    edits: { docs: 'e\n' },
    nothing: {},
  });
  expect(pairsOf(matrix)).toEqual([
    'top both src/a content 2-2|2-2',
    'low both src/a content 18-18|18-18',
    'gone moved src/b rename/delete',
    'folder edits docs file/directory',
  ]);
  expect(matrix.order).toEqual({
    order: ['top', 'low', 'gone', 'alone', 'folder', 'nothing'],
    leftOut: ['both', 'moved', 'edits'],
  });
});

it('the trees that pairs are merged with are smaller, and give what whole trees give', async () => {
  const set = smallSet(scratch());
  const seed = Number(process.env.PRUN_SEED ?? 20_260_101);
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % below;
  };
  const base: Record<string, string> = {};
  for (let n = 0; n < 12; n++) base[`${['', 'd/', 'd/e/'][n % 3]}f${n}`] = `file ${n}\n${numbered(12)}`;
  /** Some files changed, renamed, deleted, added, or a folder in place of a file. */
  const worked = (): Record<string, string> => {
    const files = { ...base };
    for (let n = 1 + random(4); n > 0; n--) {
      const names = Object.keys(files);
      const name = names[random(names.length)] ?? '';
      const text = files[name] ?? '';
      const edited = text.replace(`line ${1 + random(12)}\n`, `edit ${random(3)}\n`);
      const act = random(7);
      if (act === 1 || act === 2 || act === 3) delete files[name];
      if (act === 1) files[`d/new${random(3)}`] = edited;
      else if (act === 2) files[`${name}/in`] = edited;
      else if (act === 4) files[`d/new${random(3)}`] = numbered(5, { 2: `${random(3)}` });
      else if (act !== 3) files[name] = edited;
    }
    return files;
  };
  const deltas: LoadedDelta[] = [];
  for (let n = 0; n < 16; n++) {
    deltas.push(await loadDelta(await set.delta(`u${n}`, set.tree(base), set.tree(worked()))));
  }
  const tasks = deltas.flatMap((a, n) =>
    deltas.slice(n + 1).map((b) => ({
      base: a.base,
      ours: { name: a.unit, tree: a.result },
      theirs: { name: b.unit, tree: b.result },
    })),
  );
  const whole = await mergeAll(set.place, tasks);
  const expected = tasks.flatMap(({ ours, theirs }, n) => {
    const result = whole[n];
    return result?.kind === 'conflict'
      ? [{ units: [ours.name, theirs.name], conflicts: result.conflicts }]
      : [];
  });
  const matrix = await conflictMatrix(deltas);
  expect(matrix.pairs, `PRUN_SEED=${seed}`).toEqual(expected);
  const kinds = new Set(expected.flatMap(({ conflicts }) => conflicts.map(({ kind }) => kind)));
  expect(kinds.size).toBeGreaterThan(2);
});

it('an order of all is one in which they really apply, one after the other', async () => {
  const set = smallSet(scratch());
  const units = Object.fromEntries(
    Array.from({ length: 6 }, (_, n) => [`u${n}`, { 'src/a': numbered(40, { [n * 6 + 2]: `by ${n}` }) }]),
  );
  const base = { 'src/a': numbered(40) };
  const matrix = await matrixOf(set, units, base);
  expect(matrix.pairs).toEqual([]);
  expect(matrix.order.leftOut).toEqual([]);
  let tree = set.tree(base);
  for (const name of matrix.order.order) {
    const delta = matrix.units.find((unit) => unit.name === name)?.delta;
    const merged = await mergeTrees(
      set.place,
      delta?.base ?? '',
      { name: 'all', tree },
      { name, tree: delta?.result ?? '' },
    );
    expect(merged.kind).toBe('clean');
    if (merged.kind === 'clean') tree = merged.tree;
  }
  expect(set.filesOf(tree)['src/a']).toBe(
    `100644 ${numbered(40, Object.fromEntries([0, 1, 2, 3, 4, 5].map((n) => [n * 6 + 2, `by ${n}`])))}`,
  );
});

it('the largest set is looked for: one unit that clashes with all is left out, not all the others', async () => {
  const matrix = await matrixOf(smallSet(scratch()), {
    greedy: { 'src/a': numbered(20, { 2: 'g', 10: 'g', 18: 'g' }) },
    one: { 'src/a': numbered(20, { 2: '1' }) },
    two: { 'src/a': numbered(20, { 10: '2' }) },
    three: { 'src/a': numbered(20, { 18: '3' }) },
  });
  expect(matrix.pairs).toHaveLength(3);
  expect(matrix.order).toEqual({ order: ['one', 'two', 'three'], leftOut: ['greedy'] });
});

it('equal changes are no clash', async () => {
  const same = { 'src/a': numbered(20, { 3: 'same' }), added: 'x\n' };
  const matrix = await matrixOf(smallSet(scratch()), {
    one: same,
    two: same,
    three: { ...same, docs: 'z\n' },
  });
  expect(matrix.pairs).toEqual([]);
  expect(matrix.order.order).toEqual(['one', 'two', 'three']);
});

it('files outside what a unit owns are named', async () => {
  const set = smallSet(scratch());
  const base = set.tree(BASE);
  const result = set.tree({ ...BASE, 'src/a': 'x\n', docs: 'x\n', 'src/new ü': 'n\n' });
  const deltas = [
    await loadDelta(await set.delta('free', base, result)),
    await loadDelta(await set.delta('bound', base, result, { owns: ['src/new*'] })),
  ];
  expect((await conflictMatrix(deltas)).outside).toEqual([
    { unit: 'bound', paths: ['docs', 'src/a'].map(bytePathOf) },
  ]);
});

it('with two bases, what happened between them is not blamed on a pair', async () => {
  const parent = scratch();
  const [old, young] = [smallSet(parent, 'old'), smallSet(parent, 'young')];
  const before = { f: numbered(30), g: 'g\n' };
  const after = { f: numbered(30, { 3: 'drift', 27: 'drift' }), g: 'g\n' };
  const delta = async (set: SmallSet, unit: string, base: SmallFiles, result: SmallFiles) =>
    loadDelta(await set.delta(unit, set.tree(base), set.tree(result)));
  const far = await delta(old, 'far', before, { ...before, f: numbered(30, { 15: 'far' }) });
  const onDrift = await delta(old, 'drifts', before, { ...before, f: numbered(30, { 3: 'mine' }) });
  const apart = await delta(young, 'apart', after, {
    ...after,
    f: numbered(30, { 3: 'drift', 20: 'apart', 27: 'drift' }),
  });
  const near = await delta(young, 'near', after, {
    ...after,
    f: numbered(30, { 3: 'drift', 15: 'near\nnear', 27: 'drift' }),
  });
  const matrix = await conflictMatrix([far, onDrift, apart, near]);
  expect(pairsOf(matrix)).toEqual(['far near f content 15-15|15-16']);
  expect(matrix.order.leftOut).toEqual(['near']);
});

it('units of one name in two sets go by both names; one delta twice, or two object formats, are refused', async () => {
  const parent = scratch();
  const [one, two] = [smallSet(parent, 'one'), smallSet(parent, 'two')];
  const patch = await one.delta('api', one.tree({}), one.tree({ a: '1\n' }));
  const deltas = [
    await loadDelta(patch),
    await loadDelta(await two.delta('api', two.tree({}), two.tree({ a: '2\n' }))),
  ];
  const matrix = await conflictMatrix(deltas);
  expect(pairsOf(matrix)).toEqual(['one/api two/api a add/add 1-1|1-1']);
  await expect(conflictMatrix([await loadDelta(patch), await loadDelta(patch)])).rejects.toThrow(
    /given twice/,
  );
  const other = smallSet(parent, 'three', 'sha256');
  const foreign = await loadDelta(await other.delta('x', other.tree({}), other.tree({ a: '1\n' })));
  await expect(conflictMatrix([await loadDelta(patch), foreign])).rejects.toThrow(/sha256/);
});

it('the stores are only read', async () => {
  const set = smallSet(scratch());
  const objects = () =>
    readdirSync(set.store, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const file = path.join(set.store, name);
        return [name, name.includes('.') ? readFileSync(file).length : 0];
      });
  const base = set.tree(BASE);
  const a = await loadDelta(await set.delta('a', base, set.tree({ ...BASE, docs: '1\n' })));
  const b = await loadDelta(await set.delta('b', base, set.tree({ ...BASE, docs: '2\n', n: 'n\n' })));
  const before = objects();
  await conflictMatrix([a, b]);
  expect(objects()).toEqual(before);
});

it('pairs that git need not look at are found by their paths', () => {
  const file = (where: string, newId: string | null) => ({
    path: bytePathOf(where),
    oldMode: null,
    newMode: newId === null ? null : '100644',
    oldId: null,
    newId,
  });
  const deltas = [
    [file('a/b', '1')],
    [file('a/b', '1'), file('x', '2')],
    [file('a/b', '2')],
    [file('a', '3')],
    [file('y', null)],
    [file('y', null)],
    [file('ab', '1')],
  ].map((files) => ({ files }));
  expect(contactsOf(deltas)).toEqual([
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
    [4, 5],
  ]);
});
