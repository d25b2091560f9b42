import { existsSync } from 'node:fs';
import path from 'node:path';
import { currentHost } from '../process/host.ts';
import { createAwaitedResult } from './awaited-result.ts';
import type { GatherRequest } from './gather-arguments.ts';
import { keepLooking } from './keep-looking.ts';
import { printedName } from './printed-name.ts';
import type { Clocks } from './quiet-file.ts';
import { readOutcome } from './read-records.ts';
import { stateFile } from './state-dir.ts';
import { createTableView } from './table-view.ts';
import { createFileWatch } from './watch-files.ts';

/** Where news of a wait goes, one line each. */
export interface GatherVoice {
  /** A file has landed; the text is its name as it is printed. */
  landed(name: string): void;
  warn(line: string): void;
}

/**
 * Waits until every result file has landed or the time is over; returns the files that are missing, as they are
 * printed. Throws PrunError for a record of a newer schema. Signals nothing, writes nothing.
 */
export async function watchResults(
  request: GatherRequest,
  clocks: Clocks,
  voice: GatherVoice,
): Promise<string[]> {
  const table = createTableView(await currentHost());
  const world = {
    host: table.host,
    clocks,
    readOutcome,
    warn: voice.warn,
    windowSeconds: request.stableWindowSeconds,
  };
  const files = request.resultFiles;
  const results = files.map((file) => createAwaitedResult(file, printedName(file), world));
  const dueMs = files.map(() => 0);
  const missing = new Set(files.keys());
  const inFolder = indexesByFolder(files);
  const watch = createFileWatch();
  const wait = keepLooking<string[]>({
    count: files.length,
    pollMs: request.pollSeconds * 1000,
    roundMs: table.roundMs,
    timeoutMs: request.timeoutSeconds * 1000,
    nowMs: clocks.nowMs,
    look,
    dueMs: (index) => dueMs[index] ?? Number.POSITIVE_INFINITY,
    timedOut: namesOfMissing,
  });
  try {
    return await wait.ended;
  } finally {
    watch.close();
  }

  function look(indexes: readonly number[]): string[] | undefined {
    table.refresh();
    // In the order given, whatever woke them.
    for (const index of [...indexes].sort((a, b) => a - b)) if (missing.has(index)) lookAt(index);
    return missing.size === 0 ? [] : undefined;
  }

  function lookAt(index: number): void {
    const file = files[index] ?? '';
    watchFolder(path.dirname(file));
    const landing = results[index]?.look();
    dueMs[index] = landing?.dueMs ?? Number.POSITIVE_INFINITY;
    if (landing?.landed) {
      missing.delete(index);
      voice.landed(printedName(file));
    } else watchOutcome(index);
  }

  function watchFolder(folder: string): void {
    if (watch.isWatched(folder) || !existsSync(folder)) return;
    watch.add(folder, (name) => {
      const found = inFolder.get(folder) ?? new Map<string, number[]>();
      const indexes = name === undefined ? [...found.values()].flat() : (found.get(name) ?? []);
      for (const index of indexes) wait.wake(index);
    });
  }

  function watchOutcome(index: number): void {
    const stateDir = results[index]?.stateDir();
    if (!stateDir) return;
    const wake = stateFile(stateDir, 'wake');
    if (watch.isWatched(wake) || !existsSync(wake)) return;
    // Looked at once more: the outcome may have come before the watch.
    if (watch.add(wake, () => wait.wake(index))) wait.wake(index);
  }

  function namesOfMissing(): string[] {
    return [...missing].map((index) => printedName(files[index] ?? ''));
  }
}

function indexesByFolder(files: readonly string[]): Map<string, Map<string, number[]>> {
  const folders = new Map<string, Map<string, number[]>>();
  for (const [index, file] of files.entries()) {
    const names = folders.get(path.dirname(file)) ?? new Map<string, number[]>();
    folders.set(path.dirname(file), names);
    names.set(path.basename(file), [...(names.get(path.basename(file)) ?? []), index]);
  }
  return folders;
}
