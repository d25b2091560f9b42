import { chmodSync, copyFileSync, mkdirSync, rmdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, fileAt } from '../../platform/byte-path.ts';
import { errnoOf } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { PRIVATE_DIR } from '../../platform/files.ts';
import type { ChangeList, PathChange } from './change-journal.ts';
import { moveToFreeName, NameTakenError } from './move-file.ts';
import { faultInParents } from './parent-folders.ts';
import { lookAt, type RenameStamp, renameStamp } from './path-state.ts';
import { type ChangePlace, oldFile } from './staging-folder.ts';

/**
 * Undoes what a change did so far, from what is on disk alone, so that it can be done again after a rollback that was
 * killed. Returns the paths that somebody else has taken since: what is there now stays, and what was there before is
 * copied to `left/` in the journal's folder.
 */
export function rollBack(place: ChangePlace, list: ChangeList): BytePath[] {
  const taken = new Set<BytePath>();
  list.changes.forEach((change, n) => {
    if (!removeNew(place, change, n)) taken.add(change.path);
    faultPoint(`rollback:removed-${n}`, place.folder);
  });
  for (const folder of [...list.foldersMade].reverse()) removeIfEmpty(place.root, folder);
  for (const { path, perm } of [...list.foldersRemoved].reverse()) restoreFolder(place.root, path, perm);
  faultPoint('rollback:folders', place.folder);
  list.changes.forEach((change, n) => {
    if (!restoreOld(place, change, n)) taken.add(change.path);
    faultPoint(`rollback:restored-${n}`, place.folder);
  });
  list.changes.forEach((change, n) => {
    if (taken.has(change.path)) keepLeft(place, n);
  });
  return [...taken];
}

/** Where the former content of a path is kept that could not be given back. */
export function leftFile(folder: string, n: number): string {
  return path.join(folder, 'left', String(n));
}

/** Whether a change keeps something that its rollback could not give back. */
export function hasLeft(folder: string): boolean {
  return lookAt(path.join(folder, 'left')) !== undefined;
}

function keepLeft(place: ChangePlace, n: number): void {
  const old = oldFile(place, n);
  if (!lookAt(old)?.isFile()) return;
  mkdirSync(path.join(place.folder, 'left'), { recursive: true, mode: PRIVATE_DIR });
  copyFileSync(old, leftFile(place.folder, n));
}

/** False where something stands at the path that is neither the new nor the old file. */
function removeNew(place: ChangePlace, change: PathChange, n: number): boolean {
  if (change.after.kind === 'none' || faultInParents(place.root, change.path)) return true;
  const file = fileAt(place.root, change.path);
  const there = stampAt(file);
  if (!there) return true;
  if (isSame(there, change.newStamp)) {
    unlinkSync(file);
    return true;
  }
  // Before the old file was moved it is the old file, changed since or not.
  return !isMoved(place, change, n) && change.before.kind !== 'none';
}

function restoreOld(place: ChangePlace, change: PathChange, n: number): boolean {
  if (change.before.kind === 'none') return true;
  const old = oldFile(place, n);
  const kept = lookAt(old);
  if (!kept) return true;
  if (faultInParents(place.root, change.path)) return false;
  const file = fileAt(place.root, change.path);
  // A rollback that was killed between link and unlink: it is back already.
  if (kept.isFile() && isSame(renameStamp(kept), stampAt(file))) {
    unlinkSync(old);
    return true;
  }
  try {
    moveToFreeName(old, file);
    return true;
  } catch (error) {
    if (error instanceof NameTakenError) return false;
    throw error;
  }
}

function isMoved(place: ChangePlace, change: PathChange, n: number): boolean {
  return change.before.kind !== 'none' && lookAt(oldFile(place, n)) !== undefined;
}

/** Removes a folder unless something is in it, which then is not prun's. */
export function removeIfEmpty(root: string, folder: BytePath): boolean {
  if (faultInParents(root, folder) || !lookAt(fileAt(root, folder))?.isDirectory()) return false;
  try {
    rmdirSync(fileAt(root, folder));
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
}

function restoreFolder(root: string, folder: BytePath, perm: number): void {
  const name = fileAt(root, folder);
  if (faultInParents(root, folder) || lookAt(name)) return;
  mkdirSync(name);
  chmodSync(name, perm);
}

function stampAt(file: string | Buffer): RenameStamp | undefined {
  const stat = lookAt(file);
  return stat && !stat.isDirectory() ? renameStamp(stat) : undefined;
}

function isSame(a: RenameStamp, b: RenameStamp | undefined): boolean {
  return b !== undefined && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;
}
