import { messageOf, usageError } from '../platform/errors.ts';
import { askSupervisor } from '../run/ask-supervisor.ts';
import type { RequestAnswer, RunRequest } from '../run/records.ts';
import { postRequest } from '../run/requests.ts';
import type { Run } from '../run/run-folder.ts';
import type { McpContext } from './mcp-context.ts';
import type { RunFollower } from './run-follower.ts';
import type { Owned } from './server-record.ts';

/** A task that was handed to the run's supervisor. Paths are absolute. */
export interface StartedTask {
  taskId: string;
  workspaceRoot: string;
  run: Run;
  follower: RunFollower;
  unit: string;
  isolation: 'inplace' | 'clone';
  /** The folder that its worker works in. */
  workdir: string;
  /** Attempts up to this number are not this call's. */
  after: number;
  /** What its caller should know, one line each. */
  notes: string[];
  owned: Owned;
}

/**
 * Asks the run's supervisor to start a unit or to let it go on. Where nobody answers the request stays, and would be carried
 * out for a caller that has got an error by then: so it is taken back.
 */
export async function askForStart(
  context: McpContext,
  run: Run,
  unit: string,
  request: RunRequest,
): Promise<RequestAnswer> {
  try {
    return await askSupervisor(context.host, run, request, ANSWER_MS);
  } catch (error) {
    try {
      postRequest(run, { type: 'cancel', units: [unit], graceSeconds: 1 });
    } catch (second) {
      // A full disk: it stays this server's own, and is ended with it.
      context.say(`unit ${unit} of run ${run.record.id} may be started later: ${messageOf(second)}`);
    }
    throw error;
  }
}

/**
 * Notes that a task runs, and gives what ends that. Throws a usage error where it runs already: two workers of one name
 * could not be told apart afterwards.
 */
export function holdTask({ live }: McpContext, workspaceRoot: string, taskId: string): () => void {
  const key = `${workspaceRoot}\0${taskId}`;
  if (live.has(key)) {
    throw usageError(
      `task ${JSON.stringify(taskId)} is running in ${workspaceRoot}`,
      'wait for it, cancel it, or give another taskId',
    );
  }
  live.add(key);
  return () => live.delete(key);
}

/** A limit of a call in the whole seconds of a unit; 0 = without one. */
export function secondsOf(timeoutMs: number | undefined): number {
  return timeoutMs === undefined ? 0 : Math.ceil(timeoutMs / 1000);
}

/** An answer of the run's supervisor takes its start at most, ms. */
export const ANSWER_MS = 60_000;
