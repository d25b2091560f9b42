import { messageOf, PrunError } from '../platform/errors.ts';
import type { McpContext, ToolCall } from './mcp-context.ts';
import { seeToEnd } from './see-to-end.ts';
import type { StartedTask } from './started-task.ts';
import { taskAnswer } from './task-answer.ts';
import { absoluteChanges, cloneDelta, inPlaceDelta } from './task-delta.ts';
import { noteTask } from './task-index.ts';
import type { InPlaceTask } from './tasks-in-place.ts';
import type { TaskDelta, TaskOutput } from './tool-schemas.ts';
import { changesBetween, lookAtTree, type TreeLook } from './tree-look.ts';

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

async function beginInPlace({ inPlace: tasks }: McpContext, wish: TaskCall): Promise<InPlaceLook> {
  const { taskId, workspaceRoot, top } = wish;
  const inPlace = tasks.begin(taskId);
  const before = top === null ? NO_GIT : await lookAtTree(top);
  let isOver = false;
  return {
    inPlace,
    async end() {
      const after = typeof before === 'string' || top === null ? before : await lookAtTree(top);
      isOver = true;
      const compared = comparison(before, after);
      const { delta, notes } = inPlaceDelta(workspaceRoot, tasks.end(inPlace, compared.seen));
      return { delta, notes: [...notes, ...compared.notes] };
    },
    drop() {
      if (!isOver) tasks.drop(inPlace);
    },
  };
}

const NO_GIT = 'the workspace is in no git repository';

function comparison(before: TreeLook | string, after: TreeLook | string) {
  const why = typeof before === 'string' ? before : typeof after === 'string' ? after : undefined;
  if (why === undefined && typeof before !== 'string' && typeof after !== 'string') {
    return { seen: absoluteChanges(before.top, changesBetween(before, after)), notes: [] };
  }
  const note = `files that commands have changed are not listed, only what the worker itself edited (${why})`;
  return { seen: new Map(), notes: [note] };
}

/** From now on its session may go on elsewhere, and this server's end is none of its business. */
function noteOver(context: McpContext, task: StartedTask): void {
  try {
    task.disown();
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
