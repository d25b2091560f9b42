import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BytePath } from '../../platform/byte-path.ts';
import { PRIVATE_FILE } from '../../platform/files.ts';
import { GitError, type GitPlace, gitBytes, runGit } from '../../platform/git.ts';
import { conflictLines, type SidedLines } from './conflict-lines.ts';
import { type ConflictKind, conflictsOf } from './merge-conflicts.ts';
import { parseMerges, type RawMerge } from './merge-output.ts';
import { refuseMissingTrees } from './readable-trees.ts';
import { type ScratchObjects, withScratchObjects } from './scratch-objects.ts';

/** A tree and the name that people know it by: a unit, or `your working tree`. */
export interface MergeSide {
  name: string;
  tree: string;
}

/** A clash at one path; after a rename by one side it is the old path. */
export interface MergeConflict {
  path: BytePath;
  kind: ConflictKind;
  /** One line for people. */
  detail: string;
  /** Where lines clash, the places in order; empty for every other kind. */
  lines: SidedLines[];
}

/** The end of a merge. The merged tree is in the store. */
export type MergeResult = { kind: 'clean'; tree: string } | { kind: 'conflict'; conflicts: MergeConflict[] };

/** One three-way merge: what `theirs` changed since `base`, put into `ours`. */
export interface MergeTask {
  base: string;
  ours: MergeSide;
  theirs: MergeSide;
}

/** Merges at work at once. */
const LANES = 2;

/**
 * A merge driver of the user would run a program, and `merge=union` would take both sides' lines without a word; both
 * are chosen by attributes. Who reads which (tried on 2.39): `.gitattributes` inside trees are not read in a bare
 * store, from git 2.43 on `attr.tree` names the tree they come from, so it is set to nothing; the user's own
 * attributes file is read even with the user's configuration off, and the system's too, so this file takes its place
 * and goes before the system's. `-merge` and `binary` are unset with them: a text that both sides changed in
 * different places is merged, a file with a NUL byte never is. What the store's info/attributes says goes before all
 * this: it is prun's own and says nothing of merges.
 */
const ATTRIBUTES = '* !merge !conflict-marker-size -text -filter -ident -working-tree-encoding !diff\n';

/**
 * Merges three trees with git's own machinery: no working tree, no index, no program of the user. Renames are
 * followed file by file; no file is moved because its folder was renamed (`merge.directoryRenames=false`), which is a
 * guess. Throws GitError or PrunError where a tree cannot be read from `place`.
 */
export async function mergeTrees(
  place: GitPlace,
  base: string,
  ours: MergeSide,
  theirs: MergeSide,
): Promise<MergeResult> {
  const [result] = await mergeAll(place, [{ base, ours, theirs }]);
  if (!result) throw new Error('git merge-tree gave no answer');
  return result;
}

/**
 * Many merges as `mergeTrees` does one, in as few processes as there are lanes. Results are in the tasks' order.
 * `areWhole`: the caller knows that every tree is there from top to bottom.
 */
export async function mergeAll(
  place: GitPlace,
  tasks: readonly MergeTask[],
  { areWhole = false }: { areWhole?: boolean } = {},
): Promise<MergeResult[]> {
  const results = new Map<MergeTask, MergeResult>();
  const open: MergeTask[] = [];
  for (const task of tasks) {
    const tree = withoutGit(task);
    if (tree === undefined) open.push(task);
    else results.set(task, { kind: 'clean', tree });
  }
  if (open.length > 0) {
    await withScratchObjects(withoutWorkTree(place), async (opened) => {
      const scratch = { ...opened, place: withMergeSettings(opened) };
      const lanes = Array.from({ length: Math.min(LANES, open.length) }, (_, lane) =>
        open.filter((_task, n) => n % LANES === lane),
      );
      const sides = open.flatMap(({ base, ours, theirs }) =>
        [ours, theirs].map(({ tree }) => [base, tree] as const),
      );
      const [merged] = await Promise.all([
        Promise.all(lanes.map((lane) => mergeLane(scratch, lane))),
        areWhole ? undefined : refuseMissingTrees(scratch.place, sides),
      ]);
      for (const [task, result] of await withLines(scratch, merged.flat())) results.set(task, result);
    });
  }
  return tasks.flatMap((task) => results.get(task) ?? []);
}

/** A commit whose ancestors say what it was made of, under the name that people know it by. */
export interface CommitSide {
  name: string;
  commit: string;
}

/**
 * Merges two commits as `mergeTrees` merges trees, from where their histories parted: git finds the base, also where it
 * is itself a merge.
 */
