import { chmodSync, lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';
import { type BytePath, below, bytePathOf } from './byte-path.ts';
import {
  at,
  type CopyPlace,
  copyLink,
  copyOneFile,
  entriesIn,
  keepTimes,
  kindOf,
  type TreeEntry,
} from './copy-entry.ts';
import type { LinkRoots } from './copy-links.ts';
import { type CopyReport, emptyReport, skip, skipOrThrow } from './copy-report.ts';
import { errnoOf, usageError } from './errors.ts';
import { runJobs } from './run-jobs.ts';

/** How a tree is copied. */
export interface CopyOptions {
  /** Files in flight at once. */
  inFlight?: number;
  /** Folders within which links count as inside: a link into `from` leads into `to`. The tree itself when left out. */
  roots?: { from: string; to: string };
  /** Why an entry is left out (a folder with all that is in it), or undefined to copy it. */
  leaveOut?: (entry: TreeEntry) => string | undefined;
  /** Called for each regular file that was copied. */
  onFile?: (where: BytePath) => void;
  /** Ends the copy between two files; what was copied stays. */
  signal?: AbortSignal;
}

/**
 * 20,000 small files on two busy cores, in times of `cp -a`: 1 in flight 0.9 to 2.1, 4 in flight 1.0 to 1.2, 8 in flight
 * 0.7 to 1.1 (libuv has four threads; the others keep them fed). Stat and times on this thread: a trip to the pool
 * costs more than such a call.
 */
const IN_FLIGHT = 8;
const BATCH = 32;

/**
 * Copies a file or a folder tree: reflinks where the file system has them, else bytes; never a hard link, so that no
 * write in the copy reaches the source. Modes and times to the microsecond are kept; links stay links; extended
 * attributes are not copied. What is there already is never replaced (folders are merged). Pipes, sockets, devices
 * and what cannot be read are named in the report. Throws the system's error on a full disk, and the signal's reason.
 *
 * @param from absolute
 * @param to absolute; missing folders above it are made
 */
export async function copyTree(from: string, to: string, options: CopyOptions = {}): Promise<CopyReport> {
  const inside = path.relative(from, to);
  if (inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside)) {
    throw usageError(`${to} lies in ${from}`, 'copy a folder to a place outside itself');
  }
  const copy: Copy = {
    from,
    to,
    options,
    linkRoots: rootsOf(from, to, options),
    jobs: [],
    folders: [],
    report: emptyReport(),
  };
  mkdirSync(path.dirname(to), { recursive: true });
  const kind = kindOf(lstatSync(from));
  const root: TreeEntry = { path: bytePathOf(''), name: bytePathOf(path.basename(from)), kind };
  copy.jobs.push(kind === 'folder' ? () => openFolder(copy, root) : () => copyBatch(copy, [root]));
  await runJobs(copy.jobs, options.inFlight ?? IN_FLIGHT);
  finishFolders(copy);
  return copy.report;
}

interface Copy extends CopyPlace {
  options: CopyOptions;
  /** Last in, first out: so that few folders are open at a time. */
  jobs: (() => Promise<void>)[];
  /** Folders get their modes and times last: a read-only one could not be filled, and filling changes the times. */
  folders: { path: BytePath; stat: Stats }[];
}

function rootsOf(from: string, to: string, options: CopyOptions): LinkRoots {
  const roots = options.roots ?? { from, to };
  return { from: [...new Set([roots.from, realPath(roots.from)])].map(asBytes), to: asBytes(roots.to) };
}

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // Then there is one spelling.
    return folder;
  }
}

/** Links are bytes on POSIX: one character a byte here, as in a BytePath. */
function asBytes(text: string): string {
  return process.platform === 'win32' ? text : bytePathOf(text);
}

async function openFolder(copy: Copy, folder: TreeEntry): Promise<void> {
  copy.options.signal?.throwIfAborted();
  const entries = guarded(copy, folder.path, () => {
    const stat = lstatSync(at(copy.from, folder.path));
    const found = entriesIn(at(copy.from, folder.path));
    if (makeFolder(copy, folder.path)) copy.folders.push({ path: folder.path, stat });
    copy.report.folders++;
    return found;
  });
  const files: TreeEntry[] = [];
  for (const { name, kind } of entries ?? []) {
    const entry: TreeEntry = { path: below(folder.path, name), name, kind };
    const why = copy.options.leaveOut?.(entry);
    if (why !== undefined) skip(copy.report, entry.path, why);
    else if (kind === 'folder') copy.jobs.push(() => openFolder(copy, entry));
    else files.push(entry);
  }
  for (let first = 0; first < files.length; first += BATCH) {
    const batch = files.slice(first, first + BATCH);
    copy.jobs.push(() => copyBatch(copy, batch));
  }
}

/** Makes a folder, open to its owner for now; false where there is one. */
function makeFolder(copy: Copy, where: BytePath): boolean {
  const folder = at(copy.to, where);
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    // Only a real folder is merged with: through a link, files would land elsewhere.
    if (errnoOf(error) === 'EEXIST' && lstatSync(folder).isDirectory()) return false;
    throw error;
  }
}

async function copyBatch(copy: Copy, entries: readonly TreeEntry[]): Promise<void> {
  for (const entry of entries) {
    copy.options.signal?.throwIfAborted();
    try {
      if (entry.kind === 'file') {
        if (await copyOneFile(copy, entry.path)) copy.options.onFile?.(entry.path);
      } else if (entry.kind === 'link') copyLink(copy, entry.path);
      else skip(copy.report, entry.path, 'is a pipe, a socket or a device');
    } catch (error) {
      skipOrThrow(copy.report, entry.path, error);
    }
  }
}

function finishFolders(copy: Copy): void {
  for (const { path: where, stat } of copy.folders.reverse()) {
    guarded(copy, where, () => {
      const folder = at(copy.to, where);
      if (process.platform !== 'win32') chmodSync(folder, stat.mode & 0o7777);
      keepTimes(folder, stat);
    });
  }
}

function guarded<T>(copy: Copy, where: BytePath, act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    skipOrThrow(copy.report, where, error);
    return undefined;
  }
}
