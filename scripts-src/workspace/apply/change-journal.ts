import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { type BytePath, type JsonPath, pathFromJson, pathToJson } from '../../platform/byte-path.ts';
import { errnoOf, PrunError } from '../../platform/errors.ts';
import { PRIVATE_DIR, writeAtomic } from '../../platform/files.ts';
import type { ObjectFormat, PathState, RenameStamp } from './path-state.ts';

/** Newest schema of the journal of a change. */
export const JOURNAL_SCHEMA = 1;

/**
 * How far a change has come. `preparing`: the target is untouched. `changing`: it may be half changed, and is rolled
 * back when the holder is dead. `done`: changed; the step to it is the one rename that decides. `undone`: changed, and
 * changed back later.
 */
export type JournalState = 'preparing' | 'changing' | 'done' | 'undone' | 'rolled-back';

/** A delta as a journal names it: its set, its unit, and its trees. */
export interface JournaledDelta {
  set: string;
  unit: string;
  base: string;
  result: string;
}

/** `journal.json` of a change. */
export interface Journal {
  schema: number;
  id: string;
  kind: 'apply' | 'undo';
  /** The apply that an undo takes back. */
  of: string | null;
  /** Applies on one target in turn: greater is later. 0 before the change begins. */
  order: number;
  /** Top of the working tree, links resolved. */
  root: string;
  /** Identity of the process that changes it. */
  holder: string;
  objectFormat: ObjectFormat;
  /** Units (or patch files) whose work this is. */
  units: string[];
  /** The deltas among them that prun collected. An older prun wrote none. */
  deltas?: JournaledDelta[] | undefined;
  state: JournalState;
  createdAt: string;
  endedAt: string | null;
}

/** One path of a change. The stamps are of the file that was there and of the one that is put there. */
export interface PathChange {
  path: BytePath;
  before: PathState;
  after: PathState;
  oldStamp?: RenameStamp;
  newStamp?: RenameStamp;
}

/** An index that a change wrote: both contents lie beside the journal. */
export interface IndexChange {
  /** The index file, absolute. */
  file: string;
  /** Names of the copies in the journal's folder; null: no index. */
  before: string | null;
  after: string | null;
}

/** `changes.json`: everything that a rollback or an undo has to know. */
export interface ChangeList {
  changes: PathChange[];
  /** Folders that are made, outer ones first. */
  foldersMade: BytePath[];
  /** Folders that become empty and go, inner ones first, with their permission bits. */
  foldersRemoved: { path: BytePath; perm: number }[];
}

const jsonPath = z.union([z.string(), z.object({ base64: z.string() })]);
const pathState = z.union([
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('file'), id: z.string(), perm: z.number(), uid: z.number(), gid: z.number() }),
  z.object({ kind: z.literal('symlink'), id: z.string() }),
]);
const stamp = z.object({ ino: z.string(), size: z.number(), mtimeNs: z.string(), perm: z.number() });

const journalSchema = z.object({
  schema: z.number(),
  id: z.string(),
  kind: z.enum(['apply', 'undo']),
  of: z.nullable(z.string()),
  order: z.number(),
  root: z.string(),
  holder: z.string(),
  objectFormat: z.enum(['sha1', 'sha256']),
  units: z.array(z.string()),
  deltas: z.optional(
    z.array(z.object({ set: z.string(), unit: z.string(), base: z.string(), result: z.string() })),
  ),
  state: z.enum(['preparing', 'changing', 'done', 'undone', 'rolled-back']),
  createdAt: z.string(),
  endedAt: z.nullable(z.string()),
});

const listSchema = z.object({
  schema: z.number(),
  changes: z.array(
    z.object({
      path: jsonPath,
      before: pathState,
      after: pathState,
      oldStamp: z.optional(stamp),
      newStamp: z.optional(stamp),
    }),
  ),
  foldersMade: z.array(jsonPath),
  foldersRemoved: z.array(z.object({ path: jsonPath, perm: z.number() })),
});

const indexSchema = z.array(
  z.object({ file: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) }),
);

/** The folder of a change. */
export function journalFolder(stateHome: string, id: string): string {
  return path.join(stateHome, 'applies', id);
}

/** Where the bytes of the n-th path before the change are kept. */
export function keptFile(folder: string, n: number): string {
  return path.join(folder, 'before', String(n));
}

/** Where a change works that does not lie in its target; it goes with the command. */
export function scratchOf(folder: string): string {
  return path.join(folder, 'scratch');
}

/** Forgets what the paths held before a change. */
export function forgetKept(folder: string): void {
  rmSync(path.join(folder, 'before'), { recursive: true, force: true, maxRetries: 5 });
}

