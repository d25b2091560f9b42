import type { GitPlace } from '../../platform/git.ts';
import { lineageCommit } from '../base/lineage.ts';
import type { LoadedDelta } from '../delta/load-delta.ts';
import { mergeCommits } from './merge-trees.ts';

/** Bases that are joined at most: each costs a merge. */
const MAX_BASES = 200;

/**
 * The tree that all these deltas were made of, in one: the newest state of the user's tree that one of them started from,
 * with the results that they build on. Undefined where they have one base, are of several runs, or where the bases do
 * not go together. `place` takes what is written.
 */
export async function joinedBase(
  place: GitPlace,
  deltas: readonly LoadedDelta[],
): Promise<string | undefined> {
  const stores = new Set(deltas.map(({ store }) => store));
  // The set's own base is part of every other one.
  const lineages = [...new Set(deltas.flatMap(({ lineage }) => lineage ?? []))];
  const first = lineages[0];
  if (stores.size > 1 || first === undefined || lineages.length > MAX_BASES) return undefined;
  let commit = first;
  let tree = deltas.find(({ lineage }) => lineage === first)?.base;
  for (const lineage of lineages.slice(1)) {
    const merged = await mergeCommits(place, { name: 'bases', commit }, { name: 'base', commit: lineage });
    if (merged.kind === 'conflict') return undefined;
    tree = merged.tree;
    commit = await lineageCommit(place, tree, [commit, lineage], 'bases');
  }
  return tree;
}
