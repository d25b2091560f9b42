import type { ProcessEntry, ProcessIo } from './types.ts';

/** One process as Win32_Process has it, with times in ms. */
export interface WindowsRow {
  pid: number;
  ppid: number;
  /** Creation, epoch ms. */
  created: number;
  name: string;
  cpuMs: number;
  io: ProcessIo | undefined;
}

/** What one look at the Windows table gave. */
export interface WindowsTable {
  entries: Map<number, ProcessEntry>;
  io: Map<number, ProcessIo>;
  /** Children of a pid by its bare number, though the process there is younger than they are. */
  staleChildren: Map<number, number[]>;
}

const TICKS_PER_MS = 10_000;

/** Rows of the PowerShell look: a JSON array of objects, or Windows PowerShell 5.1's `{value: […]}` around it. */
export function parseWindowsJson(text: string): WindowsRow[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (isRecord(parsed) && Array.isArray(parsed.value)) parsed = parsed.value;
  return Array.isArray(parsed)
    ? parsed.flatMap((item) => (isRecord(item) ? rowOf(item, isoMs(item.Created)) : []))
    : undefined;
}

/**
 * Rows of `wmic process get … /value`: blocks of `Key=Value`, blank lines between them, every line ended by
 * CR CR LF. (`/format:csv` does not quote names with commas.)
 */
export function parseWmicList(text: string): WindowsRow[] {
  const rows: WindowsRow[] = [];
  let block: Record<string, string> = {};
  for (const line of `${text}\nCreationDate=`.split(/[\r\n]+/)) {
    const equals = line.indexOf('=');
    if (equals < 0) continue;
    const key = line.slice(0, equals);
    // Keys come in alphabetical order, so that a repeated key begins the next process.
    if (key in block) {
      rows.push(...rowOf(block, cimDateMs(block.CreationDate ?? '')));
      block = {};
    }
    block[key] = line.slice(equals + 1);
  }
  return rows;
}

// PowerShell's round-trip format has seven decimals: the rest of a millisecond is cut off, never rounded.
function isoMs(value: unknown): number {
  const match = typeof value === 'string' ? /^(.{19}\.\d{3})\d*Z$/.exec(value) : null;
  return match ? Date.parse(`${match[1]}Z`) : Number.NaN;
}

/** Epoch ms of a CIM date and time (`20261130023937.018000+060`, offset in minutes), or NaN. */
export function cimDateMs(text: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\.(\d{3})\d*([+-]\d{3})$/.exec(text);
  if (!match) return Number.NaN;
  const [year, month, day, hour, minute, second, ms, offset] = match.slice(1).map(Number);
  return Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, (minute ?? 0) - (offset ?? 0), second, ms);
}

/**
 * Entries of a look. Windows never corrects a parent id when the parent dies and hands numbers out again soon: a
 * parent that is younger than its child is a stranger, and such a child gets ppid 0. There are no groups and no
 * sessions to grow along, so that each process is alone in its own: a common 0 would make all of them kin.
 */
export function windowsTable(rows: readonly WindowsRow[]): WindowsTable {
  const created = new Map(rows.map((row) => [row.pid, row.created]));
  const table: WindowsTable = { entries: new Map(), io: new Map(), staleChildren: new Map() };
  for (const row of rows) {
    const stale = (created.get(row.ppid) ?? 0) > row.created;
    if (stale) {
      const known = table.staleChildren.get(row.ppid);
      if (known) known.push(row.pid);
      else table.staleChildren.set(row.ppid, [row.pid]);
    }
    if (row.io) table.io.set(row.pid, row.io);
    table.entries.set(row.pid, {
      pid: row.pid,
      ppid: stale || row.ppid === row.pid ? 0 : row.ppid,
      pgid: row.pid,
      sid: row.pid,
      start: String(row.created),
      startOrder: row.created,
      state: 'alive',
      command: row.name,
      cpuMs: row.cpuMs,
    });
  }
  return table;
}

// None for a row that lacks pid or creation date: without them there is no identity (the idle process has none).
function rowOf(fields: Record<string, unknown>, created: number): WindowsRow[] {
  const pid = count(fields.ProcessId);
  if (!pid || !Number.isFinite(created) || created <= 0) return [];
  const read = count(fields.ReadTransferCount);
  const written = count(fields.WriteTransferCount);
  const ticks = (count(fields.KernelModeTime) ?? 0) + (count(fields.UserModeTime) ?? 0);
  return [
    {
      pid,
      ppid: count(fields.ParentProcessId) ?? 0,
      created: Math.trunc(created),
      name: typeof fields.Name === 'string' ? fields.Name : '',
      cpuMs: Math.round(ticks / TICKS_PER_MS),
      io: read === undefined || written === undefined ? undefined : { read, written },
    },
  ];
}

function count(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^\d+$/.test(value)) return undefined;
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
