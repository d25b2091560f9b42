import { monotonicMs } from '../platform/clock.ts';
import type { Family, Observer } from '../process/family.ts';
import { identityOf, signalIfSame } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { endFamily } from '../supervise/end-family.ts';
import { type Sweep, seeMembers, sleep } from '../supervise/reap.ts';

/** Time between the question and SIGKILL, ms (PEERS.md, Validation resources). */
const ASK_MS = 1000;
const KILL_MS = 5000;
const BETWEEN_LOOKS_MS = 20;

/** Whose processes are to be gone. */
export interface EndedFamily {
  host: ProcessHost;
  family: Family;
  observer: Observer;
  /** Pid of the process that was started first. */
  leader: number;
  /** What they are asked with. */
  signal: NodeJS.Signals;
  /** Ends the time to answer early: whoever asked is in a hurry. */
  hurry?: Promise<unknown>;
}

/**
 * Ends all processes of a lease: asks each, waits a second, then kills at sight until a look finds nobody. One look where
 * nobody is left.
 */
export async function endLeased(ended: EndedFamily): Promise<Sweep> {
  const { host, family, observer, leader, signal, hurry } = ended;
  seeMembers(host, family, observer);
  // Elsewhere some are seen only by the leader's own number, which `endFamily` looks for.
  if (family.members.size === 0 && host.platform === 'linux') return { reaped: [], survivors: [] };
  // Windows has no such question: any signal is the end of one process, and its children would be out of sight.
  if (host.platform !== 'win32') {
    for (const member of family.members.values()) signalIfSame(host, identityOf(host, member), signal);
    let isHurried = false;
    void hurry?.then(() => {
      isHurried = true;
    });
    const until = monotonicMs() + ASK_MS;
    while (canAnswer(family) && !isHurried && monotonicMs() < until) {
      await sleep(BETWEEN_LOOKS_MS);
      seeMembers(host, family, observer);
    }
  }
  return endFamily(host, family, leader, observer, KILL_MS);
}

/** Those that are stopped answer nobody. */
function canAnswer(family: Family): boolean {
  return [...family.members.values()].some(({ state }) => state !== 'stopped');
}
