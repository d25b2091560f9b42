/**
 * Who holds and who waits for the machine's named slots, as it stands in one file. Read by hand instead of with zod,
 * because `resource-run` reads it before its command starts (FACTS-processes.md, Memory and start).
 */
export interface LeaseTable {
  /** Number of the file that it was read from; 0 where there is none yet. */
  epoch: number;
  holders: Lease[];
  /** In the order of arrival. */
  waiters: Lease[];
}

/** One wish for slots, from asking to giving back. All of its resources are given at once, or none. */
export interface Lease {
  /** `<pid>-<16 hex>` of a command: a mark of the processes that run under it, and the name of its folder. */
  id: string;
  /** Epoch of the first table that had it: the order of arrival, also among holders. */
  number: number;
  /** Names in order, each once. None for a command that runs under an outer lease. */
  resources: string[];
  kind: 'command' | 'hold' | 'unit';
  /** Identity of the process that asked, `boot:pid:start`. */
  owner: string;
  /**
   * Who keeps it while they live, beside the owner: identities, and absolute paths of files that hold one (the guardian of
   * a run, which may be replaced).
   */
  keepers: string[];
  /** Folder with the guardian's pid and the start fence of what runs under it, absolute; null where there is none. */
  folder: string | null;
  /** Value of PRUN_UNIT of what runs under it; null where the id marks it. */
  marker: string | null;
  /** What holds or waits, for people: one bounded line. */
  what: string;
  /** When it was asked for and when it was given, ISO 8601. For people; the order is that of the numbers. */
  since: string;
  heldSince: string | null;
  /** Ids of the leases under which the asking process itself runs. */
  outer: string[];
}

/** The table's format, counted up when an older reader would get it wrong. */
const SCHEMA = 1;
/** A bound for what a file of ours can be, bytes. */
export const TABLE_BYTES = 4_000_000;

/** What a table's file holds. */
export function formatTable({ holders, waiters }: LeaseTable): string {
  return `${JSON.stringify({ schema: SCHEMA, holders, waiters })}\n`;
}

/** Reads a table; `newer` where a newer prun has written it, undefined for anything that is none. */
export function parseTable(text: string, epoch: number): LeaseTable | 'newer' | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Cut by a crash of the machine, or not ours.
    return undefined;
  }
  if (!isRecord(value) || typeof value.schema !== 'number') return undefined;
  if (value.schema > SCHEMA) return 'newer';
  const [holders, waiters] = [value.holders, value.waiters];
  if (!Array.isArray(holders) || !Array.isArray(waiters)) return undefined;
  if (![...holders, ...waiters].every(isLease)) return undefined;
  return { epoch, holders, waiters };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isLease(value: unknown): value is Lease {
  if (!isRecord(value)) return false;
  const { id, number, resources, kind, owner, keepers, folder, marker, what, since, heldSince, outer } =
    value;
  return (
    [id, owner, what, since].every(isText) &&
    typeof number === 'number' &&
    [resources, keepers, outer].every((list) => Array.isArray(list) && list.every(isText)) &&
    [folder, marker, heldSince].every((text) => text === null || isText(text)) &&
    (kind === 'command' || kind === 'hold' || kind === 'unit')
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Where a lease stands in a table. */
export function standingOf(table: LeaseTable, id: string): 'held' | 'waiting' | 'gone' {
  if (table.holders.some((lease) => lease.id === id)) return 'held';
  return table.waiters.some((lease) => lease.id === id) ? 'waiting' : 'gone';
}
