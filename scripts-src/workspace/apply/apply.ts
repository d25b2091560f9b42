import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type BytePath, below } from '../../platform/byte-path.ts';
import { usageError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { PRIVATE_DIR, PRIVATE_FILE } from '../../platform/files.ts';
import { type GitPlace, runGit } from '../../platform/git.ts';
import type { ProcessHost } from '../../process/types.ts';
import {
  changeEntries,
  LINK_MODE,
  nullIdOf,
  readTree,
  type TreeEntry,
  writeTree,
} from '../base/index-entries.ts';
import { createBorrowingStore } from '../base/object-store.ts';
import { objectDirsOf, type SourceSnapshot, snapshotSource } from '../base/snapshot-source.ts';
import type { SourceRepository } from '../base/source-repo.ts';
import { changedFiles } from '../delta/load-delta.ts';
import { earlierResults } from './applied-deltas.ts';
import { type ApplyInput, deltaNameOf, holdsFiles, loadInputs } from './apply-deltas.ts';
import { mergeInputs } from './apply-merge.ts';
import { movesOf } from './apply-moves.ts';
import { type AppliedFile, type ApplyConflict, type ApplyEnd, YOUR_TREE } from './apply-records.ts';
import { stageTouched } from './apply-stage.ts';
import { fillFromStore } from './blob-files.ts';
import { scratchOf } from './change-journal.ts';
import { missingParents } from './missing-parents.ts';
import { type ChangePlan, type Obstacle, planChange, type WantedPath } from './plan-change.ts';
import type { Settled } from './settle-target.ts';
import { changeTree, type HeldTarget, holdTarget, settle } from './tree-change.ts';

/** What is to be applied. */
export interface ApplyRequest {
  host: ProcessHost;
  /** Absolute. */
  stateHome: string;
  /** The repository whose working tree is the target. */
  target: SourceRepository;
  patches: readonly string[];
  /** Whether nothing is to be written. */
  check: boolean;
  /** Whether the touched paths are staged too. */
  index: boolean;
  signal?(): string | undefined;
  /** Is told what somebody should know beside the end, one line each. */
  onNote?(line: string): void;
  /** Is told the id of the tree that the target becomes; all of its files have their bytes as they lie on disk. */
  onTree?(tree: string): void;
}

/** Top of a target's working tree, links resolved: one tree has one name. */
export function rootOf(target: SourceRepository): string {
  return realpathSync.native(target.workTree);
}

/**
 * Puts deltas into a working tree: three-way merges of trees on top of what is there now, then all changes or none.
 * Nothing but the working tree changes, and the index where that is asked for.
 */
export async function applyDeltas(request: ApplyRequest): Promise<ApplyEnd> {
  const inputs = await loadInputs(request.patches);
  refuseOtherFormat(request.target, inputs);
  const root = rootOf(request.target);
  if (request.check) {
    const settled = await settle(request.host, root, request.stateHome);
    const scratch = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'prun-apply-'));
    return inScratch(scratch, () => check(request, root, inputs, scratch, settled));
  }
  const settled: Settled[] = [];
  const intent = {
    host: request.host,
    stateHome: request.stateHome,
    root,
    kind: 'apply' as const,
    of: null,
    units: inputs.map(({ unit }) => unit),
    deltas: inputs.flatMap((input) => deltaNameOf(input) ?? []),
    objectFormat: request.target.objectFormat,
    onSettled: (more: readonly Settled[]) => settled.push(...more),
  };
  return holdTarget(intent, (held) => {
    const scratch = scratchOf(held.place.folder);
    mkdirSync(scratch, { mode: PRIVATE_DIR });
    return inScratch(scratch, () => applyHeld(request, held, inputs, scratch, settled));
  });
}

async function check(
  request: ApplyRequest,
  root: string,
  inputs: readonly ApplyInput[],
  scratch: string,
  settled: Settled[],
): Promise<ApplyEnd> {
  const merged = await mergeInto(request, root, inputs, scratch);
  if (merged.kind === 'conflict') return conflictEnd(root, inputs, merged.conflicts, settled);
  const plan = planChange(root, request.target.objectFormat, merged.wanted);
  if (plan.obstacles.length > 0) return conflictEnd(root, inputs, plan.obstacles.map(inTheWay), settled);
  const kind = plan.list.changes.length === 0 ? 'empty' : 'would-apply';
  return { ...endOf(root, inputs, plan, settled), kind, undo: null, staged: false };
}

