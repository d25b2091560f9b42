import { messageOf } from '../platform/errors.ts';
import { runGit } from '../platform/git.ts';
import { revision } from '../workspace/base/source-repo.ts';
import { ownerPlace, worktreeBranch } from '../workspace/clone/make-worktree.ts';
import { collectDelta } from '../workspace/delta/collect.ts';
import { includedBefore } from '../workspace/delta/included-before.ts';
import type { WorkspaceRecord } from '../workspace/records.ts';
import { presenceOf, type WorkspaceSet } from '../workspace/workspace-set.ts';
import type { Removed } from './cleanup-workspaces.ts';

/** Why a unit's worktree is not to go without `--force`, or undefined. Its delta is archived by this, too. */
export async function holdsChanges(
  set: WorkspaceSet,
  workspace: WorkspaceRecord,
): Promise<string | undefined> {
  if (presenceOf(set, workspace) !== 'there') return undefined;
  try {
    const delta = await collectDelta(set, workspace, { ignored: includedBefore(set, workspace.unit) });
    const count = delta.files.length + delta.moves.length;
    if (count === 0 && delta.commits.length === 0) return undefined;
    return `its worktree holds changes (files=${count} commits=${delta.commits.length}): when they are applied, --force`;
  } catch {
    // What cannot be collected is said by the removal.
    return undefined;
  }
}

/** Deletes the branch of a worktree that has been removed: its changes are archived, and its last commit is named. */
export async function dropBranch(set: WorkspaceSet, removed: Removed): Promise<Removed> {
  const place = ownerPlace(set.record);
  const branch = worktreeBranch(set.record, removed.unit);
  try {
    const tip = await revision(place, `refs/heads/${branch}`);
    if (tip === null) return removed;
    await runGit(place, ['branch', '--delete', '--force', branch]);
    return { ...removed, notes: [`the branch ${branch} is gone, too; its last commit was ${tip}`] };
  } catch (error) {
    return { ...removed, removed: false, notes: [`the branch ${branch} stays: ${messageOf(error)}`] };
  }
}
