import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from './errors.ts';
import { PRIVATE_DIR } from './files.ts';

/**
 * Makes a folder with those above it, one by one: Node's own recursive mkdir never ends where the system says that nothing
 * can be there although the folder above is (/proc, a dead mount). Throws the system's error.
 */
export function makeFolders(folder: string, mode: number = PRIVATE_DIR): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = path.dirname(folder);
  if (above !== folder) makeFolders(above, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Somebody else was quicker.
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}
