import { monotonicMs } from '../../platform/clock.ts';
import {
  createFamily,
  type Family,
  lookAtFamilies,
  type Observer,
  observerOf,
} from '../../process/family.ts';
import { currentHost } from '../../process/host.ts';
import { identityOf, isAlive, signalIfSame } from '../../process/identity.ts';
import type { ProcessEntry, ProcessHost } from '../../process/types.ts';
import type { SetupCommand } from './setup-command.ts';

/** A process by number and short name, for people. */
export interface SetupProcess {
  pid: number;
  command: string;
}

/** The processes of one setup command. */
export interface SetupProcesses {
  /** Looks who belongs to it, so that those whose parents end are still known. */
  look(): void;
  /** Asks its group to end, and waits until `ended`, at most `limitMs`. */
  ask(ended: Promise<unknown>, limitMs: number): Promise<void>;
  /** Kills whoever is left until a look finds nobody. Gives who was killed, and who could not be. */
  end(limitMs: number): Promise<{ ended: SetupProcess[]; survivors: SetupProcess[] }>;
}

/** After a look that found somebody, so long without another one (FACTS-processes.md: the quiet window). */
const QUIET_MS = 150;
const BETWEEN_LOOKS_MS = 10;

/**
 * Watches over what a setup command starts: by its marks, and by parent, group and session (process/family.ts).
 *
 * @param command the command, before it is started: nothing older than this call belongs to it
 */
export async function watchSetup(command: SetupCommand): Promise<{ started(pid: number): SetupProcesses }> {
  const host = await currentHost();
  const observer = observerOf(host);
  const since = host.entry(process.pid)?.startOrder ?? 0;
  const family = createFamily(command.marker, command.rssMark, since);
  return {
    started(pid) {
      const leader = host.entry(pid);
      if (leader) {
        family.members.set(pid, leader);
        family.since = leader.startOrder;
      }
      return processesOf(host, observer, family, pid);
    },
  };
}

function processesOf(host: ProcessHost, observer: Observer, family: Family, leader: number): SetupProcesses {
  const look = () => lookAtFamilies(host, [family], observer, () => {});
  return {
    look,
    async ask(ended, limitMs) {
      look();
      const group = [...family.members.values()].filter(
        (member) => member.pgid === leader || member.pid === leader,
      );
      // Windows has no such question: SIGTERM would be the end of one process.
      if (host.platform === 'win32') return;
      for (const member of group) signalIfSame(host, identityOf(host, member), 'SIGTERM');
      await Promise.race([ended, pause(limitMs)]);
    },
    async end(limitMs) {
      const root = family.members.get(leader);
      // Its number still names the group of those that it left; only without marks, and only now.
      if (host.platform !== 'linux' && !(root && isAlive(host, identityOf(host, root))))
        family.deadLeader = leader;
      return killUntilQuiet(host, observer, family, leader, limitMs);
    },
  };
}

async function killUntilQuiet(
  host: ProcessHost,
  observer: Observer,
  family: Family,
  leader: number,
  limitMs: number,
) {
  const deadline = monotonicMs() + limitMs;
  const killed = new Map<string, ProcessEntry>();
  for (let lastHit: number | undefined; ; ) {
    const seen: ProcessEntry[] = [];
    lookAtFamilies(host, [family], observer, (_, member) => {
      seen.push(member);
      // At sight: a snapshot first would let go what forks meanwhile.
      if (!host.endAll && signalIfSame(host, identityOf(host, member), 'SIGKILL')) note(killed, member);
    });
    const gone = host.endAll?.(seen.map((member) => identityOf(host, member))) ?? [];
    for (const member of seen) if (gone.some(({ pid }) => pid === member.pid)) note(killed, member);
    const now = monotonicMs();
    if (seen.length > 0) lastHit = now;
    const isReadable = host.trouble?.() === undefined;
    const isQuiet = isReadable && seen.length === 0 && (lastHit === undefined || now - lastHit >= QUIET_MS);
    if (isQuiet || now >= deadline) break;
    await pause(BETWEEN_LOOKS_MS);
  }
  const survivors = [...family.members.values()].filter((member) => isAlive(host, identityOf(host, member)));
  for (const one of survivors) killed.delete(`${one.pid}:${one.start}`);
  const ended = [...killed.values()].filter((one) => one.pid !== leader);
  return { ended: ended.map(named), survivors: survivors.map(named) };
}

function note(killed: Map<string, ProcessEntry>, member: ProcessEntry): void {
  killed.set(`${member.pid}:${member.start}`, member);
}

function named({ pid, command }: ProcessEntry): SetupProcess {
  return { pid, command };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
