import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { errnoOf, PrunError } from '../platform/errors.ts';
import { readValue } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { requireProgram } from '../platform/require-program.ts';
import { startableArgv } from '../platform/startable-argv.ts';
import { createFamily, type Family, observerOf } from '../process/family.ts';
import { formatIdentity, identityOf, isAlive, signalIfSame } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { marksOf } from './attempt.ts';
import { endFamily } from './end-family.ts';
import { END_OWNED } from './end-owned.ts';
import { noteMembers } from './member-ledger.ts';
import { type Sweep, seeMembers, sleep } from './reap.ts';
import { standBehind } from './stand-behind.ts';

/** Who owns the commands that it starts. */
export interface CommandOwner {
  host: ProcessHost;
  /** What the owner is, such as `validate`: the beginning of the mark that its commands carry. */
  name: string;
  /** For the guardian's pid and identity: absolute, private. */
  folder: string;
  /** The compiled script that hands `--end-owned` to `endOwned` (end-owned.ts). */
  script: string;
}

/** A command as it is to be started. No shell reads its words. */
export interface OwnedCommand {
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  /** All that it sees; the mark is added. */
  environment: Readonly<Record<string, string>>;
  stdio: StdioOptions;
}

/** How a command ended: its own code, or 128+n for a signal, as a shell says it. */
export interface CommandEnd {
  code: number;
  signal: NodeJS.Signals | null;
}

/** A command that runs as the leader of a group and session of its own. */
export interface OwnedProcess {
  pid: number;
  /** Resolves when it has ended and been waited for. Never rejects. What it started may live on. */
  ended: Promise<CommandEnd>;
  /**
   * Ends it, if it runs, and all that it started: asks with SIGTERM, waits at most `askMs`, and kills whoever is left at
   * sight. Gives who was ended and who could not be; the command itself is not among them if it had ended before.
   */
  end(askMs: number): Promise<Sweep>;
}

/** An owner whose guardian stands by. */
export interface OwnedCommands {
  /** Throws PrunError (127, 126) where the program is not there or cannot be started. */
  start(command: OwnedCommand): OwnedProcess;
  /** Sends the guardian home: everything that was started has been ended. */
  release(): void;
}

/** A guardian is there in a few ms; where nothing else may start either, nothing is to be started. */
const GUARDIAN_MS = 5000;
const KILL_MS = 5000;
const LOOK_MS = 20;
/** Without marks a descendant is known only while its parents live (process/family.ts), ms. */
const LEDGER_MS = 1000;

/** Marks the command and all its descendants, also those that clear their environment (supervise/shim.ts). */
const MARKED = `[ -z "$1" ] || ulimit -S -m "$1" 2>/dev/null
shift
exec "$@"`;

/**
 * Puts a guardian behind this process for all commands that it will start: if the process dies without a word, they
 * end with everything that they started. Resolves when the guardian stands by.
 */
export async function ownCommands({ host, name, folder, script }: CommandOwner): Promise<OwnedCommands> {
  const self = host.entry(process.pid);
  if (!self) {
    throw new PrunError(
      'E_NO_PROCESS_TABLE',
      `the process table cannot be read (${host.trouble?.() ?? 'this process is not in it'})`,
      'make /proc, ps or PowerShell usable for this user, and run the command again',
      126,
    );
  }
  const { marker, rssMarkKib } = marksOf(host, name, randomHex(16), process.env.PRUN_UNIT || undefined);
  const rssMark = rssMarkKib === '' ? null : String(Number(rssMarkKib) * 1024);
  const owner = formatIdentity(identityOf(host, self));
  const words = [marker, rssMark ?? '-', String(self.startOrder), owner, folder];
  const guard = standBehind(host, folder, [process.execPath, script, END_OWNED, ...words]);
  await guardianStandsBy(host, guard.pidFile);
  return {
    start(command) {
      const family = createFamily(marker, rssMark, self.startOrder);
      return startMarked(host, { command, family, rssMarkKib, folder });
    },
    release: guard.release,
  };
}

