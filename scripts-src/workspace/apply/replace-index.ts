import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import path from 'node:path';
import { errnoOf, PrunError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import type { IndexChange } from './change-journal.ts';
import { renameFile } from './move-file.ts';
import { writeWhole } from './path-state.ts';

/** The bytes of an index, undefined where there is none. */
export function indexBytes(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Keeps a copy of an index in the journal's folder; its name there, null where there is no index. */
export function keepIndex(file: string, folder: string, name: string): string | null {
  if (indexBytes(file) === undefined) return null;
  copyFileSync(file, path.join(folder, name));
  return name;
}

/**
 * Replaces index files under git's own lock, so that no git command that runs meanwhile loses its work. Throws where
 * one is locked, or is another one than that which the change started from.
 */
export function replaceIndexes(folder: string, changes: readonly IndexChange[]): void {
  for (const [n, change] of changes.entries()) {
    const from = copyOf(folder, change.before);
    const done = replaceIndex(change.file, from, copyOf(folder, change.after), () =>
      faultPoint(`apply:index-locked-${n}`, folder),
    );
    if (!done) {
      throw new PrunError(
        'E_INDEX',
        `${change.file} was changed by another git command meanwhile`,
        'run the command again; nothing was changed',
        1,
      );
    }
    faultPoint(`apply:index-${n}`, folder);
  }
}

/** Puts back what `replaceIndexes` did, or did in part. Returns the index files that somebody changed since. */
export function restoreIndexes(folder: string, changes: readonly IndexChange[]): string[] {
  return changes
    .filter((change) => {
      const before = copyOf(folder, change.before);
      const after = copyOf(folder, change.after);
      removeOwnLock(change.file, after);
      removeOwnLock(change.file, before);
      if (isSame(indexBytes(change.file), before)) return false;
      try {
        return !replaceIndex(change.file, after, before);
      } catch (error) {
        // A git command has it locked: the files are more urgent, and the caller names what is left.
        if (error instanceof PrunError) return true;
        throw error;
      }
    })
    .map(({ file }) => file);
}

/** False when the index is not `from`. */
function replaceIndex(
  file: string,
  from: Buffer | undefined,
  to: Buffer | undefined,
  whenLocked: () => void = () => {},
): boolean {
  const lock = `${file}.lock`;
  const fd = openLock(file, lock);
  try {
    try {
      if (to) writeWhole(fd, to);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    whenLocked();
    if (!isSame(indexBytes(file), from)) {
      unlinkSync(lock);
      return false;
    }
    if (from) chmodSync(lock, statSync(file).mode & 0o7777);
    if (to) {
      renameFile(lock, file);
    } else {
      rmSync(file, { force: true });
      unlinkSync(lock);
    }
    return true;
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  }
}

function openLock(file: string, lock: string): number {
  try {
    return openSync(lock, 'wx', 0o666);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    throw new PrunError(
      'E_INDEX',
      `${lock} is there: another git command is at work on ${file}`,
      'run the command again when it has ended; nothing was changed',
      1,
    );
  }
}

/** The lock of a dead apply holds what that apply was about to write. Any other one is git's. */
function removeOwnLock(file: string, content: Buffer | undefined): void {
  if (content && isSame(indexBytes(`${file}.lock`), content)) rmSync(`${file}.lock`, { force: true });
}

function copyOf(folder: string, name: string | null): Buffer | undefined {
  return name === null ? undefined : readFileSync(path.join(folder, name));
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}
