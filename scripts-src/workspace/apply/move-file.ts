import { linkSync, renameSync, unlinkSync } from 'node:fs';
import { errnoOf } from '../../platform/errors.ts';
import { pauseSync } from '../../platform/pause.ts';
import { lookAt } from './path-state.ts';

/** A name that somebody else took a moment ago. */
export class NameTakenError extends Error {}

/** Errors of link(2) that mean "not with this file, or not on this file system". */
export const NO_LINKS = ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EISDIR'];

/**
 * Gives a file or symlink a free name and never replaces what stands there: a rename would. Throws NameTakenError. Where
 * a file cannot be linked, a look goes before the rename.
 */
export function moveToFreeName(from: string | Buffer, to: string | Buffer): void {
  const stat = lookAt(from);
  // link(2) of a symlink gives a link to its target on macOS.
  if (stat?.isFile() && linkToFreeName(from, to)) {
    unlinkSync(from);
    return;
  }
  if (lookAt(to)) throw new NameTakenError();
  renameFile(from, to);
}

function linkToFreeName(from: string | Buffer, to: string | Buffer): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const code = errnoOf(error) ?? '';
    if (code === 'EEXIST') throw new NameTakenError();
    if (NO_LINKS.includes(code)) return false;
    throw error;
  }
}

/** A rename that waits a moment where Windows has the file open. */
export function renameFile(from: string | Buffer, to: string | Buffer): void {
  for (let tries = 0; ; tries++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const isBusy = ['EPERM', 'EACCES', 'EBUSY'].includes(errnoOf(error) ?? '');
      if (process.platform !== 'win32' || !isBusy || tries >= 20) throw error;
      pauseSync(10);
    }
  }
}