async function guardianStandsBy(host: ProcessHost, pidFile: string): Promise<void> {
  // Windows has no such file: there the guardian stands by as soon as it was started.
  for (let waited = 0; host.platform !== 'win32' && !readValue(pidFile); waited += LOOK_MS / 4) {
    if (waited > GUARDIAN_MS) {
      throw new PrunError(
        'E_GUARDIAN',
        `no process could be started that stands behind this one (${pidFile} stays empty)`,
        'see that /bin/sh works and that the system has room for processes',
        126,
      );
    }
    await sleep(LOOK_MS / 4);
  }
}

interface MarkedStart {
  command: OwnedCommand;
  family: Family;
  rssMarkKib: string;
  folder: string;
}

function startMarked(host: ProcessHost, { command, family, rssMarkKib, folder }: MarkedStart): OwnedProcess {
  const argv = [
    requireProgram(command.argv[0] ?? '', command.cwd, command.environment),
    ...command.argv.slice(1),
  ];
  const [file, words] =
    host.platform === 'win32'
      ? startableArgv(argv, host.platform)
      : ['/bin/sh', ['-c', MARKED, 'prun-command', rssMarkKib, ...argv]];
  const child = spawn(file, words, {
    cwd: command.cwd,
    env: { ...command.environment, PRUN_UNIT: family.marker },
    // On Windows a console of its own would open.
    detached: host.platform !== 'win32',
    windowsHide: true,
    stdio: command.stdio,
  });
  const pid = child.pid ?? -1;
  const leader = host.entry(pid);
  if (leader) family.members.set(pid, leader);
  const ended = endOf(child, command);
  const ledger = host.platform === 'linux' ? undefined : keepLedger(host, family, folder);
  return {
    pid,
    ended,
    async end(askMs) {
      try {
        const asked = await askAll(host, family, askMs);
        const { reaped, survivors } = await endFamily(host, family, pid, observerOf(host), KILL_MS);
        const known = new Set(asked.map((one) => one.pid));
        const all = [...asked, ...reaped.filter((one) => !known.has(one.pid))];
        return { reaped: all.filter((one) => !survivors.some((left) => left.pid === one.pid)), survivors };
      } finally {
        clearInterval(ledger);
      }
    },
  };
}

function endOf(child: ChildProcess, { argv }: OwnedCommand): Promise<CommandEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ code: code ?? 128 + constants.signals[signal ?? 'SIGKILL'], signal });
    });
    child.once('error', (error) => {
      process.stderr.write(`prun: ${argv[0]} could not be started (${errnoOf(error) ?? error.message})\n`);
      resolve({ code: 126, signal: null });
    });
  });
}

/** Asks everybody who is there to end and waits for it; gives those who did. */
async function askAll(host: ProcessHost, family: Family, limitMs: number): Promise<Sweep['reaped']> {
  const observer = observerOf(host);
  seeMembers(host, family, observer);
  // Windows has no such question: SIGTERM would be the end of one process.
  if (host.platform === 'win32' || limitMs <= 0) return [];
  const asked = [...family.members.values()];
  for (const member of asked) signalIfSame(host, identityOf(host, member), 'SIGTERM');
  const isThere = () => asked.filter((member) => isAlive(host, identityOf(host, member)));
  // A stopped process cannot answer: waiting for it would only cost time.
  for (
    let waited = 0;
    waited < limitMs && isThere().some((one) => one.state !== 'stopped');
    waited += LOOK_MS
  ) {
    await sleep(LOOK_MS);
  }
  const left = new Set(isThere().map((one) => one.pid));
  return asked.filter((one) => !left.has(one.pid)).map(({ pid, command }) => ({ pid, command }));
}

/** Writes down who belongs to the command, so that a guardian knows them without marks. */
function keepLedger(host: ProcessHost, family: Family, folder: string): NodeJS.Timeout {
  let noted = '';
  return setInterval(() => {
    seeMembers(host, family, observerOf(host));
    noted = noteMembers(host, folder, family, noted);
  }, LEDGER_MS).unref();
}
