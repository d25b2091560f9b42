import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_DIR } from '../../platform/files.ts';
import { GitError, runGit } from '../../platform/git.ts';
import { randomHex } from '../../platform/random.ts';
import { type Draft, draftsIn, removeDeadDrafts } from '../base/dead-drafts.ts';
import { revision } from '../base/source-repo.ts';
import { readOwnBase, SET_FILES, UNIT_FILES, unitFolder, type WorkspaceSet } from '../workspace-set.ts';
import { cloneFolder, type DraftWorkspace } from './draft-workspace.ts';
import { ownerPlace, worktreeBranch } from './make-worktree.ts';

/**
 * Clears away what a call that was killed has left under a unit's name: files without records, and of a worktree its entry
 * and its branch without commits. Nothing of the unit is touched where it has records, or where another call is making it
 * now. `own` is the draft of this call: of two calls at once at most one finds no other. Drafts of dead calls go as well.
 */
export async function clearLeftovers(
  set: WorkspaceSet,
  own: DraftWorkspace,
  head: string | null,
): Promise<void> {
  const drafts = draftsOfUnit(set, own);
  if (mayHaveLeftovers(set, own, drafts)) {
    await removeUnpublished(set, own.unit, [head, ...drafts.map(({ file }) => headIn(set, file))]);
  }
  const folders = [SET_FILES.clones, SET_FILES.units].map((name) => path.join(set.folder, name));
  for (const folder of folders) removeDeadDrafts(folder);
}

function draftsOfUnit(set: WorkspaceSet, own: DraftWorkspace): Draft[] {
  return draftsIn(path.join(set.folder, SET_FILES.units)).filter(
    ({ what, file }) => what === own.unit && file !== own.records,
  );
}

function mayHaveLeftovers(set: WorkspaceSet, { unit }: DraftWorkspace, drafts: readonly Draft[]): boolean {
  if (existsSync(unitFolder(set, unit)) || drafts.some(({ isDead }) => !isDead)) return false;
  return drafts.length > 0 || existsSync(cloneFolder(set, unit));
}

/** Where the branch of a call that was killed stands, if it got as far as that. */
function headIn(set: WorkspaceSet, records: string): string | null {
  return (readOwnBase(path.join(records, UNIT_FILES.base)) ?? set.record.base).head;
}

/**
 * Removes the files of a unit that has no records, with a worktree's entry, and its branch where it still stands on one of
 * `heads`.
 */
export async function removeUnpublished(
  set: WorkspaceSet,
  unit: string,
  heads: readonly (string | null)[],
): Promise<void> {
  const clones = path.join(set.folder, SET_FILES.clones);
  const folder = cloneFolder(set, unit);
  // A git that outlived its caller may still write there: it goes on in the draft, not under the unit's name.
  const aside = path.join(clones, `.${unit}-${process.pid}-${randomHex(8)}.draft`);
  mkdirSync(aside, { mode: PRIVATE_DIR });
  try {
    if (existsSync(folder)) renameSync(folder, path.join(aside, 'files'));
    if (heads.some((head) => head !== null)) await removeEntry(set, unit, folder, heads);
  } finally {
    rmSync(aside, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function removeEntry(
  set: WorkspaceSet,
  unit: string,
  folder: string,
  heads: readonly (string | null)[],
): Promise<void> {
  const place = ownerPlace(set.record);
  const branch = worktreeBranch(set.record, unit);
  // 128: no worktree has its place there, as with a clone.
  await runGit(place, ['worktree', 'remove', '--force', '--force', folder], { answers: [0, 128] });
  const tip = await revision(place, `refs/heads/${branch}`);
  if (tip === null || !heads.includes(tip)) return;
  try {
    await runGit(place, ['branch', '--delete', '--force', branch]);
  } catch (error) {
    // Somebody has it checked out elsewhere: it stays, and whoever wants a worktree on it is told.
    if (!(error instanceof GitError)) throw error;
  }
}
