import {
  constants,
  copyFile,
  type Dirent,
  lstatSync,
  readdirSync,
  readlinkSync,
  type Stats,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import path from 'node:path';
import { type BytePath, bytePath, bytePathOf, fileAt } from './byte-path.ts';
import { copiedLink, type LinkRoots } from './copy-links.ts';
import { type CopyReport, noteOutside, skip } from './copy-report.ts';
import { reflinksBetween } from './reflink.ts';

/** One entry that a copy came upon. */
export interface TreeEntry {
  /** Below the copied tree. */
  path: BytePath;
  /** Last name of the path. */
  name: BytePath;
  kind: 'folder' | 'file' | 'link' | 'other';
}

/** A copy at work: from where, to where, and what is told of it. */
export interface CopyPlace {
  from: string;
  to: string;
  linkRoots: LinkRoots;
  report: CopyReport;
}

/** What is in a folder. */
export function entriesIn(folder: string | Buffer): { name: BytePath; kind: TreeEntry['kind'] }[] {
  if (process.platform === 'win32') {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: bytePathOf(entry.name),
      kind: kindOf(entry),
    }));
  }
  // The types of Node 20 know no byte names together with kinds; the function does.
  const entries = readdirSync(folder, {
    withFileTypes: true,
    encoding: 'buffer' as 'utf8',
  }) as unknown as (Omit<Dirent, 'name'> & { name: Buffer })[];
  return entries.map((entry) => ({ name: bytePath(entry.name), kind: kindOf(entry) }));
}

/** What kind of thing an entry is. */
export function kindOf(entry: Pick<Dirent, 'isDirectory' | 'isFile' | 'isSymbolicLink'>): TreeEntry['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** Copies one regular file; false where it is none any more. Throws the system's errors. */
export async function copyOneFile(copy: CopyPlace, where: BytePath): Promise<boolean> {
  const [from, to] = [at(copy.from, where), at(copy.to, where)];
  const stat = lstatSync(from);
  // Replaced since the folder was read: the open of a pipe would wait for a writer.
  if (!stat.isFile()) {
    skip(copy.report, where, 'changed while it was copied');
    return false;
  }
  if (copy.report.reflinked === 'unknown' && stat.size > 0) {
    copy.report.reflinked = reflinksBetween(from, where === '' ? path.dirname(copy.to) : copy.to);
  }
  await copyContent(from, to);
  keepTimes(to, stat);
  copy.report.files++;
  copy.report.bytes += stat.size;
  return true;
}

function copyContent(from: string | Buffer, to: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    // Falls back to a copy of the bytes by itself; sets the mode of the source.
    copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Copies one link. Throws the system's errors. */
export function copyLink(copy: CopyPlace, where: BytePath): void {
  const source = at(copy.from, where);
  const isWindows = process.platform === 'win32';
  const said = isWindows ? readlinkSync(source, 'utf8') : readlinkSync(source, 'buffer').toString('latin1');
  const folder = asText(source);
  const { target, leadsOut } = copiedLink(said, path.dirname(folder), copy.linkRoots);
  const type = isWindows ? windowsLinkType(source) : undefined;
  symlinkSync(isWindows ? target : Buffer.from(target, 'latin1'), at(copy.to, where), type);
  copy.report.links++;
  if (leadsOut) noteOutside(copy.report, where);
}

/** A junction needs no privilege, unlike a folder link; package managers make junctions too. */
function windowsLinkType(source: string | Buffer): 'junction' | 'file' {
  try {
    return statSync(source).isDirectory() ? 'junction' : 'file';
  } catch {
    // It leads nowhere.
    return 'file';
  }
}

function asText(file: string | Buffer): string {
  return typeof file === 'string' ? file : file.toString('latin1');
}

/**
 * Gives a copy the times of its source. Node takes times as seconds with a fraction and cuts off: the half keeps a microsecond from becoming one less.
 */
export function keepTimes(file: string | Buffer, stat: Stats): void {
  const seconds = (ms: number) => (ms % 1000 === 0 ? ms / 1000 : (Math.floor(ms * 1000) + 0.5) / 1e6);
  utimesSync(file, seconds(stat.atimeMs), seconds(stat.mtimeMs));
}

/** A path below a root, or the root itself, for Node's file functions. */
export function at(root: string, where: BytePath): string | Buffer {
  return where === '' ? bytesOfRoot(root) : fileAt(root, where);
}

/** A root is text that Node gave: as bytes, so that its paths below have one form. */
function bytesOfRoot(root: string): string | Buffer {
  return process.platform === 'win32' ? root : Buffer.from(root);
}
