import { localTime } from '../platform/local-time.ts';
import { oneLine } from '../platform/one-line.ts';
import { parseIdentity } from '../process/identity.ts';
import { blockersOf, type SlotsOf, usersOf } from './lease-grants.ts';
import type { Lease, LeaseTable } from './lease-table.ts';

const WHAT_CHARS = 100;
/** So many holders are named; more are counted. */
const NAMED = 3;

/** A command as it is shown to others: one line, bounded. */
export function whatOf(argv: readonly string[]): string {
  const line = oneLine(argv.join(' '));
  return line.length > WHAT_CHARS ? `${line.slice(0, WHAT_CHARS - 1)}…` : line;
}

/** The process that asked for a lease. */
export function pidOf({ owner }: Lease): number {
  return parseIdentity(owner)?.pid ?? 0;
}

/** `npm test (pid 123, since 22:10)`. */
function holderText(lease: Lease, nowEpochMs: number): string {
  const since = localTime(Date.parse(lease.heldSince ?? lease.since), nowEpochMs);
  return `${lease.what} (pid ${pidOf(lease)}, since ${since})`;
}

/** What a waiter waits for: its names, who holds them, and how many come before it. One line without an end. */
export function waitText(lease: Lease, table: LeaseTable, slotsOf: SlotsOf, nowEpochMs: number): string {
  const blockers = blockersOf(lease, table, slotsOf);
  const shown = blockers.slice(0, NAMED).map((holder) => holderText(holder, nowEpochMs));
  const more = blockers.length > NAMED ? [`${blockers.length - NAMED} more`] : [];
  const earlier = table.waiters.filter(
    ({ number, resources }) =>
      number < lease.number && resources.some((name) => lease.resources.includes(name)),
  ).length;
  const facts = [
    ...(blockers.length > 0 ? [`held by ${[...shown, ...more].join(' and ')}`] : []),
    ...(earlier > 0 ? [`${earlier} ${earlier === 1 ? 'waits' : 'wait'} before it`] : []),
  ];
  return [lease.resources.join(' and '), ...facts].join(', ');
}

/** The same for several waiters, by the names that they wait for. */
export function waitTexts(
  table: LeaseTable,
  ids: ReadonlySet<string>,
  slotsOf: SlotsOf,
  nowEpochMs: number,
): Map<string, string> {
  const texts = new Map<string, string>();
  for (const lease of table.waiters) {
    if (!ids.has(lease.id)) continue;
    for (const name of lease.resources) texts.set(name, waitText(lease, table, slotsOf, nowEpochMs));
  }
  return texts;
}

/** One name with those who hold it and wait for it. */
export interface SlotView {
  name: string;
  slots: number;
  holders: LeaseView[];
  waiters: LeaseView[];
}

/** A lease as `--json` shows it. */
export interface LeaseView {
  pid: number;
  kind: Lease['kind'];
  what: string;
  resources: string[];
  /** When it was asked for; ISO 8601. */
  since: string;
  /** When it was given; null where it waits. */
  heldSince: string | null;
}

/** Names in order: those that are configured, and those that somebody uses. */
export function slotViews(
  table: LeaseTable,
  named: ReadonlyMap<string, number>,
  slotsOf: SlotsOf,
): SlotView[] {
  const used = [...table.holders, ...table.waiters].flatMap(({ resources }) => resources);
  return [...new Set([...named.keys(), ...used])].sort().map((name) => ({
    name,
    slots: slotsOf(name) ?? 1,
    holders: usersOf(table.holders, name).map(leaseView),
    waiters: usersOf(table.waiters, name).map(leaseView),
  }));
}

function leaseView(lease: Lease): LeaseView {
  const { kind, what, resources, since, heldSince } = lease;
  return { pid: pidOf(lease), kind, what, resources, since, heldSince };
}

/** A name whose leases are more than this is cut in the text; `--json` has all. */
const ROWS = 10;

/** The list for people: a line for each name, below it a line for each lease. */
export function listText(views: readonly SlotView[], nowEpochMs: number): string {
  const lines = views.flatMap(({ name, slots, holders, waiters }) => [
    `${name}: ${holders.length} of ${slots} held${waiters.length > 0 ? `, ${waiters.length} waiting` : ''}`,
    ...rows('held', holders, nowEpochMs),
    ...rows('waits', waiters, nowEpochMs),
  ]);
  return `${lines.join('\n')}\n`;
}

function rows(word: string, leases: readonly LeaseView[], nowEpochMs: number): string[] {
  const shown = leases.slice(0, ROWS).map(({ pid, what, since, heldSince }) => {
    return `  ${word} since ${localTime(Date.parse(heldSince ?? since), nowEpochMs)}  pid ${pid}  ${what}`;
  });
  return leases.length > ROWS ? [...shown, `  and ${leases.length - ROWS} more`] : shown;
}
