import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../platform/errors.ts';
import { PRIVATE_DIR, readValue, writeOnce } from '../platform/files.ts';
import { isAlive, parseIdentity } from './identity.ts';
import type { ProcessHost } from './types.ts';

/**
 * A claim: exclusive files numbered by epoch in one folder, never unlinked. Number n+1 may be taken only when the
 * holder of n is dead by identity (DESIGN.md §6), so that two processes never hold it at once, however long one of them
 * stands still.
 */
export interface ClaimHolder {
  epoch: number;
  /** `boot:pid:start`. */
  identity: string;
}

/**
 * Takes a claim for the process `identity`; returns the live holder that stands in the way, or undefined when taken.
 * The folder above the claim's own must be there: what was removed is not to come back.
 */
export function takeClaim(host: ProcessHost, folder: string, identity: string): ClaimHolder | undefined {
  if (!existsSync(folder)) makeFolder(folder);
  for (;;) {
    const newest = newestClaim(folder);
    if (newest && isHolderAlive(host, newest)) return newest;
    const epoch = (newest?.epoch ?? 0) + 1;
    // By link: whoever reads it reads a whole identity.
    if (writeOnce(path.join(folder, String(epoch)), `${identity}\n`, { sync: false })) return undefined;
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: PRIVATE_DIR });
  } catch (error) {
    // Somebody else claims here for the first time, too.
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

/** The process that holds a claim and is alive, or undefined. */
export function claimHolder(host: ProcessHost, folder: string): ClaimHolder | undefined {
  const newest = newestClaim(folder);
  return newest && isHolderAlive(host, newest) ? newest : undefined;
}

function newestClaim(folder: string): ClaimHolder | undefined {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // Nobody has ever claimed here, or nobody may look: a claim that cannot be read is held by nobody.
    return undefined;
  }
  const epoch = names.reduce((most, name) => (/^\d+$/.test(name) ? Math.max(most, Number(name)) : most), 0);
  if (epoch === 0) return undefined;
  return { epoch, identity: readValue(path.join(folder, String(epoch))) ?? '' };
}

function isHolderAlive(host: ProcessHost, { identity }: ClaimHolder): boolean {
  const id = parseIdentity(identity);
  return id !== undefined && isAlive(host, id);
}
