import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_FILE } from '../../platform/files.ts';
import { GitError, gitText, runGit } from '../../platform/git.ts';
import { removeTree } from '../../platform/remove-tree.ts';
import { revision } from '../base/source-repo.ts';
import type { WorkspaceRecord } from '../records.ts';
import { baseOf, removalMark, SET_FILES, unitsOf, type WorkspaceSet } from '../workspace-set.ts';
import { draftsOf } from './draft-workspace.ts';
import { ownerPlace, worktreeBranch } from './make-worktree.ts';

/**
 * Removes a workspace's files. Its records stay: delta, patch, and in the set's store both trees. Call it when the delta
 * is archived, or to go on with a removal that was interrupted. A mark is written first: from then on nobody takes a delta
 * of what is left. Says what stays behind, if anything does; throws the system's error where something cannot be removed.
 */
export async function removeWorkspace(set: WorkspaceSet, workspace: WorkspaceRecord): Promise<string[]> {
  const mark = removalMark(set, workspace.unit);
  writeFileSync(mark, '', { mode: PRIVATE_FILE });
  const notes = workspace.mode === 'worktree' ? await removeWorktree(set, workspace) : [];
  removeTree(workspace.folder);
  rmSync(mark, { force: true });
  return notes;
}

/** A worktree goes with its entry, no other one does; its branch goes only when it holds no commit of its own. */
async function removeWorktree(set: WorkspaceSet, { unit, folder }: WorkspaceRecord): Promise<string[]> {
  const { record } = set;
  const place = ownerPlace(record);
  const branch = worktreeBranch(record, unit);
  try {
    // 128: a removal that was interrupted has taken the entry away. Where it stays, the branch cannot go, and that is said.
    await runGit(place, ['worktree', 'remove', '--force', '--force', folder], { answers: [0, 128] });
    const tip = await revision(place, `refs/heads/${branch}`);
    if (tip === null) return [];
    const { head } = baseOf(set, unit).record;
    if (tip !== head) {
      const count = await gitText(place, ['rev-list', '--count', tip, `^${head}`]);
      return [`the branch ${branch} stays, with ${count} commits that are not in HEAD`];
    }
    await runGit(place, ['branch', '--delete', '--force', branch]);
    return [];
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return [`the entry or the branch ${branch} stays in ${record.source.workTree}: ${error.message}`];
  }
}

/**
 * Removes the set itself, its store and base. Only when nothing lies among its clones any more, known or not; else their
 * names are returned and nothing is removed.
 */
export function removeSet(set: WorkspaceSet): string[] {
  const left = readdirSync(path.join(set.folder, SET_FILES.clones)).filter(
    (name) => !name.endsWith('.draft'),
  );
  const pending = unitsOf(set).filter((unit) => existsSync(removalMark(set, unit)));
  if (left.length + pending.length > 0) return [...new Set([...left, ...pending])];
  for (const draft of draftsOf(set)) removeTree(draft);
  removeTree(set.folder);
  return [];
}
