import { existsSync } from 'node:fs';
import path from 'node:path';
import type { FileChange } from './tree-look.ts';

/** A task that works in the user's own files, and what is known of its changes. Paths are absolute. */
export interface InPlaceTask {
  taskId: string;
  /** Order of its start and of its end among all starts and ends of this server; null while it runs. */
  begun: number;
  ended: number | null;
  /** Paths that its worker itself said it edits. */
  said: Set<string>;
  /** Paths that a comparison of the tree before and after shows; empty before its end. */
  seen: Map<string, FileChange>;
}

/** A path that a task has changed, and who else may have. */
export interface InPlaceChange {
  /** Absolute. */
  path: string;
  change: FileChange;
  /** Tasks that changed it at the same time, by name. */
  alsoBy: string[];
  /** false: nobody said it, and a task at the same time may have done it. */
  isCertain: boolean;
}

/** All tasks in place of one server. */
export interface InPlaceTasks {
  begin(taskId: string): InPlaceTask;
  /** The task has ended: what it changed, held against all that worked at the same time. */
  end(task: InPlaceTask, seen: ReadonlyMap<string, FileChange>): InPlaceChange[];
  /** It has ended without a comparison, or was never started. */
  drop(task: InPlaceTask): void;
}

/**
 * Keeps who works in place at the same time. Workers say which files they edit, so these are certain; what their commands
 * change shows in a comparison only, and there each task sees the changes of the others, too.
 */
export function inPlaceTasks(): InPlaceTasks {
  const tasks = new Set<InPlaceTask>();
  let moment = 0;

  /** Those that have ended before anybody began who still works are compared with nobody any more. */
  function forgetOld(): void {
    const running = [...tasks].filter(({ ended }) => ended === null);
    const since = Math.min(...running.map(({ begun }) => begun));
    for (const task of tasks) if (task.ended !== null && task.ended < since) tasks.delete(task);
  }

  return {
    begin(taskId) {
      const task: InPlaceTask = { taskId, begun: ++moment, ended: null, said: new Set(), seen: new Map() };
      tasks.add(task);
      return task;
    },
    end(task, seen) {
      task.ended = ++moment;
      task.seen = new Map(seen);
      const beside = [...tasks].filter((other) => other !== task && isBeside(task, other));
      const changes = changesOf(task, beside, changeOnDisk);
      forgetOld();
      return changes;
    },
    drop(task) {
      tasks.delete(task);
    },
  };
}

/** git does not tell: the file is ignored, or there is no repository. A new file counts as modified then. */
function changeOnDisk(file: string): FileChange {
  return existsSync(file) ? 'modified' : 'deleted';
}

function isBeside(task: InPlaceTask, other: InPlaceTask): boolean {
  return other.ended === null || other.ended > task.begun;
}

/**
 * What a task changed. A path that both said is certain for both; one that only one said is that one's; one that nobody
 * said may be by any task that worked at the same time. `otherwise`: how a file was changed that only its worker tells of. Pure.
 */
export function changesOf(
  task: InPlaceTask,
  beside: readonly InPlaceTask[],
  otherwise: (file: string) => FileChange,
): InPlaceChange[] {
  const changes: InPlaceChange[] = [];
  for (const file of task.said) {
    const alsoBy = beside.filter(({ said }) => said.has(file)).map(({ taskId }) => taskId);
    changes.push({ path: file, change: task.seen.get(file) ?? otherwise(file), alsoBy, isCertain: true });
  }
  for (const [file, change] of task.seen) {
    if (task.said.has(file) || beside.some(({ said }) => said.has(file))) continue;
    const others = beside.filter(({ ended, seen }) => ended === null || seen.has(file));
    const alsoBy = others.map(({ taskId }) => taskId);
    changes.push({ path: file, change, alsoBy, isCertain: alsoBy.length === 0 });
  }
  // Whoever reads it twice finds it the same.
  for (const { alsoBy } of changes) alsoBy.sort();
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A path as it is shown: below the folder where the work was, else absolute. */
export function pathBelow(root: string, file: string): string {
  const below = path.relative(root, file);
  return below.startsWith('..') || path.isAbsolute(below) ? file : below.split(path.sep).join('/');
}
