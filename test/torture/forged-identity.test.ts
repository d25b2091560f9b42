import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createFamily,
  type Family,
  lookAtFamilies,
  type Observer,
  observerOf,
} from '../../scripts-src/process/family.ts';
import { createLinuxHost, parseStat } from '../../scripts-src/process/linux.ts';
import type { ProcessEntry, ProcessHost } from '../../scripts-src/process/types.ts';
import { killOnSight, seeMembers } from '../../scripts-src/supervise/reap.ts';
import { readProcess } from '../helpers/process-table.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { type FakeTable, fakeEntry, fakeTable, MARKED, NOBODY } from './fake-table.ts';

/** A family that has seen a leader with a child of the same group and session. */
function familyThatSaw(fake: FakeTable, ...entries: ProcessEntry[]): Family {
  const family = createFamily('unit', null, 1000);
  for (const member of entries) {
    fake.table.set(member.pid, member);
    fake.marks.set(member.pid, MARKED);
  }
  seeMembers(fake.host, family, NOBODY);
  expect([...family.members.keys()].sort()).toEqual(entries.map(({ pid }) => pid).sort());
  for (const { pid } of entries) {
    fake.table.delete(pid);
    fake.marks.delete(pid);
  }
  return family;
}

describe('a stranger with the numbers of a dead member', () => {
  const dead = fakeEntry(50, { pgid: 50, sid: 50 });
  it.each([
    ['its pid', fakeEntry(50, { start: '9000', startOrder: 9000, pgid: 7, sid: 7 })],
    ['its pid, group and session', fakeEntry(50, { start: '9000', startOrder: 9000 })],
    ['its group', fakeEntry(60, { pgid: 50, sid: 7 })],
    ['its session', fakeEntry(60, { pgid: 7, sid: 50 })],
    ['it for a parent', fakeEntry(60, { ppid: 50, pgid: 7, sid: 7 })],
    ['all its numbers, and an age below that of the unit', fakeEntry(50, { start: '900', startOrder: 900 })],
  ])('is never signalled: %s', async (_, stranger) => {
    const fake = fakeTable();
    const family = familyThatSaw(fake, dead, fakeEntry(51, { ppid: 50, pgid: 50, sid: 50 }));
    fake.table.set(stranger.pid, stranger);
    const sweep = await killOnSight(fake.host, family, NOBODY, 1000);
    expect(fake.signalled).toEqual([]);
    expect(sweep).toEqual({ reaped: [], survivors: [] });
  });

  it('is not signalled when it takes the pid between the look and the signal', async () => {
    const fake = fakeTable();
    const family = createFamily('unit', null, 1000);
    fake.table.set(50, dead);
    fake.marks.set(50, MARKED);
    const { look } = fake.host;
    const host: ProcessHost = {
      ...fake.host,
      *look(since) {
        for (const seen of look(since)) {
          // Dead and replaced at the very moment it is seen.
          if (seen === dead) fake.table.set(50, fakeEntry(50, { start: '9000', startOrder: 9000 }));
          yield seen;
        }
      },
    };
    fake.marks.set(50, MARKED);
    const swept = killOnSight(host, family, NOBODY, 300);
    fake.marks.delete(50);
    await swept;
    expect(fake.signalled).toEqual([]);
  });

  it('older than the unit is not taken for kin of a live member', () => {
    const fake = fakeTable();
    const family = createFamily('unit', null, 1000);
    fake.table.set(50, fakeEntry(50, { startOrder: 2000 }));
    fake.marks.set(50, MARKED);
    fake.table.set(40, fakeEntry(40, { pgid: 50, sid: 50, startOrder: 900 }));
    lookAtFamilies(fake.host, [family], NOBODY, () => {});
    expect([...family.members.keys()]).toEqual([50]);
  });

  it('that shares the group or session of whoever looks is not taken for kin', () => {
    const fake = fakeTable();
    const family = createFamily('unit', null, 1000);
    const observer: Observer = { pids: new Set([1, 30]), pgid: 30, sid: 30 };
    // A member that came back into the observer's own session.
    fake.table.set(50, fakeEntry(50, { pgid: 30, sid: 30 }));
    fake.marks.set(50, MARKED);
    fake.table.set(60, fakeEntry(60, { pgid: 30, sid: 30 }));
    lookAtFamilies(fake.host, [family], observer, () => {});
    expect([...family.members.keys()]).toEqual([50]);
  });
});

