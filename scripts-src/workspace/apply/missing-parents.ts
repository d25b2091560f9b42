import type { GitPlace } from '../../platform/git.ts';
import { parentsOf } from '../merge/ancestry.ts';
import { mergeTrees } from '../merge/merge-trees.ts';
import type { ApplyInput } from './apply-deltas.ts';
import { YOUR_TREE } from './apply-records.ts';

/**
 * Results that inputs build on and that are neither given nor in the tree yet, one line each: the tree would have the
 * child's change without that of its parent. Where a parent does not merge, nobody can tell, and nothing is said.
 */
export async function missingParents(
  place: GitPlace,
  ours: string,
  inputs: readonly ApplyInput[],
): Promise<string[]> {
  const deltas = inputs.flatMap((input) => (input.kind === 'delta' ? [input] : []));
  const given = new Set(deltas.map(({ delta }) => `${delta.base} ${delta.result}`));
  const notes: string[] = [];
  for (const { unit, delta } of deltas) {
    for (const parent of await parentsOf(delta)) {
      if (given.has(`${parent.base} ${parent.result}`)) continue;
      const theirs = { name: parent.unit, tree: parent.result };
      const merged = await mergeTrees(place, parent.base, { name: YOUR_TREE, tree: ours }, theirs);
      if (merged.kind !== 'clean' || merged.tree === ours) continue;
      notes.push(
        `unit ${unit} builds on the result of ${parent.unit}, which is neither given nor in the tree yet`,
      );
    }
  }
  return notes;
}
