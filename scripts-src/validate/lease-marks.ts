import { randomHex } from '../platform/random.ts';
import { createFamily, type Family, RSS_MARK_RANGE } from '../process/family.ts';
import { LEASES } from '../process/types.ts';

/** By what the processes that run under a lease are known. */
export interface LeaseMarks {
  /** Id of the lease: stands in PRUN_LEASE of each of them. */
  id: string;
  /** Soft RSS limit in KiB, empty where the system has none (supervise/shim.ts). */
  rssMarkKib: string;
}

/** Marks for a new lease of this process. */
export function newMarks(platform: NodeJS.Platform): LeaseMarks {
  const token = randomHex(16);
  const [low, high] = [RSS_MARK_RANGE.from / 1024, RSS_MARK_RANGE.to / 1024];
  const kib = low + (Number.parseInt(token.slice(0, 12), 16) % (high - low));
  return { id: `${process.pid}-${token}`, rssMarkKib: platform === 'linux' ? String(kib) : '' };
}

/**
 * The environment of a command under a lease. PRUN_UNIT is left as it is: under a lease everybody may start prun, below
 * a unit only who is allowed to.
 */
export function leasedEnvironment(environment: NodeJS.ProcessEnv, id: string, outer: readonly string[]) {
  return { ...environment, [LEASES]: [...outer, id].join('/') };
}

/** Ids of the leases under which this process was started, outermost first, by its environment. */
export function leasesIn(environment: NodeJS.ProcessEnv): string[] {
  return (environment[LEASES] ?? '').split('/').filter((id) => id !== '');
}

/** The processes of a lease, none of them known yet. `since`: nothing older belongs to it. */
export function leaseFamily({ id, rssMarkKib }: LeaseMarks, since: number): Family {
  // No unit has this marker; the id tells.
  const rssMark = rssMarkKib === '' ? null : String(Number(rssMarkKib) * 1024);
  const family = createFamily(`lease ${id}`, rssMark, since);
  family.threadIds.add(id);
  return family;
}
