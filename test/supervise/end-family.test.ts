import { expect, it } from 'vitest';
import { createFamily } from '../../scripts-src/process/family.ts';
import type { ProcessHost } from '../../scripts-src/process/types.ts';
import { endFamily } from '../../scripts-src/supervise/end-family.ts';
import { noteMembers, recallMembers } from '../../scripts-src/supervise/member-ledger.ts';
import { scratch } from '../helpers/unit-run.ts';
import { fakeEntry, fakeTable, MARKED, NOBODY } from '../torture/fake-table.ts';

it('where single signals are dear, everybody who was seen is ended at once and named', async () => {
  const fake = fakeTable();
  for (const pid of [11, 12]) {
    fake.table.set(pid, fakeEntry(pid));
    fake.marks.set(pid, MARKED);
  }
  const calls: number[][] = [];
  const host: ProcessHost = {
    ...fake.host,
    endAll(ids) {
      calls.push(ids.map((id) => id.pid));
      for (const { pid } of ids) fake.table.delete(pid);
      return [...ids];
    },
  };
  const sweep = await endFamily(host, createFamily('unit', null, 0), 11, NOBODY, 1000);
  expect(calls[0]).toEqual([11, 12]);
  expect(fake.signalled).toEqual([]);
  expect(sweep).toEqual({
    reaped: [
      { pid: 11, command: 'cat' },
      { pid: 12, command: 'cat' },
    ],
    survivors: [],
  });
});

it('a process table that cannot be read proves nobody’s end: whoever was known is named as a survivor', async () => {
  const fake = fakeTable();
  const family = createFamily('unit', null, 0);
  family.members.set(21, fakeEntry(21));
  const host: ProcessHost = {
    ...fake.host,
    *look() {},
    entry: () => undefined,
    trouble: () => 'ps gave no usable process table',
  };
  const sweep = await endFamily(host, family, 21, NOBODY, 30);
  expect(sweep).toEqual({ reaped: [], survivors: [{ pid: 21, command: 'cat' }] });
});

it('on Linux a family without members costs one look', async () => {
  const fake = fakeTable();
  fake.table.set(31, fakeEntry(31));
  const sweep = await endFamily(fake.host, createFamily('unit', null, 0), 30, NOBODY, 1000);
  expect(sweep).toEqual({ reaped: [], survivors: [] });
  expect(fake.looks()).toBe(1);
  expect(fake.signalled).toEqual([]);
});

const MAC = { platform: 'darwin', lastPid: () => undefined } as const;

it('without marks, those that a dead leader left in its group go too', async () => {
  const fake = fakeTable();
  fake.table.set(42, fakeEntry(42, { pgid: 40, sid: 42 }));
  fake.table.set(43, fakeEntry(43));
  const family = createFamily('unit', null, 0);
  const sweep = await endFamily({ ...fake.host, ...MAC }, family, 40, NOBODY, 1000);
  expect(sweep.reaped).toEqual([{ pid: 42, command: 'cat' }]);
  expect([...fake.table.keys()]).toEqual([43]);
});

it('a stranger that was given a dead leader’s number keeps his group', async () => {
  const fake = fakeTable();
  fake.table.set(50, fakeEntry(50));
  fake.table.set(51, fakeEntry(51, { ppid: 50, pgid: 50, sid: 50 }));
  const family = createFamily('unit', null, 0);
  await endFamily({ ...fake.host, ...MAC }, family, 50, NOBODY, 1000);
  expect([...fake.table.keys()]).toEqual([50, 51]);
  expect(fake.signalled).toEqual([]);
});

it('a guardian recalls the members that its dispatcher noted, and only those that are still the same', () => {
  const stateDir = scratch();
  const fake = fakeTable();
  const noted = createFamily('unit', null, 0);
  for (const pid of [61, 62, 63]) noted.members.set(pid, fakeEntry(pid));
  const text = noteMembers(fake.host, stateDir, noted, '');
  expect(noteMembers(fake.host, stateDir, noted, text)).toBe(text);
  fake.table.set(61, fakeEntry(61));
  fake.table.set(62, fakeEntry(62, { start: 'another' }));
  const recalled = createFamily('unit', null, 0);
  recallMembers(fake.host, stateDir, recalled);
  expect([...recalled.members.keys()]).toEqual([61]);
});