/** Makes the folder of a change and writes its journal, before anything else of it exists. */
export function createJournal(stateHome: string, journal: Journal): string {
  const folder = journalFolder(stateHome, journal.id);
  mkdirSync(path.join(folder, 'before'), { recursive: true, mode: PRIVATE_DIR });
  writeJournal(folder, journal);
  return folder;
}

/** Replaces the journal whole, on disk when it returns. */
export function writeJournal(folder: string, journal: Journal): void {
  writeAtomic(path.join(folder, 'journal.json'), `${JSON.stringify(journal, null, 2)}\n`);
  syncFolder(folder);
}

/** The journal of a change; undefined where there is none, or one that nobody finished writing. */
export function readJournal(folder: string): Journal | undefined {
  const json = readJson(path.join(folder, 'journal.json'));
  const parsed = journalSchema.safeParse(json);
  return parsed.success ? parsed.data : undefined;
}

/** Writes what is to be changed; on disk when it returns. */
export function writeChangeList(folder: string, list: ChangeList): void {
  const json = {
    schema: JOURNAL_SCHEMA,
    changes: list.changes.map((change) => ({ ...change, path: pathToJson(change.path) })),
    foldersMade: list.foldersMade.map(pathToJson),
    foldersRemoved: list.foldersRemoved.map(({ path, perm }) => ({ path: pathToJson(path), perm })),
  };
  writeAtomic(path.join(folder, 'changes.json'), JSON.stringify(json));
  syncFolder(folder);
}

/** What was to be changed; undefined before that was decided. */
export function readChangeList(folder: string): ChangeList | undefined {
  const json = readJson(path.join(folder, 'changes.json'));
  if (json === undefined) return undefined;
  const parsed = listSchema.safeParse(json);
  if (!parsed.success) {
    throw new PrunError(
      'E_JOURNAL',
      `${path.join(folder, 'changes.json')} is damaged`,
      'what the files held before lies in the folder "before" beside it',
      1,
    );
  }
  const { changes, foldersMade, foldersRemoved } = parsed.data;
  const from = (where: JsonPath): BytePath => refuseOutside(pathFromJson(where), folder);
  return {
    changes: changes.map((change) => ({ ...change, path: from(change.path) }) as PathChange),
    foldersMade: foldersMade.map(from),
    foldersRemoved: foldersRemoved.map(({ path: where, perm }) => ({ path: from(where), perm })),
  };
}

/** Writes which index files are about to be replaced. */
export function writeIndexChanges(folder: string, changes: readonly IndexChange[]): void {
  writeAtomic(path.join(folder, 'index.json'), JSON.stringify(changes));
  syncFolder(folder);
}

/** The index files that a change replaced or was about to replace; none when it did not stage. */
export function readIndexChanges(folder: string): IndexChange[] {
  const parsed = indexSchema.safeParse(readJson(path.join(folder, 'index.json')) ?? []);
  return parsed.success ? parsed.data : [];
}

/** Every change of a state home on a target, earliest first. */
export function listJournals(stateHome: string, root: string): Journal[] {
  const folder = path.join(stateHome, 'applies');
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
  return names
    .map((name) => readJournal(path.join(folder, name)))
    .filter((journal) => journal !== undefined)
    .filter((journal) => journal.root === root)
    .sort((a, b) => a.order - b.order);
}

/** Forgets a change that left nothing behind. */
export function removeJournal(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Makes renames in a folder last through a power cut. */
export function syncFolder(folder: string | Buffer): void {
  // Windows does not open folders, and its file system keeps its own journal.
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } catch (error) {
    // Network file systems that have no such call.
    if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF', 'EISDIR'].includes(errnoOf(error) ?? '')) throw error;
  } finally {
    closeSync(fd);
  }
}

/** The journal is private, and still no path in it may lead out of the tree. */
function refuseOutside(where: BytePath, folder: string): BytePath {
  if (!where.split('/').some((name) => name === '' || name === '.' || name === '..')) return where;
  throw new PrunError(
    'E_JOURNAL',
    `${folder} names a path outside its tree`,
    'do not trust it; remove it',
    1,
  );
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Torn or foreign: the caller says what is missing.
    return undefined;
  }
  if (typeof json === 'object' && json !== null && 'schema' in json && typeof json.schema === 'number') {
    if (json.schema > JOURNAL_SCHEMA) {
      throw new PrunError(
        'E_NEWER_SCHEMA',
        `${file} has schema ${json.schema}, this prun knows ${JOURNAL_SCHEMA}`,
        'use the newer prun that wrote it',
      );
    }
  }
  return json;
}
