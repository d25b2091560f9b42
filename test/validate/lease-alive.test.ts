import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProcessEntry, ProcessHost, ProcessMarks } from '../../scripts-src/process/types.ts';
import { isHolderAlive, isWaiterAlive } from '../../scripts-src/validate/lease-alive.ts';
import type { Lease } from '../../scripts-src/validate/lease-table.ts';

type Seen = Partial<ProcessEntry> & { pid: number; marks?: ProcessMarks };

/** A process table that is written down. Nobody is signalled. */
function host(platform: ProcessHost['platform'], seen: readonly Seen[], boot = 'b'): ProcessHost {
  const entries = new Map(
    seen.map((one) => [
      one.pid,
      {
        ...{
          ppid: 1,
          pgid: one.pid,
          sid: one.pid,
          start: `s${one.pid}`,
          startOrder: 0,
          state: 'alive' as const,
        },
        ...{ command: 'x', cpuMs: 0 },
        ...one,
      },
    ]),
  );
  return {
    platform,
    bootId: () => boot,
    entry: (pid) => entries.get(pid),
    look: () => entries.values(),
    marks: ({ pid }) => entries.get(pid)?.marks,
    io: () => undefined,
    lastPid: () => undefined,
    signal: () => false,
  };
}

function folder(files: Record<string, string> = {}): string {
  const made = mkdtempSync(path.join(os.tmpdir(), 'prun-alive-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(made, name), text);
  return made;
}

function lease(more: Partial<Lease> = {}): Lease {
  return {
    ...{
      id: '10-abc',
      number: 1,
      resources: ['heavy'],
      kind: 'command',
      owner: 'b:10:s10',
      keepers: [],
      outer: [],
    },
    ...{ folder: null, marker: null, what: 'x', since: '', heldSince: '' },
    ...more,
  };
}

describe.each(['linux', 'darwin', 'win32'] as const)('on %s', (platform) => {
  it.each([
    ['its owner', [{ pid: 10 }], {}, true],
    ['a stranger with the pid of its owner', [{ pid: 10, start: 'later' }], {}, false],
    ['the zombie of its owner', [{ pid: 10, state: 'zombie' as const }], {}, false],
    ['a stopped owner', [{ pid: 10, state: 'stopped' as const }], {}, true],
    ['a keeper', [{ pid: 11 }], { keepers: ['b:11:s11'] }, true],
    ['nobody', [], { keepers: ['b:11:s11', '/no/such/file'] }, false],
  ])('a lease is kept by %s', (_, seen, more, alive) => {
    expect(isHolderAlive(host(platform, seen), lease(more))).toBe(alive);
  });

  it('by nobody of an earlier boot', () => {
    const rebooted = host(platform, [{ pid: 10 }], 'another');
    expect([isHolderAlive(rebooted, lease()), isWaiterAlive(rebooted, lease())]).toEqual([false, false]);
  });

  it('by a guardian, and by the file of a guardian that may be replaced', () => {
    const place = folder({ guardian: 'b:12:s12\n' });
    expect(isHolderAlive(host(platform, [{ pid: 12 }]), lease({ folder: place }))).toBe(true);
    const keepers = [path.join(place, 'guardian')];
    expect(isHolderAlive(host(platform, [{ pid: 12 }]), lease({ keepers }))).toBe(true);
    expect(isHolderAlive(host(platform, [{ pid: 13 }]), lease({ keepers }))).toBe(false);
  });

  it('by the first process of its command', () => {
    const place = folder({ leader: 'b:14:s14\n', started: '14\n' });
    expect(isHolderAlive(host(platform, [{ pid: 14 }]), lease({ folder: place }))).toBe(true);
    expect(isHolderAlive(host(platform, [{ pid: 14, start: 'later' }]), lease({ folder: place }))).toBe(
      // Elsewhere than on Linux the start fence cannot tell more than that the process is older than itself.
      platform !== 'linux',
    );
  });

  it('who finds nobody takes the start fence, so that nothing starts behind it', () => {
    const place = folder();
    expect(isHolderAlive(host(platform, []), lease({ folder: place }))).toBe(false);
    expect(readFileSync(path.join(place, 'started'), 'utf8')).toBe('');
    expect(isHolderAlive(host(platform, []), lease({ folder: path.join(place, 'gone') }))).toBe(false);
  });
});

describe('a shim that wrote its pid, before anybody could note it', () => {
  const started = () => lease({ folder: folder({ started: '15\n' }) });

  it.each([
    ['with the mark of the lease', { threads: ['outer', '10-abc'] }, true],
    ['with that of another', { threads: ['other'] }, false],
    ['of a unit', { unit: 'someone', threads: [] }, false],
    ['without marks', undefined, false],
  ] as const)('on Linux counts %s', (_, marks, alive) => {
    const seen = host('linux', [
      { pid: 15, ...(marks ? { marks: { ...marks, threads: [...marks.threads] } } : {}) },
    ]);
    expect(isHolderAlive(seen, started())).toBe(alive);
  });

  it('of a unit by its own mark', () => {
    const of = (unit: string) => host('linux', [{ pid: 15, marks: { unit, threads: [] } }]);
    const unit = { ...started(), kind: 'unit' as const, marker: 'unit-1' };
    expect([isHolderAlive(of('unit-1'), unit), isHolderAlive(of('unit-2'), unit)]).toEqual([true, false]);
  });

  it('on macOS, which hides marks, one that is younger than its fence is a stranger', () => {
    const at = (startOrder: number) => host('darwin', [{ pid: 15, startOrder }]);
    expect(isHolderAlive(at(Date.now() - 1000), started())).toBe(true);
    expect(isHolderAlive(at(Date.now() + 60_000), started())).toBe(false);
  });

  it('that has yet to write it is given a moment', () => {
    const place = folder({ started: '' });
    expect(isHolderAlive(host('linux', []), lease({ folder: place }))).toBe(true);
  });
});
