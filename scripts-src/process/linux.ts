import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { LEASES, type ProcessEntry, type ProcessHost, type ProcessIo, type ProcessMarks } from './types.ts';

/** Kernel clock ticks a second as /proc shows them (USER_HZ, 100 on every Linux that Node runs on; proc(5)). */
const TICKS_PER_SECOND = 100;

/**
 * Linux: everything from /proc, read lazily, so that a caller can kill a process at sight instead of after a
 * whole snapshot (FACTS-processes.md: a 3 ms hopper escapes snapshots).
 */
export function createLinuxHost(procRoot = '/proc'): ProcessHost {
  let boot: string | undefined;

  function entry(pid: number): ProcessEntry | undefined {
    const stat = readSmall(`${procRoot}/${pid}/stat`);
    return stat === undefined ? undefined : parseStat(stat);
  }

  function* look(since: number): Generator<ProcessEntry> {
    for (const name of readdirSync(procRoot)) {
      if (!isPidName(name)) continue;
      const found = entry(Number(name));
      if (found && found.startOrder >= since) yield found;
    }
  }

  function marks(of: ProcessEntry): ProcessMarks | undefined {
    const environment = readSmall(`${procRoot}/${of.pid}/environ`);
    const limits = readSmall(`${procRoot}/${of.pid}/limits`);
    if (environment === undefined && limits === undefined) return undefined;
    const found: ProcessMarks = { threads: [] };
    if (environment) readEnvironmentMarks(environment, found);
    // Readable for every user and inherited through `env -i`, setuid and double forks (FACTS-processes.md).
    const rss = limits && /^Max resident set\s+(\S+)/m.exec(limits)?.[1];
    if (rss) found.rss = rss;
    return found;
  }

  function io(pid: number): ProcessIo | undefined {
    const text = readSmall(`${procRoot}/${pid}/io`);
    if (text === undefined) return undefined;
    const read = /^rchar: (\d+)/m.exec(text)?.[1];
    const written = /^wchar: (\d+)/m.exec(text)?.[1];
    return read && written ? { read: Number(read), written: Number(written) } : undefined;
  }

  function lastPid(): number | undefined {
    const last = readSmall(`${procRoot}/loadavg`)?.trim().split(' ').pop();
    return last && isPidName(last) ? Number(last) : undefined;
  }

  function bootId(): string {
    boot ??= readSmall(`${procRoot}/sys/kernel/random/boot_id`)?.trim() || 'unknown-boot';
    return boot;
  }

  return { platform: 'linux', bootId, entry, look, marks, io, lastPid, signal: signalPid };
}

/** Parses `/proc/PID/stat`. The command may hold spaces and parentheses: the last `)` ends it (proc(5)). */
export function parseStat(stat: string): ProcessEntry | undefined {
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  if (open < 0 || close < open) return undefined;
  const rest = stat.slice(close + 2).split(' ');
  const startOrder = Number(rest[19]);
  if (!Number.isFinite(startOrder)) return undefined;
  const ticks = Number(rest[11]) + Number(rest[12]) + Number(rest[13]) + Number(rest[14]);
  return {
    pid: Number.parseInt(stat, 10),
    ppid: Number(rest[1]),
    pgid: Number(rest[2]),
    sid: Number(rest[3]),
    start: String(startOrder),
    startOrder,
    state: stateOf(rest[0] ?? '', Number(rest[17])),
    command: stat.slice(open + 1, close),
    cpuMs: (ticks * 1000) / TICKS_PER_SECOND,
  };
}

/** A process whose main thread has ended shows `Z`, but its other threads run on (num_threads, proc(5)). */
function stateOf(letter: string, threads: number): ProcessEntry['state'] {
  if (threads > 1 && letter === 'Z') return 'alive';
  if (letter === 'Z' || letter === 'X' || letter === 'x') return 'zombie';
  if (letter === 'T' || letter === 't') return 'stopped';
  if (letter === 'D') return 'uninterruptible';
  return 'alive';
}

function readEnvironmentMarks(environment: string, into: ProcessMarks): void {
  for (const name of ['CODEX_THREAD_ID', 'CODEX_SESSION_ID']) {
    const value = environmentValue(environment, name);
    if (value) into.threads.push(value);
  }
  const leases = environmentValue(environment, LEASES);
  if (leases) into.threads.push(...leases.split('/'));
  const unit = environmentValue(environment, 'PRUN_UNIT');
  if (unit) into.unit = unit;
}

function environmentValue(environment: string, name: string): string | undefined {
  const key = `${name}=`;
  let at = environment.startsWith(key) ? 0 : environment.indexOf(`\0${key}`) + 1;
  if (at === 0 && !environment.startsWith(key)) return undefined;
  at += key.length;
  const end = environment.indexOf('\0', at);
  return environment.slice(at, end < 0 ? undefined : end);
}

function isPidName(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 49 && first <= 57 && /^\d+$/.test(name);
}

/** Most files of /proc fit; one buffer for all reads makes a read three times as fast as `readFileSync`. */
const buffer = Buffer.allocUnsafe(4096);

/** undefined where the process has gone or may not be read: both are everyday events in a look. */
function readSmall(file: string): string | undefined {
  try {
    const fd = openSync(file, 'r');
    let count: number;
    try {
      count = readSync(fd, buffer);
    } finally {
      closeSync(fd);
    }
    return count < buffer.length ? buffer.toString('latin1', 0, count) : readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}

/** kill(2) on one pid; false for ESRCH and EPERM. */
export function signalPid(pid: number, signal: NodeJS.Signals): boolean {
  // 0 and negative numbers address whole groups (kill(2)): never from here.
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
