import { rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { errnoOf, usageError } from '../platform/errors.ts';
import { makeFolders } from '../platform/make-folders.ts';
import type { SkillPlace } from './install-place.ts';

/** How links are made, injected so that the rules of Windows can be tested anywhere. */
export interface LinkMaker {
  platform: NodeJS.Platform;
  symlink(to: string, from: string, type: 'dir' | 'junction'): void;
}

const realMaker: LinkMaker = { platform: process.platform, symlink: symlinkSync };

/** Refuses a folder that will not stay: npm empties its cache of programs that npx has run. */
export function refusePassingSource(folder: string): void {
  if (!folder.split(/[\\/]/).includes('_npx')) return;
  throw usageError(`${folder} is npm's cache, which is emptied by and by`, 'leave out --link: a copy stays');
}

/**
 * Makes the link `target` to the prun folder, absolute. On Windows a symlink needs a right that few have, and a junction
 * none; a junction leads to no network drive.
 */
export function putLink(target: string, folder: string, place: SkillPlace, maker = realMaker): void {
  makeFolders(path.dirname(target), 0o777);
  if (place.kind === 'empty') rmdirSync(target);
  const types = maker.platform === 'win32' ? (['dir', 'junction'] as const) : (['dir'] as const);
  let why = '';
  for (const type of types) {
    try {
      maker.symlink(folder, target, type);
      return;
    } catch (error) {
      why = errnoOf(error) ?? '';
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'UNKNOWN'].includes(why)) throw error;
    }
  }
  throw usageError(
    `${target} cannot be made a link here (${why})`,
    maker.platform === 'win32'
      ? 'leave out --link: a copy does the same (or switch on the Developer Mode of Windows)'
      : 'leave out --link: a copy does the same',
  );
}

/** Removes the link and nothing that it leads to. */
export function removeLink(target: string): void {
  unlinkSync(target);
}
