import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { PrunError, usageError } from '../platform/errors.ts';
import { lstatOrNone } from '../platform/files.ts';
import { readOptional } from './read-optional.ts';
import {
  type BaseRecord,
  type DeltaRecord,
  type SetRecord,
  WORKSPACE_SCHEMA,
  type WorkspaceRecord,
} from './records.ts';

/** A set on disk: one frozen base and the workspaces that start from it. */
export interface WorkspaceSet {
  /** Absolute path of the set's folder. */
  folder: string;
  record: SetRecord;
}

/** What a workspace starts from, on disk: that of the set, or one of its own. */
export interface WorkspaceBase {
  /** Absolute: it holds the templates, lists and note of the base (`SET_FILES`). */
  folder: string;
  record: BaseRecord;
}

/** Names of a set's own files and folders. */
export const SET_FILES = {
  record: 'set.json',
  store: 'store.git',
  /** Git folders that clones start with, one for the user's repository and each submodule. */
  templates: 'templates',
  modules: 'modules',
  clones: 'clones',
  units: 'units',
  note: 'PRUN-BASE.md',
  /** What is in a clone's index and in no tree of files, one list for each part that has some. */
  unseen: 'unseen',
  /** Files that the user leaves out of the working tree, one list for each part that has some. */
  leftOut: 'left-out',
  /** The user's private ignore rules of the repository. */
  exclude: 'exclude',
  /** Records of workspaces that gave way to a fresh one of the same unit: `earlier/<unit>/<n>/`. */
  earlier: 'earlier',
} as const;

/** Names of the files that prun keeps of one workspace. */
export const UNIT_FILES = {
  record: 'workspace.json',
  delta: 'delta.json',
  patch: 'delta.patch',
  /** The user's repository as it was when the workspace was made. */
  repository: 'repository.json',
  setupLog: 'setup.log',
  /** A base of its own, where it has one: a folder. */
  base: 'base',
} as const;

/** The record of a base in its own folder; that of a set's base is part of `set.json`. */
export const BASE_RECORD = 'base.json';

/** A set's store. */
export function storeOf(set: Pick<WorkspaceSet, 'folder'>): string {
  return path.join(set.folder, SET_FILES.store);
}

/** Entries of a part that are left out of the working tree (sparse checkout), as `index-entries.ts` writes them. */
export function leftOutFile(base: Pick<WorkspaceBase, 'folder'>, part: number): string {
  return path.join(base.folder, `${SET_FILES.leftOut}-${part}`);
}

/** Paths of a part that are in a clone's index and in no tree: submodules, and what is left out. Each ends with NUL. */
export function unseenFile(base: Pick<WorkspaceBase, 'folder'>, part: number): string {
  return path.join(base.folder, `${SET_FILES.unseen}-${part}`);
}

/** Where all sets lie. */
export function setsFolder(stateHome: string): string {
  return path.join(stateHome, 'workspaces');
}

/** What prun keeps of one unit's workspace: record, private indexes, delta. */
export function unitFolder(set: Pick<WorkspaceSet, 'folder'>, unit: string): string {
  return path.join(set.folder, SET_FILES.units, unit);
}

/** Records of workspaces of the unit that gave way to a fresh one, the newest first. */
export function earlierFolders(set: Pick<WorkspaceSet, 'folder'>, unit: string): string[] {
  const folder = path.join(set.folder, SET_FILES.earlier, unit);
  if (!existsSync(folder)) return [];
  const numbers = readdirSync(folder).filter((name) => /^\d+$/.test(name));
  return numbers.sort((a, b) => Number(b) - Number(a)).map((name) => path.join(folder, name));
}

/** The base of the set itself. */
export function setBase(set: WorkspaceSet): WorkspaceBase {
  return { folder: set.folder, record: set.record.base };
}

