import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { vi } from 'vitest';
import { codex } from '../../scripts-src/executor/codex.ts';
import { createFamily } from '../../scripts-src/process/family.ts';
import type { ProcessEntry, ProcessHost } from '../../scripts-src/process/types.ts';
import type { EndCause } from '../../scripts-src/supervise/classify.ts';
import { evidenceSources } from '../../scripts-src/supervise/evidence-sources.ts';
import type { LaunchedWorker } from '../../scripts-src/supervise/launch.ts';
import { trackProgress } from '../../scripts-src/supervise/progress.ts';
import { seeMembers } from '../../scripts-src/supervise/reap.ts';
import { lookIntervalMs, watchWorker } from '../../scripts-src/supervise/watch-worker.ts';
import { followOutput } from '../../scripts-src/supervise/worker-output.ts';
import type { LastEvidence, UnitRecord } from '../../scripts-src/unit/records.ts';
import { stateFile } from '../../scripts-src/unit/state-dir.ts';

/** How far simulated time moves at once, s. */
const STEP = 5;
const SHIM = 1_000_001;
const MARKER = 'simulated-1';

/** What a process of the simulated unit does all the time. */
export interface SimulatedProcess {
  /** `command`: below codex; `codex`: codex's own; `wrapper`: the worker itself. */
  role: 'command' | 'codex' | 'wrapper';
  /** Share of one core. */
  cpu?: number;
  readPerSecond?: number;
  writtenPerSecond?: number;
  /** From when to when it lives, s. */
  from?: number;
  until?: number;
  stopped?: boolean;
}

/** A recorded stream of evidence: what there is to see of a unit, by the second. */
export interface EvidenceStream {
  /** Lines of stdout that come in `[from, to)`; times in s since the start. */
  stdout?: (from: number, to: number) => string[];
  stderr?: (from: number, to: number) => string[];
  processes?: SimulatedProcess[];
  /** At these times something is written: the same file of the workspace, the result file, the session log. */
  workspaceWrites?: (at: number) => boolean;
  resultWrites?: (at: number) => boolean;
  logWrites?: (at: number) => boolean;
  /** At this time the machine sleeps for so long; both clocks go on (as on macOS), timers do not. */
  suspend?: { at: number; seconds: number };
  /** At this time the wall clock steps. */
  step?: { at: number; seconds: number };
  /** Neither I/O counters nor marks can be read. */
  blind?: boolean;
}

/** How a simulation ended. */
export interface Verdict {
  /** undefined: it was let work to the end of the simulation. */
  reason: string | undefined;
  /** Simulated seconds since the start, suspends left out. */
  atSeconds: number;
  lastEvidence: LastEvidence;
}

/**
 * Lets the real watch over a worker (progress, activity, stall verdict) look at a recorded stream in simulated
 * time. Real files, a made-up process table. `folder` is empty and private to the call.
 */
export async function simulate(
  folder: string,
  stream: EvidenceStream,
  limits: { stallThresholdSeconds: number; timeoutSeconds?: number; maxOutputBytes?: number },
  seconds: number,
): Promise<Verdict> {
  const wholeLimits = { timeoutSeconds: 0, maxOutputBytes: 0, ...limits };
  const stateDir = path.join(folder, 'state');
  const workdir = path.join(folder, 'work');
  const log = path.join(folder, 'codex-home', 'sessions', ...today(), `rollout-x-${SESSION}.jsonl`);
  for (const place of [stateDir, workdir, path.dirname(log)]) mkdirSync(place, { recursive: true });
  for (const file of ['tail', 'stderr'] as const) writeFileSync(stateFile(stateDir, file), '');
  writeFileSync(path.join(workdir, 'one-file'), '');
  writeFileSync(log, '{}\n');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  let monotonic = 1_000_000;
  const clock = vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => BigInt(monotonic) * 1_000_000n);
  try {
    const time = { at: 0 };
    const host = simulatedHost(stream, time);
    const record = {
      resultFile: path.join(folder, 'result.md'),
      cwd: workdir,
      startedAt: new Date().toISOString(),
    } as UnitRecord;
    const environment = { CODEX_HOME: path.join(folder, 'codex-home') };
    const worker: LaunchedWorker = { pid: SHIM, ended: new Promise(() => {}) };
    const output = followOutput(stateDir, codex);
    const family = createFamily(MARKER, null, 0);
    const observer = { pids: new Set([process.pid]), pgid: -1, sid: -1 };
    const intervalMs = lookIntervalMs(wholeLimits, 'linux');
    const running = { host, executor: codex, record, environment };
    const sources = evidenceSources(running, worker, output, family, (of) => seeMembers(host, of, observer));
    const progress = trackProgress(
      stateDir,
      'boot',
      sources,
      intervalMs,
      (limits.stallThresholdSeconds * 1000) / 4,
    );
    let cause: EndCause | undefined;
    void watchWorker({
      stateDir,
      worker,
      progress,
      limits: wholeLimits,
      intervalMs,
      interruption: { signal: () => undefined, arrived: new Promise(() => {}), isUrgent: () => false },
      executor: codex,
      askedSession: undefined,
      onLook: () => {},
    }).then((end) => {
      cause = end;
    });
    for (; time.at < seconds && !cause; time.at += STEP) {
      happen(stream, time.at, { stateDir, workdir, log, result: record.resultFile });
      if (within(stream.step?.at, time.at)) vi.setSystemTime(Date.now() + (stream.step?.seconds ?? 0) * 1000);
      if (within(stream.suspend?.at, time.at)) {
        monotonic += (stream.suspend?.seconds ?? 0) * 1000;
        vi.setSystemTime(Date.now() + (stream.suspend?.seconds ?? 0) * 1000);
      }
      monotonic += STEP * 1000;
      await vi.advanceTimersByTimeAsync(STEP * 1000);
    }
    output.finish();
    const reason = cause?.kind === 'reaped' ? cause.reason : undefined;
    return { reason, atSeconds: time.at, lastEvidence: progress.lastEvidence() };
  } finally {
    clock.mockRestore();
    vi.useRealTimers();
  }
}

