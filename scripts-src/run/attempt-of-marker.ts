import { readdirSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { readUnitRecord } from '../unit/read-records.ts';
import { type Run, runFile } from './run-folder.ts';

/**
 * Number of the attempt that a process of this run belongs to, by the mark in its environment (PRUN_UNIT): state dirs
 * carry the mark's token in their names. Throws a usage error outside of any.
 */
export function attemptOfMarker(run: Pick<Run, 'folder'>, marker: string): number {
  const token = marker.split('/').at(-1)?.split('-').at(-1) ?? '';
  const attempts = runFile(run, 'attempts');
  const name = token === '' ? undefined : stateDirs(attempts).find((one) => one.endsWith(`-${token}`));
  const record = name === undefined ? undefined : readUnitRecord(path.join(attempts, name));
  if (record) return record.attempt;
  throw usageError('this is no worker of that run', 'let prun run start it');
}

function stateDirs(attempts: string): string[] {
  try {
    return readdirSync(attempts);
  } catch {
    // There is no such run.
    return [];
  }
}
