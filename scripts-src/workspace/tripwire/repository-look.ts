import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { type BytePath, below, bytePathOf, fileAt } from '../../platform/byte-path.ts';
import { wallTime } from '../../platform/clock.ts';
import { errnoOf } from '../../platform/errors.ts';

/** Where a repository keeps what the tripwire looks at; the same folder twice, but for a linked worktree. */
export interface RepositoryPlace {
  gitDir: string;
  commonDir: string;
}

/** A file as it was read. */
export interface SeenFile {
  mode: number;
  bytes: Buffer;
}

/** Files by their paths below the folder that is named. */
export type SeenFiles = Map<BytePath, SeenFile>;

/** A repository as it was read at one moment, not yet understood. */
export interface RepositoryLook {
  at: string;
  /** `HEAD` and `config.worktree` of the worktree. */
  own: SeenFiles;
  /** `packed-refs` and `config` of the repository, and the main worktree's `config.worktree` if it is another. */
  common: SeenFiles;
  /** Loose refs, `refs/…`; those of the worktree replace the repository's. */
  refs: SeenFiles;
  /** Tables of refs, in the order in which later ones win; undefined where refs are files. */
  tables: { common: Buffer[]; own: Buffer[] } | undefined;
  hooks: SeenFiles;
  /** `<name>/gitdir` and `<name>/HEAD` of linked worktrees. */
  worktrees: SeenFiles;
  unread: Unread[];
}

/** Something that could not be read: its path below the repository, and the system's word for why. */
export interface Unread {
  where: BytePath;
  why: string;
}

/** No hook and no ref is longer; what is goes by its beginning. */
const HOOK_BYTES = 1024 * 1024;
const REF_BYTES = 4096;
const WHOLE_BYTES = 256 * 1024 * 1024;

/** A look that has begun. */
export interface BegunLook {
  /** Reads what is left and gives the whole. */
  finish(): RepositoryLook;
}

/** Reads what a worker must not change in the user's repository, all at once. Only files are read, no git runs. */
export function lookAtRepository(place: RepositoryPlace): RepositoryLook {
  return beginLook(place, Number.POSITIVE_INFINITY).finish();
}

/**
 * The same in two parts, for a supervisor that looks before its worker starts, so that nothing can have changed
 * before, and must not keep it waiting: names, HEAD, config, hooks, worktrees and packed refs are read at once (about
 * a millisecond), loose refs only for `budgetMs`; those of a repository that has hundreds are read by `finish`. What
 * takes time otherwise (hashes, parsing) comes later still. Never throws.
 */
export function beginLook({ gitDir, commonDir }: RepositoryPlace, budgetMs: number): BegunLook {
  const deadline = performance.now() + budgetMs;
  const unread: Unread[] = [];
  const isLinked = path.resolve(gitDir) !== path.resolve(commonDir);
  const read = (files: SeenFiles, root: string, where: BytePath, limit: number): boolean => {
    try {
      const file = readSeen(fileAt(root, where), limit);
      if (file) files.set(where, file);
      return true;
    } catch (error) {
      noteUnread(unread, where, error);
      return !isMissing(error);
    }
  };
  const readNamed = (files: SeenFiles, root: string, names: readonly string[]) => {
    for (const name of names) read(files, root, bytePathOf(name), WHOLE_BYTES);
  };

  const loose = [commonDir, ...(isLinked ? [gitDir] : [])].flatMap((root) =>
    filesBelow(root, bytePathOf('refs'), unread).map((where) => ({ root, where })),
  );
  const common: SeenFiles = new Map();
  const own: SeenFiles = new Map();
  readNamed(own, gitDir, ['HEAD', 'config.worktree']);
  readNamed(common, commonDir, ['packed-refs', 'config', ...(isLinked ? ['config.worktree'] : [])]);
  const tables = tablesOf(gitDir, commonDir, unread);
  const hooks = hooksOf(commonDir, unread, read);
  const worktrees = worktreesOf(commonDir, unread, read);
  const at = wallTime();

  const refs: SeenFiles = new Map();
  let next = 0;
  let someWerePacked = false;
  const readLoose = (until: number) => {
    for (; next < loose.length && performance.now() < until; next++) {
      const ref = loose[next];
      if (ref && !read(refs, ref.root, ref.where, REF_BYTES)) someWerePacked = true;
    }
  };
  readLoose(deadline);
  return {
    finish() {
      readLoose(Number.POSITIVE_INFINITY);
      // A ref that git has packed since its name was read is found there.
      if (someWerePacked) readNamed(common, commonDir, ['packed-refs']);
      return { at, own, common, refs, tables, hooks, worktrees, unread };
    },
  };
}

