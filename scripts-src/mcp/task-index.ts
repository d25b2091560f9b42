import { mkdirSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { wallTime } from '../platform/clock.ts';
import { usageError } from '../platform/errors.ts';
import { PRIVATE_DIR } from '../platform/files.ts';
import { appendLines, readLines } from '../run/json-lines.ts';
import { RUN_SCHEMA } from '../run/records.ts';

/** Where the last work on a task lies. A later server goes on from it. */
export interface IndexedTask {
  taskId: string;
  workspaceRoot: string;
  run: string;
  unit: string;
  /** null before it is known. */
  sessionId: string | null;
}

/** The folder of all that MCP servers keep, beside the runs. */
export function mcpFolder(stateHome: string): string {
  return path.join(stateHome, 'mcp');
}

/**
 * Notes where a task is worked on. Several servers may write at the same time; the last line of a task counts. Throws the
 * system's error, as on a full disk.
 */
export function noteTask(stateHome: string, task: IndexedTask): void {
  mkdirSync(mcpFolder(stateHome), { recursive: true, mode: PRIVATE_DIR });
  appendLines(fileOf(stateHome), [{ schema: RUN_SCHEMA, at: wallTime(), ...task }]);
}

/**
 * The last work on a task. Without a folder the task must be known in one alone: throws a usage error where there are
 * several, and where a newer prun has written the line. undefined where the task is not known. Lines that a crash has torn
 * are passed over.
 */
export function findTask(
  stateHome: string,
  taskId: string,
  workspaceRoot: string | undefined,
): IndexedTask | undefined {
  const byRoot = new Map<string, IndexedTask>();
  readTasks(stateHome, (task, schema) => {
    if (task.taskId !== taskId) return;
    refuseNewer(stateHome, schema);
    byRoot.delete(task.workspaceRoot);
    byRoot.set(task.workspaceRoot, task);
  });
  if (workspaceRoot !== undefined) return byRoot.get(workspaceRoot);
  if (byRoot.size > 1) {
    const roots = [...byRoot.keys()].slice(-5).join(', ');
    throw usageError(
      `task ${JSON.stringify(taskId)} is known in ${byRoot.size} folders (${roots})`,
      'give workspaceRoot, too',
    );
  }
  return [...byRoot.values()][0];
}

/** The last work that had this session, whatever its task was called. */
export function findSession(stateHome: string, sessionId: string): IndexedTask | undefined {
  let found: IndexedTask | undefined;
  readTasks(stateHome, (task, schema) => {
    if (task.sessionId !== sessionId) return;
    refuseNewer(stateHome, schema);
    found = task;
  });
  return found;
}

function readTasks(stateHome: string, take: (task: IndexedTask, schema: number) => void): void {
  readLines(fileOf(stateHome), 0, ({ json }) => {
    const line = indexLine.safeParse(json);
    if (!line.success) return;
    const { schema, ...task } = line.data;
    take(task, schema);
  });
}

function refuseNewer(stateHome: string, schema: number): void {
  if (schema <= RUN_SCHEMA) return;
  throw usageError(
    `${fileOf(stateHome)} has the task with schema ${schema}, and this prun knows ${RUN_SCHEMA}`,
    'use the newer prun that wrote it',
  );
}

function fileOf(stateHome: string): string {
  return path.join(mcpFolder(stateHome), 'tasks.jsonl');
}

const indexLine = z.object({
  schema: z.number(),
  taskId: z.string(),
  workspaceRoot: z.string(),
  // Names of folders and files.
  run: z.string().check(z.regex(/^[\w-]+$/)),
  unit: z.string().check(z.regex(/^[\w-]+$/)),
  sessionId: z.nullable(z.string()),
});
