import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { scrubEnvironment } from '../executor/scrub-environment.ts';
import { messageOf, PrunError } from '../platform/errors.ts';
import type { ProcessHost } from '../process/types.ts';
import { setupCommand } from '../workspace/setup/setup-command.ts';
import { watchSetup } from '../workspace/setup/setup-processes.ts';
import { boundedLog } from './bounded-log.ts';

// Loaded when a unit with a check has ended: hot scripts start without it.

/** A command that checks a unit's work after its worker has ended. Paths are absolute. */
export interface VerifyRequest {
  host: ProcessHost;
  /** A command line for the system's shell. */
  command: string;
  /** Where it runs: the unit's workspace. */
  workdir: string;
  /** File that receives its output, made new, private, bounded. */
  log: string;
  /** The caller's; what is kept from workers is kept from this command, too. */
  environment: NodeJS.ProcessEnv;
  /** What prun told the worker (ports, its workspace); replaces variables of those names. */
  told?: Readonly<Record<string, string>>;
  /** Names that are passed on although the scrub would remove them. */
  passEnv?: readonly string[];
  /** Value of PRUN_UNIT of the unit: who ends the unit's processes ends these, too. */
  marker: string;
  /** Longest run, seconds; 0: no limit. */
  timeoutSeconds: number;
  /** Told the pid of the command when it runs. */
  onStart?: ((pid: number) => void) | undefined;
  /** Resolves when the command is to end; undefined: never. */
  stop?: Promise<unknown> | undefined;
}

/** A command that ignores a request to end has so long, ms. */
const ASK_MS = 2000;
const END_MS = 5000;
/** For what is still in the pipes when every process is gone, ms. */
const DRAIN_MS = 1000;
/** Without marks a descendant is known only while its parents live (process/family.ts), ms. */
const LOOK_MS = 1000;
/** setTimeout takes 24.8 days at most; more would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Runs the check in a process group of its own, stdin empty, and waits for it. When this returns nothing that it
 * started runs on, however it ended. Exit code: its own, 128+n for a signal, 124 when its time was up, 130 when it was
 * stopped, 126 when it could not be started or its log could not be made (the log, or standard error, says why).
 */
export async function runVerify(request: VerifyRequest): Promise<{ exitCode: number }> {
  try {
    return { exitCode: await runCommand(request) };
  } catch (error) {
    // The unit's outcome is to be written all the same; it fails, because nobody checked it.
    process.stderr.write(`prun: verify in ${request.workdir}: ${messageOf(error)}\n`);
    return { exitCode: 126 };
  }
}

async function runCommand(request: VerifyRequest): Promise<number> {
  const environment = scrubEnvironment(request.environment, request.passEnv ?? [], {
    ...request.told,
    PRUN_UNIT: request.marker,
  });
  const command = setupCommand(request.command, environment);
  const watch = await watchSetup(command);
  const log = boundedLog(request.log);
  const child = spawn(command.file, command.argv, {
    cwd: request.workdir,
    env: command.environment,
    // On Windows a console of its own would open.
    detached: request.host.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: command.isVerbatim,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => log.write(chunk));
  const closed = once(child, 'close').catch(() => undefined);
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(cannotStart(request, error)));
    child.once('exit', (code, signal) => resolve(code ?? 128 + os.constants.signals[signal ?? 'SIGKILL']));
  });
  try {
    if (child.pid === undefined) return await ended;
    const processes = watch.started(child.pid);
    request.onStart?.(child.pid);
    const looking = setInterval(() => {
      if (request.host.platform !== 'linux') processes.look();
    }, LOOK_MS);
    const stop = stopper(request);
    try {
      const first = await Promise.race([ended, stop.stopped]);
      if (typeof first === 'string') await processes.ask(ended, ASK_MS);
      await processes.end(END_MS);
      const code = await Promise.race([ended, pause(END_MS)]);
      // What could not be killed may hold the pipes open.
      await Promise.race([closed, pause(DRAIN_MS)]);
      return typeof first === 'string' ? (first === 'timeout' ? 124 : 130) : (code ?? 137);
    } finally {
      clearInterval(looking);
      stop.off();
    }
  } finally {
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    log.close();
  }
}

/** Resolves when time is up or the caller wants an end. */
function stopper({ stop, timeoutSeconds }: VerifyRequest) {
  let timer: NodeJS.Timeout | undefined;
  const stopped = new Promise<'timeout' | 'stopped'>((resolve) => {
    if (timeoutSeconds > 0)
      timer = setTimeout(() => resolve('timeout'), Math.min(timeoutSeconds * 1000, LONGEST_MS));
    void stop?.then(() => resolve('stopped'));
  });
  return { stopped, off: () => clearTimeout(timer) };
}

/** Does not keep this process alive by itself. */
function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref());
}

function cannotStart(request: VerifyRequest, error: Error): PrunError {
  return new PrunError(
    'E_VERIFY',
    `the verify command cannot be started in ${request.workdir} (${messageOf(error)})`,
    'see that the folder is there and that the system has a shell',
    126,
  );
}
