import { mkdirSync } from 'node:fs';
import { type BytePath, fileAt, parentOf, shownPath } from '../../platform/byte-path.ts';
import { errnoOf } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { type ChangeList, type PathChange, syncFolder } from './change-journal.ts';
import { moveToFreeName, NameTakenError, renameFile } from './move-file.ts';
import { faultInParents } from './parent-folders.ts';
import { lookAt, type ObjectFormat, readPath, renameStamp, sameFile } from './path-state.ts';
import { removeIfEmpty } from './roll-back.ts';
import { type ChangePlace, newFile, oldFile } from './staging-folder.ts';

/** The user changed something between the look and the swap. */
export class EditedMeanwhileError extends Error {
  readonly path: BytePath;

  constructor(path: BytePath) {
    super(`${shownPath(path)} was changed while prun was at work`);
    this.path = path;
  }
}

/** Files younger than this, ms, are read again: two writes within one tick of a file system's clock look the same. */
const RACY_MS = 10_000;

/**
 * Puts the new files into their places: deletions, emptied folders, new folders, then each other path: the old file
 * away, a check that it is the one that was looked at, the new one there. Throws EditedMeanwhileError, or a system error;
 * the caller rolls back then. `isStopped` is asked before each path.
 */
export function swapFiles(
  place: ChangePlace,
  format: ObjectFormat,
  list: ChangeList,
  isStopped: () => void,
): void {
  const isDeletion = (change: PathChange): boolean => change.after.kind === 'none';
  list.changes.forEach((change, n) => {
    if (!isDeletion(change)) return;
    isStopped();
    takeOld(place, format, change, n);
  });
  for (const { path } of list.foldersRemoved) removeIfEmpty(place.root, path);
  faultPoint('apply:folders-removed', place.folder);
  for (const folder of list.foldersMade) makeFolder(place.root, folder);
  faultPoint('apply:folders-made', place.folder);
  list.changes.forEach((change, n) => {
    if (isDeletion(change)) return;
    isStopped();
    takeOld(place, format, change, n);
    putNew(place, change, n);
  });
  // Whoever had an old file open may have written to it after it was moved away.
  list.changes.forEach((change, n) => {
    if (change.oldStamp && !isOld(place, change, n)) throw new EditedMeanwhileError(change.path);
  });
}

function takeOld(place: ChangePlace, format: ObjectFormat, change: PathChange, n: number): void {
  const { before, oldStamp } = change;
  if (before.kind === 'none' || !oldStamp) return;
  if (faultInParents(place.root, change.path)) throw new EditedMeanwhileError(change.path);
  const file = fileAt(place.root, change.path);
  const there = lookAt(file);
  if (!there || !sameFile(renameStamp(there), oldStamp)) throw new EditedMeanwhileError(change.path);
  const old = oldFile(place, n);
  renameFile(file, old);
  faultPoint(`apply:taken-${n}`, place.folder);
  if (!isOld(place, change, n)) throw new EditedMeanwhileError(change.path);
  const ageMs = Date.now() - Number(BigInt(oldStamp.mtimeNs) / 1_000_000n);
  if (ageMs > RACY_MS) return;
  const again = readPath(old, format);
  if (!again || again.state.kind !== before.kind || again.state.id !== before.id) {
    throw new EditedMeanwhileError(change.path);
  }
}

function isOld(place: ChangePlace, change: PathChange, n: number): boolean {
  const moved = lookAt(oldFile(place, n));
  return (
    moved !== undefined && change.oldStamp !== undefined && sameFile(renameStamp(moved), change.oldStamp)
  );
}

function putNew(place: ChangePlace, change: PathChange, n: number): void {
  if (faultInParents(place.root, change.path)) throw new EditedMeanwhileError(change.path);
  try {
    moveToFreeName(newFile(place, n), fileAt(place.root, change.path));
  } catch (error) {
    if (error instanceof NameTakenError) throw new EditedMeanwhileError(change.path);
    throw error;
  }
  faultPoint(`apply:put-${n}`, place.folder);
}

function makeFolder(root: string, folder: BytePath): void {
  if (faultInParents(root, folder)) throw new EditedMeanwhileError(folder);
  try {
    mkdirSync(fileAt(root, folder));
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    if (!lookAt(fileAt(root, folder))?.isDirectory()) throw new EditedMeanwhileError(folder);
  }
}

/** Makes the renames of a change last through a power cut. */
export function syncParents(root: string, list: ChangeList): void {
  const folders = new Set(list.changes.map(({ path }) => parentOf(path)));
  for (const folder of folders) {
    if (folder === undefined) syncFolder(root);
    else if (lookAt(fileAt(root, folder))?.isDirectory()) syncFolder(fileAt(root, folder));
  }
}
