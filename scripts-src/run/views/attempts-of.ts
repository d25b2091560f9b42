import { existsSync } from 'node:fs';
import path from 'node:path';
import { PrunError } from '../../platform/errors.ts';
import { entriesOf } from '../../platform/files.ts';
import { readUnitRecord } from '../../unit/read-records.ts';
import { readEvents } from '../event-log.ts';
import { pathInRun } from '../path-in-run.ts';
import { type Run, runFile } from '../run-folder.ts';

/** State dirs of a unit's attempts by their numbers, as far as they are still there. */
export function attemptsOf(run: Run, unit: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const event of readEvents(run).events) {
    if (!('unit' in event) || event.unit !== unit) continue;
    if (event.type !== 'running' && event.type !== 'ended') continue;
    if (event.stateDir !== null) found.set(event.attempt, pathInRun(run, event.stateDir));
  }
  addUntold(run, unit, found);
  for (const [attempt, dir] of found) if (!existsSync(dir)) found.delete(attempt);
  return found;
}

/** A supervisor that died between the start of a worker and its event leaves an attempt that the log does not know. */
function addUntold(run: Run, unit: string, found: Map<number, string>): void {
  const known = new Set([...found.values()].map((dir) => path.basename(dir)));
  for (const { name } of entriesOf(runFile(run, 'attempts'))) {
    // The name alone does not tell: ids may hold dashes.
    if (known.has(name) || !name.includes(`-${unit}-`)) continue;
    const dir = path.join(runFile(run, 'attempts'), name);
    const record = unitRecordIn(dir);
    if (record?.unit === unit && !found.has(record.attempt)) found.set(record.attempt, dir);
  }
}

function unitRecordIn(dir: string): ReturnType<typeof readUnitRecord> {
  try {
    return readUnitRecord(dir);
  } catch (error) {
    // A newer prun's: the log names those that this one can show.
    if (error instanceof PrunError) return undefined;
    throw error;
  }
}
