import { chmodSync, existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../../platform/errors.ts';
import { GitError, gitText, runGit } from '../../platform/git.ts';
import { revision } from '../base/source-repo.ts';
import type { WorkspaceRecord } from '../records.ts';
import { SET_FILES, unitsOf, type WorkspaceSet } from '../workspace-set.ts';
import { draftsOf } from './draft-workspace.ts';
import { ownerPlace, worktreeBranch } from './make-worktree.ts';

/**
 * Removes a workspace's files. Its records stay: delta, patch, and in the set's store both trees. Call it when the delta
 * is archived. Says what stays behind in the user's repository, if anything does.
 */
export async function removeWorkspace(set: WorkspaceSet, workspace: WorkspaceRecord): Promise<string[]> {
  if (workspace.mode === 'worktree') return removeWorktree(set, workspace);
  removeTree(workspace.folder);
  return [];
}

/** Removes a folder with all that is in it, also what its owner has closed. */
function removeTree(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes(errnoOf(error) ?? '')) throw error;
    openFolders(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function openFolders(folder: string): void {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(path.join(folder, entry.name));
  }
}

/** A worktree goes with its entry, no other one does; its branch goes only when it holds no commit of its own. */
async function removeWorktree(set: WorkspaceSet, { unit, folder }: WorkspaceRecord): Promise<string[]> {
  const { record } = set;
  const place = ownerPlace(record);
  const branch = worktreeBranch(record, unit);
  try {
    await runGit(place, ['worktree', 'remove', '--force', '--force', folder]);
    const tip = await revision(place, `refs/heads/${branch}`);
    if (tip === null) return [];
    if (tip !== record.base.head) {
      const count = await gitText(place, ['rev-list', '--count', tip, `^${record.base.head}`]);
      return [`the branch ${branch} stays, with ${count} commits that are not in HEAD`];
    }
    await runGit(place, ['branch', '--delete', '--force', branch]);
    return [];
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    removeTree(folder);
    return [`the entry or the branch ${branch} stays in ${record.source.workTree}: ${error.message}`];
  }
}

/** Removes the set itself, its store and base, where no workspace has files any more. False where one still has. */
export function removeSet(set: WorkspaceSet): boolean {
  const clones = path.join(set.folder, SET_FILES.clones);
  if (unitsOf(set).some((unit) => existsSync(path.join(clones, unit)))) return false;
  for (const draft of draftsOf(set)) removeTree(draft);
  removeTree(set.folder);
  return true;
}
