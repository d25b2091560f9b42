import { statSync } from 'node:fs';
import path from 'node:path';
import { type FileStamp, readValue, sameStamp, stampOf } from '../platform/files.ts';
import type { ProcessEntry, ProcessHost } from '../process/types.ts';
import type { LegacyFacts } from './judge-legacy.ts';
import { type Clocks, createQuietFile, mtimeMs } from './quiet-file.ts';
import { isFallback, resultStateOf } from './result-file.ts';
import { stateFile } from './state-dir.ts';

/** How much later than `timestamp` a dispatcher can have started; a younger process is a stranger (PEERS.md 12). */
const START_TOLERANCE_MS = 2000;

/** Milliseconds of one tick of startOrder on Linux (USER_HZ is 100, proc(5)). */
const TICK_MS = 10;

/** Reads a state dir that has only the plain text files, each of which may be missing, empty or garbage. */
export interface LegacyUnit {
  facts(torn: boolean): LegacyFacts;
}

/** Recognised once, by its start; then it is that process or none. */
type KnownDispatcher = { start: string; ageMs: number; seenMs: number } | 'dead';

/** Watches one such state dir. Remembers what it saw, so that a clock step while it watches changes nothing. */
export function createLegacyUnit(stateDir: string, host: () => ProcessHost, clocks: Clocks): LegacyUnit {
  const quiet = createQuietFile(clocks);
  let dispatcher: KnownDispatcher | undefined;
  let life: { stamp: FileStamp | undefined; sinceMs: number } | undefined;

  function facts(torn: boolean): LegacyFacts {
    // Liveness first: a dispatcher that writes its FALLBACK and ends between two reads must not look as if it had
    // died without one.
    const alive = lookAtDispatcher();
    const file = readValue(stateFile(stateDir, 'resultFile'));
    const result = file ? path.resolve(file) : undefined;
    const stamp = result && resultStateOf(result) === 'text' ? stampOf(result) : undefined;
    const fresh = stamp !== undefined && isFresh(stamp);
    const tail = stampOf(stateFile(stateDir, 'tail'));
    return {
      dispatcher: alive,
      result: fresh ? 'fresh' : stamp ? 'stale' : 'none',
      isFallback: fresh && result !== undefined && isFallback(result),
      resultQuietMs: stamp ? quiet.quietMs(stamp) : 0,
      quietMs: quietOfLife(tail),
      hasOutput: (tail?.size ?? 0) > 0,
      torn,
    };
  }

  function lookAtDispatcher(): LegacyFacts['dispatcher'] {
    const pid = wholeNumber('dispatchPid');
    if (pid === undefined || pid < 1) return 'unknown';
    const entry = host().entry(pid);
    // Dead stays dead: a number that is handed out again must not bring it back.
    if (dispatcher === 'dead' || !entry || entry.state === 'zombie') dispatcher = 'dead';
    else dispatcher ??= recogniseDispatcher(entry);
    if (dispatcher !== 'dead' && dispatcher.start !== entry?.start) dispatcher = 'dead';
    return dispatcher === 'dead' ? 'dead' : 'alive';
  }

  function recogniseDispatcher(entry: ProcessEntry): KnownDispatcher {
    const ageMs = processAgeMs(host(), entry, clocks);
    const notedMs = notedStartMs();
    if (notedMs !== undefined && clocks.wallMs() - ageMs > notedMs + START_TOLERANCE_MS) return 'dead';
    return { start: entry.start, ageMs, seenMs: clocks.nowMs() };
  }

  /** Epoch ms at which the dispatcher says that it started; it writes both files at its start. */
  function notedStartMs(): number | undefined {
    const seconds = wholeNumber('timestamp');
    if (seconds) return seconds * 1000;
    const stamp = stampOf(stateFile(stateDir, 'dispatchPid'));
    return stamp && mtimeMs(stamp);
  }

  function isFresh(stamp: FileStamp): boolean {
    const seconds = Math.floor(mtimeMs(stamp) / 1000);
    const before = wholeNumber('preMtime');
    // Another time than the older file's, be it smaller: `cp -p` and `mv` bring old times with new text.
    if (before !== undefined) return before === 0 || seconds !== before;
    const started = wholeNumber('timestamp');
    return started === undefined || seconds >= started;
  }

  /** Time since the tail changed; of what was before this watcher only wall times tell, bounded by the process. */
  function quietOfLife(tail: FileStamp | undefined): number {
    const nowMs = clocks.nowMs();
    if (!life) life = { stamp: tail, sinceMs: nowMs - earlierQuietMs(tail, nowMs) };
    else if (!sameStamp(life.stamp, tail)) life = { stamp: tail, sinceMs: nowMs };
    return nowMs - life.sinceMs;
  }

  function earlierQuietMs(tail: FileStamp | undefined, nowMs: number): number {
    const lastMs = tail ? mtimeMs(tail) : startedMs();
    const wallAge = lastMs === undefined ? 0 : Math.max(0, clocks.wallMs() - lastMs);
    if (!dispatcher || dispatcher === 'dead') return wallAge;
    // No unit is quiet for longer than its dispatcher exists, whatever a clock step made of the wall times.
    return Math.min(wallAge, dispatcher.ageMs + nowMs - dispatcher.seenMs);
  }

  function startedMs(): number | undefined {
    const seconds = wholeNumber('timestamp');
    return seconds ? seconds * 1000 : statSync(stateDir, { throwIfNoEntry: false })?.mtimeMs;
  }

  function wholeNumber(file: 'preMtime' | 'timestamp' | 'dispatchPid'): number | undefined {
    const text = readValue(stateFile(stateDir, file)) ?? '';
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  }

  return { facts };
}

/**
 * Age of a process in ms. On Linux against this process's own start, because both are ticks of one clock that
 * counts suspends and knows no steps; /proc/uptime may be a container's own.
 */
export function processAgeMs(host: ProcessHost, entry: ProcessEntry, clocks: Clocks): number {
  if (host.platform !== 'linux') return Math.max(0, clocks.wallMs() - entry.startOrder);
  const own = host.entry(process.pid);
  const ticks = own ? own.startOrder - entry.startOrder : 0;
  return Math.max(0, ticks * TICK_MS + process.uptime() * 1000);
}
