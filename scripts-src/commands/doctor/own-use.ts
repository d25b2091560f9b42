import { readdirSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { entriesOf, readStart } from '../../platform/files.ts';

/** What this user's processes use of what the system counts for each user (Linux). */
export interface OwnUse {
  /** Threads: Linux counts them as processes (setrlimit(2), RLIMIT_NPROC). */
  tasks: number;
  /** inotify instances. */
  watchers: number;
}

/** Open files that are looked at, at most: what is beyond is not counted. */
const MOST_LINKS = 50_000;

/** Counts by /proc. Processes that end meanwhile count as nothing. */
export function ownUse(procRoot = '/proc', uid = process.getuid?.()): OwnUse {
  const use = { tasks: 0, watchers: 0 };
  let links = 0;
  for (const { name } of entriesOf(procRoot)) {
    if (!/^\d+$/.test(name)) continue;
    const folder = path.join(procRoot, name);
    if (statSync(folder, { throwIfNoEntry: false })?.uid !== uid) continue;
    use.tasks += Number(/^Threads:\s+(\d+)/m.exec(readStart(path.join(folder, 'status'), 8192))?.[1] ?? 0);
    for (const target of openFilesOf(folder, MOST_LINKS - links)) {
      links += 1;
      if (target === 'anon_inode:inotify') use.watchers += 1;
    }
  }
  return use;
}

function openFilesOf(folder: string, most: number): string[] {
  try {
    const files = path.join(folder, 'fd');
    return readdirSync(files)
      .slice(0, most)
      .map((name) => linkOf(path.join(files, name)));
  } catch {
    // It has ended, or may not be looked at.
    return [];
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    // Closed meanwhile.
    return '';
  }
}
