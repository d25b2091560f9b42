import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { randomHex } from '../platform/random.ts';
import { formatIdentity, identify, isAlive, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { STAGE_PREFIX } from './install-plan.ts';
import type { SkillFile } from './install-source.ts';

const FOLDER_MODE = 0o755;

/**
 * A folder for what is under way, in `parent`: on the same file system as where it goes, so that a rename takes it there.
 * Its name says whose it is.
 */
export function openStage(host: ProcessHost, parent: string): string {
  const own = identify(host, process.pid);
  const owner = own === undefined ? '' : Buffer.from(formatIdentity(own)).toString('hex');
  const stage = path.join(parent, `${STAGE_PREFIX}${randomHex(8)}-${owner}`);
  mkdirSync(stage, { mode: 0o700 });
  return stage;
}

/** Removes what killed installs have left in a folder. */
export function removeDeadStages(host: ProcessHost, parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(STAGE_PREFIX)) continue;
    const owner = parseIdentity(Buffer.from(name.split('-').at(-1) ?? '', 'hex').toString());
    if (owner && isAlive(host, owner)) continue;
    rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}

/** Writes files below a folder, to the disk, with their modes; folders on the way are made. */
export function writeFiles(folder: string, files: readonly SkillFile[]): void {
  for (const { file, data, mode } of files) {
    makeFoldersFor(folder, file);
    writeNew(path.join(folder, file), data, mode);
  }
}

/** Makes the folders of a file below a folder that is there, open to all readers. */
export function makeFoldersFor(folder: string, file: string): void {
  const parts = file.split('/').slice(0, -1);
  for (let depth = 1; depth <= parts.length; depth++) {
    makeOpenFolder(path.join(folder, ...parts.slice(0, depth)));
  }
}

/** Makes a folder, unless it is there, that all may read whatever the umask says. */
export function makeOpenFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, FOLDER_MODE);
}

/** Writes a new file to the disk. The umask does not count: a skill that others share has to be readable for them. */
export function writeNew(file: string, data: string | Uint8Array, mode: number): void {
  const fd = openSync(file, 'wx', mode);
  try {
    writeFileSync(fd, data);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  chmodSync(file, mode);
}
