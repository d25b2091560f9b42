import { existsSync, readdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { PrunError } from '../platform/errors.ts';
import { isTemporary, publishOnce, readStart, temporaryBeside, writeNew } from '../platform/files.ts';
import { pauseSync } from '../platform/pause.ts';
import { type LeasePlace, makeLeaseFolders, unusable } from './lease-place.ts';
import { formatTable, type LeaseTable, parseTable, TABLE_BYTES } from './lease-table.ts';

/** So many tables stay behind the newest: what somebody reads at this moment, and the way to what happened. */
const KEPT = 32;
/** How long the newest table is given to become readable before it is passed over. */
const UNWRITTEN_MS = 5;
const UNWRITTEN_LOOKS = 10;

/** Number of the newest table, 0 where there is none. */
export function newestEpoch({ tables }: Pick<LeasePlace, 'tables'>): number {
  return epochsIn(tables).at(-1) ?? 0;
}

function epochsIn(tables: string): number[] {
  let names: string[];
  try {
    names = readdirSync(tables);
  } catch {
    // Nobody has leased anything since the boot, or the folder was removed: nobody holds anything that can be known.
    return [];
  }
  return names
    .filter((name) => /^[1-9]\d{0,14}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/**
 * The newest table. One that cannot be read (a crash of the machine, somebody's editor) is passed over for the one
 * before it, whose holders count as long as they live. Throws a PrunError where a newer prun has written it.
 */
export function newestTable({ tables, home }: Pick<LeasePlace, 'tables' | 'home'>): LeaseTable {
  const epochs = epochsIn(tables);
  const newest = epochs.at(-1) ?? 0;
  for (const epoch of epochs.reverse()) {
    const file = path.join(tables, String(epoch));
    let table = parseTable(readStart(file, TABLE_BYTES), newest);
    // Without hard links a file has its name a moment before it has its content (platform/files.ts).
    for (let looks = 0; !table && epoch === newest && looks < UNWRITTEN_LOOKS; looks++) {
      pauseSync(UNWRITTEN_MS);
      table = parseTable(readStart(file, TABLE_BYTES), newest);
    }
    if (table === 'newer') {
      throw new PrunError('E_SCHEMA', `a newer prun keeps the slots in ${home}`, 'use that version of prun');
    }
    if (table) return table;
  }
  return { epoch: newest, holders: [], waiters: [] };
}

/**
 * Changes the table as one step: the next number is taken by link, so that of two who change the same table one is
 * first, and the other begins again with what is there then. `change` gives undefined where nothing is to be done; it is
 * asked until that is so, or until its change is the newest table. Returns the table with the change in it.
 *
 * Old tables are removed. So a process that was stopped for long may find an old number free: what it wrote there is
 * read by nobody, because the highest number counts, and it is asked again. Throws a PrunError where nothing can be
 * written.
 */
export function changeTable(
  place: LeasePlace,
  change: (table: LeaseTable) => LeaseTable | undefined,
): LeaseTable {
  for (let tries = 0; ; tries++) {
    const table = newestTable(place);
    const next = change(table);
    if (next === undefined) return table;
    const epoch = table.epoch + 1;
    if (publish(place, epoch, next) && newestEpoch(place) === epoch) {
      removeOld(place, epoch);
      return { ...next, epoch };
    }
    // Many at once: not in step.
    if (tries > 2) pauseSync(1 + Math.random() * Math.min(tries, 20));
  }
}

function publish(place: LeasePlace, epoch: number, table: LeaseTable): boolean {
  // Somebody may have removed the whole home.
  if (!existsSync(place.drafts) || !existsSync(place.tables)) makeLeaseFolders(place);
  const draft = temporaryBeside(path.join(place.drafts, 'table'));
  try {
    writeNew(draft, formatTable(table));
    return publishOnce(draft, path.join(place.tables, String(epoch)));
  } catch (error) {
    removeQuietly(draft);
    throw unusable(place.home, error);
  }
}

function removeOld({ tables, drafts, host }: LeasePlace, epoch: number): void {
  for (const old of epochsIn(tables)) if (old <= epoch - KEPT) removeQuietly(path.join(tables, String(old)));
  if (epoch % KEPT !== 0) return;
  for (const name of readdirSync(drafts)) {
    // `.prun-<pid>-…`: of somebody who was killed before it was a table.
    const writer = Number(name.split('-')[1]);
    if (isTemporary(name) && host.entry(writer) === undefined) removeQuietly(path.join(drafts, name));
  }
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Somebody else has removed it, or it was never made.
  }
}
