import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  writeSync,
} from 'node:fs';
import { errnoOf } from '../../platform/errors.ts';

/** Hash of a repository's objects. */
export type ObjectFormat = 'sha1' | 'sha256';

/** What stands at a path: nothing, a file or a symlink. Ids are those of git's blobs over the exact bytes. */
export type PathState =
  | { kind: 'none' }
  | { kind: 'file'; id: string; perm: number; uid: number; gid: number }
  | { kind: 'symlink'; id: string };

/** What tells that a file that was renamed is the one that was looked at. A rename changes ctime, so it is not here. */
export interface RenameStamp {
  ino: string;
  size: number;
  mtimeNs: string;
  perm: number;
}

/** A path with its state and stamp. */
export interface SeenPath {
  state: PathState;
  /** Undefined where nothing is. */
  stamp?: RenameStamp;
}

/** A file that was being written while it was read. */
export class UnsteadyFileError extends Error {}

/** What was a file a moment ago may be a link or a pipe by now: neither is followed or waited for. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Size of the pieces in which files are read and written. */
const PIECE = 1024 * 1024;

const PERMISSIONS = 0o7777n;

/** lstat without links followed; undefined where nothing is or a folder of the path is none. Other errors are thrown. */
export function lookAt(file: string | Buffer): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** The stamp of what lstat saw. */
export function renameStamp(stat: BigIntStats): RenameStamp {
  return {
    ino: String(stat.ino),
    size: Number(stat.size),
    mtimeNs: String(stat.mtimeNs),
    perm: Number(stat.mode & PERMISSIONS),
  };
}

/** Whether two stamps are of the same file with the same content. */
export function sameFile(a: RenameStamp, b: RenameStamp): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.perm === b.perm;
}

/** The id that git gives to a blob of these bytes. */
export function blobId(format: ObjectFormat, content: Uint8Array): string {
  return blobHash(format, content.length).update(content).digest('hex');
}

/** A hash that is to be fed with the `size` bytes of a blob. */
export function blobHash(format: ObjectFormat, size: number): ReturnType<typeof createHash> {
  return createHash(format).update(`blob ${size}\0`);
}

/**
 * State and stamp of a path, its content read once; `keepIn` receives a copy of the bytes (a symlink's target).
 * Undefined for what is neither a file nor a symlink (a folder, a pipe). Throws UnsteadyFileError where the file changed
 * while it was read.
 */
export function readPath(
  file: string | Buffer,
  format: ObjectFormat,
  keepIn?: number,
): Required<SeenPath> | SeenPath | undefined {
  const stat = lookAt(file);
  if (!stat) return { state: { kind: 'none' } };
  if (stat.isSymbolicLink()) {
    const target = readlinkSync(file, { encoding: 'buffer' });
    if (keepIn !== undefined) writeSync(keepIn, target);
    return { state: { kind: 'symlink', id: blobId(format, target) }, stamp: renameStamp(stat) };
  }
  if (!stat.isFile()) return undefined;
  const fd = openSync(file, READ_FLAGS);
  try {
    const before = fstatSync(fd, { bigint: true });
    const id = copyAndHash(fd, Number(before.size), format, keepIn);
    const after = fstatSync(fd, { bigint: true });
    const isSteady =
      before.ino === stat.ino && before.mtimeNs === after.mtimeNs && before.size === after.size && id;
    if (!isSteady) throw new UnsteadyFileError('it was being written while it was read');
    return {
      state: {
        kind: 'file',
        id,
        perm: Number(after.mode & PERMISSIONS),
        uid: Number(after.uid),
        gid: Number(after.gid),
      },
      stamp: renameStamp(after),
    };
  } finally {
    closeSync(fd);
  }
}

/** Id of a descriptor's content, undefined when it ended early. */
function copyAndHash(fd: number, size: number, format: ObjectFormat, keepIn?: number): string | undefined {
  const hash = blobHash(format, size);
  const piece = Buffer.allocUnsafe(Math.min(PIECE, size + 1));
  for (let rest = size; rest > 0; ) {
    const count = readSync(fd, piece, 0, Math.min(piece.length, rest), null);
    if (count === 0) return undefined;
    const bytes = piece.subarray(0, count);
    hash.update(bytes);
    if (keepIn !== undefined) writeWhole(keepIn, bytes);
    rest -= count;
  }
  return hash.digest('hex');
}

/** Writes all of it: write(2) may take less on a nearly full disk. */
export function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}
