import { createHash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, type Stats } from 'node:fs';

/** What lies at one path. */
export interface TreeEntry {
  type: 'file' | 'link' | 'folder' | 'fifo' | 'socket' | 'other';
  /** Permission bits; links have none that count. */
  mode: number;
  /** Bytes of a file; 0 for everything else. */
  size: number;
  /** SHA-256 of a file. */
  hash: string;
  /** Target of a link; each byte is one character. */
  target: string;
  /** Inode and time of the last write, where they were asked for. */
  identity: string;
}

/** A folder at one instant, made without git. Paths are relative; each byte of a name is one character. */
export type TreeImage = Map<string, TreeEntry>;

/** What an image takes in. */
export interface ImageWish {
  /** Whether things called `.git`, at any depth, are left out, are all that is taken, or are taken too. */
  git: 'skip' | 'only' | 'all';
  /**
   * Inodes too, and write times of all but git's objects and shared indexes. Times of status change and of reading and
   * the number of links are never taken: hard links to objects change them and nothing else. git itself renews the
   * write time of an object that somebody would have written again, and of a shared index that it reads.
   */
  identity?: boolean;
}

/** The image of a folder; nothing in it is followed, and only regular files are opened. */
export function imageOf(folder: string, wish: ImageWish): TreeImage {
  const image: TreeImage = new Map();
  walk(Buffer.from(folder), '', false, wish, image);
  return image;
}

/** The differences of two images, one readable line each; none when they are the same. */
export function differencesOf(before: TreeImage, after: TreeImage): string[] {
  const found: string[] = [];
  for (const where of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const old = before.get(where);
    const now = after.get(where);
    if (!old) found.push(`${shown(where)}: there is a new ${now?.type}`);
    else if (!now) found.push(`${shown(where)}: the ${old.type} has gone`);
    else found.push(...entryDifferences(where, old, now));
  }
  return found;
}

/** An image without folders and permissions other than the owner's x bit: what a git tree can hold. */
export function filesOf(image: TreeImage): TreeImage {
  const files: TreeImage = new Map();
  for (const [where, entry] of image) {
    if (entry.type !== 'file' && entry.type !== 'link') continue;
    const mode = entry.type === 'link' ? 0 : entry.mode & 0o100;
    files.set(where, { ...entry, mode, identity: '' });
  }
  return files;
}

/** The part of an image at these paths. */
export function imageAt(image: TreeImage, paths: Iterable<string>): TreeImage {
  const part: TreeImage = new Map();
  for (const where of paths) {
    const entry = image.get(where);
    if (entry) part.set(where, entry);
  }
  return part;
}

/** A name as one printable line. */
export function shown(where: string): string {
  const text = Buffer.from(where, 'latin1').toString('utf8');
  return /[\p{Cc}\ufffd]|^\s|\s$/u.test(text) ? JSON.stringify(where) : text;
}

function walk(folder: Buffer, below: string, isInGit: boolean, wish: ImageWish, image: TreeImage): void {
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    const isGit = isInGit || name.toString('latin1') === '.git';
    if (isGit && wish.git === 'skip') continue;
    const file = Buffer.concat([folder, SLASH, name]);
    const where = below ? `${below}/${name.toString('latin1')}` : name.toString('latin1');
    const stats = lstatSync(file);
    if (isGit || wish.git !== 'only')
      image.set(where, entryOf(file, stats, wish, isGit && RENEWED.test(where)));
    if (stats.isDirectory()) walk(file, where, isGit, wish, image);
  }
}

const SLASH = Buffer.from('/');

const RENEWED = /(^|\/)(objects\/|sharedindex\.)/;

function entryOf(file: Buffer, stats: Stats, wish: ImageWish, isRenewed: boolean): TreeEntry {
  const type = typeOf(stats);
  return {
    type,
    mode: type === 'link' ? 0 : stats.mode & 0o7777,
    size: type === 'file' ? stats.size : 0,
    hash: type === 'file' ? hashOf(file) : '',
    target: type === 'link' ? readlinkSync(file, { encoding: 'buffer' }).toString('latin1') : '',
    identity: wish.identity ? `${stats.ino}${type === 'folder' || isRenewed ? '' : ` ${stats.mtimeMs}`}` : '',
  };
}

function typeOf(stats: Stats): TreeEntry['type'] {
  if (stats.isFile()) return 'file';
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  if (stats.isFIFO()) return 'fifo';
  return stats.isSocket() ? 'socket' : 'other';
}

const chunk = Buffer.alloc(1024 * 1024);

function hashOf(file: Buffer): string {
  const hash = createHash('sha256');
  const fd = openSync(file, 'r');
  try {
    for (;;) {
      const bytes = readSync(fd, chunk);
      if (bytes === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, bytes));
    }
  } finally {
    closeSync(fd);
  }
}

function entryDifferences(where: string, old: TreeEntry, now: TreeEntry): string[] {
  if (old.type !== now.type) return [`${shown(where)}: was a ${old.type}, is a ${now.type}`];
  const found: string[] = [];
  if (old.mode !== now.mode) found.push(`mode ${old.mode.toString(8)} is ${now.mode.toString(8)}`);
  if (old.target !== now.target) found.push(`points at ${shown(now.target)}, not ${shown(old.target)}`);
  if (old.size !== now.size || old.hash !== now.hash) {
    found.push(
      `other content (${old.size} bytes ${old.hash.slice(0, 8)}, now ${now.size} ${now.hash.slice(0, 8)})`,
    );
  }
  if (old.identity !== now.identity) found.push(`inode or write time ${old.identity} is ${now.identity}`);
  return found.map((what) => `${shown(where)}: ${what}`);
}
