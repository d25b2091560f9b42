import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs';
import { renameRetrying, temporaryBeside } from './files.ts';

/**
 * Copies a file of any size to a name, whole or not at all: what stood there is replaced, and never written through. A
 * symlink that somebody planted at the name goes, and the file that it leads to keeps its content.
 */
export function replaceByCopy(from: string, to: string): void {
  const temporary = temporaryBeside(to);
  try {
    copyFileSync(from, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    flush(temporary);
    renameRetrying(temporary, to);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Whether a name is free, or stands for a file that may be replaced: no folder, pipe, device or open stream. */
export function isReplaceable(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined || stat.isFile()) return true;
  if (!stat.isSymbolicLink()) return false;
  // /dev/stdout is a link: to rename over it would take it from everybody.
  if (/^\/(?:proc|dev)\//.test(readlinkSync(file))) return false;
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
}

function flush(file: string): void {
  const fd = openSync(file, 'r+');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
