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
  /** Units that still run. */
  live: string[];
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

const MAX_NAMES = 5;

/** Why something stays that others need: who was left alone, one line; undefined where nobody was. */
export function stayText({ units, parts }: Pick<RunCleanup, 'units' | 'parts'>): string | undefined {
  const names = [
    ...units.filter(({ removed }) => !removed).map(({ unit }) => unit),
    ...parts
      .filter(({ removed }) => !removed)
      .map(({ part }) => (part === 'store' ? 'the store' : `the ${part} worktree`)),
  ];
  if (names.length === 0) return undefined;
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `it goes when ${names.slice(0, MAX_NAMES).join(', ')}${more} can go`;
}
