import { usageError } from '../../platform/errors.ts';
import { type GitPlace, runGit } from '../../platform/git.ts';
import { lineageCommit, resultSubject, rootLineage } from '../base/lineage.ts';
import { changedFiles, type LoadedDelta } from '../delta/load-delta.ts';
import type { WorkspaceOrigin } from '../records.ts';
import {
  baseOf,
  readDelta,
  readWorkspace,
  setBase,
  storeOf,
  type WorkspaceBase,
  type WorkspaceSet,
} from '../workspace-set.ts';
import type { ConflictingPair, ConflictMatrix } from './conflict-matrix.ts';
import { type CommitSide, mergeCommits, mergeTrees } from './merge-trees.ts';
import { refuseMissingTrees } from './readable-trees.ts';

/** The results of some units, merged in the set's store, or why they do not go together. */
export type MergedParents =
  | { kind: 'clean'; tree: string; from: WorkspaceBase; origin: WorkspaceOrigin; changes: string[] }
  | { kind: 'conflict'; matrix: ConflictMatrix };

/** A unit with its result as a commit on top of what it was made of. */
interface Parent extends CommitSide {
  delta: LoadedDelta;
  /** The commit of its base. */
  stand: string;
}

/**
 * Merges collected results one after the other, each from where it parted from those before. One that does not go in is
 * left out, so that all clashes are found. Throws a usage error for a unit whose delta was never collected.
 */
export async function mergeParents(set: WorkspaceSet, units: readonly string[]): Promise<MergedParents> {
  const store: GitPlace = { gitDir: storeOf(set) };
  const root = await rootLineage(store, set.record.base.tree);
  const parents: Parent[] = [];
  for (const unit of units) parents.push(await parentOf(set, store, root, unit));
  await refuseMissingTrees(
    store,
    parents.map(({ delta }) => [delta.base, delta.result] as const),
  );
  const plain = await mergeOneByOne(store, parents);
  // A clash may be of a result that was applied before another unit was started from the user's tree.
  const { tree, commit, taken, pairs, leftOut } =
    plain.leftOut.length === 0 ? plain : await mergeOneByOne(store, await withApplied(store, parents));
  if (leftOut.length > 0) {
    const order = { order: taken.map(({ name }) => name), leftOut };
    const named = parents.map(({ name, delta }) => ({ name, delta }));
    return { kind: 'conflict', matrix: { units: named, pairs, outside: [], order } };
  }
  return {
    kind: 'clean',
    tree,
    from: await newestBase(set, store, units),
    origin: { kind: 'after', units: [...units], lineage: commit },
    changes: parents.map(({ delta }) => changesOf(delta)),
  };
}

/** How far results go together: the last merge, and what did not go in. */
interface Merged {
  tree: string;
  commit: string;
  taken: Parent[];
  pairs: ConflictingPair[];
  leftOut: string[];
}

async function mergeOneByOne(store: GitPlace, parents: readonly Parent[]): Promise<Merged> {
  const merged: Merged = { tree: '', commit: '', taken: [], pairs: [], leftOut: [] };
  for (const parent of parents) {
    const step = await mergeInto(store, merged, parent);
    if (step.kind === 'clean') {
      Object.assign(merged, { tree: step.tree, commit: step.commit });
      merged.taken.push(parent);
    } else {
      merged.pairs.push(...step.pairs);
      merged.leftOut.push(parent.name);
    }
  }
  return merged;
}

/** Lets each result stand also on those that its base holds already, whoever put them there. */
async function withApplied(store: GitPlace, parents: readonly Parent[]): Promise<Parent[]> {
  const found: Parent[] = [];
  for (const parent of parents) {
    const { base, result } = parent.delta;
    const held: string[] = [];
    for (const other of parents) {
      if (other !== parent && (await holds(store, base, other))) held.push(other.commit);
    }
    const stand = held.length === 0 ? '' : await lineageCommit(store, base, [parent.stand, ...held], 'base');
    const commit = stand && (await lineageCommit(store, result, [stand], resultSubject(parent.name)));
    found.push(stand ? { ...parent, stand, commit } : parent);
  }
  return found;
}

