import type { JsonPath } from '../platform/byte-path.ts';

/** Newest schema of the JSON files of workspaces. */
export const WORKSPACE_SCHEMA = 1;

/** `set.json`: one frozen base and the workspaces that start from it. Paths of folders are absolute. */
export interface SetRecord {
  schema: number;
  /** Name of the set: that of its run, or one of its own. */
  id: string;
  createdAt: string;
  source: {
    workTree: string;
    gitDir: string;
    commonDir: string;
  };
  objectFormat: 'sha1' | 'sha256';
  base: BaseRecord;
  /** The user's private ignore file (`core.excludesFile`), or null. */
  excludesFile: string | null;
}

/** What a workspace starts from. */
export interface BaseRecord {
  /** All files, byte for byte, submodules' files among them. Every delta is measured against it. */
  tree: string;
  /** The commit that a clone stands on: the user's own, or one on top of it that holds unfinished work. */
  commit: string;
  /** The user's HEAD, null before the first commit. */
  head: string | null;
  /** The user's branch, null where HEAD is detached. */
  branch: string | null;
  /** How many files the base has, and the sum of their sizes. */
  files: number;
  bytes: number;
  submodules: SubmoduleRecord[];
}

/** A submodule whose files are part of the base. */
export interface SubmoduleRecord {
  path: JsonPath;
  /** The commit on which it stands in a clone. */
  commit: string;
  /** Its store, below the set's folder. */
  store: string;
}

/** `workspace.json`: one unit's workspace. */
export interface WorkspaceRecord {
  schema: number;
  unit: string;
  /** Name of the set. */
  set: string;
  mode: 'clone' | 'worktree';
  /** Where the worker works. */
  folder: string;
  /** The base tree. */
  base: string;
  /** What the base is made of where it is not the set's own; null: the set's own. */
  origin: WorkspaceOrigin | null;
  /** Globs of what the unit owns; empty when nobody said. */
  owns: string[];
  /** Ports that no other unit on this machine was given, both ends included. */
  ports: { first: number; last: number } | null;
  createdAt: string;
  /** Ignored paths that were brought along from the user's tree. */
  warm: JsonPath[];
  /** What its setup command was and how it ended, null without one. */
  setup: { command: string; exitCode: number; log: string } | null;
}

/** A base of one workspace alone: results of other units, or the user's tree at a later time. */
export interface WorkspaceOrigin {
  kind: 'after' | 'as-it-stands';
  /** Units whose results were merged, in that order; none with `as-it-stands`. */
  units: string[];
  /** A commit in the set's store: its tree is the base, its ancestors are what that was made of (base/lineage.ts). */
  lineage: string;
}

/** One file of a delta. Modes are git's (`100644`, `100755`, `120000`), null where there is no file. */
export interface DeltaFile {
  status: 'added' | 'modified' | 'deleted' | 'type-changed';
  path: JsonPath;
  oldMode: string | null;
  newMode: string | null;
}

/** Something that a delta cannot hold, or that was in the way: named, never passed over. */
export interface DeltaProblem {
  path: JsonPath;
  /** One line: what it is and what became of it. */
  what: string;
  /** Whether something is missing in the delta because of it. */
  lost: boolean;
}

/** `delta.json`: what a unit changed against its base. */
export interface DeltaRecord {
  schema: number;
  unit: string;
  set: string;
  /** Trees in the set's store. */
  base: string;
  result: string;
  files: DeltaFile[];
  /** Submodules that stand on another commit than at the start. */
  moves: { path: JsonPath; base: string; result: string | null }[];
  /** Commits that the worker made although it must not, newest first, at most 100. Their content is in the delta. */
  commits: { id: string; subject: string; submodule: JsonPath | null }[];
  problems: DeltaProblem[];
  /** What of ignored paths was asked for: everything, or these. */
  included: { everything: boolean; paths: JsonPath[] };
  /** New files at ignored paths, folders as one; not in the delta unless they were asked for. At most 200. */
  ignored: JsonPath[];
  /** Paths outside what the unit owns. */
  outside: JsonPath[];
  /** The patch, absolute, and its size. */
  patch: { path: string; bytes: number };
  /** Differences of the user's repository since the workspace was made, one line each. */
  repository: string[];
  collectedAt: string;
}
