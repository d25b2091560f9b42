import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import path from 'node:path';
import { readValue, writeAtomic } from '../platform/files.ts';
import { formatIdentity, identify, isAlive, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { STATE_FILES } from '../unit/state-dir.ts';

/**
 * The guardian's life: sleep in `read` until the owner's end of the pipe closes; `done` sends it home. Then run the
 * command, again if somebody kills it, and a few times only, so that a broken installation cannot spin.
 */
const GUARDIAN = `while read -r word; do [ "$word" = done ] && exit 0; done
tries=0
while [ $tries -lt 5 ]; do "$@" && exit 0; tries=$((tries + 1)); done`;

/**
 * Starts the guardian as an orphan: a host that stops a task signals every descendant that it finds by parent
 * (FACTS-claude-code.md), so the guardian must have none. TERM, INT and HUP are ignored from before its birth. The
 * pipe is descriptor 3: a background command of sh gets /dev/null as its input, and Node closes its end of a
 * child's stdin as soon as that child exits, which the starter does at once. It is started before the attempt's folder
 * is made, because a dispatcher that is killed in between would leave one that nobody removes, and waits for the word
 * that it is there, or for the end of the pipe; it goes there and writes the guardian's pid by a relative name, because
 * the folder is renamed meanwhile. The guardian itself stands in `/`,
 * so that it keeps no folder from being removed. A guardian carries no marks: where prun runs below a worker of prun,
 * the outer unit's reap would end it together with the inner dispatcher, and the inner unit had no outcome.
 */
const STARTER = `trap '' TERM INT HUP
ulimit -S -m unlimited 2>/dev/null
guardian=$1 pidfile=$2 draft=$3 folder=$4
shift 4
read -r made <&3
cd "$draft" 2>/dev/null || cd "$folder" 2>/dev/null || exit 1
( cd /; exec /bin/sh -c "$guardian" prun-guardian "$@" ) <&3 3<&- >/dev/null 2>&1 &
umask 077
echo $! >"$pidfile"`;

/** What a worker's descendants carry (process/types.ts, ProcessMarks). */
const MARKS = ['PRUN_UNIT', 'CODEX_THREAD_ID', 'CODEX_SESSION_ID'];

/** The owner's end of a guardian that stands by. */
export interface Lifeline {
  /** Says that the attempt's folder is there: only now the guardian takes its place. */
  begin(): void;
  /** Resolves when the guardian stands by on its own, or could not be started. Never rejects. */
  settled: Promise<void>;
  /** Writes the guardian's identity into the state dir `folder`; call after `settled`. */
  record(folder: string): void;
  /** Whether the guardian is still there. */
  isAlive(): boolean;
  /** Resolves when the guardian has gone without having been sent home. */
  lost: Promise<void>;
  /** Sends the guardian home: the owner has ended its work. */
  release(): void;
}

/**
 * Puts a guardian behind this process: when the process dies without a word, `command` runs. Costs one `sh` that
 * sleeps in read(2). The state dir's files are in `draft`, which may be made only now, or already in `folder`. Does not
 * wait for the guardian: the worker's shim does, by the file `.guardian-pid`.
 */
export function startLifeline(
  host: ProcessHost,
  place: { draft: string; stateDir: string },
  command: string[],
): Lifeline {
  return host.platform === 'win32' ? standBy(host, command) : waitOnPipe(host, place, command);
}

/** Windows has no sh: the command itself stands by, and looks for its owner from time to time. */
function standBy(host: ProcessHost, command: string[]): Lifeline {
  const [file = '', ...argv] = command;
  const child = spawn(file, argv, { detached: true, stdio: 'ignore', windowsHide: true });
  child.unref();
  let identity: string | undefined;
  return {
    begin() {
      // It waits for the state dir by itself.
    },
    settled: settledOnce(child, 'spawn'),
    record(folder) {
      identity = recordGuardian(host, folder, child.pid);
    },
    isAlive: () => isGuardianAlive(host, identity),
    lost: settledOnce(child, 'exit'),
    release() {
      // It sees the outcome within a second and goes.
    },
  };
}

function waitOnPipe(
  host: ProcessHost,
  { draft, stateDir }: { draft: string; stateDir: string },
  command: string[],
): Lifeline {
  const starter = spawn(
    '/bin/sh',
    ['-c', STARTER, 'prun-lifeline', GUARDIAN, STATE_FILES.guardianPid, draft, stateDir, ...command],
    {
      detached: true,
      cwd: '/',
      env: withoutMarks(process.env),
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const pipe = ownEnd(starter);
  const settled = settledOnce(starter, 'exit');
  let released = false;
  // Nobody else holds the other end, once the starter is gone.
  const lost = new Promise<void>((resolve) => {
    pipe?.once('close', () => {
      if (!released) resolve();
    });
  });
  let identity: string | undefined;
  return {
    begin() {
      pipe?.write('made\n');
    },
    settled,
    record(now) {
      identity = recordGuardian(host, now, Number(readValue(path.join(now, STATE_FILES.guardianPid))));
    },
    isAlive: () => isGuardianAlive(host, identity),
    lost,
    release() {
      released = true;
      pipe?.end('done\n');
    },
  };
}

/** undefined, which is the environment as it is, where there are none: copying it takes time before the start. */
function withoutMarks(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv | undefined {
  if (!MARKS.some((name) => environment[name] !== undefined)) return undefined;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !MARKS.includes(name)));
}

/** undefined when no process or descriptor was left for the starter: then it has no streams at all (EMFILE). */
function ownEnd(starter: ChildProcess): Socket | undefined {
  const pipe = starter.stdio?.[3] as Socket | undefined;
  if (!pipe) return undefined;
  // It must not keep this process running, and a guardian that was killed must not end it by EPIPE.
  pipe.unref();
  pipe.on('error', () => {});
  return pipe;
}

/** Writes down who stands by; returns the identity, empty when there is nobody. */
function recordGuardian(host: ProcessHost, folder: string, pid: number | undefined): string {
  const id = pid === undefined ? undefined : identify(host, pid);
  if (!id) return '';
  try {
    writeAtomic(path.join(folder, STATE_FILES.guardian), `${formatIdentity(id)}\n`, { sync: false });
  } catch {
    // A full disk: the guardian stands by all the same, only watchers do not see it.
  }
  return formatIdentity(id);
}

/** Before it is recorded a guardian is on its way, which counts as alive. */
function isGuardianAlive(host: ProcessHost, identity: string | undefined): boolean {
  if (identity === undefined) return true;
  const id = parseIdentity(identity);
  return id !== undefined && isAlive(host, id);
}

async function settledOnce(child: ChildProcess, event: 'exit' | 'spawn'): Promise<void> {
  try {
    await once(child, event);
  } catch {
    // It could not be started: `record` will find nobody, and the shim refuses to run the worker.
  }
}
