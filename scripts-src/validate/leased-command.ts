import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { EXIT, errnoOf, PrunError } from '../platform/errors.ts';
import { writeAtomic } from '../platform/files.ts';
import { requireProgram } from '../platform/require-program.ts';
import { startableArgv } from '../platform/startable-argv.ts';
import { type Family, type Observer, observerOf } from '../process/family.ts';
import { formatIdentity, identityOf, signalIfSame } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { noteMembers } from '../supervise/member-ledger.ts';
import { seeMembers } from '../supervise/reap.ts';
import { SHIM_REFUSED, shimArgv } from '../supervise/shim.ts';
import { stateFile } from '../unit/state-dir.ts';
import { endLeased } from './end-leased.ts';
import { LEADER_FILE } from './lease-alive.ts';
import { leaseFolder } from './lease-changes.ts';
import { standBehindLease } from './lease-guard.ts';
import { type LeaseMarks, leasedEnvironment, leaseFamily } from './lease-marks.ts';
import { type LeasePlace, makeLeaseFolder } from './lease-place.ts';
import type { LeaseStop } from './lease-stop.ts';

/** Without marks a descendant is known only while its parents live (process/family.ts), ms. */
const LOOK_MS = 1000;

/** A command that is to run under a lease that is held. */
export interface LeasedCommand {
  place: LeasePlace;
  marks: LeaseMarks;
  /** Ids of the leases under which this process runs. */
  outer: readonly string[];
  /** The program resolved, and its words. */
  argv: readonly string[];
  /** The compiled `resource-run`, for the guardian. */
  script: string;
  stop: LeaseStop;
}

/** Looks a command's program up, as a shell would. Throws a PrunError (127, 126) where it cannot be started. */
export function resolvedArgv(argv: readonly string[], cwd: string, environment: NodeJS.ProcessEnv): string[] {
  const [name = '', ...words] = argv;
  return [requireProgram(name, cwd, environment), ...words];
}

/**
 * Runs a command in a process group of its own, its streams those of this process. When this returns nothing that it
 * started runs on, and the exit code is the command's own, or 128+n where a signal to this process ended it.
 *
 * A guardian stands behind: if this process is killed, it ends the command and gives the lease back. The command does
 * not start before the guardian stands, and not after somebody has found the lease without a keeper (supervise/shim.ts).
 */
export async function runLeased(command: LeasedCommand): Promise<number> {
  const { place, marks, stop } = command;
  const { host } = place;
  const folder = leaseFolder(place, marks.id);
  makeLeaseFolder(place, folder);
  const family = leaseFamily(marks, host.entry(process.pid)?.startOrder ?? 0);
  const observer = observerOf(host);
  const guard = standBehindLease(command, folder, family.since);
  const child = start(command, folder);
  const ended = endOf(child);
  if (child.pid === undefined) throw await cannotStart(command, ended);
  noteLeader(host, family, folder, child.pid);
  const stopFollowing = followSignals(host, family, observer, stop);
  const ledger = host.platform === 'linux' ? undefined : keepLedger(host, family, observer, folder);
  try {
    await Promise.race([ended, stop.arrived]);
    const signal = stop.signal();
    await endLeased({
      ...{ host, family, observer, leader: child.pid, signal: signal ?? 'SIGTERM' },
      hurry: stop.hurried,
    });
    const { code } = await ended;
    if (code === SHIM_REFUSED && !existsSync(stateFile(folder, 'started'))) throw noGuardian();
    return stop.exitCode() ?? code;
  } finally {
    clearInterval(ledger);
    stopFollowing();
    guard.release();
  }
}

function start({ place, marks, outer, argv }: LeasedCommand, folder: string): ChildProcess {
  const isWindows = place.host.platform === 'win32';
  const [file, words] = isWindows
    ? startableArgv(argv)
    : ['/bin/sh', shimArgv({ stateDir: folder, rssMarkKib: marks.rssMarkKib }, [...argv])];
  return spawn(file, words, {
    env: leasedEnvironment(process.env, marks.id, outer),
    // On Windows a console of its own would open.
    detached: !isWindows,
    windowsHide: true,
    stdio: 'inherit',
  });
}

type End = { code: number; error?: Error };

function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ code: code ?? 128 + constants.signals[signal ?? 'SIGKILL'] });
    });
    child.once('error', (error) => resolve({ code: EXIT.notExecutable, error }));
  });
}

async function cannotStart({ argv }: LeasedCommand, ended: Promise<End>): Promise<PrunError> {
  const { error } = await ended;
  const why = errnoOf(error) ?? 'no process could be started';
  return new PrunError(
    'E_COMMAND',
    `${argv[0]} could not be started (${why})`,
    'try again',
    EXIT.notExecutable,
  );
}

function noGuardian(): PrunError {
  return new PrunError(
    'E_GUARDIAN',
    'the guardian could not be started, and a command that nobody would end is not started',
    'see that /bin/sh works, and try again',
    EXIT.notExecutable,
  );
}

/** Who keeps the lease when this process and its guardian are gone. */
function noteLeader(host: ProcessHost, family: Family, folder: string, pid: number): void {
  const leader = host.entry(pid);
  if (!leader) return;
  family.members.set(pid, leader);
  try {
    writeAtomic(path.join(folder, LEADER_FILE), `${formatIdentity(identityOf(host, leader))}\n`, {
      sync: false,
    });
  } catch {
    // A full disk: the start fence says the same.
  }
}

/** What a terminal tells its foreground group, in which the command is not. Returns what ends it. */
function followSignals(host: ProcessHost, family: Family, observer: Observer, stop: LeaseStop): () => void {
  const pass = (signal: NodeJS.Signals) => (): void => {
    seeMembers(host, family, observer);
    for (const member of family.members.values()) signalIfSame(host, identityOf(host, member), signal);
  };
  return stop.followTerminal({
    resized: pass('SIGWINCH'),
    // Not SIGTSTP: a group without a parent in its session ignores it (setpgid(2), orphaned groups).
    stopped: pass('SIGSTOP'),
    continued: pass('SIGCONT'),
  });
}

function keepLedger(host: ProcessHost, family: Family, observer: Observer, folder: string): NodeJS.Timeout {
  let noted = '';
  return setInterval(() => {
    seeMembers(host, family, observer);
    noted = noteMembers(host, folder, family, noted);
  }, LOOK_MS);
}
