import { lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import { errnoOf, messageOf, PrunError } from '../../platform/errors.ts';
import { PRIVATE_DIR, readValue, writeOnce } from '../../platform/files.ts';
import { isAlive, parseIdentity } from '../../process/identity.ts';
import type { ProcessHost } from '../../process/types.ts';

/** Who was given a range of ports: the content of a claim file `<first port>.<epoch>`. */
export interface PortClaim {
  /** The unit's clone, absolute. The range is free when it has gone. */
  holder: string;
  /** Identity of the process that took it, and that is about to write `holder`. */
  claimant: string;
}

const claimShape = z.object({ schema: z.number(), holder: z.string(), claimant: z.string() });

/** The newest claims of a folder, by first port. */
export type NewestEpochs = ReadonlyMap<number, number>;

/**
 * Folders of this machine's port claims, best first: all processes of one user find the same ones, whatever their
 * state homes, temp folders and HOME are. A home may be shared by several machines: ports are not, hence the name.
 * `PRUN_PORTS_HOME` takes their place.
 */
export function portFolders(environment: NodeJS.ProcessEnv): string[] {
  const own = environment.PRUN_PORTS_HOME;
  if (own && path.isAbsolute(own)) return [own];
  const name = `ports-${os.hostname().replace(/[^\w.-]/g, '_') || 'machine'}`;
  // Not TMPDIR, which differs between the sessions of one user.
  const temporary = process.platform === 'win32' ? os.tmpdir() : '/tmp';
  const user = process.getuid?.() ?? 'user';
  return [
    path.join(homeOfUser(), '.local', 'state', 'prun', name),
    path.join(temporary, `prun-${name}-${user}`),
  ];
}

function homeOfUser(): string {
  try {
    return os.userInfo().homedir;
  } catch {
    // A user without an entry in the system's list, as in containers.
    return os.homedir();
  }
}

/** Makes the first of the folders that can be written. Throws PrunError where none can. */
export function writablePortFolder(folders: readonly string[]): string {
  const faults: string[] = [];
  for (const folder of folders) {
    try {
      mkdirSync(folder, { recursive: true, mode: PRIVATE_DIR });
      if (!isOurs(folder)) throw new Error(`${folder} belongs to another user`);
      // Only a write shows whether one can be made.
      writeOnce(path.join(folder, 'README'), README, { sync: false });
      return folder;
    } catch (error) {
      faults.push(messageOf(error));
    }
  }
  throw new PrunError(
    'E_PORTS',
    `port claims can be kept nowhere (${faults.join('; ')})`,
    'make one of these folders writable, or set PRUN_PORTS_HOME to a folder that every prun of yours uses',
    1,
  );
}

const README =
  'Which unit was given which ports: prun, <first port>.<epoch>. Files here are never removed.\n';

/** A folder in a shared /tmp that somebody else made, or a link there, is no authority over this user's ports. */
function isOurs(folder: string): boolean {
  const stat = lstatSync(folder);
  return stat.isDirectory() && (process.getuid === undefined || stat.uid === process.getuid());
}

/** The newest epoch of each range that was ever claimed in a folder. */
export function newestEpochs(folder: string): Map<number, number> {
  const newest = new Map<number, number>();
  try {
    if (!isOurs(folder)) return newest;
    for (const name of readdirSync(folder)) {
      const [, first, epoch] = /^(\d+)\.(\d+)$/.exec(name) ?? [];
      if (first && epoch) newest.set(Number(first), Math.max(newest.get(Number(first)) ?? 0, Number(epoch)));
    }
  } catch (error) {
    // A folder that is not there, or not for us, holds no claims of ours.
    if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) throw error;
  }
  return newest;
}

/**
 * How long a range is kept for a process that lives and has yet to write `holder`, ms: it does so in the next moment. A
 * bound, because a supervisor may live for days and its workspaces come and go.
 */
const UNWRITTEN_MS = 15 * 60_000;

/** The live claim of a range in a folder, or undefined when the range is free there. */
export function liveClaim(
  host: ProcessHost,
  folder: string,
  first: number,
  epochs: NewestEpochs,
): PortClaim | undefined {
  const epoch = epochs.get(first);
  if (epoch === undefined) return undefined;
  const file = path.join(folder, `${first}.${epoch}`);
  const claim = readClaim(file);
  if (!claim || lookAt(claim.holder) === 'there') return claim;
  return isYoung(file) && isProcessAlive(host, claim.claimant) ? claim : undefined;
}

function isYoung(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < UNWRITTEN_MS;
}

function isProcessAlive(host: ProcessHost, identity: string): boolean {
  const claimant = parseIdentity(identity);
  return claimant !== undefined && isAlive(host, claimant);
}

/** What cannot be seen (a closed folder, a disk that is not mounted now) counts as there. */
function lookAt(file: string): 'there' | 'gone' {
  try {
    return statSync(file, { throwIfNoEntry: false }) ? 'there' : 'gone';
  } catch (error) {
    return errnoOf(error) === 'ENOTDIR' ? 'gone' : 'there';
  }
}

/** Claims appear whole: what cannot be read was cut by a crash of the machine, and names nobody. */
function readClaim(file: string): PortClaim | undefined {
  try {
    const parsed = claimShape.safeParse(JSON.parse(readValue(file) ?? ''));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the next epoch of a range; false when somebody was first. */
export function takeRange(folder: string, first: number, epochs: NewestEpochs, claim: PortClaim): boolean {
  const file = path.join(folder, `${first}.${(epochs.get(first) ?? 0) + 1}`);
  return writeOnce(file, `${JSON.stringify({ schema: 1, ...claim })}\n`, { sync: false });
}
