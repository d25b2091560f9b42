import type { ProcessEntry, ProcessHost } from '../../process/types.ts';

/** Processes that carry one mark, or marks below it. */
export interface MarkedGroup {
  /** The outermost part of PRUN_UNIT. */
  mark: string;
  members: ProcessEntry[];
}

/** Who takes in processes whose parent has died, beside number 1: such a parent stands behind nobody. */
const FOSTER = /^(?:systemd|init|launchd|tini|dumb-init)/;

/** The part of a mark that names the unit which all nested ones belong to. */
export function outermost(mark: string | undefined): string | undefined {
  return mark?.split('/', 1)[0] || undefined;
}

/**
 * Marked processes that nobody stands behind: of their whole group, nobody has a living parent outside of it. `known`:
 * outermost marks of attempts that are supervised, or that somebody else tells of.
 */
export function orphanGroups(host: ProcessHost, known: ReadonlySet<string>): MarkedGroup[] {
  const table = new Map([...host.look(0)].map((entry) => [entry.pid, entry]));
  const groups = new Map<string, ProcessEntry[]>();
  const own = outermost(process.env.PRUN_UNIT);
  for (const entry of table.values()) {
    if (entry.state === 'zombie') continue;
    const mark = outermost(host.marks(entry)?.unit);
    // What this command itself has started carries its own mark.
    if (mark === undefined || mark === own || known.has(mark)) continue;
    groups.set(mark, [...(groups.get(mark) ?? []), entry]);
  }
  return (
    [...groups]
      .map(([mark, members]) => ({ mark, members }))
      .filter(({ members }) => !members.some((entry) => hasParentOutside(entry, members, table)))
      // Somebody may just be ending it, or have ended between the looks.
      .filter(({ members }) => members.some(({ pid, start }) => host.entry(pid)?.start === start))
  );
}

function hasParentOutside(
  { ppid }: ProcessEntry,
  members: readonly ProcessEntry[],
  table: ReadonlyMap<number, ProcessEntry>,
): boolean {
  const parent = table.get(ppid);
  if (parent === undefined || ppid <= 1 || parent.state === 'zombie' || FOSTER.test(parent.command))
    return false;
  return !members.includes(parent);
}
