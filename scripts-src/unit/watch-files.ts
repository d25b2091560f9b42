import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';

/** Watches single files and folders by name. One inotify instance serves all of a process (FACTS-processes.md). */
export interface FileWatch {
  /**
   * Calls `changed` with the name of what changed (undefined for the thing itself) until closed. False where the
   * system refuses: the thing is not there, or the user's 128 instances or the watches are used up.
   */
  add(file: string, changed: (name: string | undefined) => void): boolean;
  isWatched(file: string): boolean;
  close(): void;
}

/** Makes a watch. It never throws and never keeps a process alive once closed; a watcher that fails later is dropped. */
export function createFileWatch(): FileWatch {
  const watchers = new Map<string, FSWatcher>();

  function add(file: string, changed: (name: string | undefined) => void): boolean {
    if (watchers.has(file)) return true;
    try {
      const watcher = watch(file, (event, name) => {
        // The file itself was moved or removed: the watch would stay with what nobody writes to any more.
        if (event === 'rename' && name === path.basename(file)) drop(file);
        changed(name ?? undefined);
      });
      watchers.set(file, watcher);
      watcher.on('error', () => drop(file));
      return true;
    } catch {
      // Whoever waits falls back to looking now and then: a lost watch is slower, not wrong.
      return false;
    }
  }

  function drop(file: string): void {
    watchers.get(file)?.close();
    watchers.delete(file);
  }

  return {
    add,
    isWatched: (file) => watchers.has(file),
    close: () => [...watchers.keys()].forEach(drop),
  };
}
