import { statSync } from 'node:fs';
import path from 'node:path';
import { monotonicMs } from '../platform/clock.ts';
import { claimName, readValue } from '../platform/files.ts';
import { isAlive, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { isGuarded } from '../unit/guardian.ts';
import { stateFile } from '../unit/state-dir.ts';
import type { Lease } from './lease-table.ts';

/** A fence without a pid is a shim's for so long, which writes it in the next moment; after that nobody starts there, ms. */
const UNWRITTEN_MS = 2000;
/** A process that was started so long after its fence is a stranger with the same pid, ms (start times of 1 s). */
const CLOCK_MS = 2000;
/** Fences that were seen without a pid, and since when, monotonic ms. */
const unwritten = new Map<string, number>();

/** File in a lease's folder with the identity of the process that was started under it. */
export const LEADER_FILE = 'leader';

/** Whether the process that waits for a lease lives. */
export function isWaiterAlive(host: ProcessHost, { owner }: Lease): boolean {
  return isIdentityAlive(host, owner);
}

/**
 * Whether somebody keeps a lease: who asked for it, a guardian behind that process, or what runs under it. Who finds
 * nobody has taken the start fence: what was about to start under it never will.
 */
export function isHolderAlive(host: ProcessHost, lease: Lease): boolean {
  if (isIdentityAlive(host, lease.owner)) return true;
  if (lease.keepers.some((keeper) => isKeeperAlive(host, keeper))) return true;
  const { folder } = lease;
  if (folder === null) return false;
  if (isGuarded(folder, host)) return true;
  const leader = readValue(path.join(folder, LEADER_FILE));
  if (leader !== undefined && isIdentityAlive(host, leader)) return true;
  return isStarted(host, lease, stateFile(folder, 'started'));
}

function isKeeperAlive(host: ProcessHost, keeper: string): boolean {
  if (!path.isAbsolute(keeper)) return isIdentityAlive(host, keeper);
  const identity = readValue(keeper);
  return identity !== undefined && isIdentityAlive(host, identity);
}

function isIdentityAlive(host: ProcessHost, identity: string): boolean {
  const id = parseIdentity(identity);
  return id !== undefined && isAlive(host, id);
}

/** Whether the shim of a command came to its start, and is there. */
function isStarted(host: ProcessHost, lease: Lease, fence: string): boolean {
  if (claimFence(fence)) return false;
  const text = readValue(fence);
  if (text === '') return isFresh(fence);
  unwritten.delete(fence);
  const pid = Number(text);
  const entry = Number.isInteger(pid) && pid > 1 ? host.entry(pid) : undefined;
  if (!entry || entry.state === 'zombie') return false;
  const marks = host.marks(entry);
  if (marks?.unit !== undefined || (marks?.threads.length ?? 0) > 0) {
    return lease.marker === null ? marks?.threads.includes(lease.id) === true : marks?.unit === lease.marker;
  }
  // No marks to be seen: on macOS the start times tell, on Linux a process whose environment is hidden is no shim of ours.
  return host.platform !== 'linux' && entry.startOrder <= writtenAt(fence) + CLOCK_MS;
}

/**
 * Takes the start fence of a command: true where nobody had it, and now nothing will be started behind it. True also where
 * its folder has gone: a shim that cannot make the fence does not start anything.
 */
export function claimFence(fence: string): boolean {
  try {
    return claimName(fence, '');
  } catch {
    // A full disk cannot make it either, and nor can the shim: it does not start without.
    return statSync(fence, { throwIfNoEntry: false }) === undefined;
  }
}

function isFresh(fence: string): boolean {
  const since = unwritten.get(fence) ?? monotonicMs();
  unwritten.set(fence, since);
  return monotonicMs() - since < UNWRITTEN_MS;
}

function writtenAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
