import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { wallTime } from '../platform/clock.ts';
import { EXIT, errnoOf, messageOf, usageError } from '../platform/errors.ts';
import { PRIVATE_DIR } from '../platform/files.ts';
import { formatIdentity, identify } from '../process/identity.ts';
import { createFileWatch } from '../unit/watch-files.ts';
import { type HoldRecord, writeHold } from './hold-record.ts';
import { leaseFolder } from './lease-changes.ts';
import { standBehindLease } from './lease-guard.ts';
import type { LeaseMarks } from './lease-marks.ts';
import { type LeasePlace, makeLeaseFolder } from './lease-place.ts';
import type { LeaseStop } from './lease-stop.ts';

/** Name of the file whose coming gives the slots back. */
const RELEASE = 'release';
/** How often is looked where no watch can be had, and for a folder that was removed, ms. */
const LOOK_MS = 500;

/** Slots that are held without a command. */
export interface Hold {
  place: LeasePlace;
  marks: LeaseMarks;
  resources: string[];
  /** Made by `makeHoldFolder`, absolute. */
  folder: string;
  script: string;
  stop: LeaseStop;
}

/** Makes the folder of a hold. Throws a usage error where something is there: it may be somebody else's hold. */
export function makeHoldFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: PRIVATE_DIR });
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST') throw usageError(`${folder} exists`, 'give --hold a folder that does not');
    if (code === 'ENOENT') throw usageError(`${path.dirname(folder)} does not exist`, 'make it first');
    throw usageError(`${folder} cannot be made (${code ?? messageOf(error)})`, 'give --hold another folder');
  }
}

/** Takes the folder away again where nothing was held. */
export function removeHoldFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody has put something there: it is theirs.
  }
}

/**
 * Says that the slots are held, and waits for `release` in the folder, for the folder's own end, or for a signal.
 * Returns the exit code.
 */
export async function holdSlots({ place, marks, resources, folder, script, stop }: Hold): Promise<number> {
  const { host } = place;
  const own = leaseFolder(place, marks.id);
  makeLeaseFolder(place, own);
  const self = identify(host, process.pid);
  const guard = standBehindLease(
    { place, marks, script, hold: folder },
    own,
    host.entry(process.pid)?.startOrder ?? 0,
  );
  const record: HoldRecord = {
    ...{ schema: 1, state: 'held', resources },
    holder: { pid: process.pid, identity: self ? formatIdentity(self) : '' },
    ...{ since: wallTime(), endedAt: null, signal: null },
  };
  try {
    writeHold(folder, record);
    await Promise.race([released(folder), stop.arrived]);
    const signal = stop.signal() ?? null;
    const state = signal === null ? 'released' : 'interrupted';
    // A folder that was removed is not made again, and wants no record.
    if (existsSync(folder)) noteEnd(folder, { ...record, state, endedAt: wallTime(), signal });
    return stop.exitCode() ?? EXIT.ok;
  } finally {
    guard.release();
  }
}

/** The slots are given back all the same when it cannot be written. */
function noteEnd(folder: string, record: HoldRecord): void {
  try {
    writeHold(folder, record);
  } catch (error) {
    process.stderr.write(`resource-run: ${folder} does not say that it ended (${messageOf(error)})\n`);
  }
}

function released(folder: string): Promise<void> {
  const watch = createFileWatch();
  return new Promise((resolve) => {
    const look = (): void => {
      if (existsSync(folder) && !existsSync(path.join(folder, RELEASE))) return;
      clearInterval(timer);
      watch.close();
      resolve();
    };
    const timer = setInterval(look, LOOK_MS);
    watch.add(folder, look);
    look();
  });
}
