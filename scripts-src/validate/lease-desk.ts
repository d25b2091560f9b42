import path from 'node:path';
import { messageOf, plainError } from '../platform/errors.ts';
import { sameStamp, stampOf } from '../platform/files.ts';
import type { ProcessHost } from '../process/types.ts';
import { createFileWatch } from '../unit/watch-files.ts';
import { isHolderAlive, isWaiterAlive } from './lease-alive.ts';
import { askForLease, giveBackLease, settleLeases, withdrawWish } from './lease-changes.ts';
import type { LeasePlace } from './lease-place.ts';
import { readSlots, SLOTS_FILE } from './lease-slots.ts';
import { newestEpoch, newestTable } from './lease-store.ts';
import { type Lease, type LeaseTable, standingOf } from './lease-table.ts';

/** What somebody asks for; when it came is the table's to say. */
export type LeaseWish = Omit<Lease, 'number' | 'heldSince'>;

/** How often who is first in a queue looks whether a holder is dead, ms: nobody announces a SIGKILL. */
const FIRST_MS = 120;
/** The second does the same for the first, and all others in case that both are gone, ms. */
const SECOND_MS = 1000;
const OTHERS_MS = 8000;
/** So many of those before it a waiter looks at: each process that is looked at costs 0.03 ms. */
const LOOKED_AT = 2;
/** Nobody tells of a change where no watch can be had (128 inotify instances for each user), ms. */
const UNWATCHED_MS = 400;
/** One change is several events, ms. */
const SOON_MS = 2;

/** All that one process waits for and holds: one watch and one timer, however many wishes. */
export interface LeaseDesk {
  /** The table as this process last saw it. */
  table(): LeaseTable;
  /** Asks for slots; whether they are held is told by `onChange`. Throws what `refuse` throws, and where nothing can be written. */
  ask(wish: LeaseWish, refuse?: (waiter: Lease, table: LeaseTable) => void): void;
  /** Waits on for what another process has asked for, and what is in the table. */
  resume(wish: LeaseWish): void;
  /** Takes a wish back; true where it was granted meanwhile, and is held. */
  withdraw(id: string): boolean;
  /** Gives back what is held. Never throws: what cannot be written now is free when this process ends. */
  giveBack(id: string): void;
  /** Ends watch and timer. What is held stays held as long as this process lives. */
  close(): void;
}

/** What a desk tells. */
export interface DeskCalls {
  /** The table has changed, or a wish was asked for. */
  onChange(table: LeaseTable): void;
  /** Why what is free cannot be taken, once for each reason; the desk goes on trying. */
  onTrouble(text: string): void;
}

/** Opens a desk. It keeps the process alive only while it waits for something. */
export function openLeaseDesk(place: LeasePlace, calls: DeskCalls): LeaseDesk {
  const wishes = new Map<string, LeaseWish>();
  const unreturned = new Set<string>();
  let table = newestTable(place);
  const watch = createFileWatch();
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  let trouble = '';
  const slotsFile = path.join(place.home, SLOTS_FILE);
  let slotsStamp = stampOf(slotsFile);

  function take(next: LeaseTable): void {
    table = next;
    for (const id of wishes.keys()) if (standingOf(table, id) === 'held') wishes.delete(id);
    calls.onChange(table);
    arm();
  }

  function arm(): void {
    clearTimeout(timer);
    timer = undefined;
    if (wishes.size === 0 && unreturned.size === 0) {
      watch.close();
      return;
    }
    const isWatched = watch.add(place.tables, () => {
      soon ??= setTimeout(readSoon, SOON_MS);
    });
    const pauses = [...wishes.keys()].map((id) => pauseOf(earlierThan(table, id).length));
    const ms = Math.min(...pauses, unreturned.size > 0 ? SECOND_MS : OTHERS_MS);
    timer = setTimeout(tick, isWatched ? ms : Math.min(ms, UNWATCHED_MS));
  }

  function readSoon(): void {
    soon = undefined;
    attempt(() => {
      if (newestEpoch(place) !== table.epoch) take(asked(newestTable(place)));
    });
  }

  /** Somebody who removed the whole home has removed what was asked for, too. */
  function asked(now: LeaseTable): LeaseTable {
    let next = now;
    for (const [id, wish] of wishes) if (standingOf(next, id) === 'gone') next = askForLease(place, wish);
    return next;
  }

  function tick(): void {
    if (isWorthALook()) settle();
    arm();
  }

  /** Cheap, because it is asked for hours: no file of the table is read while its watch stands. */
  function isWorthALook(): boolean {
    if (trouble !== '' || unreturned.size > 0 || !watch.isWatched(place.tables)) return true;
    const stamp = stampOf(slotsFile);
    const hasOtherSlots = !sameStamp(stamp, slotsStamp);
    slotsStamp = stamp;
    return hasOtherSlots || [...wishes.keys()].some((id) => hasDeadBefore(place.host, table, id));
  }

  function settle(): void {
    attempt(() => {
      for (const id of unreturned) returned(id);
      const { epoch } = table;
      const next = asked(settleLeases(place));
      // Settings that cannot be read give nothing to anybody, and only those who wait can say so.
      if (wishes.size > 0) readSlots(place.home);
      trouble = '';
      if (next.epoch !== epoch) take(next);
    });
  }

  function attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      const known = plainError(error);
      const text = known ? `${known.message}: ${known.next}` : messageOf(error);
      if (text !== trouble) calls.onTrouble(text);
      trouble = text;
    }
  }

  function returned(id: string): void {
    giveBackLease(place, id);
    unreturned.delete(id);
  }

  return {
    table: () => table,
    ask(wish, refuse) {
      wishes.set(wish.id, wish);
      try {
        take(askForLease(place, wish, refuse));
      } catch (error) {
        wishes.delete(wish.id);
        arm();
        throw error;
      }
    },
    resume(wish) {
      wishes.set(wish.id, wish);
      take(newestTable(place));
    },
    withdraw(id) {
      wishes.delete(id);
      let isHeld = standingOf(table, id) === 'held';
      attempt(() => {
        isHeld = withdrawWish(place, id);
      });
      arm();
      return isHeld;
    },
    giveBack(id) {
      unreturned.add(id);
      attempt(() => returned(id));
      arm();
    },
    close() {
      clearTimeout(timer);
      clearTimeout(soon);
      watch.close();
    },
  };
}

/** Waiters that came before one and want something that it wants, too, the first ones first. */
function earlierThan({ waiters }: LeaseTable, id: string): Lease[] {
  const own = waiters.find((lease) => lease.id === id);
  if (!own) return [];
  return waiters.filter(
    ({ number, resources }) => number < own.number && resources.some((name) => own.resources.includes(name)),
  );
}

/** How long a waiter may sleep, by how many come before it. */
function pauseOf(before: number): number {
  return before === 0 ? FIRST_MS : before === 1 ? SECOND_MS : OTHERS_MS;
}

/** Whether one of the holders in a waiter's way is dead, or one of the first that wait before it. */
function hasDeadBefore(host: ProcessHost, table: LeaseTable, id: string): boolean {
  const own = table.waiters.find((lease) => lease.id === id);
  if (!own) return true;
  const holders = table.holders.filter(({ resources }) =>
    resources.some((name) => own.resources.includes(name)),
  );
  return (
    holders.some((lease) => !isHolderAlive(host, lease)) ||
    earlierThan(table, id)
      .slice(0, LOOKED_AT)
      .some((lease) => !isWaiterAlive(host, lease))
  );
}
