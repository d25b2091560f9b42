import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { errnoOf, messageOf, usageError } from '../platform/errors.ts';
import { writeAtomic } from '../platform/files.ts';
import { isReplaceable, replaceByCopy } from '../platform/replace-file.ts';
import type { DeltaRecord } from '../workspace/records.ts';

/**
 * Where `--patch` points to for so many units: an absolute file, or a folder with a separator at its end. Throws a usage
 * error for a file for several units, and where more than the last folder would have to be made.
 */
export function patchTarget(given: string, units: number): string {
  if (given === '') throw usageError('--patch is empty', 'give a file or a folder');
  const absolute = path.resolve(given);
  const isFolder = /[\\/]$/.test(given) || isDirectory(absolute);
  if (units > 1 && !isFolder) {
    throw usageError(
      `--patch ${given} is one file for ${units} units`,
      'give a folder, or a name that ends in /',
    );
  }
  const folder = isFolder ? absolute : path.dirname(absolute);
  const needed = isDirectory(folder) ? folder : path.dirname(folder);
  if (!isDirectory(needed)) {
    throw usageError(
      `--patch ${given} is in no folder: ${needed} does not exist`,
      'make it first, or give a path in a folder that is there',
    );
  }
  // Path resolution takes a slash at the end away, and it says that a folder is meant.
  return isFolder ? path.join(absolute, path.sep) : absolute;
}

/** Writes a unit's patch to what `patchTarget` returned; returns the file. */
export function exportPatch(record: DeltaRecord, target: string): string {
  const file = target.endsWith(path.sep) ? path.join(target, `${record.unit}.patch`) : target;
  copyPatch(record, file, '--patch');
  return file;
}

/** Keeps a delta's record and patch in a state dir too. */
export function archiveDelta(record: DeltaRecord, stateDir: string): void {
  const patch = path.join(stateDir, 'delta.patch');
  copyPatch(record, patch, '--state-dir');
  const kept = { ...record, patch: { ...record.patch, path: patch } };
  writeAtomic(path.join(stateDir, 'delta.json'), `${JSON.stringify(kept, null, 2)}\n`);
}

function copyPatch(record: DeltaRecord, file: string, flag: string): void {
  const kept = `the delta is kept in ${record.patch.path}; give a path in a writable folder`;
  let isFile: boolean;
  try {
    if (flag === '--patch') makeFolder(path.dirname(file));
    isFile = isReplaceable(file);
    if (isFile) replaceByCopy(record.patch.path, file);
  } catch (error) {
    throw usageError(`${flag} ${file} cannot be written (${messageOf(error)})`, kept);
  }
  if (!isFile) throw usageError(`${flag} ${file} is no file`, kept);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    // It is there already; that it is no folder is said by the write.
    if (errnoOf(error) !== 'EEXIST' && !isDirectory(folder)) throw error;
  }
}

function isDirectory(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
