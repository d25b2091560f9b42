import type { Observer } from '../../scripts-src/process/family.ts';
import type { ProcessEntry, ProcessHost, ProcessMarks } from '../../scripts-src/process/types.ts';

/** A process table that a test writes. */
export interface FakeTable {
  host: ProcessHost;
  table: Map<number, ProcessEntry>;
  marks: Map<number, ProcessMarks>;
  signalled: number[];
  /** How often the host was asked for one process. */
  entryCalls(): number;
  /** How often the whole table was looked at. */
  looks(): number;
  /** Called after each whole look. */
  afterLook: (looks: number) => void;
}

/** An empty table; SIGKILL removes an entry. */
export function fakeTable(): FakeTable {
  const table = new Map<number, ProcessEntry>();
  const marks = new Map<number, ProcessMarks>();
  const signalled: number[] = [];
  let entryCalls = 0;
  let looks = 0;
  const host: ProcessHost = {
    platform: 'linux',
    bootId: () => 'boot',
    entry(pid) {
      entryCalls++;
      return table.get(pid);
    },
    *look(since) {
      looks++;
      for (const entry of [...table.values()]) if (entry.startOrder >= since) yield entry;
      fake.afterLook(looks);
    },
    marks: ({ pid }) => marks.get(pid) ?? { threads: [] },
    io: () => undefined,
    lastPid: () => 1,
    signal(pid, signal) {
      if (signal === 'SIGKILL') table.delete(pid);
      signalled.push(pid);
      return true;
    },
  };
  const fake: FakeTable = {
    host,
    table,
    marks,
    signalled,
    entryCalls: () => entryCalls,
    looks: () => looks,
    afterLook: () => {},
  };
  return fake;
}

/** One entry of a table: a leader of its own group and session, younger the greater its pid is. */
export function fakeEntry(pid: number, more: Partial<ProcessEntry> = {}): ProcessEntry {
  const startOrder = more.startOrder ?? 1000 + pid;
  const whole = {
    pid,
    ppid: 1,
    pgid: pid,
    sid: pid,
    startOrder,
    state: 'alive',
    command: 'cat',
    cpuMs: 0,
  } as const;
  return { ...whole, ...more, start: more.start ?? String(startOrder) };
}

/** Somebody who looks and has no kin. */
export const NOBODY: Observer = { pids: new Set([1]), pgid: 1, sid: 1 };
/** Marks of the unit `unit`. */
export const MARKED: ProcessMarks = { threads: [], unit: 'unit' };
