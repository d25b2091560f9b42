import { closeSync, copyFileSync, linkSync, openSync } from 'node:fs';
import { fileAt } from '../../platform/byte-path.ts';
import { errnoOf } from '../../platform/errors.ts';
import { PRIVATE_FILE } from '../../platform/files.ts';
import { type ChangeList, keptFile, type PathChange } from './change-journal.ts';
import { NO_LINKS } from './move-file.ts';
import { lookAt, type ObjectFormat, readPath } from './path-state.ts';
import { syncFiles } from './stage-content.ts';
import { type ChangePlace, oldFile } from './staging-folder.ts';
import { EditedMeanwhileError } from './swap-files.ts';

/**
 * Copies the old files that cannot simply be moved into the journal's folder: on another device, with other names
 * through which they may still be written, or symlinks. Before anything has changed, so that a full disk shows here.
 */
export async function copyOld(place: ChangePlace, format: ObjectFormat, list: ChangeList): Promise<void> {
  const isNear = lookAt(place.root)?.dev === lookAt(place.folder)?.dev;
  const copied: string[] = [];
  for (const [n, change] of list.changes.entries()) {
    if (change.before.kind === 'none' || (isNear && canBeLinked(place, change))) continue;
    const kept = keptFile(place.folder, n);
    const fd = openSync(kept, 'w', PRIVATE_FILE);
    try {
      const seen = readPath(fileAt(place.root, change.path), format, fd);
      const isSame = seen && seen.state.kind === change.before.kind && seen.state.id === change.before.id;
      if (!isSame) throw new EditedMeanwhileError(change.path);
    } finally {
      closeSync(fd);
    }
    copied.push(kept);
  }
  await syncFiles(copied);
}

function canBeLinked(place: ChangePlace, change: PathChange): boolean {
  const stat = lookAt(fileAt(place.root, change.path));
  return stat?.isFile() === true && stat.nlink === 1n;
}

/** Keeps the old files that were moved away and not copied: a second name costs neither room nor time. */
export function linkOld(place: ChangePlace, list: ChangeList): void {
  list.changes.forEach(({ before }, n) => {
    const kept = keptFile(place.folder, n);
    if (before.kind !== 'file' || lookAt(kept)) return;
    try {
      linkSync(oldFile(place, n), kept);
    } catch (error) {
      if (!NO_LINKS.includes(errnoOf(error) ?? '') && errnoOf(error) !== 'EXDEV') throw error;
      copyFileSync(oldFile(place, n), kept);
    }
  });
}