/** Thread id of every simulated codex session. */
export const SESSION = '01a22a5b-6d0b-79c0-a109-6875f43f282c';

function within(wanted: number | undefined, at: number): boolean {
  return wanted !== undefined && wanted >= at && wanted < at + STEP;
}

interface Places {
  stateDir: string;
  workdir: string;
  log: string;
  result: string;
}

function happen(stream: EvidenceStream, at: number, places: Places): void {
  for (const [file, lines] of [
    ['tail', stream.stdout?.(at, at + STEP) ?? []],
    ['stderr', stream.stderr?.(at, at + STEP) ?? []],
  ] as const) {
    if (lines.length > 0) appendFileSync(stateFile(places.stateDir, file), `${lines.join('\n')}\n`);
  }
  if (stream.logWrites?.(at)) appendFileSync(places.log, '{"type":"token_count"}\n');
  for (const [file, writes] of [
    [path.join(places.workdir, 'one-file'), stream.workspaceWrites],
    [places.result, stream.resultWrites],
  ] as const) {
    if (!writes?.(at)) continue;
    writeFileSync(file, `at ${at}\n`);
    utimesSync(file, new Date(), new Date());
  }
}

function today(): string[] {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
}

function simulatedHost(stream: EvidenceStream, time: { at: number }): ProcessHost {
  const all = (stream.processes ?? []).map((process, index) => ({ process, pid: SHIM + 1 + index }));
  const livedFor = ({ from = 0, until = Number.POSITIVE_INFINITY }: SimulatedProcess): number =>
    Math.max(0, Math.min(time.at, until) - from);
  const entryOf = (pid: number, of?: SimulatedProcess): ProcessEntry => ({
    pid,
    ppid: of === undefined ? 1 : of.role === 'command' ? SHIM + 500 : SHIM,
    pgid: of?.role === 'command' ? pid : SHIM,
    sid: of?.role === 'command' ? pid : SHIM,
    start: '1',
    startOrder: 1,
    state: of?.stopped ? 'stopped' : 'alive',
    command: of === undefined ? 'sh' : { command: 'cc1', codex: 'codex', wrapper: 'node' }[of.role],
    cpuMs: of === undefined ? 0 : Math.round(livedFor(of) * (of.cpu ?? 0) * 1000),
  });
  const isThere = ({ from = 0, until = Number.POSITIVE_INFINITY }: SimulatedProcess): boolean =>
    time.at >= from && time.at < until;
  const entries = (): ProcessEntry[] => [
    entryOf(SHIM),
    ...all.filter(({ process }) => isThere(process)).map(({ process, pid }) => entryOf(pid, process)),
  ];
  return {
    platform: 'linux',
    bootId: () => 'boot',
    entry: (pid) => entries().find((found) => found.pid === pid),
    look: entries,
    marks: () => ({ unit: MARKER, threads: [] }),
    io(pid) {
      const found = all.find((one) => one.pid === pid)?.process;
      if (stream.blind || !found) return undefined;
      const lived = livedFor(found);
      return {
        read: Math.round(lived * (found.readPerSecond ?? 0)),
        written: Math.round(lived * (found.writtenPerSecond ?? 0)),
      };
    },
    lastPid: () => undefined,
    signal: () => false,
  };
}
