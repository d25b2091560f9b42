import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { errnoOf } from './errors.ts';
import { pauseSync } from './pause.ts';
import { randomHex } from './random.ts';

/** Mode of every file that prun makes for itself: state is private (promise P9). */
export const PRIVATE_FILE = 0o600;
/** Mode of every folder that prun makes for itself. */
export const PRIVATE_DIR = 0o700;

/** What makes a file this very file with this very content: inode, size and times in nanoseconds. */
export interface FileStamp {
  inode: string;
  size: number;
  mtimeNs: string;
  ctimeNs: string;
}

/** Stamp of a regular file (links followed), or undefined where there is none. */
export function stampOf(file: string): FileStamp | undefined {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (!stat?.isFile()) return undefined;
    return {
      inode: String(stat.ino),
      size: Number(stat.size),
      mtimeNs: String(stat.mtimeNs),
      ctimeNs: String(stat.ctimeNs),
    };
  } catch {
    // Not there, or not to be read: for a caller that asks for freshness both mean "no file".
    return undefined;
  }
}

/** Whether two stamps are of the same file with the same content. */
export function sameStamp(a: FileStamp | undefined, b: FileStamp | undefined): boolean {
  if (!a || !b) return a === b;
  return a.inode === b.inode && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

/**
 * Replaces a file whole or not at all: temporary name in the same folder, fsync, rename. On a full disk it throws
 * and the old content stays (FACTS-processes.md, Files).
 */
export function writeAtomic(file: string, data: string | Uint8Array, options: { sync?: boolean } = {}): void {
  const temporary = temporaryBeside(file);
  try {
    writeAll(temporary, data, options.sync ?? true);
    renameRetrying(temporary, file);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

/**
 * Creates a file with its whole content unless one is there: `link(2)` to the final name, because a rename was
 * won by two writers at once in 18 of 200 races (FACTS-processes.md). Returns false when somebody was first.
 * `sync: false` leaves out the fsync, which costs milliseconds, for what need not outlive a power cut.
 */
export function writeOnce(
  file: string,
  data: string | Uint8Array,
  options: { sync?: boolean } = {},
): boolean {
  const temporary = temporaryBeside(file);
  try {
    writeAll(temporary, data, options.sync ?? true);
    return linkOnce(temporary, file);
  } finally {
    removeQuietly(temporary);
  }
}

/**
 * Claims a name and writes what stands behind it; false when the name is taken. Cheaper than `writeOnce`, and for a
 * moment the file is empty: whoever reads it then has to look again.
 */
export function claimName(file: string, data: string): boolean {
  let fd: number;
  try {
    fd = openSync(file, 'wx', PRIVATE_FILE);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    writeSync(fd, data);
  } finally {
    closeSync(fd);
  }
  return true;
}

/** Makes a private file with its whole content; throws where one is there, and leaves none that was cut (a full disk). */
export function writeNew(file: string, data: string | Uint8Array): void {
  writeAll(file, data, false);
}

/** Gives an existing file its final name unless the name is taken (then false). The old name goes. */
export function publishOnce(prepared: string, file: string): boolean {
  const won = linkOnce(prepared, file);
  unlinkSync(prepared);
  return won;
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It was never made, or its folder has gone.
  }
}

function linkOnce(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // File systems without hard links (exFAT, some network mounts): an exclusive create claims the name.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'].includes(errnoOf(error) ?? ''))
      throw error;
    return copyExclusive(from, to);
  }
}

function copyExclusive(from: string, to: string): boolean {
  const data = readWhole(from);
  let fd: number;
  try {
    fd = openSync(to, 'wx', PRIVATE_FILE);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(fd, data);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return true;
}

function readWhole(file: string): Buffer {
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(fstatSync(fd).size);
    readFully(fd, buffer, 0);
    return buffer;
  } finally {
    closeSync(fd);
  }
}

function writeAll(file: string, data: string | Uint8Array, sync: boolean): void {
  const fd = openSync(file, 'wx', PRIVATE_FILE);
  try {
    writeFileSync(fd, data);
    if (sync) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A name beside a file for what is to take its place; `isTemporaryOf` knows it again. */
export function temporaryBeside(file: string): string {
  return path.join(path.dirname(file), `.prun-${process.pid}-${randomHex(8)}.tmp`);
}

/** Whether a name is that of a file that the process `pid` was about to give its final name. */
export function isTemporaryOf(name: string, pid: number | undefined): boolean {
  return pid !== undefined && new RegExp(`^\\.prun-${pid}-[0-9a-f]{8}\\.tmp$`).test(name);
}

/** Whether a name is that of a file that some process was about to give its final name. */
export function isTemporary(name: string): boolean {
  return /^\.prun-\d+-[0-9a-f]{8}\.tmp$/.test(name);
}

/** Windows refuses a rename while another process has the target open for a moment: try again, never in place. */
export function renameRetrying(from: string, to: string): void {
  for (let attempt = 0; ; attempt++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const transient = ['EPERM', 'EACCES', 'EBUSY'].includes(errnoOf(error) ?? '');
      if (process.platform !== 'win32' || !transient || attempt >= 20) throw error;
      pauseSync(10);
    }
  }
}

/** Reads at most `limit` bytes from `offset`; fewer at the end of the file. */
export function readRange(fd: number, offset: number, limit: number): Buffer {
  const buffer = Buffer.allocUnsafe(limit);
  return buffer.subarray(0, readFully(fd, buffer, offset));
}

function readFully(fd: number, buffer: Buffer, offset: number): number {
  let done = 0;
  while (done < buffer.length) {
    const count = readSync(fd, buffer, done, buffer.length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

/**
 * Opens a file that somebody else may have replaced: the open of a pipe without a writer would wait for one, and this
 * process with it, deaf to signals.
 */
export function openForReading(file: string): number {
  // Windows has no such flag, and no such pipes among its files.
  return openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/** The last `limit` bytes of a file as text, empty where it cannot be read. */
export function readEnd(file: string, limit: number): string {
  return readSlice(file, (size) => Math.max(0, size - limit), limit);
}

/** The first `limit` bytes of a file as text, empty where it cannot be read. */
export function readStart(file: string, limit: number): string {
  return readSlice(file, () => 0, limit);
}

function readSlice(file: string, from: (size: number) => number, limit: number): string {
  let fd: number;
  try {
    fd = openForReading(file);
  } catch {
    // A reader that shows what is there has nothing to show.
    return '';
  }
  try {
    const stat = fstatSync(fd);
    return stat.isFile() ? readRange(fd, from(stat.size), limit).toString('utf8') : '';
  } catch {
    return '';
  } finally {
    closeSync(fd);
  }
}

/** Text of a small file, trimmed, or undefined where it cannot be read. At most 64 KiB. */
export function readValue(file: string): string | undefined {
  try {
    statSync(file);
  } catch {
    return undefined;
  }
  return readStart(file, 65_536).trim();
}

/** Size of a file in bytes, 0 where there is none. */
export function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    // Gone or not to be read: nothing of it counts.
    return 0;
  }
}

/**
 * What stands at a path, links not followed; undefined where nothing does, also below something that is no folder or a
 * loop of links. Throws the system's error where nobody may look.
 */
export function lstatOrNone(file: string | Buffer): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** What is in a folder, nothing where it has gone or is closed to readers: for looks that are only a hint. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
