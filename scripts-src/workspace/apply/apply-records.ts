import type { BytePath } from '../../platform/byte-path.ts';
import type { SidedLines } from '../merge/conflict-lines.ts';
import type { Settled } from './settle-target.ts';

/** What the user's own work is called in conflicts. */
export const YOUR_TREE = 'your tree';

/** A file that an apply changes in the target. */
export interface AppliedFile {
  path: BytePath;
  status: 'added' | 'modified' | 'deleted';
}

/** Something that keeps deltas from being applied. */
export interface ApplyConflict {
  /** Null where a patch as a whole does not apply. */
  path: BytePath | null;
  /** The unit (or patch) that cannot be put in; empty where a file on disk is in the way. */
  unit: string;
  /** Whose change it meets: `your tree`, or an earlier unit. */
  against: string;
  /** git's kind of conflict, `in-the-way` for what is on disk, `patch` for what git apply refuses. */
  kind: string;
  /** One line for people. */
  detail: string;
  /** `ours` are the lines of `against`, `theirs` those of the unit. */
  lines: SidedLines[];
}

/** A submodule that a unit left on another commit. Its files are applied, its commit is not. */
export interface SkippedMove {
  path: BytePath;
  unit: string;
  base: string;
  /** Null: the unit removed the submodule. */
  result: string | null;
  /** What takes the commit over as well, one command a line; empty where nobody knows. */
  commands: string[];
}

/** How an apply ended. */
export type ApplyEnd =
  | {
      kind: 'applied' | 'would-apply' | 'empty';
      root: string;
      units: string[];
      /** How many of the deltas hold something. */
      deltas: number;
      files: AppliedFile[];
      /** Paths that held already what they were to hold. */
      already: BytePath[];
      moves: SkippedMove[];
      /** Id of the apply and its undo patch, where something was changed. */
      undo: { id: string; patch: string } | null;
      staged: boolean;
      settled: Settled[];
    }
  | { kind: 'conflict'; root: string; units: string[]; conflicts: ApplyConflict[]; settled: Settled[] };

/** How an undo ended. */
export type UndoEnd =
  | {
      kind: 'undone';
      root: string;
      id: string;
      units: string[];
      files: AppliedFile[];
      /** Index files that were not put back, because somebody staged since. */
      indexesLeft: string[];
      settled: Settled[];
    }
  | {
      kind: 'edited';
      root: string;
      id: string;
      files: { path: BytePath; what: string }[];
      settled: Settled[];
    };
