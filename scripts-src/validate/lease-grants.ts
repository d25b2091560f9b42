import type { Lease, LeaseTable } from './lease-table.ts';

/** How many slots a name has; undefined for a name that nobody has given any. */
export type SlotsOf = (name: string) => number | undefined;

/**
 * Gives slots to waiters, in the order of arrival, each all that it wants or nothing. Pure.
 *
 * A waiter that lacks one slot keeps no other: later ones may pass. As soon as all that came before it have left it
 * room it is due, and only those that passed stand in its way: from then on what it wants is kept for it. So nobody
 * waits for somebody who came later more than once, and nobody waits for ever. Who runs under a lease goes first: its
 * holder ends only after it.
 */
export function giveSlots(
  { epoch, holders, waiters }: LeaseTable,
  slotsOf: SlotsOf,
  now: string,
): LeaseTable {
  const held = [...holders];
  const waiting: Lease[] = [];
  const kept: Lease[] = [];
  const inOrder = [...waiters].sort(
    (a, b) => Number(isNested(b)) - Number(isNested(a)) || a.number - b.number,
  );
  for (const lease of inOrder) {
    const inTheWay = isNested(lease) ? held : [...held, ...kept];
    if (fits(lease, inTheWay, slotsOf)) {
      held.push({ ...lease, heldSince: now });
      continue;
    }
    const earlier = [...held, ...waiting].filter(({ number }) => number < lease.number);
    if (fits(lease, earlier, slotsOf)) kept.push(lease);
    waiting.push(lease);
  }
  return { epoch, holders: held, waiters: waiting.sort((a, b) => a.number - b.number) };
}

function isNested({ outer }: Lease): boolean {
  return outer.length > 0;
}

/** Whether a lease has room beside others. A name without slots, which somebody took out of the settings, has one. */
function fits({ resources }: Lease, others: readonly Lease[], slotsOf: SlotsOf): boolean {
  return resources.every((name) => usersOf(others, name).length < (slotsOf(name) ?? 1));
}

/** The leases that use a name. */
export function usersOf(leases: readonly Lease[], name: string): Lease[] {
  return leases.filter(({ resources }) => resources.includes(name));
}

/** Holders that stand in a waiter's way: of each name that has no room, all of its holders. */
export function blockersOf(lease: Lease, { holders }: LeaseTable, slotsOf: SlotsOf): Lease[] {
  const full = lease.resources.filter((name) => usersOf(holders, name).length >= (slotsOf(name) ?? 1));
  return holders.filter(({ resources }) => resources.some((name) => full.includes(name)));
}

/**
 * Whether a nested wish could never be granted: its outer holders end only after it, and who holds what it wants waits,
 * below such a holder, for what they hold. Plays the table to its end: holders without a waiting command below them end,
 * waiters that fit get theirs. Pure.
 */
export function wouldWaitForEver(wish: Lease, table: LeaseTable, slotsOf: SlotsOf): boolean {
  let holders = table.holders;
  let waiters = [...table.waiters, wish].filter(isNested);
  for (;;) {
    const stuck = new Set(waiters.flatMap(({ outer }) => outer));
    const left = holders.filter(({ id }) => stuck.has(id));
    const rest = waiters.filter((lease) => !fits(lease, left, slotsOf));
    if (!rest.includes(wish)) return false;
    if (left.length === holders.length && rest.length === waiters.length) return true;
    [holders, waiters] = [left, rest];
  }
}
