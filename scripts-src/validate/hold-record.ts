import path from 'node:path';
import { readStart, writeAtomic } from '../platform/files.ts';

/** File in a hold's folder that says how it stands. */
const READY = 'ready.json';
const READY_BYTES = 100_000;

/** What `ready.json` says. */
export interface HoldRecord {
  schema: 1;
  state: 'held' | 'released' | 'interrupted';
  resources: string[];
  /** The process that holds. */
  holder: { pid: number; identity: string };
  /** ISO 8601. */
  since: string;
  /** When it ended, and by which signal; null while it is held. */
  endedAt: string | null;
  signal: string | null;
}

/** Writes how a hold stands. Throws the system's error. */
export function writeHold(folder: string, record: HoldRecord): void {
  writeAtomic(path.join(folder, READY), `${JSON.stringify(record, null, 2)}\n`);
}

/** For a guardian: the process that held is dead, and whoever reads the file must not believe that it holds. */
export function noteInterrupted(folder: string): void {
  try {
    const record: unknown = JSON.parse(readStart(path.join(folder, READY), READY_BYTES));
    if (typeof record !== 'object' || record === null || !('state' in record) || record.state !== 'held')
      return;
    const text = JSON.stringify({ ...record, state: 'interrupted', endedAt: null }, null, 2);
    writeAtomic(path.join(folder, READY), `${text}\n`, { sync: false });
  } catch {
    // It never held, its folder has gone, or the disk is full: the table says who holds.
  }
}