type Read = (files: SeenFiles, root: string, where: BytePath, limit: number) => boolean;

function hooksOf(commonDir: string, unread: Unread[], read: Read): SeenFiles {
  const hooks: SeenFiles = new Map();
  const folder = bytePathOf('hooks');
  for (const entry of listed(commonDir, folder, unread)) {
    // git never runs a sample.
    if (!isFile(entry) || entry.name.endsWith('.sample')) continue;
    read(hooks, commonDir, below(folder, entry.name as BytePath), HOOK_BYTES);
  }
  return hooks;
}

function worktreesOf(commonDir: string, unread: Unread[], read: Read): SeenFiles {
  const worktrees: SeenFiles = new Map();
  const folder = bytePathOf('worktrees');
  for (const entry of listed(commonDir, folder, unread).filter((one) => one.isDirectory())) {
    for (const name of ['gitdir', 'HEAD']) {
      const where = below(below(folder, entry.name as BytePath), bytePathOf(name));
      read(worktrees, commonDir, where, REF_BYTES);
    }
  }
  return worktrees;
}

function filesBelow(root: string, folder: BytePath, unread: Unread[]): BytePath[] {
  return listed(root, folder, unread).flatMap((entry) => {
    const where = below(folder, entry.name as BytePath);
    if (entry.isDirectory()) return filesBelow(root, where, unread);
    return isFile(entry) && !where.endsWith('.lock') ? [where] : [];
  });
}

function tablesOf(gitDir: string, commonDir: string, unread: Unread[]): RepositoryLook['tables'] {
  const common = readTables(commonDir, unread);
  if (!common) return undefined;
  const isLinked = path.resolve(gitDir) !== path.resolve(commonDir);
  return { common, own: (isLinked && readTables(gitDir, unread)) || [] };
}

/** Names are bytes, one character each, as in every path of a tree. */
function listed(root: string, folder: BytePath, unread: Unread[]): Dirent[] {
  try {
    return readdirSync(fileAt(root, folder), { withFileTypes: true, encoding: 'latin1' });
  } catch (error) {
    noteUnread(unread, folder, error);
    return [];
  }
}

function isFile(entry: Dirent): boolean {
  return entry.isFile() || entry.isSymbolicLink();
}

/** What is not there is no trouble: most of this is optional. */
function noteUnread(unread: Unread[], where: BytePath, error: unknown): void {
  if (!isMissing(error)) unread.push({ where, why: errnoOf(error) ?? 'cannot be read' });
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '');
}

/** undefined for what is no regular file. The open of a pipe must not wait for its writer. */
function readSeen(file: string | Buffer, limit: number): SeenFile | undefined {
  // Windows has no such flag, and no such pipes among its files.
  const fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.allocUnsafe(Math.min(stat.size, limit));
    let done = 0;
    while (done < bytes.length) {
      const count = readSync(fd, bytes, done, bytes.length - done, done);
      if (count === 0) break;
      done += count;
    }
    return { mode: stat.mode & 0o7777, bytes: bytes.subarray(0, done) };
  } finally {
    closeSync(fd);
  }
}

/** How often a stack is read again when git has replaced one of its tables meanwhile. */
const TABLE_TRIES = 5;

/** The tables of a reftable stack; undefined where there is none. */
function readTables(dir: string, unread: Unread[]): Buffer[] | undefined {
  const folder = path.join(dir, 'reftable');
  for (let tries = 1; ; tries++) {
    try {
      if (statSync(folder, { throwIfNoEntry: false }) === undefined) return undefined;
      const list = readSeen(path.join(folder, 'tables.list'), WHOLE_BYTES)?.bytes.toString('utf8') ?? '';
      const names = list.split('\n').filter(Boolean);
      return names.map((name) => readSeen(path.join(folder, name), WHOLE_BYTES)?.bytes ?? Buffer.alloc(0));
    } catch (error) {
      if (tries < TABLE_TRIES && isMissing(error)) continue;
      noteUnread(unread, bytePathOf('reftable'), error);
      return undefined;
    }
  }
}
