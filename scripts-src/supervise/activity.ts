import type { Executor } from '../executor/types.ts';
import type { Family } from '../process/family.ts';
import type { ProcessEntry, ProcessHost } from '../process/types.ts';
import { type ActivityDelta, evidenceOfActivity } from './stall-verdict.ts';

/**
 * What a worker prints is judged line by line, so it must not count once more as I/O: a retry notice every second is
 * no work. Helpers that compose a line write it several times (pipes), hence the factor; two looks are taken
 * together because a line can fall between the two measurements of one.
 */
const PRINTED_FACTOR = 8;

interface Counters {
  cpuMs: number;
  read: number;
  written: number;
}

/** Watches what the commands below a worker do, from one look at the process table to the next. */
export interface ActivityMeter {
  /** Call after a look; `outputBytes` tells the size of all output now. Evidence of work since the call before. */
  measure(family: Family, nowMs: number, outputBytes: () => number): 'command-cpu' | 'command-io' | undefined;
}

/**
 * Counts CPU and I/O of a unit's processes, the shim and (once the worker has shown that it speaks in events) the
 * executor's own processes left out: a CLI that draws a spinner or reconnects does not work.
 */
export function createActivityMeter(
  host: ProcessHost,
  executor: Executor,
  shimPid: number,
  speaksInEvents: () => boolean,
): ActivityMeter {
  let before = new Map<string, Counters>();
  let lastMs: number | undefined;
  let lastOutput = 0;
  let growthBefore = 0;

  function isCommand(member: ProcessEntry): boolean {
    if (member.pid === shimPid) return false;
    if (!speaksInEvents()) return true;
    return member.ppid !== shimPid && !executor.isOwnProcess(member.command);
  }

  return {
    measure(family, nowMs, outputBytes) {
      const now = new Map<string, Counters>();
      const delta: ActivityDelta = { elapsedMs: 0, cpuMs: 0, readBytes: 0, writtenBytes: 0 };
      for (const member of family.members.values()) {
        if (!isCommand(member)) continue;
        const key = `${member.pid}:${member.start}`;
        const counters = countersOf(host, member);
        now.set(key, counters);
        addGrowth(delta, counters, before.get(key));
      }
      before = now;
      delta.elapsedMs = lastMs === undefined ? 0 : nowMs - lastMs;
      // After the counters: what is printed in between is then in this growth, and counted with the next look.
      const outputNow = outputBytes();
      const growth = Math.max(0, outputNow - lastOutput);
      delta.writtenBytes -= (growth + growthBefore) * PRINTED_FACTOR;
      growthBefore = growth;
      lastOutput = outputNow;
      const isFirst = lastMs === undefined;
      lastMs = nowMs;
      return isFirst || delta.elapsedMs <= 0 ? undefined : evidenceOfActivity(delta);
    },
  };
}

function countersOf(host: ProcessHost, member: ProcessEntry): Counters {
  const io = host.io(member.pid);
  return { cpuMs: member.cpuMs, read: io?.read ?? 0, written: io?.written ?? 0 };
}

/**
 * A process that is new in this look counts from zero: what it did, it did since the last one. Its CPU time, that is;
 * its I/O counters also hold what its parent did before the fork in some kernels, and what the loader read.
 */
function addGrowth(delta: ActivityDelta, now: Counters, before: Counters | undefined): void {
  delta.cpuMs += Math.max(0, now.cpuMs - (before?.cpuMs ?? 0));
  if (!before) return;
  delta.readBytes += Math.max(0, now.read - before.read);
  delta.writtenBytes += Math.max(0, now.written - before.written);
}
