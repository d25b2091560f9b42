import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { messageOf, usageError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { PRIVATE_DIR, writeAtomic } from '../../platform/files.ts';
import { runGit } from '../../platform/git.ts';
import { revision } from '../base/source-repo.ts';
import { collectDelta } from '../delta/collect.ts';
import { includedBefore } from '../delta/included-before.ts';
import type { DeltaRecord, WorkspaceRecord } from '../records.ts';
import {
  earlierFolders,
  presenceOf,
  readDelta,
  readWorkspace,
  SET_FILES,
  UNIT_FILES,
  unitFolder,
  type WorkspaceSet,
} from '../workspace-set.ts';
import { ownerPlace, worktreeBranch } from './make-worktree.ts';
import { removeWorkspace } from './remove-workspace.ts';

/**
 * Makes room for a fresh workspace of a unit: takes the delta of the one that it has, moves its records with the delta to
 * `earlier/<unit>/<n>`, and removes its files. Where the delta cannot hold everything, the files are kept there as well.
 * Nothing happens to a unit without a workspace; a call that was killed is finished by the next one. Says in a line each
 * what stays behind. Throws a usage error where no delta can be taken of files that are there. Nobody may work in it.
 */
export async function retireWorkspace(set: WorkspaceSet, unit: string): Promise<string[]> {
  const folder = unitFolder(set, unit);
  if (!existsSync(folder)) return [];
  const workspace = readWorkspace(set, unit);
  if (!workspace) {
    throw usageError(
      `unit ${unit} of run ${set.record.id} has a workspace whose record is damaged`,
      `see ${folder}, and give another --unit`,
    );
  }
  const isHere = isThere(set, workspace);
  const delta = isHere ? await archive(set, workspace) : readDelta(set, unit);
  const to = placeFor(set, unit);
  const notes = [...lostNotes(unit, workspace, delta, to)];
  // A name below the records: one rename moves all of it.
  if (isHere && delta?.problems.some(({ lost }) => lost)) {
    renameSync(workspace.folder, path.join(folder, FILES));
  }
  // A worktree's entry and branch go as well, and what a removal that was interrupted has left.
  await removeWorkspace(set, workspace);
  if (workspace.mode === 'worktree') notes.push(...(await keepBranch(set, unit, path.basename(to))));
  faultPoint('workspace-removed', set.folder);
  renameSync(folder, to);
  // They serve to take a delta of files that are gone.
  for (const name of readdirSync(to)) if (/^index-\d+$/.test(name)) rmSync(path.join(to, name));
  if (delta) {
    const patch = { ...delta.patch, path: path.join(to, UNIT_FILES.patch) };
    writeAtomic(path.join(to, UNIT_FILES.delta), `${JSON.stringify({ ...delta, patch }, null, 2)}\n`);
  }
  return notes;
}

/** Name of a retired workspace's files, where they are kept. */
const FILES = 'files';

function isThere(set: WorkspaceSet, workspace: WorkspaceRecord): boolean {
  const presence = presenceOf(set, workspace);
  if (presence === 'elsewhere' || presence === 'replaced') {
    const what = presence === 'elsewhere' ? 'lies behind a symlink' : 'is no folder any more';
    throw usageError(
      `the workspace ${workspace.folder} ${what}`,
      'look at what stands there, move it away, and try again',
    );
  }
  return presence === 'there';
}

async function archive(set: WorkspaceSet, workspace: WorkspaceRecord): Promise<DeltaRecord> {
  try {
    return await collectDelta(set, workspace, { ignored: includedBefore(set, workspace.unit) });
  } catch (error) {
    throw usageError(
      `the delta of the earlier workspace ${workspace.folder} cannot be taken (${messageOf(error)})`,
      `put that right, or remove it with: prun cleanup --run ${set.record.id} --unit ${workspace.unit} --force`,
    );
  }
}

function placeFor(set: WorkspaceSet, unit: string): string {
  const parent = path.join(set.folder, SET_FILES.earlier, unit);
  mkdirSync(parent, { recursive: true, mode: PRIVATE_DIR });
  const [newest] = earlierFolders(set, unit);
  return path.join(parent, String(newest === undefined ? 1 : Number(path.basename(newest)) + 1));
}

function lostNotes(
  unit: string,
  { folder }: WorkspaceRecord,
  delta: DeltaRecord | undefined,
  to: string,
): string[] {
  if (!delta) return [`${unit}: ${folder} was gone, and no delta of it was ever collected`];
  const lost = delta.problems.filter((problem) => problem.lost).length;
  const kept = path.join(to, FILES);
  return lost === 0
    ? []
    : [`${unit}: its earlier files are kept in ${kept}: the delta cannot hold all of them`];
}

/** A branch with commits gives its name away, and stays. */
async function keepBranch(set: WorkspaceSet, unit: string, n: string): Promise<string[]> {
  const place = ownerPlace(set.record);
  const branch = worktreeBranch(set.record, unit);
  if ((await revision(place, `refs/heads/${branch}`)) === null) return [];
  const kept = `${branch}.earlier-${n}`;
  await runGit(place, ['branch', '--move', branch, kept]);
  return [`${unit}: the commits of its earlier attempt are on the branch ${kept}`];
}
