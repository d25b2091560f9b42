import type { Removed } from './cleanup-workspaces.ts';

/** A part of a run that is no workspace of a unit. */
export interface RunPart {
  part: 'integration' | 'store' | 'run';
  path: string;
  removed: boolean;
  /** Why it was left alone, or what stays behind. */
  notes: string[];
}

/** What a cleanup has done to a run. */
export interface RunCleanup {
  run: string;
  /** Units that were cancelled first. */
  cancelled: string[];
  units: Removed[];
  parts: RunPart[];
  /** Folders of worktrees that were not asked for and stay. */
  worktrees: string[];
}

/** Makes what is said of one part. */
export function partOf(
  part: RunPart['part'],
  path: string,
): (removed: boolean, ...notes: string[]) => RunPart {
  return (removed, ...notes) => ({ part, path, removed, notes });
}

/** Whether something was left alone that was to go. */
export function isAnythingKept({ units, parts }: Pick<RunCleanup, 'units' | 'parts'>): boolean {
  return [...units, ...parts].some(({ removed }) => !removed);
}
