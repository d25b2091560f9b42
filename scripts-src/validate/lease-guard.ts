import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { readValue } from '../platform/files.ts';
import { observerOf } from '../process/family.ts';
import { currentHost } from '../process/host.ts';
import { formatIdentity, identify, isAlive, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { recallMembers } from '../supervise/member-ledger.ts';
import { sleep } from '../supervise/reap.ts';
import { type StandingGuard, standBehind } from '../supervise/stand-behind.ts';
import { stateFile } from '../unit/state-dir.ts';
import { endLeased } from './end-leased.ts';
import { noteInterrupted } from './hold-record.ts';
import { claimFence, LEADER_FILE } from './lease-alive.ts';
import { giveBackLease, leaseFolder } from './lease-changes.ts';
import { type LeaseMarks, leaseFamily } from './lease-marks.ts';
import { type LeasePlace, leasePlace } from './lease-place.ts';

/** The word by which a guardian calls `resource-run`. */
export const GUARD = '--guard';
/** How often a guardian looks whether its owner is dead: the kernel closes the pipe a moment before, ms. */
const DYING_MS = 10;
const STAND_BY_MS = 1000;
const HURRIED_LOOKS = 50;
/** A command that its owner was starting when it died shows its mark only a moment later, ms. */
const NEWBORN_MS = 60;

/** What a guardian ends and gives back. */
export interface GuardedLease {
  place: LeasePlace;
  marks: LeaseMarks;
  script: string;
  /** Folder of a hold, absolute. */
  hold?: string;
}

/** Puts a guardian behind this process for one lease: it ends what runs under it, and gives it back. */
export function standBehindLease(
  { place, marks, script, hold }: GuardedLease,
  folder: string,
  since: number,
): StandingGuard {
  const { host } = place;
  const self = identify(host, process.pid);
  const owner = self ? formatIdentity(self) : '-';
  const words = [place.home, marks.id, marks.rssMarkKib || '-', String(since), owner, hold ?? '-'];
  return standBehind(host, folder, [process.execPath, script, GUARD, ...words]);
}

/**
 * A guardian's work: when the owner is dead it ends the command of a lease with everything that it started, and gives the
 * lease back. `words`: as `standBehindLease` gives them.
 */
export async function guardLease(words: readonly string[]): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  const [home, id, rss, since, owner, hold] = words;
  const ownerId = parseIdentity(owner ?? '');
  if (!home || !id || !rss || !hold || !ownerId || !Number.isFinite(Number(since))) {
    throw usageError(`${GUARD} is for guardians`, 'see resource-run --help for what can be called');
  }
  const host = await currentHost();
  const place = leasePlace(host, home);
  const folder = leaseFolder(place, id);
  for (let looks = 0; isAlive(host, ownerId); looks++) {
    await sleep(looks < HURRIED_LOOKS ? DYING_MS : STAND_BY_MS);
  }
  // From here on its shim, if there is one that has not come to its start, never starts the command.
  claimFence(stateFile(folder, 'started'));
  const marks = { id, rssMarkKib: rss === '-' ? '' : rss };
  await endCommand(host, marks, folder, Number(since));
  if (host.platform === 'win32') {
    // There is no shim, and no fence.
    await sleep(NEWBORN_MS);
    await endCommand(host, marks, folder, Number(since));
  }
  if (hold !== '-') noteInterrupted(hold);
  giveBackLease(place, id);
}

async function endCommand(
  host: ProcessHost,
  marks: LeaseMarks,
  folder: string,
  since: number,
): Promise<void> {
  const family = leaseFamily(marks, since);
  const leader = parseIdentity(readValue(path.join(folder, LEADER_FILE)) ?? '')?.pid ?? -1;
  recallMembers(host, folder, family);
  await endLeased({ host, family, observer: observerOf(host), leader, signal: 'SIGTERM' });
}
