import { describe, expect, it } from 'vitest';
import { createFamily, lookAtFamilies } from '../../scripts-src/process/family.ts';
import type { ProcessHost } from '../../scripts-src/process/types.ts';
import { killOnSight, seeMembers } from '../../scripts-src/supervise/reap.ts';
import { fakeEntry, fakeTable, MARKED, NOBODY } from './fake-table.ts';

describe('the sweep of a family', () => {
  it('ends with the first look when nobody is there', async () => {
    const fake = fakeTable();
    const sweep = await killOnSight(fake.host, createFamily('unit', null, 1000), NOBODY, 1000);
    expect(sweep).toEqual({ reaped: [], survivors: [] });
    expect(fake.looks()).toBe(1);
  });

  it('goes on after a hit until nobody was born for 150 ms', async () => {
    const fake = fakeTable();
    const born = [50, 51, 52, 53];
    const bear = (pid: number | undefined): void => {
      if (pid === undefined) return;
      fake.table.set(pid, fakeEntry(pid));
      fake.marks.set(pid, MARKED);
    };
    bear(born[0]);
    let lastBirth = performance.now();
    let next = 1;
    // Somebody who is killed leaves a child that is seen no sooner than in one of the next looks.
    fake.afterLook = (looks) => {
      if (looks % 3 !== 0 || next >= born.length) return;
      bear(born[next++]);
      lastBirth = performance.now();
    };
    const sweep = await killOnSight(fake.host, createFamily('unit', null, 1000), NOBODY, 5000);
    expect(sweep.reaped.map(({ pid }) => pid)).toEqual(born);
    expect(sweep.survivors).toEqual([]);
    expect(performance.now() - lastBirth).toBeGreaterThanOrEqual(145);
  });

  it('kills a newborn whose pid was handed out while the look was under way', async () => {
    const fake = fakeTable();
    let last = 40;
    const host: ProcessHost = { ...fake.host, lastPid: () => last };
    fake.table.set(50, fakeEntry(50));
    fake.marks.set(50, MARKED);
    fake.afterLook = (looks) => {
      if (looks > 1) return;
      fake.table.set(41, fakeEntry(41));
      fake.marks.set(41, MARKED);
      last = 41;
    };
    const family = createFamily('unit', null, 1000);
    const seen: number[] = [];
    lookAtFamilies(host, [family], NOBODY, (_, { pid }) => seen.push(pid));
    expect(seen).toEqual([50, 41]);
  });

  it('gives up at its limit and names who is left', async () => {
    const fake = fakeTable();
    fake.table.set(50, fakeEntry(50, { command: 'immortal' }));
    fake.marks.set(50, MARKED);
    const host: ProcessHost = { ...fake.host, signal: () => false };
    const sweep = await killOnSight(host, createFamily('unit', null, 1000), NOBODY, 100);
    expect(sweep).toEqual({ reaped: [], survivors: [{ pid: 50, command: 'immortal' }] });
  });

  it('does not take somebody for a survivor who is dying when the limit is reached', async () => {
    const fake = fakeTable();
    fake.table.set(50, fakeEntry(50));
    fake.marks.set(50, MARKED);
    // The signal arrives, but the machine is busy: death takes 40 ms.
    const host: ProcessHost = {
      ...fake.host,
      signal(pid) {
        setTimeout(() => fake.table.delete(pid), 40);
        return true;
      },
    };
    const sweep = await killOnSight(host, createFamily('unit', null, 1000), NOBODY, 0);
    expect(sweep).toEqual({ reaped: [{ pid: 50, command: 'cat' }], survivors: [] });
  });

  it.each([
    ['a child', { ppid: 50 }],
    ['a process of its group', { pgid: 50 }],
    ['a process of its session', { sid: 50 }],
  ])('grows by %s of a member, marks or not, and keeps it when the member is dead', (_, kinship) => {
    const fake = fakeTable();
    const family = createFamily('unit', null, 1000);
    fake.table.set(50, fakeEntry(50));
    fake.marks.set(50, MARKED);
    fake.table.set(60, fakeEntry(60, kinship));
    seeMembers(fake.host, family, NOBODY);
    expect([...family.members.keys()].sort()).toEqual([50, 60]);
    fake.table.delete(50);
    fake.table.set(60, fakeEntry(60));
    seeMembers(fake.host, family, NOBODY);
    expect([...family.members.keys()]).toEqual([60]);
  });

  it('takes neither the one who looks nor its ancestors, whatever marks they carry', async () => {
    const fake = fakeTable();
    for (const pid of [30, 31]) {
      fake.table.set(pid, fakeEntry(pid));
      fake.marks.set(pid, MARKED);
    }
    const observer = { pids: new Set([1, 30, 31]), pgid: 31, sid: 30 };
    await killOnSight(fake.host, createFamily('unit', null, 1000), observer, 1000);
    expect(fake.signalled).toEqual([]);
  });

  it('learns the mark of a nested unit from a member that still shows the marker', () => {
    const fake = fakeTable();
    const family = createFamily('unit', '4503599627370496', 1000);
    fake.table.set(50, fakeEntry(50));
    fake.marks.set(50, { threads: [], unit: 'unit/inner', rss: '4503599627371520' });
    fake.table.set(60, fakeEntry(60));
    fake.marks.set(60, { threads: [], rss: '4503599627371520' });
    seeMembers(fake.host, family, NOBODY);
    expect([...family.members.keys()].sort()).toEqual([50, 60]);
  });

  it('does not take a marker for another that it begins with', () => {
    const fake = fakeTable();
    fake.table.set(50, fakeEntry(50));
    fake.marks.set(50, { threads: [], unit: 'unit-2' });
    const family = createFamily('unit', null, 1000);
    seeMembers(fake.host, family, NOBODY);
    expect(family.members.size).toBe(0);
  });
});
