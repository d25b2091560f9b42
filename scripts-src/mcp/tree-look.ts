import { type BigIntStats, lstatSync } from 'node:fs';
import { type BytePath, fileAt, textOf } from '../platform/byte-path.ts';
import { runGit } from '../platform/git.ts';

/** What git calls changed in a working tree at one moment: the path as text and what tells one state from another. */
export interface TreeLook {
  /** The top of the tree, absolute. */
  top: string;
  /** The commit that is checked out, null before the first one. */
  head: string | null;
  paths: Map<string, PathLook>;
}

/** A path that differs from HEAD or that git does not know. */
export interface PathLook {
  /** git's two letters. */
  status: string;
  /** Inode, size and time of change; null where there is no file. */
  stamp: string | null;
}

/** Reading a tree must not hold a call back, ms. */
const LIMIT_MS = 20_000;
/** More changed files than these are not compared. */
const MAX_PATHS = 20_000;

/**
 * Looks at a git working tree without changing anything in it, its index included. Gives why it cannot as text: git is
 * missing, too slow, or the tree holds too much that was never committed.
 */
export async function lookAtTree(top: string): Promise<TreeLook | string> {
  try {
    const argv = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames'];
    const [head, { stdout }] = [await headOf(top), await gitAt(top, argv)];
    const entries = stdout.toString('latin1').split('\0').filter(Boolean);
    if (entries.length > MAX_PATHS) return `${entries.length} files are changed or not in git`;
    return { top, head, paths: new Map(entries.map((entry) => lookAt(top, entry))) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function gitAt(top: string, argv: readonly string[]) {
  return runGit({ cwd: top, asUser: true }, argv, { limitMs: LIMIT_MS });
}

async function headOf(top: string): Promise<string | null> {
  try {
    return (await gitAt(top, ['rev-parse', '--verify', 'HEAD'])).stdout.toString().trim();
  } catch {
    // No commit yet; any other trouble shows with the status.
    return null;
  }
}

function lookAt(top: string, entry: string): [string, PathLook] {
  const where = entry.slice(3) as BytePath;
  const stat = lstatSync(fileAt(top, where), { bigint: true, throwIfNoEntry: false });
  return [textOf(where), { status: entry.slice(0, 2), stamp: stampText(stat) }];
}

function stampText(stat: BigIntStats | undefined): string | null {
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.mode}` : null;
}

/** How a file was changed. */
export type FileChange = 'added' | 'modified' | 'deleted';

/**
 * What differs between two looks at one tree, by path below its top, with what was committed between them. Throws where git
 * cannot compare the commits.
 */
export async function changesSince(before: TreeLook, after: TreeLook): Promise<Map<string, FileChange>> {
  const changes = changesBetween(before, after);
  for (const [where, change] of await committedBetween(before, after)) {
    // One that was committed, and is gone from the files all the same.
    if (after.paths.get(where)?.stamp !== null) changes.set(where, change);
  }
  return changes;
}

async function committedBetween(before: TreeLook, after: TreeLook): Promise<[string, FileChange][]> {
  if (after.head === null || after.head === before.head) return [];
  const argv =
    before.head === null
      ? ['ls-tree', '-r', '-z', '--name-only', after.head]
      : ['diff-tree', '-r', '-z', '--name-status', '--no-renames', before.head, after.head];
  const words = (await gitAt(after.top, argv)).stdout.toString('latin1').split('\0').filter(Boolean);
  if (before.head === null) return words.map((where) => [textOf(where as BytePath), 'added']);
  return words.flatMap((word, at): [string, FileChange][] => {
    const where = words[at + 1];
    return at % 2 === 0 && where !== undefined ? [[textOf(where as BytePath), changeNamed(word)]] : [];
  });
}

function changeNamed(letter: string): FileChange {
  if (letter === 'A') return 'added';
  return letter === 'D' ? 'deleted' : 'modified';
}

/** The same, of what is not committed. Pure. */
export function changesBetween(before: TreeLook, after: TreeLook): Map<string, FileChange> {
  const changes = new Map<string, FileChange>();
  for (const path of new Set([...before.paths.keys(), ...after.paths.keys()])) {
    const [old, now] = [before.paths.get(path), after.paths.get(path)];
    if (old?.status === now?.status && old?.stamp === now?.stamp) continue;
    changes.set(path, changeOf(old, now));
  }
  return changes;
}

function changeOf(old: PathLook | undefined, now: PathLook | undefined): FileChange {
  // What git does not name is as it is in HEAD, or was a new file and is gone.
  const wasThere = old === undefined ? !isNew(now) : old.stamp !== null;
  const isThere = now === undefined ? !isNew(old) : now.stamp !== null;
  if (!isThere) return 'deleted';
  return wasThere ? 'modified' : 'added';
}

function isNew(look: PathLook | undefined): boolean {
  return look !== undefined && (look.status === '??' || look.status.startsWith('A'));
}
