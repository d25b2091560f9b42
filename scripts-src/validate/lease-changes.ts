import { rmSync } from 'node:fs';
import path from 'node:path';
import { wallTime } from '../platform/clock.ts';
import { PrunError } from '../platform/errors.ts';
import { entriesOf } from '../platform/files.ts';
import { isHolderAlive, isWaiterAlive } from './lease-alive.ts';
import { giveSlots } from './lease-grants.ts';
import type { LeasePlace } from './lease-place.ts';
import { readSlots } from './lease-slots.ts';
import { changeTable, newestTable } from './lease-store.ts';
import { type Lease, type LeaseTable, standingOf } from './lease-table.ts';

// Every change also takes out the dead and gives what is free: nobody has to come by to do it.

/**
 * Puts a wish into the table, unless it is there. It may hold at once. `refuse` throws where the table as it is at that
 * very step leaves the wish no way.
 */
export function askForLease(
  place: LeasePlace,
  wish: Omit<Lease, 'number' | 'heldSince'>,
  refuse?: (waiter: Lease, table: LeaseTable) => void,
): LeaseTable {
  return changeTable(place, (table) => {
    if (standingOf(table, wish.id) !== 'gone') return settled(place, table);
    const waiter: Lease = { ...wish, number: table.epoch + 1, heldSince: null };
    refuse?.(waiter, table);
    const asked = { ...table, waiters: [...table.waiters, waiter] };
    return settled(place, asked) ?? asked;
  });
}

/** Takes a lease out of the table, whether it holds or waits, and removes its own folder. */
export function giveBackLease(place: LeasePlace, id: string): LeaseTable {
  const table = changeTable(place, (now) => {
    if (standingOf(now, id) === 'gone') return undefined;
    const without = withoutLeases(now, new Set([id]));
    return settled(place, without) ?? without;
  });
  removeFolder(place, id);
  return table;
}

/** Takes the wish out of the table, unless it has been granted meanwhile: then it holds, and true is returned. */
export function withdrawWish(place: LeasePlace, id: string): boolean {
  const table = changeTable(place, (now) => {
    if (standingOf(now, id) !== 'waiting') return undefined;
    const without = withoutLeases(now, new Set([id]));
    return settled(place, without) ?? without;
  });
  return standingOf(table, id) === 'held';
}

/** Writes down what keeps a lease beside the process that asked, or who has taken it over. */
export function rewriteLease(
  place: LeasePlace,
  id: string,
  facts: Partial<Pick<Lease, 'owner' | 'keepers' | 'folder' | 'marker'>>,
): LeaseTable {
  const rewritten = (lease: Lease): Lease => (lease.id === id ? { ...lease, ...facts } : lease);
  return changeTable(place, (table) => {
    const next = {
      ...table,
      holders: table.holders.map(rewritten),
      waiters: table.waiters.map(rewritten),
    };
    return JSON.stringify(next) === JSON.stringify(table) ? undefined : next;
  });
}

/** Takes the dead out of the table and gives what is free. Returns the table as it is then. */
export function settleLeases(place: LeasePlace): LeaseTable {
  return changeTable(place, (table) => settled(place, table));
}

/** The table without the dead, and with what is free given away; undefined where that is no change. */
function settled(place: LeasePlace, table: LeaseTable): LeaseTable | undefined {
  const dead = new Set<string>();
  for (const lease of table.holders) if (!isHolderAlive(place.host, lease)) dead.add(lease.id);
  for (const lease of table.waiters) if (!isWaiterAlive(place.host, lease)) dead.add(lease.id);
  const living = withoutLeases(table, dead);
  const given = giveWhatIsFree(place, living);
  for (const id of dead) removeFolder(place, id);
  const isSame = dead.size === 0 && given.holders.length === table.holders.length;
  return isSame ? undefined : given;
}

/** Slots that cannot be read are given to nobody: those who wait are told so, those who give back are not stopped. */
function giveWhatIsFree(place: LeasePlace, table: LeaseTable): LeaseTable {
  try {
    return giveSlots(table, readSlots(place.home).of, wallTime());
  } catch (error) {
    if (error instanceof PrunError) return table;
    throw error;
  }
}

function withoutLeases(table: LeaseTable, ids: ReadonlySet<string>): LeaseTable {
  const others = (lease: Lease): boolean => !ids.has(lease.id);
  return { ...table, holders: table.holders.filter(others), waiters: table.waiters.filter(others) };
}

/** The folder that a command's lease has in the place; that of a unit lies with its run. */
export function leaseFolder({ leases }: Pick<LeasePlace, 'leases'>, id: string): string {
  return path.join(leases, id);
}

function removeFolder(place: LeasePlace, id: string): void {
  try {
    rmSync(leaseFolder(place, id), { recursive: true, force: true });
  } catch {
    // Somebody writes there at this moment: the next one who asks removes it.
  }
}

/** Removes folders of leases that are in no table: their owners were killed while they gave back. */
export function removeLeftFolders(place: LeasePlace): void {
  // In this order: a folder is made under a lease that is in the table.
  const folders = entriesOf(place.leases);
  if (folders.length === 0) return;
  const table = newestTable(place);
  for (const { name } of folders) if (standingOf(table, name) === 'gone') removeFolder(place, name);
}
