/** The integration worktree of a run: where a coordinator puts results together. Paths are absolute. */
export interface Integration {
  /** The primary checkout of the user's repository. */
  repository: string;
  worktree: string;
  branch: string;
  /** What the branch was started from: a ref's name and its commit. */
  baseRef: string;
  baseCommit: string;
}

/** Folder in the primary checkout that holds integration worktrees; one line keeps it out of `git status`. */
export const WORKTREES_FOLDER = '.worktrees';

/** The branch of a run's integration worktree. */
export function integrationBranch(run: string): string {
  return `prun/${run}/int`;
}
