import { monotonicMs } from '../platform/clock.ts';
import {
  type CommandHost,
  type CommandRunner,
  createCommandRunner,
  type HostOptions,
  sendSignal,
} from './command-runner.ts';
import {
  marksOf,
  PS_COLUMNS,
  PS_COMMAND_COLUMNS,
  type PsCommand,
  parsePsCommands,
  parsePsTable,
} from './ps-output.ts';
import type { ProcessEntry, ProcessMarks } from './types.ts';

// Absolute, so that a Homebrew or Nix `ps` before them on PATH does not answer in another format.
const PS = '/bin/ps';
const SYSCTL = '/usr/sbin/sysctl';

/** How long after a look `entry` may be answered from it, ms. */
export const READ_FRESH_MS = 200;
/** How long after a process was read a signal may rely on it without reading it again, ms. */
export const SIGNAL_FRESH_MS = 25;

interface Table {
  entries: Map<number, ProcessEntry>;
  readAt: number;
  marks?: Map<number, MarksRead>;
}

interface MarksRead {
  start: string;
  marks: ProcessMarks;
}

/** The bounded runner for macOS: 5 s, 64 MiB, and a clean environment (COMMAND_MODE changes what `ps -e` means). */
export function darwinRunner(): CommandRunner {
  return createCommandRunner({
    timeoutMs: 5000,
    maxOutput: 64 * 1024 * 1024,
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
  });
}

/**
 * The process table of macOS, read through `ps`: one spawn a look. Facts from Apple's ps source (adv_cmds):
 * start times have whole seconds, `time` leaves out children that were waited for, sessions are derived (see
 * deriveSessions), and names have control characters written out, so one process is one line.
 *
 * How old an answer may be: `look` always asks. `entry` may come from a read that ended at most READ_FRESH_MS
 * ago, if the pid was in it; a pid that was not is always asked for, since it may have been born since.
 * `signal` trusts no such answer: unless the pid was read within SIGNAL_FRESH_MS (a kill on sight, straight from
 * a look), it reads the pid again and sends nothing when another start, a zombie or nothing stands there. So
 * `signalIfSame` is right although it calls `entry`, and costs one `ps -p`. A signal also ends the pid's cached
 * answer: who waits for a death does not wait for the cache.
 */
export function createDarwinHost(
  run: CommandRunner = darwinRunner(),
  options: Partial<HostOptions> = {},
): CommandHost {
  const { now = monotonicMs, self = process.pid, kill = process.kill.bind(process) } = options;
  let boot: string | undefined;
  let trouble: string | undefined;
  let table: Table | undefined;
  // What was read one by one since the last look.
  let single = new Map<number, { entry: ProcessEntry; readAt: number }>();

  function ask(argv: string[]): Map<number, ProcessEntry> | undefined {
    const output = run(PS, argv);
    const entries = output === undefined ? undefined : parsePsTable(output);
    // The row of this very process proves that ps understood the question: BusyBox prints nothing, too.
    trouble = entries?.has(self) ? undefined : `${PS} gave no usable process table`;
    return trouble === undefined ? entries : undefined;
  }

  function readAll(): Table | undefined {
    const argv = ['-ax', ...PS_COLUMNS];
    // One more try: a machine so busy that ps ran into its limit is where looks are needed.
    const entries = ask(argv) ?? ask(argv);
    table = entries && { entries, readAt: now() };
    single = new Map();
    return table;
  }

  function readOne(before: ProcessEntry): ProcessEntry | undefined {
    const { pid } = before;
    const entry = ask(['-p', `${pid},${self}`, ...PS_COLUMNS])?.get(pid);
    table?.entries.delete(pid);
    single.delete(pid);
    if (entry === undefined) return undefined;
    // Two rows tell nothing about sessions; a process that called setsid has also left its group.
    if (entry.start !== before.start || entry.pgid !== before.pgid) return readAll()?.entries.get(pid);
    entry.sid = before.sid;
    single.set(pid, { entry, readAt: now() });
    return entry;
  }

  function lastRead(pid: number): { entry: ProcessEntry; readAt: number } | undefined {
    const entry = table?.entries.get(pid);
    return entry && table ? { entry, readAt: table.readAt } : single.get(pid);
  }

  function readMarks(selection: string[]): Map<number, MarksRead> {
    const read = (argv: string[]): Map<number, PsCommand> =>
      parsePsCommands(run(PS, [...argv, ...selection, ...PS_COMMAND_COLUMNS]) ?? '');
    const withEnvironment = read(['-E', '-ww']);
    const plain = read(['-ww']);
    const found = new Map<number, MarksRead>();
    for (const [pid, line] of withEnvironment) {
      const without = plain.get(pid);
      const marks = without && marksOf(line, without);
      if (marks) found.set(pid, { start: line.start, marks });
    }
    return found;
  }

  return {
    platform: 'darwin',
    trouble: () => trouble,
    bootId() {
      boot ??= readBootId(run);
      return boot;
    },
    entry(pid) {
      const known = lastRead(pid);
      // Only the whole table tells the session of a pid that was never seen.
      if (!known) return readAll()?.entries.get(pid);
      return now() - known.readAt <= READ_FRESH_MS ? known.entry : readOne(known.entry);
    },
    look(since) {
      // Starts have whole seconds: what began within the second of `since` may have begun after it.
      const first = Math.floor(since / 1000) * 1000;
      return [...(readAll()?.entries.values() ?? [])].filter((entry) => entry.startOrder >= first);
    },
    marks(entry) {
      // Two spawns for all processes of a look, not two for each. Never kept for longer than the look: a fork
      // shows its parent's environment until it calls exec.
      let found: Map<number, MarksRead>;
      if (table?.entries.get(entry.pid) === entry) {
        table.marks ??= readMarks(['-ax']);
        found = table.marks;
      } else {
        found = readMarks(['-p', `${entry.pid}`]);
      }
      const read = found.get(entry.pid);
      return read && read.start === entry.start ? read.marks : undefined;
    },
    io: () => undefined,
    lastPid: () => undefined,
    signal(pid, signal) {
      const known = lastRead(pid);
      if (!known) {
        if (!readAll()?.entries.has(pid)) return false;
      } else if (now() - known.readAt > SIGNAL_FRESH_MS) {
        const entry = readOne(known.entry);
        if (entry?.start !== known.entry.start || entry.state === 'zombie') return false;
      }
      table?.entries.delete(pid);
      single.delete(pid);
      return sendSignal(kill, pid, signal);
    },
  };
}

/**
 * Id of this boot: the kernel's boot session UUID; without it the boot time's second, which a clock step can
 * move; else a constant, which start times still tell apart since they are absolute.
 */
function readBootId(run: CommandRunner): string {
  const uuid = run(SYSCTL, ['-n', 'kern.bootsessionuuid'])?.trim() ?? '';
  if (/^[0-9A-Fa-f-]{36}$/.test(uuid)) return uuid;
  const second = /sec = (\d+)/.exec(run(SYSCTL, ['-n', 'kern.boottime']) ?? '')?.[1];
  return second === undefined ? 'darwin' : `boottime-${second}`;
}