/** The base that a unit's workspace started from. Throws PrunError where its record is damaged. */
export function baseOf(set: WorkspaceSet, unit: string): WorkspaceBase {
  const folder = path.join(unitFolder(set, unit), UNIT_FILES.base);
  if (!existsSync(folder)) return setBase(set);
  const record = readOwnBase(folder);
  if (record) return { folder, record };
  const file = path.join(folder, BASE_RECORD);
  throw new PrunError('E_RECORD', `${file} is damaged`, `make the workspace of unit ${unit} again`, 1);
}

/** The record of a base in a folder of its own, undefined where there is none. */
export function readOwnBase(folder: string): BaseRecord | undefined {
  return readRecord(path.join(folder, BASE_RECORD), baseFile)?.base as BaseRecord | undefined;
}

/** The note for workers about what a unit's workspace started from, absolute. */
export function baseNoteOf(set: WorkspaceSet, unit: string): string {
  return path.join(baseOf(set, unit).folder, SET_FILES.note);
}

/** The private index of one part of a workspace. */
export function privateIndex(set: Pick<WorkspaceSet, 'folder'>, unit: string, part: number): string {
  return path.join(unitFolder(set, unit), `index-${part}`);
}

/** The set of that name. Throws a usage error where there is none. */
export function openSet(stateHome: string, name: string): WorkspaceSet {
  const folder = path.join(setsFolder(stateHome), name);
  const set = readSet(folder);
  if (set) return set;
  throw usageError(
    `there are no workspaces of run ${JSON.stringify(name)} in ${setsFolder(stateHome)}`,
    'give the name that prun clone was given with --run, or the same --state-home',
  );
}

/** The set in a folder, undefined where there is none. */
export function readSet(folder: string): WorkspaceSet | undefined {
  const record = readRecord(path.join(folder, SET_FILES.record), setRecord);
  return record && { folder, record: record as SetRecord };
}

/** The workspace that a clone's folder is. Throws a usage error where it is none; the folder itself may be gone. */
export function workspaceAt(folder: string): { set: WorkspaceSet; workspace: WorkspaceRecord } {
  const absolute = path.resolve(folder);
  const set = readSet(path.dirname(path.dirname(absolute)));
  const workspace = set && readWorkspace(set, path.basename(absolute));
  if (set && workspace) return { set, workspace };
  throw usageError(
    `${absolute} is no workspace of prun`,
    'give the path that prun clone printed after CLONE',
  );
}

/** One unit's workspace, undefined where there is none. */
export function readWorkspace(set: WorkspaceSet, unit: string): WorkspaceRecord | undefined {
  const file = path.join(unitFolder(set, unit), UNIT_FILES.record);
  const record = readRecord(file, workspaceRecord) as WorkspaceRecord | undefined;
  // Where it lies follows from where its record lies: somebody may have edited that, or moved or copied the set.
  return record && { ...record, unit, folder: path.join(set.folder, SET_FILES.clones, unit) };
}

/** What stands where a workspace's files belong. */
export type WorkspacePresence = 'there' | 'gone' | 'replaced' | 'elsewhere' | 'removing';

/**
 * Whether a workspace's files are there: a real folder at its place, reached without a symlink, and nobody has begun to
 * remove it. `replaced`: a link or a file stands in its place; `elsewhere`: the way to it leads out of the set. Throws
 * the system's error where nobody may look.
 */
export function presenceOf(set: WorkspaceSet, { unit, folder }: WorkspaceRecord): WorkspacePresence {
  if (existsSync(removalMark(set, unit))) return 'removing';
  const stat = lstatOrNone(folder);
  if (!stat) return 'gone';
  const clones = path.join(realpathSync.native(set.folder), SET_FILES.clones);
  if (realpathSync.native(path.dirname(folder)) !== clones) return 'elsewhere';
  return stat.isDirectory() ? 'there' : 'replaced';
}

/** The mark that a workspace's files are being removed: its delta is archived, and nobody takes another. */
export function removalMark(set: Pick<WorkspaceSet, 'folder'>, unit: string): string {
  return path.join(unitFolder(set, unit), 'removing');
}

