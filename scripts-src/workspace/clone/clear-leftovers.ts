import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_DIR } from '../../platform/files.ts';
import { GitError, runGit } from '../../platform/git.ts';
import { randomHex } from '../../platform/random.ts';
import { draftsIn, removeDeadDrafts } from '../base/dead-drafts.ts';
import { revision } from '../base/source-repo.ts';
import { SET_FILES, unitFolder, type WorkspaceSet } from '../workspace-set.ts';
import { cloneFolder, type DraftWorkspace } from './draft-workspace.ts';
import { ownerPlace, worktreeBranch } from './make-worktree.ts';
import { ownCommits } from './own-commits.ts';

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
  if (mayHaveLeftovers(set, own)) await removeUnpublished(set, own.unit, head);
  for (const name of [SET_FILES.clones, SET_FILES.units]) removeDeadDrafts(path.join(set.folder, name));
}

function mayHaveLeftovers(set: WorkspaceSet, own: DraftWorkspace): boolean {
  const { unit } = own;
  const drafts = draftsIn(path.join(set.folder, SET_FILES.units)).filter(
    ({ what, file }) => what === unit && file !== own.records,
  );
  if (existsSync(unitFolder(set, unit)) || drafts.some(({ isDead }) => !isDead)) return false;
  return drafts.length > 0 || existsSync(cloneFolder(set, unit));
}

/**
 * Removes the files of a unit that has no records, with a worktree's entry and its branch where no commit is on it.
 * `head`: where a branch of this call stands.
 */
export async function removeUnpublished(set: WorkspaceSet, unit: string, head: string | null): Promise<void> {
  const clones = path.join(set.folder, SET_FILES.clones);
  const folder = cloneFolder(set, unit);
  // A git that outlived its caller may still write there: it goes on in the draft, not under the unit's name.
  const aside = path.join(clones, `.${unit}-${process.pid}-${randomHex(8)}.draft`);
  mkdirSync(aside, { mode: PRIVATE_DIR });
  try {
    if (existsSync(folder)) renameSync(folder, path.join(aside, 'files'));
    if (head !== null) await removeEntry(set, unit, folder, head);
  } finally {
    rmSync(aside, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function removeEntry(set: WorkspaceSet, unit: string, folder: string, head: string): Promise<void> {
  const place = ownerPlace(set.record);
  const branch = worktreeBranch(set.record, unit);
  // 128: no worktree has its place there, as with a clone.
  await runGit(place, ['worktree', 'remove', '--force', '--force', folder], { answers: [0, 128] });
  const tip = await revision(place, `refs/heads/${branch}`);
  if (tip === null || (await ownCommits(place, branch, tip, [head, set.record.base.head])) > 0) return;
  try {
    await runGit(place, ['branch', '--delete', '--force', branch]);
  } catch (error) {
    // Somebody has it checked out elsewhere: it stays, and whoever wants a worktree on it is told.
    if (!(error instanceof GitError)) throw error;
  }
}
