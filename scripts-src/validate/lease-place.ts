import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { errnoOf, PrunError } from '../platform/errors.ts';
import { PRIVATE_DIR } from '../platform/files.ts';
import { makeFolders } from '../platform/make-folders.ts';
import { stateHome } from '../platform/state-home.ts';
import { identify } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';

/**
 * Where a machine's slots are kept. Each boot has a folder of its own: nobody holds anything from before it, and
 * machines that share a home do not share slots.
 */
export interface LeasePlace {
  host: ProcessHost;
  /** `slots.json` lies here. Absolute. */
  home: string;
  /** Numbered tables, the highest counts. */
  tables: string;
  /** What will be a table: not among them, where each file wakes those who wait. */
  drafts: string;
  /** A folder for each lease under which a command runs. */
  leases: string;
}

/** Folders of earlier boots, and of other machines, are removed when nothing has changed in them for so long, ms. */
const OLD_MS = 30 * 24 * 3_600_000;

/** The resource home: the flag's value, else PRUN_RESOURCE_HOME, else `resources` in the state home. Absolute. */
export function resourceHome(environment: NodeJS.ProcessEnv, flag?: string): string {
  const given = flag ?? (environment.PRUN_RESOURCE_HOME || undefined);
  return given === undefined ? path.join(stateHome(environment), 'resources') : path.resolve(given);
}

/** Names the folders of a resource home; makes none. */
export function leasePlace(host: ProcessHost, home: string): LeasePlace {
  const boot = path.join(home, host.bootId());
  const below = (name: string): string => path.join(boot, name);
  return { host, home, tables: below('tables'), drafts: below('drafts'), leases: below('leases') };
}

/** Makes the folders of a resource home. Throws a PrunError (2) where they cannot be made. */
export function makeLeasePlace(host: ProcessHost, home: string): LeasePlace {
  const place = leasePlace(host, home);
  makeLeaseFolders(place);
  if (!identify(host, process.pid)) {
    const why = host.trouble?.() ?? 'this process is not in it';
    throw new PrunError('E_PROCESSES', `the process table cannot be read (${why})`, 'try again');
  }
  removeOldBoots(place);
  return place;
}

/** Makes the folders of a place. Throws a PrunError (2) where they cannot be made. */
export function makeLeaseFolders({ home, tables, drafts, leases }: LeasePlace): void {
  try {
    for (const folder of [tables, drafts, leases]) makeFolders(folder);
  } catch (error) {
    throw unusable(home, error);
  }
}

/** Makes the folder of a lease that is held. Throws a PrunError (2) where it cannot be made: nothing was started then. */
export function makeLeaseFolder({ home }: LeasePlace, folder: string): void {
  try {
    mkdirSync(folder, { mode: PRIVATE_DIR });
  } catch (error) {
    throw unusable(home, error);
  }
}

/** A home in which nothing can be written: said with what to do, exit code 2, because no command was started. */
export function unusable(home: string, error: unknown): unknown {
  const code = errnoOf(error);
  if (code === undefined || error instanceof PrunError) return error;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const next = isFull
    ? 'make room on the disk, or give another folder with --resource-home'
    : 'make it yours and writable, or give another folder with --resource-home or PRUN_RESOURCE_HOME';
  return new PrunError('E_RESOURCE_HOME', `the resource home ${home} cannot be written (${code})`, next);
}

function removeOldBoots({ home, tables }: LeasePlace): void {
  const own = path.basename(path.dirname(tables));
  try {
    for (const name of readdirSync(home)) {
      const changed = statSync(path.join(home, name, 'tables'), { throwIfNoEntry: false })?.mtimeMs;
      if (name === own || changed === undefined || Date.now() - changed < OLD_MS) continue;
      rmSync(path.join(home, name), { recursive: true, force: true });
    }
  } catch {
    // Leftovers hurt nobody.
  }
}
