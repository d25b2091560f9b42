import path from 'node:path';
import { PrunError } from '../../platform/errors.ts';
import { readValue } from '../../platform/files.ts';
import { isAlive, parseIdentity } from '../../process/identity.ts';
import type { ProcessHost } from '../../process/types.ts';
import { readUnitRecord } from '../../unit/read-records.ts';
import { stateFile } from '../../unit/state-dir.ts';

/** A process that stands in an attempt's files. */
export interface AttemptProcess {
  role: 'supervisor' | 'worker' | 'guardian';
  identity: string;
  alive: boolean;
}

/** Who takes part in an attempt, by its state dir. */
export function attemptProcesses(host: ProcessHost, stateDir: string): AttemptProcess[] {
  const record = recordIn(stateDir);
  const written: [AttemptProcess['role'], string | null | undefined][] = [
    ['supervisor', record?.supervisor],
    ['worker', record?.worker],
    ['guardian', readValue(stateFile(stateDir, 'guardian'))],
  ];
  return written.flatMap(([role, identity]) => {
    if (!identity) return [];
    const id = parseIdentity(identity);
    return [{ role, identity, alive: id !== undefined && isAlive(host, id) }];
  });
}

/** Mark that all of an attempt's processes carry, undefined where its record cannot be read. */
export function markerOf(stateDir: string): string | undefined {
  return recordIn(stateDir)?.marker;
}

function recordIn(stateDir: string): ReturnType<typeof readUnitRecord> {
  try {
    return readUnitRecord(path.resolve(stateDir));
  } catch (error) {
    // A newer prun's: its files are there to be looked at.
    if (error instanceof PrunError) return undefined;
    throw error;
  }
}
