import type { BytePath } from '../../platform/byte-path.ts';
import type { GitPlace } from '../../platform/git.ts';
import type { LoadedDelta } from '../delta/load-delta.ts';
import { type MergeConflict, type MergeTask, mergeAll, mergeTrees } from '../merge/merge-trees.ts';
import type { ApplyInput } from './apply-deltas.ts';
import { type ApplyConflict, YOUR_TREE } from './apply-records.ts';
import { applyText } from './apply-text.ts';

/** The end of all merges; every input that does not go in is among the conflicts. */
export type MergedInputs = { kind: 'clean'; tree: string } | { kind: 'conflict'; conflicts: ApplyConflict[] };

/** Merges each input in turn into the user's tree. One that does not go in is left out, so that all are found. */
export async function mergeInputs(
  place: GitPlace & { indexFile: string },
  ours: string,
  inputs: readonly ApplyInput[],
): Promise<MergedInputs> {
  const conflicts: ApplyConflict[] = [];
  const taken: ApplyInput[] = [];
  let tree = ours;
  for (const input of inputs) {
    const against = [YOUR_TREE, ...taken.map(({ unit }) => unit)].join(', ');
    if (input.kind === 'text') {
      const result = await applyText(place, tree, input, against);
      if (result.kind === 'conflict') conflicts.push(...result.conflicts);
      else tree = result.tree;
      if (result.kind === 'clean') taken.push(input);
      continue;
    }
    const { base, result: theirs } = input.delta;
    const merged = await mergeTrees(place, base, { name: against, tree }, { name: input.unit, tree: theirs });
    if (merged.kind === 'clean') {
      tree = merged.tree;
      taken.push(input);
    } else {
      conflicts.push(...(await attribute(place, ours, input, taken, against, merged.conflicts)));
    }
  }
  return conflicts.length > 0 ? { kind: 'conflict', conflicts } : { kind: 'clean', tree };
}

/** Finds out whose change each conflict meets: the user's own, or that of an earlier unit. */
async function attribute(
  place: GitPlace,
  ours: string,
  input: { unit: string; delta: LoadedDelta },
  taken: readonly ApplyInput[],
  all: string,
  found: readonly MergeConflict[],
): Promise<ApplyConflict[]> {
  const { unit, delta } = input;
  const theirs = { name: unit, tree: delta.result };
  const sides: MergeTask['ours'][] = [
    { name: YOUR_TREE, tree: ours },
    // Trees of different bases do not compare; such a unit is found by what it changed.
    ...taken.flatMap((one) =>
      one.kind === 'delta' && one.delta.base === delta.base
        ? [{ name: one.unit, tree: one.delta.result }]
        : [],
    ),
  ];
  const results = await mergeAll(
    place,
    sides.map((side) => ({ base: delta.base, ours: side, theirs })),
  );
  return found.flatMap((conflict) => {
    const pairs = results.flatMap((result, at) => {
      const same =
        result.kind === 'conflict' ? result.conflicts.find((one) => one.path === conflict.path) : undefined;
      return same ? [conflictOf(unit, sides[at]?.name ?? all, same)] : [];
    });
    if (pairs.length > 0) return pairs;
    const touching = taken.filter((one) => touches(one, conflict.path)).map((one) => one.unit);
    return [conflictOf(unit, touching.length > 0 ? touching.join(', ') : all, conflict)];
  });
}

function touches(input: ApplyInput, where: BytePath): boolean {
  return input.kind === 'delta' && input.delta.files.some((file) => file.path === where);
}

function conflictOf(unit: string, against: string, conflict: MergeConflict): ApplyConflict {
  const { path, kind, detail, lines } = conflict;
  return { path, unit, against, kind, detail, lines };
}
