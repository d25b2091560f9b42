import { randomHex } from '../platform/random.ts';
import { outerUnit } from '../run/outer-unit.ts';
import type { McpContext, ToolCall } from './mcp-context.ts';
import { type NewTask, startTask } from './new-task.ts';
import { resumableTask, resumeTask } from './resumed-task.ts';
import { runTask } from './run-task.ts';
import { requireClonable, sourceOf } from './server-runs.ts';
import { holdTask } from './started-task.ts';
import type { DebugInput, ImplementInput, ResumeInput, TaskOutput } from './tool-schemas.ts';
import { workspaceRootOf } from './workspace-root.ts';

/** `codex_implement`: a task in the user's own files or in a clone. */
export function implementTask(
  context: McpContext,
  call: ToolCall,
  workspaceRoot: string,
  input: ImplementInput,
): Promise<TaskOutput> {
  const { taskId, prompt, isolation, model, effort, timeoutMs } = input;
  const task = { taskId, workspaceRoot, prompt, isolation, model, effort, timeoutMs };
  return newTask(context, call, { ...task, sandbox: input.sandbox ?? null }, input.includeRawOutput);
}

const FIND_CAUSE =
  'Find the cause of what is described below: where it is, why it happens, and how you know. Say how to put it right, but change no file: your sandbox is read-only.';

/** `codex_debug`: a task that changes nothing. It gets a name of its own, by which it can go on. */
export function debugTask(
  context: McpContext,
  call: ToolCall,
  workspaceRoot: string,
  input: DebugInput,
): Promise<TaskOutput> {
  const { model, effort, timeoutMs } = input;
  const taskId = `debug-${randomHex(8)}`;
  const prompt = `${FIND_CAUSE}\n\n${input.prompt}`;
  const task = { taskId, workspaceRoot, prompt, model, effort, timeoutMs };
  return newTask(
    context,
    call,
    { ...task, isolation: 'inplace', sandbox: 'read-only' },
    input.includeRawOutput,
  );
}

async function newTask(
  context: McpContext,
  call: ToolCall,
  task: Omit<NewTask, 'top'>,
  includeRawOutput = false,
): Promise<TaskOutput> {
  const { taskId, workspaceRoot, isolation, sandbox } = task;
  outerUnit(context.environment, false);
  const letGo = holdTask(context, workspaceRoot, taskId);
  try {
    await context.requireCodex();
    const source = await sourceOf(workspaceRoot);
    if (isolation === 'clone') await requireClonable(source, workspaceRoot, context.stateHome);
    const top = source?.workTree ?? null;
    return await runTask(context, call, {
      ...{ taskId, workspaceRoot, includeRawOutput },
      editsInPlace: isolation === 'inplace' && sandbox !== 'read-only',
      top,
      start: () => startTask(context, { ...task, top }),
    });
  } finally {
    letGo();
  }
}

/** `codex_resume`: the session of an earlier task goes on. */
export async function resumeSession(
  context: McpContext,
  call: ToolCall,
  input: ResumeInput,
): Promise<TaskOutput> {
  const { taskId, prompt, sessionId, timeoutMs, includeRawOutput = false } = input;
  outerUnit(context.environment, false);
  const given = input.workspaceRoot;
  const root = given === undefined ? undefined : workspaceRootOf(given, undefined);
  const resumable = resumableTask(context, { taskId, sessionId, workspaceRoot: root });
  const { workspaceRoot } = resumable.known;
  const letGo = holdTask(context, workspaceRoot, taskId);
  try {
    await context.requireCodex();
    const source = await sourceOf(workspaceRoot);
    return await runTask(context, call, {
      ...{ taskId, workspaceRoot, includeRawOutput },
      editsInPlace: resumable.isolation === 'inplace' && !resumable.isReadOnly,
      top: source?.workTree ?? null,
      start: () => resumeTask(context, resumable, { prompt, timeoutMs }),
    });
  } finally {
    letGo();
  }
}
