import type { SpawnSyncReturns } from 'node:child_process';
import { createRequire } from 'node:module';
import type { ProcessHost } from './types.ts';

/**
 * Runs one system command to its end and gives its standard output, whatever its exit code was (`ps -p` exits
 * 1 for a pid that is not there). Undefined when the command is absent, ran into its time limit, wrote too much
 * or was killed: what it printed until then says nothing.
 */
export type CommandRunner = (file: string, argv: string[]) => string | undefined;

/** Limits and environment of a runner. */
export interface RunnerOptions {
  /** Longest run of one command, ms. */
  timeoutMs: number;
  /** Largest output of one command, bytes. */
  maxOutput: number;
  /** The environment of the command. `TZ=UTC` and `LC_ALL=C` are set on top. */
  env: NodeJS.ProcessEnv;
}

/** A process host that asks other programs, which can fail. */
export interface CommandHost extends ProcessHost {
  /**
   * Why the last question had no usable answer, or undefined when it had one. An empty look or a missing entry
   * proves that a process is gone only when there was no trouble.
   */
  trouble(): string | undefined;
}

/** Time, own pid and signals of a host, injected so that tests need no real processes. */
export interface HostOptions {
  /** Monotonic milliseconds. */
  now: () => number;
  /** Own pid: its row proves that a table was read at all. */
  self: number;
  /** `process.kill`: throws when the process is not there or may not be signalled. */
  kill: (pid: number, signal: NodeJS.Signals | 0) => void;
}

/**
 * The runner of real life: synchronous, without a window, with a time limit (SIGKILL) and an output limit, in
 * UTC and the C locale, because both `ps` and its dates follow the user's settings otherwise
 * (openai/codex#43608: a live daemon was taken for dead because of LC_TIME).
 */
export function createCommandRunner(options: RunnerOptions): CommandRunner {
  return (file, argv) => {
    const { spawnSync } = childProcess();
    const result: SpawnSyncReturns<Buffer> = spawnSync(file, argv, {
      env: { ...options.env, TZ: 'UTC', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: options.timeoutMs,
      maxBuffer: options.maxOutput,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    if (result.error !== undefined || result.status === null) return undefined;
    return decodeOutput(result.stdout);
  };
}

/** Text of a command's output: UTF-8, or UTF-16 where a byte order mark says so (`wmic`); the mark is dropped. */
export function decodeOutput(bytes: Buffer): string {
  const text = bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le') : bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Sends a signal and says whether it was sent. Refuses 0, 1 and negative numbers, which mean groups or init. */
export function sendSignal(kill: HostOptions['kill'], pid: number, signal: NodeJS.Signals | 0): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false;
  try {
    kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

// A synchronous lazy load that works in the CommonJS bundle and in modules alike: Linux never comes here, so
// its start does not pay for it. (process.getBuiltinModule is missing before Node 20.16.)
function childProcess(): typeof import('node:child_process') {
  return createRequire(process.execPath)('node:child_process');
}
