import { type BigIntStats, lstatSync } from 'node:fs';
import { type BytePath, fileAt, parentOf, shownPath } from '../platform/byte-path.ts';
import { errnoOf } from '../platform/errors.ts';

/** What the file system says of one path, links not followed. */
interface Stamp {
  /** Device and inode: another one is another file, whatever is in it. */
  identity: string;
  mode: bigint;
  size: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  links: bigint;
}

/** Stamps of all tracked files and of the folders that they lie in. `null`: there is nothing at that path. */
export interface FileStamps {
  files: Map<BytePath, Stamp | null>;
  /** The top is the empty path. */
  folders: Map<BytePath, Stamp | null>;
}

const TOP = '' as BytePath;

/** Looks at every one of these files below `workTree` and at the folders above them. Reads no content. */
export function stampFiles(workTree: string, paths: readonly BytePath[]): FileStamps {
  const files = new Map<BytePath, Stamp | null>();
  const folders = new Map<BytePath, Stamp | null>([[TOP, stampAt(workTree, TOP)]]);
  for (const file of paths) {
    files.set(file, stampAt(workTree, file));
    for (let up = parentOf(file); up !== undefined && !folders.has(up); up = parentOf(up)) {
      folders.set(up, stampAt(workTree, up));
    }
  }
  return { files, folders };
}

function stampAt(workTree: string, where: BytePath): Stamp | null {
  try {
    const stat = lstatSync(where === TOP ? workTree : fileAt(workTree, where), { bigint: true });
    return stampFrom(stat);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) return null;
    throw error;
  }
}

function stampFrom({ dev, ino, mode, size, mtimeNs, ctimeNs, nlink }: BigIntStats): Stamp {
  return { identity: `${dev}:${ino}`, mode, size, mtimeNs, ctimeNs, links: nlink };
}

/**
 * The first difference between two looks in one line, undefined where there is none. A new hard link moves a file's
 * ctime and its number of links, and nothing else: that alone is no difference.
 */
export function stampDifference(before: FileStamps, now: FileStamps): string | undefined {
  for (const [where, old] of before.files) {
    const what = fileDifference(old, now.files.get(where) ?? null);
    if (what) return `${shownPath(where)} ${what}`;
  }
  for (const [where, old] of before.folders) {
    const what = folderDifference(old, now.folders.get(where) ?? null);
    if (what) return `the folder ${where === TOP ? 'of the worktree' : shownPath(where)} ${what}`;
  }
  return undefined;
}

function fileDifference(before: Stamp | null, now: Stamp | null): string | undefined {
  if (before === null || now === null) return before === now ? undefined : 'was removed or made';
  if (before.identity !== now.identity) return 'was replaced by another file';
  if (before.mode !== now.mode) return `has mode ${octal(now.mode)}, not ${octal(before.mode)} as before`;
  if (before.size !== now.size) return `has ${now.size} bytes, not ${before.size} as before`;
  if (before.mtimeNs !== now.mtimeNs) return 'was written or touched';
  if (before.ctimeNs !== now.ctimeNs && before.links === now.links) {
    return 'was changed and put back, or had its mode or times set (its ctime moved)';
  }
  return undefined;
}

function folderDifference(before: Stamp | null, now: Stamp | null): string | undefined {
  if (before === null || now === null) return before === now ? undefined : 'was removed or made';
  if (before.identity !== now.identity) return 'was replaced by another one';
  if (before.mode !== now.mode) return `has mode ${octal(now.mode)}, not ${octal(before.mode)} as before`;
  // A new entry moves both times. A rename of the folder itself moves the ctime alone.
  const isMoved = before.ctimeNs !== now.ctimeNs && before.mtimeNs === now.mtimeNs;
  return isMoved ? 'was moved away and back, or had its mode set (its ctime moved alone)' : undefined;
}

function octal(mode: bigint): string {
  return (mode & 0o7777n).toString(8);
}

/** ms since the last change of any of these files, and whether the file system knows only whole seconds. */
export function freshness({ files }: FileStamps, nowMs: number): { ageMs: number; isCoarse: boolean } {
  let newest = 0n;
  let isCoarse = files.size > 0;
  for (const stamp of files.values()) {
    if (stamp === null) continue;
    if (stamp.ctimeNs > newest) newest = stamp.ctimeNs;
    if (stamp.ctimeNs % 1_000_000_000n !== 0n) isCoarse = false;
  }
  return { ageMs: nowMs - Number(newest / 1_000_000n), isCoarse };
}