export async function mergeCommits(
  place: GitPlace,
  ours: CommitSide,
  theirs: CommitSide,
): Promise<MergeResult> {
  return withScratchObjects(withoutWorkTree(place), async (opened) => {
    const scratch = { ...opened, place: withMergeSettings(opened) };
    const sides = { ours: ours.commit, theirs: theirs.commit };
    const [merge] = parseMerges(await mergeOutput(scratch.place, [sides]));
    if (!merge) throw new Error('git merge-tree gave no answer');
    const task = {
      base: '',
      ours: { name: ours.name, tree: ours.commit },
      theirs: { name: theirs.name, tree: theirs.commit },
    };
    const [result] = await withLines(scratch, [[task, merge, sides]]);
    if (!result) throw new Error('git merge-tree gave no answer');
    return result[1];
  });
}

/** The merged tree where one side changed nothing, or both the same. */
function withoutGit({ base, ours, theirs }: MergeTask): string | undefined {
  if (ours.tree === theirs.tree || theirs.tree === base) return ours.tree;
  return ours.tree === base ? theirs.tree : undefined;
}

/** With a working tree the attributes that lie in it would be read. */
function withoutWorkTree({ workTree: _tree, indexFile: _index, ...place }: GitPlace): GitPlace {
  return { ...place, asUser: false };
}

function withMergeSettings({ folder, place }: ScratchObjects): GitPlace {
  const attributes = path.join(folder, 'attributes');
  writeFileSync(attributes, ATTRIBUTES, { mode: PRIVATE_FILE });
  const config = {
    ...place.config,
    'core.attributesFile': attributes,
    'attr.tree': '',
    'merge.default': 'text',
    'merge.renames': 'true',
    'merge.directoryRenames': 'false',
    'merge.renormalize': 'false',
    'merge.conflictStyle': 'merge',
  };
  return { ...place, config };
}

type Merged = [MergeTask, RawMerge, { ours: string; theirs: string }];

/** git 2.39 cannot be told the base: it is the common parent of two commits that hold the sides. */
async function mergeLane(scratch: ScratchObjects, tasks: readonly MergeTask[]): Promise<Merged[]> {
  const commits = tasks.map(({ base, ours, theirs }) => {
    const parent = scratch.commit(base);
    return { ours: scratch.commit(ours.tree, parent), theirs: scratch.commit(theirs.tree, parent) };
  });
  const raw = parseMerges(await mergeOutput(scratch.place, commits));
  return tasks.flatMap((task, n) => {
    const [merge, sides] = [raw[n], commits[n]];
    if (!merge || !sides) throw new Error(`git merge-tree answered ${raw.length} of ${tasks.length} merges`);
    return [[task, merge, sides] satisfies Merged];
  });
}

async function mergeOutput(
  place: GitPlace,
  commits: readonly { ours: string; theirs: string }[],
): Promise<Buffer> {
  const input = commits.map(({ ours, theirs }) => `${ours} ${theirs}\n`).join('');
  try {
    return await gitBytes(place, ['merge-tree', '--write-tree', '--messages', '-z', '--stdin'], { input });
  } catch (error) {
    // git 2.38 merges one pair a process.
    if (!(error instanceof GitError) || !/unknown option .?stdin/.test(error.stderr)) throw error;
  }
  const outputs: Buffer[] = [];
  for (const { ours, theirs } of commits) {
    const argv = ['merge-tree', '--write-tree', '--messages', '-z', ours, theirs];
    const { code, stdout } = await runGit(place, argv, { answers: [0, 1] });
    outputs.push(Buffer.from(code === 0 ? '1\0' : '0\0'), stdout, Buffer.from('\0'));
  }
  return Buffer.concat(outputs);
}

/** Adds the clashing lines, for all merges together. */
async function withLines(
  scratch: ScratchObjects,
  merged: readonly Merged[],
): Promise<[MergeTask, MergeResult][]> {
  const found = merged.map(([task, merge, sides]) => ({
    task,
    merge,
    conflicts: merge.isClean
      ? []
      : conflictsOf(
          merge,
          { name: task.ours.name, commit: sides.ours },
          { name: task.theirs.name, commit: sides.theirs },
        ),
  }));
  const withBlobs = found.flatMap(({ conflicts }) => conflicts.flatMap(({ blobs }) => blobs ?? []));
  const lines = new Map((await conflictLines(scratch, withBlobs)).map((each, n) => [withBlobs[n], each]));
  return found.map(({ task, merge, conflicts }) => [
    task,
    merge.isClean
      ? { kind: 'clean', tree: merge.tree }
      : {
          kind: 'conflict',
          conflicts: conflicts.map(({ path: where, kind, detail, blobs }) => ({
            path: where,
            kind,
            detail,
            lines: blobs ? (lines.get(blobs) ?? []) : [],
          })),
        },
  ]);
}
