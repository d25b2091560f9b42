import { type Ancestors, parentsFirst } from './ancestry.ts';
import { joinedBase } from './joined-base.ts';
import type { NamedDelta } from './merge-pairs.ts';
import { mergeAll } from './merge-trees.ts';
import { reduceTrees } from './reduced-trees.ts';
import type { ScratchObjects } from './scratch-objects.ts';

/** Names of deltas in an order in which all apply cleanly, one after the other, and those that do not fit in. */
export interface ApplyOrder {
  order: string[];
  /** Empty where there is an order of all. */
  leftOut: string[];
}

/** Which deltas touch each other and which clash, by their places in the list. */
export interface Relations {
  contacts: readonly (readonly [number, number])[];
  clashes: readonly (readonly [number, number])[];
  /** Which build on which: none goes in before what it builds on. */
  ancestors: Ancestors;
}

/**
 * Finds an order by trying: a set without clashing pairs is picked (fewest clashes first: to find the largest one is
 * not feasible for many units), merged one by one in the given order, and what did not fit, or clashed only with what
 * did not fit, is tried once more at the end. Deltas that touch no other one need no merge. Pairs alone do not suffice: two deltas
 * together may leave no room for a third that fits each of them.
 */
export async function applyOrder(
  scratch: ScratchObjects,
  deltas: readonly NamedDelta[],
  { contacts, clashes, ancestors }: Relations,
): Promise<ApplyOrder> {
  const touching = neighbours(contacts);
  const clashing = neighbours(clashes);
  const all = parentsFirst(ancestors);
  const hasAll = (at: number, taken: { has(each: number): boolean }) =>
    [...(ancestors[at] ?? [])].every((parent) => taken.has(parent));
  const picked = new Set<number>();
  const degree = (at: number) => clashing.get(at)?.size ?? 0;
  for (const at of [...all].sort((a, b) => degree(a) - degree(b) || a - b)) {
    if (![...(clashing.get(at) ?? [])].some((other) => picked.has(other))) picked.add(at);
  }
  for (const at of all) if (!hasAll(at, picked)) picked.delete(at);
  const order = new Set<number>();
  const trees = await treesOf(
    deltas,
    all.filter((at) => touching.has(at)),
    ancestors,
    scratch,
  );
  let tree = trees.start;
  const put = async (at: number): Promise<boolean> => {
    const delta = trees.of.get(at);
    if (!delta) return true;
    const ours = { name: 'the units before', tree };
    const theirs = { name: deltas[at]?.name ?? '', tree: delta.result };
    const task = { base: delta.base, ours, theirs };
    const [merged] = await mergeAll(scratch.place, [task], { areWhole: trees.areWhole });
    if (merged?.kind !== 'clean') return false;
    tree = merged.tree;
    return true;
  };
  for (const at of all.filter((each) => picked.has(each))) {
    if (hasAll(at, order) && (await put(at))) order.add(at);
  }
  const leftOut: number[] = [];
  for (const at of all.filter((each) => !order.has(each))) {
    const mayFit = hasAll(at, order) && ![...(clashing.get(at) ?? [])].some((other) => order.has(other));
    if (mayFit && (await put(at))) order.add(at);
    else leftOut.push(at);
  }
  const named = (places: readonly number[]) => places.flatMap((at) => deltas[at]?.name ?? []);
  return { order: named([...order]), leftOut: named(leftOut) };
}

/** What is merged for the deltas at these places, and with what it begins. */
interface OrderTrees {
  start: string;
  of: Map<number, { base: string; result: string }>;
  areWhole: boolean;
}

async function treesOf(
  deltas: readonly NamedDelta[],
  places: readonly number[],
  ancestors: Ancestors,
  scratch: ScratchObjects,
): Promise<OrderTrees> {
  const touching = places.flatMap((at) => deltas[at] ?? []);
  const first = places.filter((at) => ancestors[at]?.size === 0).flatMap((at) => deltas[at] ?? []);
  const common = commonBase(first.length > 0 ? first : touching);
  if (touching.some(({ base }) => base !== common)) {
    const start = (await joinedBase(scratch.place, first)) ?? common;
    const of = new Map(places.map((at, n) => [at, touching[n] ?? { base: start, result: start }] as const));
    return { start, of, areWhole: false };
  }
  const { base, results } = reduceTrees(touching, scratch);
  return {
    start: base,
    of: new Map(places.map((at, n) => [at, { base, result: results[n] ?? base }] as const)),
    areWhole: true,
  };
}

function neighbours(pairs: Relations['contacts']): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  for (const [a, b] of pairs) {
    found.set(a, (found.get(a) ?? new Set()).add(b));
    found.set(b, (found.get(b) ?? new Set()).add(a));
  }
  return found;
}

/** The base that most deltas have, the first of equals: from there fewest of them are carried to another one. */
function commonBase(deltas: readonly NamedDelta[]): string {
  const counts = new Map<string, number>();
  for (const { base } of deltas) counts.set(base, (counts.get(base) ?? 0) + 1);
  let [common, most] = ['', 0];
  for (const [base, count] of counts) if (count > most) [common, most] = [base, count];
  return common;
}
