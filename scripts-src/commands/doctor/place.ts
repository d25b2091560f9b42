import { closeSync, constants, fsyncSync, openSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, messageOf } from '../../platform/errors.ts';
import { PRIVATE_FILE, temporaryBeside } from '../../platform/files.ts';
import { bytesText } from '../../render/figures.ts';
import { quotedWord } from '../../run/command-text.ts';
import { type CheckId, type Finding, fine, note, problem } from './finding.ts';

/** Less than this is gone within a few units, bytes. */
const LEAST_BYTES = 100e6;
/** Clones of a larger repository may want more than this, bytes. */
const ROOMY_BYTES = 2e9;
/** Files that a few clones make. */
const LEAST_FILES = 10_000;
/** So much is written to see whether it can be. */
const TRIED_BYTES = 64 * 1024;

/** A folder that prun writes to. Absolute. */
export interface Place {
  id: CheckId;
  folder: string;
  /** How somebody gives another one. */
  another: string;
  /** Who must not look in: it holds prompts, results and environments. */
  isPrivate: boolean;
  /** prun makes it when it is needed. */
  isMade: boolean;
}

/** Whether a folder can be written, is as private as it should be, and has room. Leaves nothing behind. */
export async function placeFinding(
  place: Place,
  platform: NodeJS.Platform = process.platform,
): Promise<Finding> {
  const { id, folder, another, isMade } = place;
  const there = nearestFolder(folder);
  if (there === undefined) return problem(id, `${folder} is no folder, or lies below a file`, another);
  if (there !== folder && !isMade) {
    return problem(id, `${folder} is not there`, `mkdir -p ${quotedWord(folder)}`);
  }
  const refusal = writingRefused(there, platform);
  if (refusal !== undefined) return refusedFinding(place, there, refusal);
  const open = there === folder && place.isPrivate ? openMode(folder, platform) : undefined;
  const { bytes, files } = await roomIn(there);
  const made = there === folder ? '' : ' (not there yet: prun makes it)';
  const kind = place.isPrivate && there === folder && open === undefined ? ', private' : '';
  const free = bytes === undefined ? '' : `, ${bytesText(bytes)} free`;
  const fact = `${folder}${made}${kind}${free}`;
  if (bytes !== undefined && bytes < LEAST_BYTES) {
    return problem(id, fact, `make room on the disk of ${quotedWord(there)}`);
  }
  if (files !== undefined && files < LEAST_FILES) {
    const step = `remove files that nobody needs from the disk of ${quotedWord(there)}`;
    return note(id, `${fact}, but it takes only ${files} more files`, step);
  }
  if (open !== undefined) {
    return note(id, `${fact}, open to other users (mode ${open})`, `chmod 700 ${quotedWord(folder)}`);
  }
  if (bytes !== undefined && bytes < ROOMY_BYTES) {
    const step = `make room on the disk of ${quotedWord(there)}: each clone takes what a checkout takes`;
    return note(id, fact, step);
  }
  return fine(id, fact);
}

/** The folder itself, or the nearest one above it that is there; undefined where that is no folder. */
function nearestFolder(folder: string): string | undefined {
  for (let here = folder; ; here = path.dirname(here)) {
    try {
      return statSync(here).isDirectory() ? here : undefined;
    } catch (error) {
      if (errnoOf(error) === 'ENOTDIR') return undefined;
      // Nobody may look: then nobody may write either, which the attempt tells.
      if (errnoOf(error) !== 'ENOENT' || path.dirname(here) === here) return here;
    }
  }
}

function refusedFinding({ id, folder, another }: Place, there: string, error: unknown): Finding {
  const code = errnoOf(error) ?? messageOf(error);
  const where = there === folder ? folder : `${folder} (in ${there})`;
  switch (code) {
    case 'ENOSPC':
      return problem(id, `${where}: the disk is full`, `make room on the disk of ${quotedWord(there)}`);
    case 'EDQUOT':
      return problem(id, `${where}: your quota is used up`, 'remove files that you do not need');
    case 'EROFS':
      return problem(id, `${where} is read-only (EROFS)`, another);
    case 'EACCES':
    case 'EPERM':
      return problem(id, `${where} may not be written by this user (${code})`, another);
    default:
      return problem(id, `${where} cannot be written (${code})`, another);
  }
}

/** Really writes a file; undefined where that works, else the system's error. */
function writingRefused(folder: string, platform: NodeJS.Platform): unknown {
  if (platform === 'linux') {
    try {
      // O_TMPFILE: a file without a name, so that nothing is left whatever kills this process. Its own bit is the same
      // on all systems that Node runs on (open(2)).
      const flags = constants.O_WRONLY | constants.O_DIRECTORY | 0o20000000;
      writeAndClose(openSync(folder, flags, PRIVATE_FILE));
      return undefined;
    } catch (error) {
      // A file system without such files: then one with a name.
      if (!['EOPNOTSUPP', 'ENOTSUP', 'EISDIR', 'EINVAL', 'ENOENT'].includes(errnoOf(error) ?? ''))
        return error;
    }
  }
  const file = temporaryBeside(path.join(folder, 'doctor'));
  try {
    const fd = openSync(file, 'wx', PRIVATE_FILE);
    try {
      writeAndClose(fd);
    } finally {
      unlinkSync(file);
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

function writeAndClose(fd: number): void {
  try {
    const data = Buffer.alloc(TRIED_BYTES, 'prun\n');
    for (let done = 0; done < data.length; ) done += writeSync(fd, data, done);
    // Network file systems tell of a full disk only now.
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The mode of a folder that others may enter or read, undefined for a private one and where there are no modes. */
function openMode(folder: string, platform: NodeJS.Platform): string | undefined {
  if (platform === 'win32') return undefined;
  const mode = statSync(folder).mode & 0o777;
  return mode & 0o077 ? mode.toString(8).padStart(4, '0') : undefined;
}

/** What can still be written there by this user; undefined where the system does not tell. */
async function roomIn(folder: string): Promise<{ bytes: number | undefined; files: number | undefined }> {
  try {
    const { bavail, bsize, files, ffree } = await statfs(folder);
    // Some file systems make room for files as they are wanted, and say 0 of 0.
    return { bytes: bavail * bsize, files: files > 0 ? ffree : undefined };
  } catch {
    // A figure for people: that it cannot be had is no reason to say that something is wrong.
    return { bytes: undefined, files: undefined };
  }
}
