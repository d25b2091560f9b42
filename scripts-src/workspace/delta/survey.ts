import { chmodSync, closeSync, constants, lstatSync, openSync, readdirSync } from 'node:fs';
import { type BytePath, below, bytePath, fileAt } from '../../platform/byte-path.ts';
import { errnoOf } from '../../platform/errors.ts';
import type { TakeProblem } from './take-files.ts';

/** What is in a working tree that git does not tell of. */
export interface Survey {
  /** Pipes, sockets, devices. */
  special: BytePath[];
  /** Folders that their owner may not read, with their modes. */
  locked: { path: BytePath; mode: number }[];
  /** Folders that cannot be read for another reason, with the system's name for it. */
  unreadable: { path: BytePath; code: string }[];
  /** Folders that hold something of the name `.git`. */
  repositories: BytePath[];
  /** Large folders that nobody looked into: mostly git ignores them. */
  passed: BytePath[];
}

/** Folders of tools, which can hold a hundred thousand files. */
const LARGE = new Set(['node_modules', '.venv', 'venv', 'target', '.tox', '.gradle', 'vendor']);

/**
 * Looks through a working tree from `start` on, `.git` folders and `skipped` ones left out, without following symlinks.
 * Large folders of tools are passed and listed, unless one is where it starts. A few milliseconds for a thousand files.
 */
export function surveyTree(root: string, skipped: ReadonlySet<BytePath>, start?: BytePath): Survey {
  const found: Survey = { special: [], locked: [], unreadable: [], repositories: [], passed: [] };
  const folders: (BytePath | undefined)[] = [start];
  while (folders.length > 0) {
    const folder = folders.pop();
    for (const entry of entriesAt(root, folder, found)) {
      const name = bytePath(entry.name);
      const where = below(folder, name);
      if (name === '.git') {
        if (folder !== undefined) found.repositories.push(folder);
      } else if (entry.isDirectory()) {
        if (skipped.has(where)) continue;
        if (LARGE.has(name)) found.passed.push(where);
        else folders.push(where);
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
    const code = errnoOf(error) ?? 'unknown error';
    if (code === 'EACCES') found.locked.push({ path: where, mode: modeOf(root, where) });
    // Gone, or no folder any more: nothing to see.
    else if (!['ENOENT', 'ENOTDIR'].includes(code)) found.unreadable.push({ path: where, code });
    return [];
  }
}

function modeOf(root: string, where: BytePath): number {
  return lstatSync(fileAt(root, where)).mode & 0o7777;
}

/** Names of files that git reads when it looks through a tree. */
const READ_BY_GIT = /(?:^|\/)\.git(?:ignore|attributes)$/;
const FEED_MS = 10;

/**
 * A pipe that stands where git reads its rules would make it wait for a writer for ever: this is one, and writes nothing,
 * until `stop` is called.
 */
export function feedPipes(root: string, special: readonly BytePath[]): { stop(): void } {
  const pipes = special.filter((where) => READ_BY_GIT.test(where));
  if (pipes.length === 0 || process.platform === 'win32') return { stop() {} };
  const timer = setInterval(() => {
    for (const where of pipes) {
      try {
        closeSync(openSync(fileAt(root, where), constants.O_WRONLY | constants.O_NONBLOCK));
      } catch {
        // Nobody reads it now (ENXIO), or it is no pipe.
      }
    }
  }, FEED_MS);
  return { stop: () => clearInterval(timer) };
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