async function applyHeld(
  request: ApplyRequest,
  held: HeldTarget,
  inputs: readonly ApplyInput[],
  scratch: string,
  settled: Settled[],
): Promise<ApplyEnd> {
  const { root } = held.place;
  const merged = await mergeInto(request, root, inputs, scratch);
  faultPoint('apply:merged', held.place.folder);
  if (merged.kind === 'conflict') return conflictEnd(root, inputs, merged.conflicts, settled);
  const undoPatch = path.join(held.place.folder, 'undo.patch');
  const { signal } = request;
  const result = await changeTree(held, {
    wanted: merged.wanted,
    fill: fillFromStore(merged.place, request.target.objectFormat),
    prepare: (plan) => writeUndoPatch(request, merged, plan, undoPatch),
    ...(request.index
      ? { stageIndexes: (plan) => stageTouched(request.target, touchedBy(plan), held.place.folder) }
      : {}),
    ...(signal ? { signal } : {}),
  });
  if (result.kind === 'refused') return conflictEnd(root, inputs, result.obstacles.map(inTheWay), settled);
  const isChanged = result.kind === 'changed';
  return {
    ...endOf(root, inputs, result.plan, settled),
    kind: isChanged ? 'applied' : 'empty',
    undo: isChanged ? { id: held.journal.id, patch: undoPatch } : null,
    staged: isChanged && request.index,
  };
}

/** The user's tree, what it becomes, and where their objects are. */
interface MergedTrees {
  kind: 'clean';
  ours: string;
  theirs: string;
  /** Files in which the two differ. */
  count: number;
  wanted: WantedPath[];
  place: GitPlace & { indexFile: string };
}

async function mergeInto(
  { target, stateHome, onNote, onTree }: ApplyRequest,
  root: string,
  inputs: readonly ApplyInput[],
  scratch: string,
): Promise<MergedTrees | { kind: 'conflict'; conflicts: ApplyConflict[] }> {
  const store = path.join(scratch, 'store.git');
  await createBorrowingStore(store, target);
  const deltaObjects = inputs.flatMap((input) =>
    input.kind === 'delta' ? [path.join(input.delta.store, 'objects')] : [],
  );
  const here = { ...target, workTree: root };
  const snapshot = await snapshotSource(here, { gitDir: store, alternates: deltaObjects }, scratch);
  // A snapshot writes only what the repositories do not have: those of submodules are read beside the store.
  const alternates = [...new Set([...deltaObjects, ...objectDirsOf(snapshot.submodules)])];
  const place = { gitDir: store, alternates, indexFile: path.join(scratch, 'apply.index') };
  const leftOut = await leftOutInBases(place, leftOutOf(snapshot), inputs);
  const ours = await treeWith(place, snapshot.tree, leftOut, target);
  for (const note of onNote ? await missingParents(place, ours, inputs) : []) onNote?.(note);
  const merged = await mergeInputs(place, ours, inputs, earlierResults(stateHome, root));
  if (merged.kind === 'conflict') return merged;
  onTree?.(merged.tree);
  const files = await changedFiles(place, ours, merged.tree);
  const notOnDisk = new Set(leftOut.map(({ path: where }) => where));
  const wanted = files
    // A text patch may name the commit of a submodule; its files are all that a working tree holds.
    .filter(({ oldMode, newMode }) => oldMode !== LINK_MODE && newMode !== LINK_MODE)
    .map(({ path: where, oldMode, newMode, oldId, newId }) => ({
      path: where,
      // What a sparse checkout leaves out is in the tree and not on disk.
      before: oldMode && oldId && !notOnDisk.has(where) ? { mode: oldMode, id: oldId } : null,
      after: newMode && newId ? { mode: newMode, id: newId } : null,
    }))
    .filter(({ before, after }) => before !== null || after !== null);
  return { kind: 'clean', ours, theirs: merged.tree, count: files.length, wanted, place };
}

/** Files that are not on disk because the user wants it so, those of submodules among them. */
function leftOutOf(snapshot: SourceSnapshot): TreeEntry[] {
  return [
    ...snapshot.leftOut,
    ...snapshot.submodules.flatMap(({ path: folder, snapshot: inner }) =>
      leftOutOf(inner).map((entry) => ({ ...entry, path: below(folder, entry.path) })),
    ),
  ];
}

