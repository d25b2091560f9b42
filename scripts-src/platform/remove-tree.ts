import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from './errors.ts';

/**
 * Removes a folder with all that is in it, also what its owner has closed. A symlink goes, not what it leads to. Throws
 * the system's error where something cannot be removed.
 */
export function removeTree(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    const code = errnoOf(error) ?? '';
    if (!['EACCES', 'EPERM', 'ENOTEMPTY', 'ENAMETOOLONG'].includes(code)) throw error;
    openFolders(Buffer.from(folder));
    // rm steps down folder by folder, where a whole path would be too long for the system.
    if (process.platform === 'win32') rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    else execFileSync('rm', ['-rf', '--', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  }
}

function openFolders(folder: Buffer): void {
  try {
    if (!lstatSync(folder).isDirectory()) return;
    chmodSync(folder, 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
      if (entry.isDirectory()) openFolders(Buffer.concat([folder, Buffer.from(path.sep), entry.name]));
    }
  } catch {
    // Gone, somebody else's, or too deep: what then cannot be removed is said.
  }
}
