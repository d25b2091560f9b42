import type { BytePath } from '../../platform/byte-path.ts';
import type { GitPlace } from '../../platform/git.ts';
import type { LoadedDelta } from '../delta/load-delta.ts';
import { ancestorsOf, parentsFirst } from '../merge/ancestry.ts';
import { type MergeConflict, type MergeTask, mergeAll, mergeTrees } from '../merge/merge-trees.ts';
import type { EarlierResults } from './applied-deltas.ts';
import { type ApplyInput, deltaNameOf } from './apply-deltas.ts';
import { type ApplyConflict, YOUR_TREE } from './apply-records.ts';
import { applyText } from './apply-text.ts';
import { type DeltaInput, heldChains, heldEarlier, type OrderedInput } from './held-chains.ts';

/** The end of all merges; every input that does not go in is among the conflicts. */
export type MergedInputs = { kind: 'clean'; tree: string } | { kind: 'conflict'; conflicts: ApplyConflict[] };

/**
 * Merges each input in turn into the user's tree, after those that it builds on. One that does not go in is left out, with
 * what builds on it, so that all clashes are found. What the tree holds already, although a later unit has changed the same
 * lines since, is no clash (`heldChains`); neither is a unit of which it holds an earlier result. `earlier`: the results
 * of a delta's unit that were applied here before, newest first.
 */
export async function mergeInputs(
  place: GitPlace & { indexFile: string },
  ours: string,
  inputs: readonly ApplyInput[],
  earlier: EarlierResults,
): Promise<MergedInputs> {
  const order = await withAncestors(inputs);
  const merged = await mergeInOrder(place, ours, { order, held: new Set(), earlier });
  if (merged.kind === 'clean') return merged;
  const held = await heldChains(place, ours, order);
  return held.size === 0 ? merged : mergeInOrder(place, ours, { order, held, earlier });
}

interface MergeOrder {
  order: readonly OrderedInput[];
  held: ReadonlySet<ApplyInput>;
  earlier: EarlierResults;
}

async function mergeInOrder(
  place: GitPlace & { indexFile: string },
  ours: string,
  { order, held, earlier }: MergeOrder,
): Promise<MergedInputs> {
  const conflicts: ApplyConflict[] = [];
  const taken: ApplyInput[] = [];
  let tree = ours;
  for (const { input, ancestors } of order) {
    if (held.has(input)) continue;
    const open = ancestors.filter((one) => !held.has(one));
    if (open.some((one) => !taken.includes(one))) continue;
    const against = [YOUR_TREE, ...taken.map(({ unit }) => unit)].join(', ');
    if (input.kind === 'text') {
      const result = await applyText(place, tree, input, against);
      if (result.kind === 'conflict') conflicts.push(...result.conflicts);
      else tree = result.tree;
      if (result.kind === 'clean') taken.push(input);
      continue;
    }
    const merged = await mergeDelta(place, { name: against, tree }, input, earlier);
    if (merged.kind === 'clean') {
      tree = merged.tree;
      taken.push(input);
    } else {
      const own = { ours, ancestors: open, taken };
      conflicts.push(...(await attribute(place, own, input, against, merged.conflicts)));
    }
  }
  return conflicts.length > 0 ? { kind: 'conflict', conflicts } : { kind: 'clean', tree };
}

/** A delta on top of a tree; one that clashes with what the tree has of its own unit, as what came since. */
async function mergeDelta(
  place: GitPlace,
  ours: MergeTask['ours'],
  input: DeltaInput,
  earlier: EarlierResults,
): ReturnType<typeof mergeTrees> {
  const theirs = { name: input.unit, tree: input.delta.result };
  const merged = await mergeTrees(place, input.delta.base, ours, theirs);
  if (merged.kind === 'clean') return merged;
  const name = deltaNameOf(input);
  const before = name && (await heldEarlier(place, ours.tree, input, earlier(name)));
  const since = before ? await mergeTrees(place, before, ours, theirs) : merged;
  return since.kind === 'clean' ? since : merged;
}

/** The inputs, each behind those that it builds on. */
async function withAncestors(inputs: readonly ApplyInput[]): Promise<OrderedInput[]> {
  const deltas = inputs.flatMap((input) => (input.kind === 'delta' ? [input] : []));
  const ancestors = await ancestorsOf(deltas.map(({ delta }) => delta));
  const before = new Map<ApplyInput, ApplyInput[]>(
    deltas.map((input, n) => [input, [...(ancestors[n] ?? [])].flatMap((at) => deltas[at] ?? [])]),
  );
  const places = inputs.map((input) => new Set((before.get(input) ?? []).map((one) => inputs.indexOf(one))));
  return parentsFirst(places).flatMap((at) => {
    const input = inputs[at];
    return input ? [{ input, ancestors: before.get(input) ?? [] }] : [];
  });
}

/** What an input that does not go in was merged into. */
interface MergedBefore {
  ours: string;
  /** What it builds on. */
  ancestors: readonly ApplyInput[];
  taken: readonly ApplyInput[];
}

/** The user's tree with what an input builds on: without it the two would clash in everything. */
async function treeBelow(place: GitPlace, { ours, ancestors, taken }: MergedBefore): Promise<string> {
  let tree = ours;
  for (const one of taken) {
    if (one.kind !== 'delta' || !ancestors.includes(one)) continue;
    const theirs = { name: one.unit, tree: one.delta.result };
    const merged = await mergeTrees(place, one.delta.base, { name: YOUR_TREE, tree }, theirs);
    if (merged.kind === 'clean') tree = merged.tree;
  }
  return tree;
}

/** Finds out whose change each conflict meets: the user's own, or that of an earlier unit. */
async function attribute(
  place: GitPlace,
  before: MergedBefore,
  input: { unit: string; delta: LoadedDelta },
  all: string,
  found: readonly MergeConflict[],
): Promise<ApplyConflict[]> {
  const { unit, delta } = input;
  const { taken } = before;
  const theirs = { name: unit, tree: delta.result };
  const sides: MergeTask['ours'][] = [
    { name: YOUR_TREE, tree: await treeBelow(place, before) },
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
