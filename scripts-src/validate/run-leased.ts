import { wallTime } from '../platform/clock.ts';
import { EXIT, PrunError, usageError } from '../platform/errors.ts';
import { observerOf } from '../process/family.ts';
import { formatIdentity, identify, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import type { LeasedWork } from './lease-arguments.ts';
import { giveBackLease, leaseFolder } from './lease-changes.ts';
import type { LeaseWish } from './lease-desk.ts';
import { wouldWaitForEver } from './lease-grants.ts';
import { holdSlots, makeHoldFolder, removeHoldFolder } from './lease-hold.ts';
import { leasesIn, newMarks } from './lease-marks.ts';
import { type LeasePlace, makeLeasePlace, resourceHome } from './lease-place.ts';
import { readSlots, requireNames, type Slots } from './lease-slots.ts';
import type { LeaseStop } from './lease-stop.ts';
import { newestTable } from './lease-store.ts';
import type { Lease, LeaseTable } from './lease-table.ts';
import { pidOf, whatOf } from './lease-text.ts';
import { waitForLease } from './lease-wait.ts';
import { resolvedArgv, runLeased } from './leased-command.ts';

/** How this process was started. */
export interface LeaseSurroundings {
  host: ProcessHost;
  environment: NodeJS.ProcessEnv;
  cwd: string;
  /** The compiled `resource-run`. */
  script: string;
  stop: LeaseStop;
  /** Says one line to people. */
  say(line: string): void;
}

/** Waits for the slots, runs the command or holds them, and gives them back. Returns the exit code. */
export async function runUnderLease(work: LeasedWork, surroundings: LeaseSurroundings): Promise<number> {
  const { host, environment, cwd, script, stop, say } = surroundings;
  const home = resourceHome(environment, work.home);
  const slots = readSlots(home);
  requireNames(work.resources, slots, home);
  // Whatever can be refused is refused before anybody waits for it.
  const argv = work.kind === 'run' ? resolvedArgv(work.argv, cwd, environment) : [];
  const place = makeLeasePlace(host, home);
  const marks = newMarks(host.platform);
  const outer = outerLeases(host, newestTable(place), environment);
  const wish = { ...wishOf(work, marks.id, place), ...namesBelow(outer, work.resources) };
  if (work.kind === 'hold') makeHoldFolder(work.folder);
  const wait = await waitForLease(place, wish, {
    timeoutSeconds: work.timeoutSeconds,
    stopped: stop.arrived,
    refuse: (waiter, table) => refuseDeadlock(waiter, table, outer, slots),
    say,
  }).catch((error: unknown) => {
    if (work.kind === 'hold') removeHoldFolder(work.folder);
    throw error;
  });
  if (wait.kind !== 'held') {
    if (work.kind === 'hold') removeHoldFolder(work.folder);
    const code = stop.exitCode();
    if (code !== undefined) return code;
    say(
      `waited ${work.timeoutSeconds} s for ${wait.kind === 'timeout' ? wait.text : ''}: wait longer with --timeout, or see resource-run --list`,
    );
    return EXIT.reaped;
  }
  try {
    const held = { place, marks, script, stop };
    return work.kind === 'hold'
      ? await holdSlots({ ...held, resources: work.resources, folder: work.folder })
      : await runLeased({ ...held, outer: wish.outer, argv });
  } finally {
    giveBack(place, marks.id);
  }
}

function wishOf(work: LeasedWork, id: string, place: LeasePlace): Omit<LeaseWish, 'outer' | 'resources'> {
  const self = identify(place.host, process.pid);
  if (!self) throw new PrunError('E_PROCESSES', 'this process is not in the process table', 'try again');
  return {
    id,
    kind: work.kind === 'hold' ? 'hold' : 'command',
    owner: formatIdentity(self),
    keepers: [],
    folder: leaseFolder(place, id),
    marker: null,
    what: work.kind === 'hold' ? whatOf(['--hold', work.folder]) : whatOf(work.argv),
    since: wallTime(),
  };
}

/**
 * The leases under which this process runs: those that its environment names, and those of its ancestors, in case that
 * somebody has cleared the environment.
 */
function outerLeases(host: ProcessHost, table: LeaseTable, environment: NodeJS.ProcessEnv): Lease[] {
  const named = new Set(leasesIn(environment));
  const { pids } = observerOf(host);
  const isAncestor = (lease: Lease): boolean => {
    const id = parseIdentity(lease.owner);
    return (
      lease.kind === 'command' &&
      id !== undefined &&
      pids.has(id.pid) &&
      host.entry(id.pid)?.start === id.start
    );
  };
  return table.holders.filter((lease) => named.has(lease.id) || isAncestor(lease));
}

/** What is asked for beyond what the outer leases hold: their slots are the command's already. */
function namesBelow(
  outer: readonly Lease[],
  resources: readonly string[],
): Pick<Lease, 'outer' | 'resources'> {
  const held = new Set(outer.flatMap((lease) => lease.resources));
  return { outer: outer.map(({ id }) => id), resources: resources.filter((name) => !held.has(name)) };
}

function refuseDeadlock(wish: Lease, table: LeaseTable, outer: readonly Lease[], slots: Slots): void {
  if (wish.outer.length === 0 || wish.resources.length === 0) return;
  if (!wouldWaitForEver(wish, table, slots.of)) return;
  const [first] = outer;
  const held = [...new Set(outer.flatMap(({ resources }) => resources))].join(' and ');
  throw usageError(
    `this runs below ${first ? `${first.what} (pid ${pidOf(first)})` : 'a command'}, which holds ${held}; a wait for ${wish.resources.join(' and ')} would never end, because its holder waits for ${held}`,
    'name all of them in the outer resource-run',
  );
}

/** Where it cannot be written that the slots are free, they are as soon as this process has ended. */
function giveBack(place: LeasePlace, id: string): void {
  try {
    giveBackLease(place, id);
  } catch {
    // A full disk, or the home was removed.
  }
}