describe('a family that has outlived many groups', () => {
  it('remembers none of 1,000 dead ones: a sweep asks no more than for a new family', async () => {
    const fake = fakeTable();
    const family = createFamily('unit', null, 1000);
    for (let group = 0; group < 1000; group++) {
      const pid = 2000 + group;
      fake.table.set(pid, fakeEntry(pid));
      fake.marks.set(pid, MARKED);
      seeMembers(fake.host, family, NOBODY);
      fake.table.delete(pid);
      fake.marks.delete(pid);
    }
    seeMembers(fake.host, family, NOBODY);
    expect(family.members.size).toBe(0);
    for (let pid = 3500; pid < 3600; pid++) fake.table.set(pid, fakeEntry(pid));
    const before = fake.entryCalls();
    await killOnSight(fake.host, family, NOBODY, 1000);
    const old = fake.entryCalls() - before;
    await killOnSight(fake.host, createFamily('unit', null, 1000), NOBODY, 1000);
    expect(old).toBe(fake.entryCalls() - before - old);
    expect(fake.signalled).toEqual([]);
  });
});

describe('a process whose main thread has ended', () => {
  const stat = (threads: number): string =>
    `77 (a) b) Z 1 77 77 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 ${threads} 0 5000 0 0 18446744073709551615`;
  it('is alive as long as another thread runs', () => {
    expect(parseStat(stat(2))?.state).toBe('alive');
  });
  it('is a zombie when none does', () => {
    expect(parseStat(stat(1))?.state).toBe('zombie');
  });
});

const NS_LAST_PID = '/proc/sys/kernel/ns_last_pid';
/** Its mode lets everybody write, its kernel only those with the capability: what counts is the attempt. */
const canForge = ((): boolean => {
  try {
    writeFileSync(NS_LAST_PID, readFileSync(NS_LAST_PID, 'utf8').trim());
    return true;
  } catch {
    return false;
  }
})();

/** Starts a process on exactly this pid, in a session of its own. */
async function spawnOnPid(pid: number): Promise<number> {
  return waitFor(`a process on pid ${pid}`, () => {
    writeFileSync(NS_LAST_PID, String(pid - 1));
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    if (child.pid === pid) return pid;
    child.kill('SIGKILL');
    return undefined;
  });
}

describe('a real pid that was given to somebody else', () => {
  it.skipIf(!canForge)('belongs to a stranger, who is not signalled (ns_last_pid)', async () => {
    const host = createLinuxHost();
    const marker = `forged-${process.pid}`;
    const member = spawn('sleep', ['60'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, PRUN_UNIT: marker },
    });
    const pid = member.pid ?? -1;
    const family = createFamily(marker, null, 0);
    seeMembers(host, family, observerOf(host));
    expect([...family.members.keys()]).toEqual([pid]);
    member.kill('SIGKILL');
    await once(member, 'exit');
    const stranger = await spawnOnPid(pid);
    const start = readProcess(stranger)?.start;
    expect(readFileSync(`/proc/${stranger}/stat`, 'latin1').split(') ')[1]?.split(' ').slice(2, 4)).toEqual([
      String(pid),
      String(pid),
    ]);
    const sweep = await killOnSight(host, family, observerOf(host), 1000);
    expect(sweep).toEqual({ reaped: [], survivors: [] });
    const now = readProcess(stranger);
    expect(now?.start).toBe(start);
    expect(now?.state).not.toBe('Z');
  });
});
