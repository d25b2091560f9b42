import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { errnoOf } from './errors.ts';
import { pauseSync } from './pause.ts';
import { randomHex } from './random.ts';

/**
 * Copies a file of any size to a name, whole or not at all: what stood there is replaced, and never written through. A
 * symlink that somebody planted at the name goes, and the file that it leads to keeps its content.
 */
export function replaceByCopy(from: string, to: string): void {
  const temporary = path.join(path.dirname(to), `.prun-${process.pid}-${randomHex(8)}.tmp`);
  try {
    copyFileSync(from, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    flush(temporary);
    renameOver(temporary, to);
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

/** Windows refuses a rename while another process has the target open for a moment: try again. */
function renameOver(from: string, to: string): void {
  for (let attempt = 0; ; attempt++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const isTransient = ['EPERM', 'EACCES', 'EBUSY'].includes(errnoOf(error) ?? '');
      if (process.platform !== 'win32' || !isTransient || attempt >= 20) throw error;
      pauseSync(10);
    }
  }
}