/** Names of all units that have a workspace in the set, sorted. */
export function unitsOf(set: WorkspaceSet): string[] {
  const folder = path.join(set.folder, SET_FILES.units);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();
}

/** The recorded delta of a unit, undefined before it was collected. */
export function readDelta(set: WorkspaceSet, unit: string): DeltaRecord | undefined {
  const file = path.join(unitFolder(set, unit), UNIT_FILES.delta);
  return readRecord(file, deltaRecord) as DeltaRecord | undefined;
}

const jsonPath = z.union([z.string(), z.object({ base64: z.string() })]);

const baseRecord = z.object({
  tree: z.string(),
  commit: z.string(),
  head: z.nullable(z.string()),
  branch: z.nullable(z.string()),
  files: z.number(),
  bytes: z.number(),
  submodules: z.array(z.object({ path: jsonPath, commit: z.string(), store: z.string() })),
});

const baseFile = z.object({ schema: z.number(), base: baseRecord });

const setRecord = z.object({
  schema: z.number(),
  id: z.string(),
  createdAt: z.string(),
  source: z.object({ workTree: z.string(), gitDir: z.string(), commonDir: z.string() }),
  objectFormat: z.enum(['sha1', 'sha256']),
  base: baseRecord,
  excludesFile: z.nullable(z.string()),
});

const workspaceRecord = z.object({
  schema: z.number(),
  unit: z.string(),
  set: z.string(),
  mode: z.enum(['clone', 'worktree']),
  folder: z.string(),
  base: z.string(),
  // Workspaces of an older prun have none.
  origin: z._default(
    z.nullable(
      z.object({
        kind: z.enum(['after', 'as-it-stands']),
        units: z.array(z.string()),
        lineage: z.string(),
      }),
    ),
    null,
  ),
  owns: z.array(z.string()),
  ports: z.nullable(z.object({ first: z.number(), last: z.number() })),
  createdAt: z.string(),
  warm: z.array(jsonPath),
  setup: z.nullable(z.object({ command: z.string(), exitCode: z.number(), log: z.string() })),
});

const deltaRecord = z.object({
  schema: z.number(),
  unit: z.string(),
  set: z.string(),
  base: z.string(),
  result: z.string(),
  files: z.array(
    z.object({
      status: z.enum(['added', 'modified', 'deleted', 'type-changed']),
      path: jsonPath,
      oldMode: z.nullable(z.string()),
      newMode: z.nullable(z.string()),
    }),
  ),
  moves: z.array(z.object({ path: jsonPath, base: z.string(), result: z.nullable(z.string()) })),
  commits: z.array(z.object({ id: z.string(), subject: z.string(), submodule: z.nullable(jsonPath) })),
  problems: z.array(z.object({ path: jsonPath, what: z.string(), lost: z.boolean() })),
  included: z.object({ everything: z.boolean(), paths: z.array(jsonPath) }),
  ignored: z.array(jsonPath),
  outside: z.array(jsonPath),
  patch: z.object({ path: z.string(), bytes: z.number() }),
  repository: z.array(z.string()),
  collectedAt: z.string(),
});

/** A record that is missing or torn is none; a newer one is said. */
function readRecord<T>(file: string, schema: z.ZodMiniType<T>): T | undefined {
  const text = readOptional(file).toString('utf8');
  if (text === '') return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Torn: records are written whole, so somebody else cut this one.
    return undefined;
  }
  const version = typeof json === 'object' && json !== null && 'schema' in json ? json.schema : undefined;
  if (typeof version === 'number' && version > WORKSPACE_SCHEMA) {
    throw new PrunError(
      'E_NEWER_SCHEMA',
      `${file} has schema ${version}, this prun knows ${WORKSPACE_SCHEMA}`,
      'use the newer prun that wrote it',
    );
  }
  const parsed = schema.safeParse(json);
  return parsed.success ? parsed.data : undefined;
}
