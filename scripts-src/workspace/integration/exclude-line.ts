import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { WORKTREES_FOLDER } from './integration.ts';

/** The line in a repository's private exclude file that keeps integration worktrees out of `git status`. */
export const EXCLUDE_LINE = `/${WORKTREES_FOLDER}/`;

/** Adds the line unless it is there. Call it while the repository is held: it looks first, and then writes. */
export function addExcludeLine(commonDir: string): void {
  const file = path.join(commonDir, 'info', 'exclude');
  mkdirSync(path.dirname(file), { recursive: true });
  const fd = openSync(file, 'a+');
  try {
    const text = readFileSync(file, 'latin1');
    if (text.split(/\r?\n/).some((line) => line.trim() === EXCLUDE_LINE)) return;
    const isOpen = fstatSync(fd).size > 0 && !text.endsWith('\n');
    writeSync(fd, `${isOpen ? '\n' : ''}${EXCLUDE_LINE}\n`);
  } finally {
    closeSync(fd);
  }
}
