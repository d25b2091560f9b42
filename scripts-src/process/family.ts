import type { ProcessEntry, ProcessHost, ProcessMarks } from './types.ts';

/**
 * All processes of one unit. Membership is sticky by identity and grows, look by look, along marks that
 * descendants inherit and along parents, groups and sessions of members.
 */
export interface Family {
  /** Value of PRUN_UNIT; a nested unit's is `<this>/<inner>`. */
  marker: string;
  /** Soft RLIMIT_RSS values in bytes, as the system prints them. Nested units add theirs when they are seen. */
  rssMarks: Set<string>;
  /** Ids that the executor itself puts into the environment of what it starts. */
  threadIds: Set<string>;
  /** Nothing that started earlier can belong to the unit. */
  since: number;
  /** Members seen alive in the last look, by pid. */
  members: Map<number, ProcessEntry>;
  /**
   * Pid of the unit's first process, when it has just been waited for: its number may still name the group and
   * session of those that it left. Only for systems without marks, and only at that moment.
   */
  deadLeader?: number;
}

/** Soft RSS limits that prun gives away lie in this range (bytes), so that a nested one can be told from a real limit. */
export const RSS_MARK_RANGE = { from: 2 ** 52, to: 2 ** 53 } as const;

/** A family without members yet. */
export function createFamily(marker: string, rssMark: string | null, since: number): Family {
  return {
    marker,
    rssMarks: new Set(rssMark === null ? [] : [rssMark]),
    threadIds: new Set(),
    since,
    members: new Map(),
  };
}

/** Who is asking: never a member of anything that it looks at. */
export interface Observer {
  pids: ReadonlySet<number>;
  pgid: number;
  sid: number;
}

/** This process and its ancestors, with its own group and session. */
export function observerOf(host: ProcessHost, pid: number = process.pid): Observer {
  const own = host.entry(pid);
  // Without its own group and session known, a look could take this process's kin for the unit's.
  if (!own)
    throw new Error(`process ${pid} is not in the process table: ${host.trouble?.() ?? 'it cannot be read'}`);
  const pids = new Set<number>([pid]);
  for (
    let next: ProcessEntry | undefined = own;
    next && next.ppid > 0 && !pids.has(next.ppid);
    next = host.entry(next.ppid)
  ) {
    pids.add(next.ppid);
  }
  return { pids, pgid: own.pgid, sid: own.sid };
}

/** Called for every live member as soon as it is known as one, so that it can be killed at sight. */
export type OnMember = (family: Family, member: ProcessEntry) => void;

/**
 * One look at the process table for all families of a supervisor. Afterwards each family's `members` are those
 * that are alive, zombies left out.
 *
 * Growth by parent, group or session starts only from a member that is alive and identified in this same look:
 * those numbers have no identity of their own, and a reaper that remembered them killed a stranger
 * (FACTS-processes.md).
 */
export function lookAtFamilies(
  host: ProcessHost,
  families: readonly Family[],
  observer: Observer,
  onMember: OnMember,
): void {
  const pass = startPass(families, observer, onMember);
  const oldest = Math.min(...families.map((family) => family.since));
  const pidBefore = host.lastPid();
  for (const entry of host.look(oldest)) visit(host, pass, entry);
  chaseNewcomers(host, pass, pidBefore);
  growByKinship(pass);
  // A table that could not be read is no empty table: whoever was there still counts as there.
  if (host.trouble?.() !== undefined) return;
  for (const family of families) family.members = pass.found.get(family) ?? new Map();
}

interface Pass {
  families: readonly Family[];
  observer: Observer;
  onMember: OnMember;
  found: Map<Family, Map<number, ProcessEntry>>;
  /** Live entries that no mark gave away. */
  unclaimed: Map<number, ProcessEntry>;
}

function startPass(families: readonly Family[], observer: Observer, onMember: OnMember): Pass {
  const found = new Map(families.map((family) => [family, new Map<number, ProcessEntry>()] as const));
  return { families, observer, onMember, found, unclaimed: new Map() };
}

