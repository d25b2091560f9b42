import type { BytePath } from './byte-path.ts';
import { errnoOf, messageOf } from './errors.ts';
import type { Reflinks } from './reflink.ts';

/** An entry that is not in the copy, and why: one line. */
export interface SkippedEntry {
  path: BytePath;
  why: string;
}

/** What a copy did. */
export interface CopyReport {
  files: number;
  folders: number;
  links: number;
  /** Sizes of the copied files added up. */
  bytes: number;
  reflinked: Reflinks;
  /** The first ones that were not copied, at most 100, and how many there are in all. */
  skipped: SkippedEntry[];
  skippedCount: number;
  /** Links that lead out of the roots, copied as they are: the first ones, at most 100, and how many in all. */
  outside: BytePath[];
  outsideCount: number;
}

const NAMED = 100;

/** Faults of one entry: the rest is copied all the same. Everything else (a full disk) ends the copy. */
const OF_ONE_ENTRY = [
  'EACCES',
  'EPERM',
  'ENOENT',
  'EEXIST',
  'ELOOP',
  'ETXTBSY',
  'EBUSY',
  'ENOTDIR',
  'EISDIR',
  'ENXIO',
];

/** The report of a copy that has yet to begin. */
export function emptyReport(): CopyReport {
  const counts = { files: 0, folders: 0, links: 0, bytes: 0, skippedCount: 0, outsideCount: 0 };
  return { ...counts, reflinked: 'unknown', skipped: [], outside: [] };
}

/** Notes a link that leads out. */
export function noteOutside(report: CopyReport, where: BytePath): void {
  report.outsideCount++;
  if (report.outside.length < NAMED) report.outside.push(where);
}

/** Notes an entry that could not be copied, or throws what concerns more than this entry. */
export function skipOrThrow(report: CopyReport, where: BytePath, error: unknown): void {
  const errno = errnoOf(error) ?? '';
  if (!OF_ONE_ENTRY.includes(errno)) throw error;
  skip(report, where, errno === 'EEXIST' ? 'something is there already' : reasonOf(errno, error));
}

function reasonOf(errno: string, error: unknown): string {
  if (errno === 'EACCES' || errno === 'EPERM') return `no permission (${errno})`;
  if (errno === 'ENOENT') return 'gone while it was copied';
  return messageOf(error);
}

/** Notes an entry that is not in the copy. */
export function skip(report: CopyReport, where: BytePath, why: string): void {
  report.skippedCount++;
  if (report.skipped.length < NAMED) report.skipped.push({ path: where, why });
}
