import { type ChildProcess, spawn } from 'node:child_process';
import { monotonicMs } from '../platform/clock.ts';
import { messageOf } from '../platform/errors.ts';
import { randomHex } from '../platform/random.ts';
import { startableArgv } from '../platform/startable-argv.ts';
import { createFamily, lookAtFamilies, observerOf } from './family.ts';
import { currentHost } from './host.ts';
import { identityOf, signalIfSame } from './identity.ts';
import type { ProcessEntry } from './types.ts';

/** What a program answered. */
export interface ProgramAnswer {
  /** Its exit code; null where it could not be started, was ended by a signal, or took too long. */
  exitCode: number | null;
  /** At most 64 KiB each. */
  stdout: string;
  stderr: string;
  /** Why it has no exit code, for people. */
  trouble: string | undefined;
}

/** How a program is asked. */
export interface AskOptions {
  environment: NodeJS.ProcessEnv;
  /** Where it runs (absolute). */
  cwd: string;
  /** Longest run, ms; what it has started is then ended with it. */
  limitMs: number;
  /** Value of PRUN_UNIT below which it is marked; that of this process by default. */
  mark?: string | undefined;
}

const MAX_CHARACTERS = 64 * 1024;
/** Somebody who holds its pipes after its end is waited for so long, ms. */
const AFTER_END_MS = 300;
const SWEEP_MS = 2000;
const BETWEEN_LOOKS_MS = 10;

/**
 * Runs a short program to its end without stdin and gives what it said. Never throws. One that does not end in time is
 * killed with all that it has started.
 */
export async function askProgram(
  argv: readonly string[],
  { environment, cwd, limitMs, mark = process.env.PRUN_UNIT }: AskOptions,
): Promise<ProgramAnswer> {
  const marker = `${mark ? `${mark}/` : ''}ask-${randomHex(16)}`;
  const answer: ProgramAnswer = { exitCode: null, stdout: '', stderr: '', trouble: undefined };
  const [file, words] = startableArgv(argv);
  let child: ChildProcess;
  try {
    child = spawn(file, words, {
      cwd,
      env: { ...environment, PRUN_UNIT: marker },
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    return { ...answer, trouble: messageOf(error) };
  }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      answer[name] = `${answer[name]}${text}`.slice(0, MAX_CHARACTERS);
    });
  }
  const end = await endOf(child, limitMs);
  if (end.isLeft) await endAllOf(child, marker);
  return { ...answer, exitCode: end.exitCode, trouble: end.trouble };
}

interface End {
  exitCode: number | null;
  trouble: string | undefined;
  /** Somebody may still be there. */
  isLeft: boolean;
}

function endOf(child: ChildProcess, limitMs: number): Promise<End> {
  return new Promise((resolve) => {
    let end: End = { exitCode: null, trouble: `it did not end within ${limitMs / 1000} s`, isLeft: true };
    const done = (): void => {
      clearTimeout(timer);
      resolve(end);
    };
    let timer = setTimeout(done, limitMs);
    child.once('error', (error) => {
      end = { exitCode: null, trouble: error.message, isLeft: false };
      done();
    });
    child.once('exit', (exitCode, signal) => {
      end = { exitCode, trouble: signal === null ? undefined : `it was ended by ${signal}`, isLeft: true };
      clearTimeout(timer);
      timer = setTimeout(done, AFTER_END_MS);
    });
    child.once('close', () => {
      end.isLeft = false;
      done();
    });
  });
}

async function endAllOf(child: ChildProcess, marker: string): Promise<void> {
  const host = await currentHost();
  const observer = observerOf(host);
  const family = createFamily(marker, null, host.entry(process.pid)?.startOrder ?? 0);
  const { pid } = child;
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  const leader = pid === undefined || hasEnded ? undefined : host.entry(pid);
  if (leader) family.members.set(leader.pid, leader);
  // Its number still names the group of those that it left; only where there are no marks.
  else if (pid !== undefined && host.platform !== 'linux') family.deadLeader = pid;
  for (const deadline = monotonicMs() + SWEEP_MS; monotonicMs() < deadline; ) {
    const seen: ProcessEntry[] = [];
    lookAtFamilies(host, [family], observer, (_, member) => {
      seen.push(member);
      if (!host.endAll) signalIfSame(host, identityOf(host, member), 'SIGKILL');
    });
    host.endAll?.(seen.map((member) => identityOf(host, member)));
    if (seen.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
  }
  child.stdout?.destroy();
  child.stderr?.destroy();
  // What no signal ends (it waits for a dead file system) is not waited for at this process's own end either.
  child.unref();
}