function visit(host: ProcessHost, pass: Pass, entry: ProcessEntry): void {
  if (entry.state === 'zombie' || pass.observer.pids.has(entry.pid)) return;
  const family =
    familyByIdentity(pass.families, entry) ?? familyByMarks(pass.families, entry, host.marks(entry));
  if (family) adopt(pass, family, entry);
  else pass.unclaimed.set(entry.pid, entry);
}

function adopt(pass: Pass, family: Family, entry: ProcessEntry): void {
  pass.unclaimed.delete(entry.pid);
  pass.found.get(family)?.set(entry.pid, entry);
  pass.onMember(family, entry);
}

function familyByIdentity(families: readonly Family[], entry: ProcessEntry): Family | undefined {
  return families.find((family) => family.members.get(entry.pid)?.start === entry.start);
}

function familyByMarks(
  families: readonly Family[],
  entry: ProcessEntry,
  marks: ProcessMarks | undefined,
): Family | undefined {
  if (!marks) return undefined;
  for (const family of families) {
    if (entry.startOrder < family.since) continue;
    const byUnit = marks.unit !== undefined && isWithin(marks.unit, family.marker);
    // A nested unit replaces the soft limit by its own: learn it from a member that still shows the marker.
    if (byUnit && marks.rss !== undefined && isRssMark(marks.rss)) family.rssMarks.add(marks.rss);
    if (byUnit || (marks.rss !== undefined && family.rssMarks.has(marks.rss))) return family;
    if (marks.threads.some((thread) => family.threadIds.has(thread))) return family;
  }
  return undefined;
}

function isWithin(unit: string, marker: string): boolean {
  return unit === marker || unit.startsWith(`${marker}/`);
}

function isRssMark(rss: string): boolean {
  const bytes = Number(rss);
  return bytes >= RSS_MARK_RANGE.from && bytes < RSS_MARK_RANGE.to;
}

/** Looks at pids that were handed out while the pass ran: a process that forks and exits hops over a plain pass. */
function chaseNewcomers(host: ProcessHost, pass: Pass, from: number | undefined): void {
  let seen = from;
  // Bounded: a machine that forks faster than this reads is dealt with by the next look.
  for (let round = 0; round < 10; round++) {
    const last = host.lastPid();
    if (last === undefined || seen === undefined || last === seen) return;
    // After a wrap-around the newcomers below `last` are few and young: the next look sees them.
    for (let pid = last > seen ? seen + 1 : 2; pid <= last && pid - seen < 5000; pid++) {
      const entry = host.entry(pid);
      if (entry) visit(host, pass, entry);
    }
    seen = last;
  }
}

function growByKinship(pass: Pass): void {
  for (let grew = true; grew; ) {
    grew = false;
    for (const family of pass.families) {
      const kin = kinNumbers(pass.found.get(family), pass.observer);
      const left = leftNumber(family, pass);
      if (left !== undefined) {
        kin.pgids.add(left);
        kin.sids.add(left);
      }
      for (const entry of pass.unclaimed.values()) {
        if (entry.startOrder < family.since) continue;
        if (!kin.pids.has(entry.ppid) && !kin.pgids.has(entry.pgid) && !kin.sids.has(entry.sid)) continue;
        adopt(pass, family, entry);
        grew = true;
      }
    }
  }
}

/**
 * The number that a dead leader left to its group. No new process gets it while the group has members (fork(2) leaves
 * out numbers in use as group or session); if somebody has it all the same, the group is his.
 */
function leftNumber(family: Family, pass: Pass): number | undefined {
  const { deadLeader } = family;
  if (deadLeader === undefined || deadLeader <= 1 || deadLeader === pass.observer.pgid) return undefined;
  const isTaken = pass.unclaimed.has(deadLeader) || pass.found.get(family)?.has(deadLeader);
  return isTaken ? undefined : deadLeader;
}

function kinNumbers(members: Map<number, ProcessEntry> | undefined, observer: Observer) {
  const pids = new Set<number>();
  const pgids = new Set<number>();
  const sids = new Set<number>();
  for (const member of members?.values() ?? []) {
    pids.add(member.pid);
    if (member.pgid > 0 && member.pgid !== observer.pgid) pgids.add(member.pgid);
    if (member.sid > 0 && member.sid !== observer.sid) sids.add(member.sid);
  }
  return { pids, pgids, sids };
}
