import { messageOf, PrunError } from '../platform/errors.ts';
import { realPlace } from '../workspace/base/state-home-place.ts';
import type { McpContext, ToolCall } from './mcp-context.ts';
import { seeToEnd } from './see-to-end.ts';
import type { StartedTask } from './started-task.ts';
import { taskAnswer } from './task-answer.ts';
import { absoluteChanges, cloneDelta, inPlaceDelta } from './task-delta.ts';
import { noteTask } from './task-index.ts';
import { type InPlaceTask, pathBelow } from './tasks-in-place.ts';
import type { TaskDelta, TaskOutput } from './tool-schemas.ts';
import { changesSince, lookAtTree, type TreeLook } from './tree-look.ts';

/** How a call runs its task. */
export interface TaskCall {
  taskId: string;
  workspaceRoot: string;
  /** Whether it may change the files of the workspace itself. */
  editsInPlace: boolean;
  /** The top of the git tree that the workspace lies in, null without one. */
  top: string | null;
  includeRawOutput: boolean;
  start(): Promise<StartedTask>;
}

/** Starts a task, sees it to its end, and gives what its caller gets. */
export async function runTask(context: McpContext, call: ToolCall, wish: TaskCall): Promise<TaskOutput> {
  const look = wish.editsInPlace ? await beginInPlace(context, wish) : undefined;
  try {
    if (call.signal.aborted) {
      throw new PrunError('E_CANCELLED', 'it was cancelled before it was started', 'call the tool again');
    }
    const task = await wish.start();
    const end = await seeToEnd(context, {
      task,
      call,
      onFile: (file) => look?.inPlace.said.add(file),
    });
    noteOver(context, task);
    const found = look
      ? await look.end()
      : cloneDelta(task, end.outcome, { prun: context.prun, top: wish.top });
    const answer = taskAnswer(task, end, found, wish.includeRawOutput);
    noteSession(context, task, answer.sessionId);
    return answer;
  } finally {
    look?.drop();
  }
}

interface InPlaceLook {
  inPlace: InPlaceTask;
  end(): Promise<{ delta: TaskDelta; notes: string[] }>;
  /** Without an effect after `end`. */
  drop(): void;
}

async function beginInPlace({ inPlace: tasks, stateHome }: McpContext, wish: TaskCall): Promise<InPlaceLook> {
  const { taskId, workspaceRoot, top } = wish;
  const inPlace = tasks.begin(taskId);
  const before = top === null ? NO_GIT : await lookAtTree(top);
  let isOver = false;
  return {
    inPlace,
    async end() {
      const after = typeof before === 'string' || top === null ? before : await lookAtTree(top);
      isOver = true;
      const compared = await comparison(realPlace(stateHome), before, after);
      const { delta, notes } = inPlaceDelta(workspaceRoot, tasks.end(inPlace, compared.seen));
      return { delta, notes: [...notes, ...compared.notes] };
    },
    drop() {
      if (!isOver) tasks.drop(inPlace);
    },
  };
}

const NO_GIT = 'the workspace is in no git repository';

async function comparison(stateHome: string, before: TreeLook | string, after: TreeLook | string) {
  const seen = await changesOrWhy(stateHome, before, after);
  if (typeof seen !== 'string') return { seen, notes: [] };
  const note = `files that commands have changed are not listed, only what the worker itself edited (${seen})`;
  return { seen: new Map(), notes: [note] };
}

/** What was changed, by absolute path, or why that cannot be told. prun's own files are no change of a worker. */
async function changesOrWhy(stateHome: string, before: TreeLook | string, after: TreeLook | string) {
  if (typeof before === 'string') return before;
  if (typeof after === 'string') return after;
  try {
    const changes = absoluteChanges(before.top, await changesSince(before, after));
    return new Map([...changes].filter(([file]) => pathBelow(stateHome, file) === file));
  } catch (error) {
    return messageOf(error);
  }
}

/** From now on its session may go on elsewhere, and this server's end is none of its business. */
function noteOver(context: McpContext, task: StartedTask): void {
  try {
    task.owned.disown();
  } catch (error) {
    // A full disk: at worst this server's guardian ends an attempt that somebody else has begun meanwhile.
    context.say(`unit ${task.unit}: its end could not be noted: ${messageOf(error)}`);
  }
}

/** A later call finds the session by it, also when the run is gone from this server. */
function noteSession(context: McpContext, task: StartedTask, sessionId: string | null): void {
  if (sessionId === null) return;
  const { taskId, workspaceRoot, run, unit } = task;
  try {
    noteTask(context.stateHome, { taskId, workspaceRoot, run: run.record.id, unit, sessionId });
  } catch (error) {
    // A full disk: the session is in the unit's own outcome, too.
    context.say(`task ${JSON.stringify(taskId)}: its session could not be noted: ${messageOf(error)}`);
  }
}