async function holds(store: GitPlace, tree: string, { name, delta }: Parent): Promise<boolean> {
  const merged = await mergeTrees(store, delta.base, { name: 'base', tree }, { name, tree: delta.result });
  return merged.kind === 'clean' && merged.tree === tree;
}

/** The base of the unit that was started from the newest HEAD: a commit on top of it holds the results. */
async function newestBase(
  set: WorkspaceSet,
  store: GitPlace,
  units: readonly string[],
): Promise<WorkspaceBase> {
  let newest: WorkspaceBase | undefined;
  for (const base of units.map((unit) => baseOf(set, unit))) {
    const isNewer =
      newest === undefined ||
      (newest.record.head !== base.record.head &&
        (await contains(store, base.record.head, newest.record.head)));
    if (isNewer) newest = base;
  }
  return newest ?? setBase(set);
}

async function contains(store: GitPlace, head: string | null, older: string | null): Promise<boolean> {
  if (head === null || older === null) return older === null;
  // 128: a history that is not whole (a shallow clone) does not tell.
  const argv = ['merge-base', '--is-ancestor', older, head];
  return (await runGit(store, argv, { answers: [0, 1, 128] })).code === 0;
}

async function parentOf(set: WorkspaceSet, store: GitPlace, root: string, unit: string): Promise<Parent> {
  const workspace = readWorkspace(set, unit);
  const record = readDelta(set, unit);
  if (!workspace || !record) {
    throw usageError(
      `--after ${unit}: run ${set.record.id} has no collected delta of it`,
      workspace
        ? `collect it first: prun collect --run ${set.record.id} --unit ${unit}`
        : 'name a unit that has a workspace in this run',
    );
  }
  const { base, result, patch } = record;
  const origin = workspace.base === base ? workspace.origin : null;
  const lineage = origin?.lineage ?? null;
  const files = await changedFiles(store, base, result);
  const delta = { unit, base, result, store: storeOf(set), files, owns: [], lineage, patchFile: patch.path };
  const stand =
    lineage ?? (base === set.record.base.tree ? root : await lineageCommit(store, base, [root], 'base'));
  return {
    name: unit,
    delta,
    stand,
    commit: await lineageCommit(store, result, [stand], resultSubject(unit)),
  };
}

type Step = { kind: 'clean'; tree: string; commit: string } | { kind: 'conflict'; pairs: ConflictingPair[] };

async function mergeInto(store: GitPlace, { commit: before, taken }: Merged, parent: Parent): Promise<Step> {
  // The first one is taken as it is, with all that it was made of.
  if (taken.length === 0) return { kind: 'clean', tree: parent.delta.result, commit: parent.commit };
  const names = taken.map(({ name }) => name).join(', ');
  const merged = await mergeCommits(store, { name: names, commit: before }, parent);
  if (merged.kind === 'clean') {
    const { tree } = merged;
    return {
      kind: 'clean',
      tree,
      commit: await lineageCommit(store, tree, [before, parent.commit], 'merge'),
    };
  }
  const pairs: ConflictingPair[] = [];
  for (const other of taken) {
    const alone = await mergeCommits(store, other, parent);
    if (alone.kind === 'conflict')
      pairs.push({ units: [other.name, parent.name], conflicts: alone.conflicts });
  }
  if (pairs.length > 0) return { kind: 'conflict', pairs };
  return { kind: 'conflict', pairs: [{ units: [names, parent.name], conflicts: merged.conflicts }] };
}

function changesOf({ unit, files }: LoadedDelta): string {
  return `${unit}: ${files.length === 0 ? 'no file' : files.length === 1 ? '1 file' : `${files.length} files`} changed`;
}
