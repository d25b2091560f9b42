import { monotonicMs } from '../platform/clock.ts';
import { type Family, lookAtFamilies, type Observer } from '../process/family.ts';
import { identityOf, isAlive, signalIfSame } from '../process/identity.ts';
import type { ProcessEntry, ProcessHost } from '../process/types.ts';
import type { NamedProcess } from '../unit/records.ts';

/** After a look that found somebody, this long without a further hit ends the sweep, ms (FACTS-processes.md). */
const QUIET_AFTER_HIT_MS = 150;
const BETWEEN_LOOKS_MS = 5;
/** The same while nobody is seen: six dispatchers that are stopped at once must not take the processor from each other. */
const BETWEEN_QUIET_LOOKS_MS = 20;
/** At the deadline somebody may be dying of the last signal: he is no survivor, and gets this long to be gone, ms. */
const DYING_MS = 100;

/** What a sweep did. */
export interface Sweep {
  /** Everything that was killed, once each. */
  reaped: NamedProcess[];
  /** What was still there at the deadline. */
  survivors: NamedProcess[];
}

/**
 * Kills every member of a family at sight until a look finds nobody. The first look without a hit ends it at
 * once; after a hit it ends when nobody was seen for 150 ms. Bounded by `limitMs` and a tenth of a second.
 *
 * SIGKILL reaches stopped and TERM-ignoring processes; what a newborn inherits (marks, group, session) gives it
 * away in the next look (14 kinds of tree in test/torture).
 */
export async function killOnSight(
  host: ProcessHost,
  family: Family,
  observer: Observer,
  limitMs: number,
): Promise<Sweep> {
  const deadline = monotonicMs() + limitMs;
  const reaped = new Map<string, NamedProcess>();
  let lastHit: number | undefined;
  for (;;) {
    const hits = killMembers(host, family, observer, (member) => {
      reaped.set(`${member.pid}:${member.start}`, named(member));
    });
    const now = monotonicMs();
    if (hits > 0) lastHit = now;
    // A table that cannot be read proves nobody's end.
    const isUnreadable = host.trouble?.() !== undefined;
    // Past the deadline one look without a hit has to do.
    const quietMs = now >= deadline ? 0 : QUIET_AFTER_HIT_MS;
    if (!isUnreadable && (lastHit === undefined || (hits === 0 && now - lastHit >= quietMs))) {
      return { reaped: [...reaped.values()], survivors: [] };
    }
    if (now >= deadline + DYING_MS) return giveUp(host, family, reaped);
    await sleep(hits > 0 ? BETWEEN_LOOKS_MS : BETWEEN_QUIET_LOOKS_MS);
  }
}

/** One look: kills whoever is a member, one by one at sight or, where that is dear, all at its end. */
function killMembers(
  host: ProcessHost,
  family: Family,
  observer: Observer,
  onKilled: (member: ProcessEntry) => void,
): number {
  const seen: ProcessEntry[] = [];
  lookAtFamilies(host, [family], observer, (_, member) => {
    seen.push(member);
    if (!host.endAll && signalIfSame(host, identityOf(host, member), 'SIGKILL')) onKilled(member);
  });
  const ended = host.endAll?.(seen.map((member) => identityOf(host, member))) ?? [];
  for (const { pid, start } of ended) {
    const member = seen.find((one) => one.pid === pid && one.start === start);
    if (member) onKilled(member);
  }
  return seen.length;
}

function giveUp(host: ProcessHost, family: Family, reaped: Map<string, NamedProcess>): Sweep {
  const isUnreadable = host.trouble?.() !== undefined;
  const alive = [...family.members.values()].filter(
    (member) => isUnreadable || isAlive(host, identityOf(host, member)),
  );
  for (const member of alive) reaped.delete(`${member.pid}:${member.start}`);
  return { reaped: [...reaped.values()], survivors: alive.map(named) };
}

/**
 * Asks the worker to end with SIGINT and waits until `ended` says so, at most `limitMs`. The real codex is asked
 * alone: it then ends its commands itself and its session stays whole (FACTS-codex.md). Anything else is asked
 * as a terminal's Ctrl-C would: its whole group.
 */
export async function askToEnd(
  host: ProcessHost,
  family: Family,
  shimPid: number,
  whom: 'leader' | 'group',
  limitMs: number,
  ended: Promise<unknown>,
): Promise<void> {
  const asked = [...family.members.values()].filter((member) =>
    whom === 'leader' ? member.ppid === shimPid : member.pgid === shimPid && member.pid !== shimPid,
  );
  if (asked.length === 0) return;
  // A stopped process cannot answer: waiting for it would only cost time.
  const canAnswer = asked.filter((member) => member.state !== 'stopped');
  for (const member of canAnswer) signalIfSame(host, identityOf(host, member), 'SIGINT');
  if (canAnswer.length > 0) await Promise.race([ended, sleep(limitMs)]);
}

/** Refreshes a family's members without touching anybody. */
export function seeMembers(host: ProcessHost, family: Family, observer: Observer): void {
  lookAtFamilies(host, [family], observer, () => {});
}

function named(entry: ProcessEntry): NamedProcess {
  return { pid: entry.pid, command: entry.command };
}

/** Resolves after `ms`; does not keep the process alive by itself. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
