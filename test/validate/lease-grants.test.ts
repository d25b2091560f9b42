import { expect, it } from 'vitest';
import { giveSlots, wouldWaitForEver } from '../../scripts-src/validate/lease-grants.ts';
import type { Lease, LeaseTable } from '../../scripts-src/validate/lease-table.ts';

const slots: Record<string, number> = { a: 1, b: 1, two: 2 };
const slotsOf = (name: string) => slots[name];

function lease(id: string, resources: string, number: number, outer: string[] = []): Lease {
  return {
    ...{ id, number, resources: resources.split(' '), kind: 'command', owner: `boot:${number + 2}:1`, outer },
    ...{
      keepers: [],
      folder: null,
      marker: null,
      what: id,
      since: '2026-11-30T00:00:00.000Z',
      heldSince: null,
    },
  };
}

/** `id:names` in the order of arrival, which is the order of their numbers; `^outer` behind a nested one. */
function leases(text: string, from: number): Lease[] {
  if (text === '') return [];
  return text.split(', ').map((word, at) => {
    const [, id = '', names = '', outer] = /^(\w+):([\w ]+?)(?:\^(\w+))?$/.exec(word) ?? [];
    return lease(id, names, from + at, outer === undefined ? [] : [outer]);
  });
}

const ids = (list: readonly Lease[]) => list.map(({ id }) => id).join(' ');

it.each([
  ['a free slot is given to the first', '', 'x:a, y:a', 'x', 'y'],
  ['a name with two slots has two holders', '', 'x:two, y:two, z:two', 'x y', 'z'],
  ['all or nothing', 'h:a', 'x:a b', 'h', 'x'],
  ['a waiter that lacks one slot keeps no other', 'h:a', 'x:a b, y:b', 'h y', 'x'],
  ['who is due is not passed once more', '', 'x:a, y:a', 'x', 'y'],
  ['names of others do not matter', 'h:a', 'x:b', 'h x', ''],
  ['a name that has no slots any more has one', '', 'x:old, y:old', 'x', 'y'],
  ['who runs under a holder goes first', 'h:a, i:b', 'x:two, y:two, z:two^h', 'h i z x', 'y'],
])('%s', (_, holders, waiters, held, waiting) => {
  const table: LeaseTable = { epoch: 50, holders: leases(holders, 1), waiters: leases(waiters, 10) };
  const after = giveSlots(table, slotsOf, '2026-11-30T00:00:01.000Z');
  expect([ids(after.holders), ids(after.waiters)]).toEqual([held, waiting]);
});

it('lets a stream of small wishes not starve a large one', () => {
  // x wants both; a is busy, so y passes and takes b. Then a is free: x is due, and nobody passes any more.
  const x = lease('x', 'a b', 2);
  const y = lease('y', 'b', 3);
  let table: LeaseTable = { epoch: 9, holders: [lease('h', 'a', 1)], waiters: [x, y] };
  table = giveSlots(table, slotsOf, '');
  expect(ids(table.holders)).toBe('h y');
  table = giveSlots(
    {
      ...table,
      holders: table.holders.filter(({ id }) => id !== 'h'),
      waiters: [...table.waiters, lease('z', 'a', 4)],
    },
    slotsOf,
    '',
  );
  expect([ids(table.holders), ids(table.waiters)]).toEqual(['y', 'x z']);
  table = giveSlots({ ...table, holders: [] }, slotsOf, '');
  expect([ids(table.holders), ids(table.waiters)]).toEqual(['x', 'z']);
});

it('never gives more than there is, and lets everybody in, whatever comes', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed % below;
  };
  const names = ['a', 'b', 'two', 'a b', 'a two', 'a b two'];
  for (let round = 0; round < 200; round++) {
    let table: LeaseTable = { epoch: 1, holders: [], waiters: [] };
    const waitedSince = new Map<string, number>();
    for (let step = 0; step < 80; step++) {
      if (step < 40 && random(2) === 0) {
        const waiter = lease(`l${step}`, names[random(names.length)] ?? 'a', step + 1);
        waitedSince.set(waiter.id, step);
        table = { ...table, waiters: [...table.waiters, waiter] };
      } else if (table.holders.length > 0) {
        const gone = random(table.holders.length);
        table = { ...table, holders: table.holders.filter((_, at) => at !== gone) };
      }
      table = giveSlots(table, slotsOf, '');
      for (const name of Object.keys(slots)) {
        const users = table.holders.filter(({ resources }) => resources.includes(name)).length;
        expect(users).toBeLessThanOrEqual(slots[name] ?? 0);
      }
      // The first of all is kept waiting by those alone who were there when it became the first.
      expect(table.holders.length > 0 || table.waiters.length === 0).toBe(true);
    }
    expect(table.waiters).toEqual([]);
  }
});

it.each([
  ['a free slot', 'o:a', 'x:b^o', false],
  ['a slot whose holder ends by itself', 'o:a, p:b', 'x:b^o', false],
  ['a holder that waits for the outer one', 'o:a, p:b', 'y:a^p, x:b^o', true],
  ['a circle with a second slot', 'o:a, p:two', 'y:a^p, x:two^o', false],
  ['a circle through three', 'o:a, p:b, q:two, r:two', 'y:two^p, z:a^q, w:a^r, x:b^o', true],
])('a wish below a holder is looked through to its end: %s', (_, holders, waiters, expected) => {
  const waiting = leases(waiters, 10);
  const wish = waiting.at(-1) ?? lease('none', 'a', 1);
  const table = { epoch: 50, holders: leases(holders, 1), waiters: waiting.slice(0, -1) };
  expect(wouldWaitForEver(wish, table, slotsOf)).toBe(expected);
});
