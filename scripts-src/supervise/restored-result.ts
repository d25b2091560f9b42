import { existsSync } from 'node:fs';
import { readValue, stampOf } from '../platform/files.ts';
import type { UnitRecord } from '../unit/records.ts';
import { moveFile } from '../unit/result-file.ts';
import { stateFile } from '../unit/state-dir.ts';

const NS_PER_MS = 1_000_000n;

/**
 * An older result that a worker put back (`mv`, `ln`, `cp -p`) is not this attempt's (promises P3, P4): it goes aside
 * again. One that git or an editor writes anew has a time of its own and cannot be told from a fresh result.
 */
export function setRestoredAside(stateDir: string, record: UnitRecord): void {
  if (!isRestored(stateDir, record)) return;
  const aside = stateFile(stateDir, 'previousResult');
  try {
    moveFile(record.resultFile, existsSync(aside) ? `${aside}-again` : aside);
  } catch {
    // A folder that may not be written: then it stays, and passes for a result.
  }
}

function isRestored(stateDir: string, record: UnitRecord): boolean {
  const now = stampOf(record.resultFile);
  if (!now) return false;
  const nowMs = BigInt(now.mtimeNs) / NS_PER_MS;
  const older = stampOf(stateFile(stateDir, 'previousResult'));
  if (older) return now.size === older.size && nowMs === BigInt(older.mtimeNs) / NS_PER_MS;
  // It was moved, not copied. What is known of it is its time in seconds, and that it is older than this attempt.
  const seconds = readValue(stateFile(stateDir, 'preMtime')) ?? '0';
  return seconds !== '0' && seconds === String(nowMs / 1000n) && Number(nowMs) < Date.parse(record.startedAt);
}
