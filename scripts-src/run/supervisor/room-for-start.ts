import os from 'node:os';
import type { ScheduleSettings } from '../records.ts';

/** A worker of a coding agent and what it starts take about so much memory, bytes. */
const WORKER_BYTES = 1024 ** 3;
/** Above it a coordinator can hardly read what comes back. */
const MOST_JOBS = 30;

/** What the machine offers at this moment. */
export interface Machine {
  processors: number;
  /** Bytes that can be had without swapping, as far as the system tells. */
  availableBytes: number;
  /** Load average of one minute, 0 where the system has none (Windows). */
  load: number;
}

/** The machine now. */
export function machineNow(): Machine {
  return {
    processors: Math.max(1, os.availableParallelism()),
    availableBytes: availableMemory(),
    load: os.loadavg()[0] ?? 0,
  };
}

/** On Linux the kernel's own estimate; Node's free memory leaves out what the system only caches. */
function availableMemory(): number {
  const { availableMemory: asked } = process as { availableMemory?: () => number };
  return asked ? asked.call(process) : os.freemem();
}

/**
 * How many units may run at once when nobody said: workers mostly wait for their model, so two for each processor, one
 * where the machine has its hands full already, as far as the memory allows. Pure.
 */
export function defaultJobs({ processors, availableBytes, load }: Machine): number {
  const byMemory = Math.floor(availableBytes / WORKER_BYTES);
  const byLoad = load > processors * 2 ? processors : processors * 2;
  return Math.max(2, Math.min(byLoad, byMemory, MOST_JOBS));
}

/** What the schedule looks at when it asks for room. */
export interface RoomFacts {
  running: number;
  /** Seconds since the last start. */
  sinceStartSeconds: number;
  machine: Machine;
  /** Jobs by default, as they were worked out when the run began: a run's own memory must not lower them. */
  defaultJobs: number;
}

/**
 * Why nothing may be started now, in a few words for people, or undefined. `retryMs`: when time alone may change that.
 * Pure.
 */
export function heldBecause(
  { jobs, delaySeconds, memfreeBytes, load }: ScheduleSettings,
  facts: RoomFacts,
): { why: string; retryMs: number } | undefined {
  const { running, machine } = facts;
  const most = jobs ?? facts.defaultJobs;
  if (running >= most) return { why: `${running} of ${most} jobs run`, retryMs: Number.POSITIVE_INFINITY };
  const waitMs = (delaySeconds - facts.sinceStartSeconds) * 1000;
  if (waitMs > 0) return { why: `${delaySeconds} s between two starts`, retryMs: waitMs };
  // Something must always run, or a limit that can never be met would hold the run for ever.
  if (running === 0) return undefined;
  if (memfreeBytes !== null && machine.availableBytes < memfreeBytes) {
    const [free, wanted] = [machine.availableBytes, memfreeBytes].map(sizeText);
    return { why: `free memory ${free} < ${wanted}`, retryMs: 1000 };
  }
  if (load !== null && machine.load > load) {
    return { why: `load ${machine.load.toFixed(1)} > ${load}`, retryMs: 1000 };
  }
  return undefined;
}

/** Binary units, as memory is sold and `--memfree` is read; coarse, so that it does not change with every look. */
function sizeText(bytes: number): string {
  return bytes >= 1024 ** 3
    ? `${(bytes / 1024 ** 3).toFixed(1)} GiB`
    : `${Math.floor(bytes / 1024 ** 2)} MiB`;
}
