import type { BytePath } from '../../platform/byte-path.ts';
import type { GitPlace } from '../../platform/git.ts';
import type { LoadedDelta } from '../delta/load-delta.ts';
import { type MergeConflict, type MergeTask, mergeAll } from './merge-trees.ts';
import { reduceTrees } from './reduced-trees.ts';
import type { ScratchObjects } from './scratch-objects.ts';

/** A delta under the name that is shown for it. */
export interface NamedDelta extends LoadedDelta {
  name: string;
}

type Pair = readonly [NamedDelta, NamedDelta];

/**
 * What clashes in each pair, in the pairs' order; an empty list is a clean pair. Deltas with one base are merged on
 * it. Where the bases differ, a plain merge on either one would blame the pair for what happened between the bases;
 * so one delta is first carried over to the other's base (the first onto the second's, or the other way round where
 * that does not go), and the two then merge as any others do; lines of the one that was carried are those it has
 * there. Where neither can be carried, the one result is merged into the other, and only paths that both deltas
 * changed count.
 */
export async function mergePairs(
  scratch: ScratchObjects,
  pairs: readonly Pair[],
): Promise<MergeConflict[][]> {
  const { place } = scratch;
  const carried = await carryAll(
    place,
    pairs.filter(([a, b]) => a.base !== b.base),
  );
  const tasks = pairs.map(([a, b]) => taskOf(a, b, carried, scratch));
  const results = await mergeAll(
    place,
    tasks.map(({ task }) => task),
  );
  return pairs.map(([a, b], n) => {
    const result = results[n];
    if (result?.kind !== 'conflict') return [];
    if (!tasks[n]?.isAcrossBases) return result.conflicts;
    const ofBoth = sharedPaths(a, b);
    return result.conflicts.filter(({ path: where }) => ofBoth.has(where));
  });
}

/** Results of deltas on other bases, by `carryKey`; missing where they do not go there. */
type Carried = ReadonlyMap<string, string>;

function carryKey(delta: NamedDelta, base: string): string {
  return `${delta.base} ${delta.result} ${base}`;
}

async function carryAll(place: GitPlace, pairs: readonly Pair[]): Promise<Carried> {
  const wanted = new Map<string, MergeTask>();
  for (const [a, b] of pairs) {
    for (const [delta, { base }] of [
      [a, b],
      [b, a],
    ] as const) {
      wanted.set(carryKey(delta, base), {
        base: delta.base,
        ours: { name: 'base', tree: base },
        theirs: { name: delta.name, tree: delta.result },
      });
    }
  }
  const results = await mergeAll(place, [...wanted.values()]);
  const carried = new Map<string, string>();
  for (const [n, key] of [...wanted.keys()].entries()) {
    const result = results[n];
    if (result?.kind === 'clean') carried.set(key, result.tree);
  }
  return carried;
}

function taskOf(
  a: NamedDelta,
  b: NamedDelta,
  carried: Carried,
  scratch: ScratchObjects,
): { task: MergeTask; isAcrossBases: boolean } {
  const task = (base: string, ours: string, theirs: string): MergeTask => ({
    base,
    ours: { name: a.name, tree: ours },
    theirs: { name: b.name, tree: theirs },
  });
  if (a.base === b.base) {
    const { base, results } = reduceTrees([a, b], scratch);
    return { task: task(base, results[0] ?? base, results[1] ?? base), isAcrossBases: false };
  }
  const first = carried.get(carryKey(a, b.base));
  if (first !== undefined) return { task: task(b.base, first, b.result), isAcrossBases: false };
  const second = carried.get(carryKey(b, a.base));
  if (second !== undefined) return { task: task(a.base, a.result, second), isAcrossBases: false };
  return { task: task(a.base, a.result, b.result), isAcrossBases: true };
}

function sharedPaths(a: NamedDelta, b: NamedDelta): Set<BytePath> {
  const ofA = new Set(a.files.map(({ path: where }) => where));
  return new Set(b.files.map(({ path: where }) => where).filter((where) => ofA.has(where)));
}
