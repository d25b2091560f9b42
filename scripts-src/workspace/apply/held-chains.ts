import { type GitPlace, runGit } from '../../platform/git.ts';
import type { LoadedDelta } from '../delta/load-delta.ts';
import { joinedBase } from '../merge/joined-base.ts';
import { mergeTrees } from '../merge/merge-trees.ts';
import type { ApplyInput } from './apply-deltas.ts';
import { YOUR_TREE } from './apply-records.ts';

/** An input, and which others of the same call it builds on, at any distance. */
export interface OrderedInput {
  input: ApplyInput;
  ancestors: readonly ApplyInput[];
}

/** A patch that has its trees. */
export type DeltaInput = Extract<ApplyInput, { kind: 'delta' }>;

/**
 * Inputs that the user's tree holds already, where units build on one another: a parent's lines are not to be found there any
 * more when its child has changed them, so the end of the chain is compared. A chain is held when all of it together changes
 * nothing, its last unit changes nothing, and none of the others would still go in with a change of its own.
 */
export async function heldChains(
  place: GitPlace,
  ours: string,
  order: readonly OrderedInput[],
): Promise<Set<ApplyInput>> {
  const held = new Set<ApplyInput>();
  const ends = new Map<DeltaInput, Promise<EndInTree>>();
  const alone = (input: DeltaInput): Promise<EndInTree> => {
    const { base, result } = input.delta;
    const end = ends.get(input) ?? endInTree(place, ours, base, result, input.unit);
    ends.set(input, end);
    return end;
  };
  // The longest chains first: what is in one of them need not be looked at again.
  for (const { input, ancestors } of [...order].reverse()) {
    if (input.kind !== 'delta' || ancestors.length === 0 || held.has(input)) continue;
    const parents = ancestors.flatMap((one) => (one.kind === 'delta' ? [one] : []));
    if ((await alone(input)) !== 'held') continue;
    const base = await baseOfChain(place, order, [...parents, input]);
    if (base === undefined) continue;
    if ((await endInTree(place, ours, base, input.delta.result, input.unit)) !== 'held') continue;
    const stand = await Promise.all(parents.map(alone));
    if (stand.includes('missing')) continue;
    for (const one of [...parents, input]) held.add(one);
  }
  return held;
}

/**
 * The result of an earlier attempt of a delta's unit that a tree holds in full, out of `earlier`, newest first: what came since,
 * in a session that went on, is measured against it. undefined where the tree holds none, or less than all of it.
 */
export async function heldEarlier(
  place: GitPlace,
  tree: string,
  { unit, delta }: DeltaInput,
  earlier: readonly string[],
): Promise<string | undefined> {
  for (const result of earlier) {
    // Its objects may have gone with an older workspace.
    const isThere = await runGit(place, ['cat-file', '-e', `${result}^{tree}`]).then(
      () => true,
      () => false,
    );
    if (isThere && (await endInTree(place, tree, delta.base, result, unit)) === 'held') return result;
  }
  return undefined;
}

/** What becomes of a change in the user's tree: it is there, it is not and would go in, or it clashes. */
type EndInTree = 'held' | 'missing' | 'clash';

async function endInTree(
  place: GitPlace,
  ours: string,
  base: string,
  result: string,
  unit: string,
): Promise<EndInTree> {
  const sides = [
    { name: YOUR_TREE, tree: ours },
    { name: unit, tree: result },
  ] as const;
  const merged = await mergeTrees(place, base, ...sides);
  if (merged.kind === 'conflict') return 'clash';
  return merged.tree === ours ? 'held' : 'missing';
}

/** What a chain was made of as a whole: the base of its first units. undefined where these do not go together. */
async function baseOfChain(
  place: GitPlace,
  order: readonly OrderedInput[],
  chain: readonly DeltaInput[],
): Promise<string | undefined> {
  const firsts = chain
    .filter((one) => order.find(({ input }) => input === one)?.ancestors.length === 0)
    .map(({ delta }): LoadedDelta => delta);
  const [first] = firsts;
  if (first && firsts.every(({ base }) => base === first.base)) return first.base;
  return joinedBase(place, firsts);
}
