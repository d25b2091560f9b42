import path from 'node:path';
import { messageOf } from '../platform/errors.ts';
import { type GitPlace, gitText, runGit } from '../platform/git.ts';
import type { IsApplied } from '../workspace/apply/applied-deltas.ts';
import type { DeltaName } from '../workspace/apply/apply-deltas.ts';
import { revision } from '../workspace/base/source-repo.ts';
import { ownerPlace, worktreeBranch } from '../workspace/clone/make-worktree.ts';
import { collectDelta } from '../workspace/delta/collect.ts';
import { includedBefore } from '../workspace/delta/included-before.ts';
import type { DeltaRecord, WorkspaceRecord } from '../workspace/records.ts';
import { presenceOf, type WorkspaceSet } from '../workspace/workspace-set.ts';
import type { Removed } from './cleanup-workspaces.ts';

/**
 * Why a unit's worktree is not to go without `--force`, or undefined. Its delta is archived by this, too. What was applied is
 * elsewhere; a branch with commits of its own stays anyway.
 */
export async function holdsChanges(
  set: WorkspaceSet,
  workspace: WorkspaceRecord,
  isApplied: IsApplied,
): Promise<string | undefined> {
  if (presenceOf(set, workspace) !== 'there') return undefined;
  try {
    const delta = await collectDelta(set, workspace, { ignored: includedBefore(set, workspace.unit) });
    const count = delta.files.length + delta.moves.length;
    if (count === 0 && delta.commits.length === 0) return undefined;
    if (delta.moves.length === 0 && isApplied(deltaNameIn(set, delta))) return undefined;
    return `its worktree holds changes (files=${count} commits=${delta.commits.length}): when they are applied, --force`;
  } catch {
    // What cannot be collected is said by the removal.
    return undefined;
  }
}

/** What a collected delta of a set is known by in the records of applies. */
export function deltaNameIn(
  set: Pick<WorkspaceSet, 'folder'>,
  { unit, base, result }: DeltaRecord,
): DeltaName {
  return { set: path.basename(set.folder), unit, base, result };
}

/**
 * Deletes the branches of a worktree that has been removed, those of its earlier attempts too: the changes are archived,
 * and the last commits are named.
 */
export async function dropBranch(set: WorkspaceSet, removed: Removed): Promise<Removed> {
  const place = ownerPlace(set.record);
  const branch = worktreeBranch(set.record, removed.unit);
  const notes: string[] = [];
  try {
    for (const name of [branch, ...(await earlierBranches(place, branch))]) {
      const tip = await revision(place, `refs/heads/${name}`);
      if (tip === null) continue;
      await runGit(place, ['branch', '--delete', '--force', name]);
      notes.push(`the branch ${name} is gone, too; its last commit was ${tip}`);
    }
    return notes.length === 0 ? removed : { ...removed, notes };
  } catch (error) {
    return {
      ...removed,
      removed: false,
      notes: [...notes, `the branch ${branch} stays: ${messageOf(error)}`],
    };
  }
}

/** Where commits of earlier attempts were kept when the unit got a fresh worktree. */
async function earlierBranches(place: GitPlace, branch: string): Promise<string[]> {
  const pattern = `refs/heads/${branch}.earlier-*`;
  const names = await gitText(place, ['for-each-ref', '--format=%(refname:short)', pattern]);
  return names.split('\n').filter(Boolean);
}
