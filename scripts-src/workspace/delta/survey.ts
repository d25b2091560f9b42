import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { type BytePath, below, bytePath, fileAt } from '../../platform/byte-path.ts';
import { errnoOf } from '../../platform/errors.ts';
import type { TakeProblem } from './take-files.ts';

/** What is in a working tree that git does not tell of. */
export interface Survey {
  /** Pipes, sockets, devices. */
  special: BytePath[];
  /** Folders and files that their owner may not read, with their modes. */
  locked: { path: BytePath; mode: number }[];
  /** Repositories below the top. */
  repositories: BytePath[];
}

/**
 * Looks through a working tree, `.git` folders and `skipped` ones left out, without following symlinks. A few
 * milliseconds for a thousand files.
 */
export function surveyTree(root: string, skipped: ReadonlySet<BytePath>): Survey {
  const found: Survey = { special: [], locked: [], repositories: [] };
  const folders: (BytePath | undefined)[] = [undefined];
  while (folders.length > 0) {
    const folder = folders.pop();
    for (const entry of entriesAt(root, folder, found)) {
      const where = below(folder, bytePath(entry.name));
      if (where === '.git' || where.endsWith('/.git')) {
        if (folder !== undefined) found.repositories.push(folder);
      } else if (entry.isDirectory()) {
        if (!skipped.has(where)) folders.push(where);
      } else if (!entry.isFile() && !entry.isSymbolicLink()) found.special.push(where);
    }
  }
  return found;
}

function entriesAt(root: string, folder: BytePath | undefined, found: Survey) {
  const where = folder ?? ('' as BytePath);
  try {
    return readdirSync(fileAt(root, where), { encoding: 'buffer', withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === 'EACCES') found.locked.push({ path: where, mode: modeOf(root, where) });
    // Gone, or no folder any more: nothing to see.
    return [];
  }
}

function modeOf(root: string, where: BytePath): number {
  return lstatSync(fileAt(root, where)).mode & 0o7777;
}

/** Folders that were opened for reading, to be closed again. */
export interface Opened {
  /** What stays closed. */
  problems: TakeProblem[];
  /** Opens more. */
  add(locked: Survey['locked']): void;
  restore(): void;
}

/** Gives the owner the right to read folders that are locked, until `restore` is called. */
export function unlock(root: string, locked: Survey['locked']): Opened {
  const done: Survey['locked'] = [];
  const problems: TakeProblem[] = [];
  const add = (more: Survey['locked']): void => {
    for (const { path, mode } of more) {
      try {
        chmodSync(fileAt(root, path), mode | 0o700);
        done.push({ path, mode });
      } catch (error) {
        const what = `may not be read, and its mode cannot be changed (${errnoOf(error)})`;
        problems.push({ path, what, lost: true });
      }
    }
  };
  add(locked);
  return {
    problems,
    add,
    restore() {
      // Inner ones first: an outer one closes the way to them.
      for (const { path, mode } of done.reverse()) chmodSync(fileAt(root, path), mode);
    },
  };
}
