import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { PRIVATE_FILE } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { keepEnvironment } from '../run/keep-environment.ts';
import { resumableOf } from '../run/resumable.ts';
import { type Run, readRun, runFile, runsFolder } from '../run/run-folder.ts';
import { type UnitView, viewRun } from '../run/run-view.ts';
import { setFolderOf } from '../run/unit-facts.ts';
import { SET_FILES } from '../workspace/workspace-set.ts';
import type { McpContext } from './mcp-context.ts';
import { askForStart, type StartedTask, secondsOf } from './started-task.ts';
import { findSession, findTask, type IndexedTask, noteTask } from './task-index.ts';

/** A task whose session goes on. */
export interface ResumedTask {
  taskId: string;
  sessionId: string | undefined;
  /** undefined: where the task was worked on. */
  workspaceRoot: string | undefined;
}

/** Where the session of a task is kept. Throws a usage error where nobody knows it. */
function knownTask({ stateHome }: McpContext, wish: ResumedTask): IndexedTask {
  const { taskId, sessionId, workspaceRoot } = wish;
  const task = findTask(stateHome, taskId, workspaceRoot);
  if (sessionId === undefined || task?.sessionId === sessionId) {
    if (task) return task;
    throw usageError(
      `no task ${JSON.stringify(taskId)} is known${workspaceRoot === undefined ? '' : ` in ${workspaceRoot}`}`,
      'give the taskId and workspaceRoot that codex_implement was called with, or its sessionId',
    );
  }
  const bySession = findSession(stateHome, sessionId);
  if (bySession) {
    if (workspaceRoot === undefined || bySession.workspaceRoot === workspaceRoot)
      return { ...bySession, taskId };
    throw usageError(
      `session ${sessionId} worked in ${bySession.workspaceRoot}, not in ${workspaceRoot}`,
      'leave workspaceRoot out: a session goes on where it worked',
    );
  }
  // The index learns a session at the end of a call: one that was killed is known by its unit alone.
  if (task && task.sessionId === null) return task;
  throw usageError(
    `session ${sessionId} is none that a task of prun has left here`,
    'leave sessionId out to go on with the last session of the task, or begin anew with codex_implement',
  );
}

/** A unit whose session can go on. */
export interface ResumableTask {
  known: IndexedTask;
  run: Run;
  view: UnitView;
  isolation: StartedTask['isolation'];
  /** Whether it may change no file. */
  isReadOnly: boolean;
}

/** The unit of a task whose session can go on. Throws a usage error that says why it cannot. */
export function resumableTask(context: McpContext, wish: ResumedTask): ResumableTask {
  const known = knownTask(context, wish);
  const { run, view } = unitOf(context.stateHome, known);
  requireSession(known, run, view, wish.sessionId);
  const isolation = view.spec.mode === 'clone' ? 'clone' : 'inplace';
  return { known, run, view, isolation, isReadOnly: view.spec.sandbox === 'read-only' };
}

/** Has the session go on, in the folder where it worked. Throws a usage error where the run refuses it. */
export async function resumeTask(
  context: McpContext,
  { known, run, view, isolation }: ResumableTask,
  { prompt, timeoutMs }: { prompt: string; timeoutMs: number | undefined },
): Promise<StartedTask> {
  const { stateHome, environment, record } = context;
  const { taskId, unit, workspaceRoot } = known;
  const promptFile = path.join(runFile(run, 'agentIo'), 'prompts', `${unit}-remark-${randomHex(8)}.md`);
  writeFileSync(promptFile, prompt, { mode: PRIVATE_FILE });
  // Not the limit of the call before, which may have been what ended it.
  const timeoutSeconds = secondsOf(timeoutMs);
  const owned = record.own({ folder: run.folder, unit });
  noteTask(stateHome, known);
  const kept = keepEnvironment(run, environment, []);
  const wish = { unit, promptFile, timeoutSeconds };
  const request = { type: 'resume' as const, units: [wish], environment: kept };
  const [refused] = (await askForStart(context, run, unit, request)).refused;
  if (refused) {
    // Somebody else's call works on it.
    owned.disown();
    rmSync(promptFile, { force: true });
    throw cannotResume(taskId, refused.why);
  }
  return {
    ...{ taskId, workspaceRoot, run, unit, isolation },
    follower: context.runs.follower(run),
    workdir: isolation === 'clone' ? path.join(setFolderOf(run), SET_FILES.clones, unit) : workspaceRoot,
    after: view.attempt,
    notes: [],
    owned,
  };
}

function unitOf(stateHome: string, { taskId, run: id, unit }: IndexedTask): { run: Run; view: UnitView } {
  const run = readRun(path.join(runsFolder(stateHome), id), stateHome);
  const view = run && viewRun(run).units.get(unit);
  if (run && view) return { run, view };
  throw usageError(
    `run ${id} of task ${JSON.stringify(taskId)} was removed, and its session with it`,
    'begin anew with codex_implement',
  );
}

function requireSession(
  { taskId }: IndexedTask,
  run: Run,
  view: UnitView,
  sessionId: string | undefined,
): void {
  const resumable = resumableOf({ run, units: new Map([[view.id, view]]) }, view);
  if (resumable.kind === 'none') throw cannotResume(taskId, resumable.why);
  if (sessionId === undefined || resumable.session.sessionId === sessionId) return;
  throw usageError(
    `session ${sessionId} is not the last one of task ${JSON.stringify(taskId)}, which is ${resumable.session.sessionId}`,
    'leave sessionId out, or give that one',
  );
}

function cannotResume(taskId: string, why: string) {
  const said = why.replaceAll('prun retry begins anew', 'codex_implement begins anew');
  return usageError(
    `task ${JSON.stringify(taskId)} cannot go on: ${said}`,
    'see its stateDir, or begin anew with codex_implement',
  );
}