/**
 * The user did not delete what is left out of the working tree: where a base has it, it stands in the merge as it is in
 * the index. A base that lacks it was made of the same sparse tree.
 */
async function leftOutInBases(
  place: GitPlace,
  leftOut: readonly TreeEntry[],
  inputs: readonly ApplyInput[],
): Promise<TreeEntry[]> {
  if (leftOut.length === 0) return [];
  const known = new Set<BytePath>();
  for (const input of inputs) {
    if (input.kind === 'text') return [...leftOut];
    for (const { path: where } of await readTree(place, input.delta.base)) known.add(where);
  }
  return leftOut.filter(({ path: where }) => known.has(where));
}

async function treeWith(
  place: GitPlace & { indexFile: string },
  tree: string,
  entries: readonly TreeEntry[],
  { objectFormat }: SourceRepository,
): Promise<string> {
  if (entries.length === 0) return tree;
  await runGit(place, ['read-tree', tree]);
  await changeEntries(place, entries, nullIdOf(objectFormat));
  return writeTree(place);
}

/** The user's tree with only what is really written: the rest was there already. */
async function treeOfPlan(
  target: SourceRepository,
  { place, ours }: MergedTrees,
  plan: ChangePlan,
): Promise<string> {
  await runGit(place, ['read-tree', ours]);
  const changes = plan.wanted.map(({ path: where, after }) => ({ path: where, ...after }));
  await changeEntries(place, changes, nullIdOf(target.objectFormat));
  return writeTree(place);
}

/** The way back as a patch that `git apply` takes, for people; `prun apply --undo` does not need it. */
async function writeUndoPatch(
  { target }: ApplyRequest,
  merged: MergedTrees,
  plan: ChangePlan,
  file: string,
): Promise<void> {
  const { place, ours } = merged;
  const applied =
    plan.wanted.length === merged.count ? merged.theirs : await treeOfPlan(target, merged, plan);
  const fd = openSync(file, 'w', PRIVATE_FILE);
  try {
    const argv = ['diff-tree', '-r', '-p', '--binary', '--full-index', '--no-renames', applied, ours];
    await runGit(place, argv, { stdoutFd: fd });
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function touchedBy(plan: ChangePlan): Parameters<typeof stageTouched>[1] {
  const of = (isPresent: boolean) =>
    plan.wanted.filter(({ after }) => (after !== null) === isPresent).map(({ path: where }) => where);
  return { present: of(true), deleted: of(false) };
}

function endOf(root: string, inputs: readonly ApplyInput[], plan: ChangePlan, settled: Settled[]) {
  const moves = movesOf(root, inputs);
  const hasMoves = ({ unit }: ApplyInput): boolean => moves.some((move) => move.unit === unit);
  return {
    root,
    units: inputs.map(({ unit }) => unit),
    deltas: inputs.filter((input) => holdsFiles(input) || hasMoves(input)).length,
    files: plan.wanted.map(fileOf),
    already: plan.already,
    moves,
    settled,
  };
}

function fileOf({ path: where, before, after }: WantedPath): AppliedFile {
  if (before === null) return { path: where, status: 'added' };
  return { path: where, status: after === null ? 'deleted' : 'modified' };
}

function conflictEnd(
  root: string,
  inputs: readonly ApplyInput[],
  conflicts: ApplyConflict[],
  settled: Settled[],
): ApplyEnd {
  return { kind: 'conflict', root, units: inputs.map(({ unit }) => unit), conflicts, settled };
}

function inTheWay({ path: where, what }: Obstacle): ApplyConflict {
  return { path: where, unit: '', against: YOUR_TREE, kind: 'in-the-way', detail: what, lines: [] };
}

function refuseOtherFormat(target: SourceRepository, inputs: readonly ApplyInput[]): void {
  const digits = nullIdOf(target.objectFormat).length;
  for (const input of inputs) {
    if (input.kind !== 'delta' || input.delta.base.length === digits) continue;
    throw usageError(
      `unit ${input.unit} has other object ids than ${target.workTree} (SHA-1 and SHA-256)`,
      'apply it to the repository that its workspace was made from, or a worktree of it',
    );
  }
}

async function inScratch<T>(scratch: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
