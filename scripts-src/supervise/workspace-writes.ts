import { statSync } from 'node:fs';
import path from 'node:path';
import { entriesOf } from '../platform/files.ts';

/** Entries that one scan looks at, at most: a scan is a hint, never a load. */
const MAX_ENTRIES = 4000;
/** Folders that tools rewrite on their own, or that are too large to say anything. */
const SKIPPED = new Set(['.git', 'node_modules', '.venv', 'venv', '__pycache__', 'target', '.cache']);

/**
 * Newest modification time (ms since the epoch, fractional) among the files of a workspace, breadth first and
 * bounded. Used where the system has no I/O counters, and for files that somebody edits again and again
 * (PEERS.md scenario 23).
 */
export function newestWrite(workspace: string): number {
  const folders = [workspace];
  let left = MAX_ENTRIES;
  let newest = 0;
  for (const folder of folders) {
    for (const entry of entriesOf(folder)) {
      if (left-- <= 0) return newest;
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) folders.push(full);
      } else if (entry.isFile()) newest = Math.max(newest, modifiedAt(full));
    }
  }
  return newest;
}

function modifiedAt(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
