import {
  accessSync,
  constants,
  copyFileSync,
  lstatSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { errnoOf } from '../platform/errors.ts';
import { readStart, stampOf } from '../platform/files.ts';

/** How much of a result is looked at to tell text from white space. */
const LOOK_BYTES = 65_536;

/** What no reader sees: white space, control characters (a file of NULs after a crash), zero-width characters. */
const INVISIBLE = /^[\s\p{Cc}\p{Cf}]*$/u;

/** What stands at a result path; `not-a-file` also for a file that may not be read. */
export type ResultState = 'text' | 'empty' | 'missing' | 'not-a-file';

/** Classifies what is at the result path now: white space and what else no reader sees is `empty`. */
export function resultStateOf(file: string): ResultState {
  try {
    if (!lstatSync(file, { throwIfNoEntry: false })) return 'missing';
  } catch {
    return 'missing';
  }
  // A folder, a pipe, or a link that leads to one of them or nowhere: nothing can be written to that name.
  const stamp = stampOf(file);
  if (!stamp) return 'not-a-file';
  if (stamp.size === 0) return 'empty';
  // Somebody's text, perhaps (mode 000, another user's): nothing can be said of it, so it is left alone.
  if (!isReadable(file)) return 'not-a-file';
  // A file that begins with 64 KiB of white space is somebody's text all the same.
  return stamp.size > LOOK_BYTES || !INVISIBLE.test(readStart(file, LOOK_BYTES)) ? 'text' : 'empty';
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Moves an older file out of the way, whole, also across file systems. Throws the system's error when it cannot,
 * and then the file is where it was.
 */
export function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
    const stat = lstatSync(from);
    if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else {
      copyFileSync(from, to);
      utimesSync(to, stat.atime, stat.mtime);
    }
    rmSync(from);
  }
}

/** First line of every file that prun writes for a worker that left none (DESIGN.md §4). */
export function fallbackHeader(unit: string): string {
  return `# ${unit} result (FALLBACK, worker wrote no result file)`;
}

/** Whether prun itself has saved what this unit's worker left: an attempt's older results are moved away first. */
export function isOwnFallback(file: string, unit: string): boolean {
  return readStart(file, 1024).split(/\r?\n/, 1)[0] === fallbackHeader(unit);
}

/** Whether the first line **is** the FALLBACK header; a worker may well write about one further down. */
export function isFallback(file: string): boolean {
  const firstLine = readStart(file, 512).split(/\r?\n/, 1)[0] ?? '';
  return /^# .* result \(FALLBACK, worker wrote no result file\)$/.test(firstLine);
}
