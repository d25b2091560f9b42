import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import os from 'node:os';
import { monotonicMs } from '../../platform/clock.ts';
import { messageOf, PrunError } from '../../platform/errors.ts';
import { PRIVATE_FILE, readEnd } from '../../platform/files.ts';
import { setupCommand } from './setup-command.ts';
import { type SetupProcess, watchSetup } from './setup-processes.ts';

/** A setup command that is to be run once in a workspace. */
export interface SetupRequest {
  /** Where it runs, absolute. */
  folder: string;
  /** A command line for the system's shell. */
  command: string;
  /** File that receives all its output, made new, private. */
  log: string;
  environment: NodeJS.ProcessEnv;
  /** Longest run, seconds; 0: no limit. */
  timeoutSeconds: number;
  /** Ends the command. */
  signal?: AbortSignal;
  /** Called about once a second when it takes longer than one: seconds so far, and the last line of its output. */
  onProgress?: (seconds: number, line: string) => void;
}

/** How a setup command ended. */
export interface SetupResult {
  /** Its own code, 128+n for a signal, 124 when its time was up, 130 when it was interrupted. */
  exitCode: number;
  how: 'exit' | 'timeout' | 'interrupted';
  seconds: number;
  /** What it left running in the background: ended, and named. */
  leftBehind: SetupProcess[];
  /** What could not be ended. */
  survivors: SetupProcess[];
}

const ASK_MS = 2000;
const END_MS = 5000;
const TICK_MS = 1000;

/**
 * Runs a setup command to its end in a process group of its own, stdin empty. When this returns, nothing that it
 * started runs on, however it ended; what cannot be ended is in `survivors`. Throws PrunError (126) where the shell
 * cannot be started, and the system's error where the log cannot be written.
 */
export async function runSetup(request: SetupRequest): Promise<SetupResult> {
  const from = monotonicMs();
  const command = setupCommand(request.command, request.environment);
  const watch = await watchSetup(command);
  const log = openSync(request.log, 'w', PRIVATE_FILE);
  let child: ReturnType<typeof spawn>;
  try {
    child = spawn(command.file, command.argv, {
      cwd: request.folder,
      env: command.environment,
      // On Windows a console of its own would open.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: command.isVerbatim,
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(cannotStart(request, error)));
    child.once('exit', (code, signal) => resolve(code ?? 128 + os.constants.signals[signal ?? 'SIGKILL']));
  });
  if (child.pid === undefined) {
    await ended;
    throw cannotStart(request, new Error('it has no process id'));
  }
  const processes = watch.started(child.pid);
  const ticking = setInterval(() => {
    // Where marks are hidden, a daemon is known only while its parents live.
    if (process.platform !== 'linux') processes.look();
    request.onProgress?.(Math.round((monotonicMs() - from) / 1000), lastLine(request.log));
  }, TICK_MS);
  const stop = stopper(request);
  try {
    const first = await Promise.race([ended, stop.stopped]);
    if (typeof first === 'string') await processes.ask(ended, ASK_MS);
    const left = await processes.end(END_MS);
    const code = await Promise.race([ended, pauseFor(END_MS)]);
    return {
      exitCode: first === 'timeout' ? 124 : first === 'interrupted' ? 130 : (code ?? 137),
      how: typeof first === 'string' ? first : 'exit',
      seconds: (monotonicMs() - from) / 1000,
      leftBehind: typeof first === 'string' ? [] : left.ended,
      survivors: left.survivors,
    };
  } finally {
    clearInterval(ticking);
    stop.off();
  }
}

/** Resolves when time is up or the caller wants an end. */
function stopper(request: SetupRequest): { stopped: Promise<'timeout' | 'interrupted'>; off: () => void } {
  let off = () => {};
  const stopped = new Promise<'timeout' | 'interrupted'>((resolve) => {
    const onAbort = () => resolve('interrupted');
    // setTimeout takes 24.8 days at most; more would fire at once.
    const ms = Math.min(request.timeoutSeconds * 1000, 2 ** 31 - 1);
    const timer = ms > 0 ? setTimeout(() => resolve('timeout'), ms) : undefined;
    if (request.signal?.aborted) onAbort();
    request.signal?.addEventListener('abort', onAbort, { once: true });
    off = () => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', onAbort);
    };
  });
  return { stopped, off };
}

function lastLine(log: string): string {
  const lines = readEnd(log, 2000).split(/[\r\n]+/);
  // Escape sequences of progress bars have no place in a line of ours.
  return (lines.filter((line) => line.trim()).at(-1) ?? '')
    .replace(/\u001b\[[\d;?]*[A-Za-z]/g, '')
    .trim()
    .slice(0, 200);
}

/** Does not keep this process alive by itself. */
function pauseFor(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref());
}

function cannotStart(request: SetupRequest, error: Error): PrunError {
  return new PrunError(
    'E_SETUP',
    `the setup command cannot be started in ${request.folder} (${messageOf(error)})`,
    'see that the folder is there and that the system has a shell',
    126,
  );
}
