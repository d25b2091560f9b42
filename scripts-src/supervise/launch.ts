import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import type { WorkerCommand } from '../executor/types.ts';
import { EXIT } from '../platform/errors.ts';
import { PRIVATE_FILE } from '../platform/files.ts';
import type { ResolvedProgram } from '../platform/resolve-program.ts';
import { startableArgv } from '../platform/startable-argv.ts';
import { stateFile } from '../unit/state-dir.ts';
import type { EndCause } from './classify.ts';
import { shimArgv } from './shim.ts';

/** A worker's process as its supervisor holds it. */
export interface LaunchedWorker {
  /** Pid of the shim (POSIX) or of the worker itself (Windows). */
  pid: number;
  /** Resolves when that process has ended and been waited for. Never rejects. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** What the worker is started with. */
export interface LaunchRequest {
  stateDir: string;
  workdir: string;
  command: WorkerCommand;
  /** Soft RSS limit in KiB for the shim to set, or empty. */
  rssMarkKib: string;
  platform: NodeJS.Platform;
  /** File with the guardian's pid, for which the shim waits; the state dir's own by default. */
  guardianPidFile?: string;
}

/**
 * Starts the worker in a session of its own: prompt on stdin from the state dir's copy, output appended to files
 * that outlive everybody (codex panics when a reader goes away, FACTS-codex.md). Throws the system's error when
 * nothing could be started.
 */
export function launchWorker(request: LaunchRequest): LaunchedWorker {
  const { stateDir, command, platform } = request;
  const stdin = openSync(command.stdin === 'nothing' ? devNull : stateFile(stateDir, 'prompt'), 'r');
  const stdout = openSync(stateFile(stateDir, 'tail'), 'a', PRIVATE_FILE);
  const stderr =
    command.stderr === 'own' ? openSync(stateFile(stateDir, 'stderr'), 'a', PRIVATE_FILE) : stdout;
  try {
    const [file, argv] =
      platform === 'win32'
        ? startableArgv(command.argv, platform)
        : ['/bin/sh', shimArgv(request, command.argv)];
    const child = spawn(file, argv, {
      cwd: request.workdir,
      env: command.environment,
      detached: true,
      windowsHide: true,
      stdio: [stdin, stdout, stderr],
    });
    return { pid: child.pid ?? -1, ended: endOf(child) };
  } finally {
    for (const fd of new Set([stdin, stdout, stderr])) closeSync(fd);
  }
}

/**
 * The same for a program that was looked up. undefined where nothing could be started (it is not there, no descriptor is
 * left, the state dir has gone): the attempt exists, and needs its outcome.
 */
export function startWorker(program: ResolvedProgram, request: LaunchRequest): LaunchedWorker | undefined {
  if (program.kind !== 'found') return undefined;
  try {
    const worker = launchWorker(request);
    return worker.pid > 0 ? worker : undefined;
  } catch {
    // EMFILE, mostly: what is said of it is that the program could not be started.
    return undefined;
  }
}

/** Why nothing could be started, with the exit code that a shell would give. */
export function spawnFailure(program: ResolvedProgram): EndCause {
  if (program.kind === 'missing') {
    return { kind: 'spawn-failed', message: `${program.tried} was not found`, exitCode: EXIT.notFound };
  }
  const message =
    program.kind === 'found' ? `${program.path} could not be started` : `${program.path} is not executable`;
  return { kind: 'spawn-failed', message, exitCode: EXIT.notExecutable };
}

function endOf(child: ChildProcess): LaunchedWorker['ended'] {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
}
