import path from 'node:path';
import { PrunError } from '../platform/errors.ts';
import { keepEnvironment } from '../run/keep-environment.ts';
import { newSpec, unitDefaults } from '../run/manifest/new-spec.ts';
import type { UnitSpec } from '../run/records.ts';
import type { Run } from '../run/run-folder.ts';
import { isFinalState, viewRun } from '../run/run-view.ts';
import { setFolderOf } from '../run/unit-facts.ts';
import { addSpec, readUnits } from '../run/unit-specs.ts';
import { SET_FILES } from '../workspace/workspace-set.ts';
import type { McpContext } from './mcp-context.ts';
import { askForStart, type StartedTask, secondsOf } from './started-task.ts';
import { noteTask } from './task-index.ts';
import { unitIdFor } from './unit-id.ts';

/** A task with a session of its own. */
export interface NewTask {
  taskId: string;
  workspaceRoot: string;
  /** The top of the git tree that it lies in, null without one. */
  top: string | null;
  prompt: string;
  isolation: 'inplace' | 'clone';
  sandbox: UnitSpec['sandbox'];
  model: string | undefined;
  effort: string | undefined;
  timeoutMs: number | undefined;
}

/**
 * Adds a task to this server's run of its folder, and starts it. From the moment that it is in the run it is noted as this
 * server's, so that it is ended whatever happens to the server.
 */
export async function startTask(context: McpContext, task: NewTask): Promise<StartedTask> {
  const { stateHome, environment, record } = context;
  const { taskId, workspaceRoot, isolation } = task;
  const { run, follower } = await context.runs.forRoot(workspaceRoot, task.top);
  const unit = unitIdFor(taskId, readUnits(run).units.keys());
  const spec = specOf(context, task, unit);
  const owned = record.own({ folder: run.folder, unit });
  addSpec(run, spec);
  noteTask(stateHome, { taskId, workspaceRoot, run: run.record.id, unit, sessionId: null });
  const kept = keepEnvironment(run, environment, []);
  const request = { type: 'start' as const, units: [unit], schedule: {}, environment: kept };
  const answer = await askForStart(context, run, unit, request);
  const [refused] = answer.refused;
  if (refused && !hasEnded(run, unit)) {
    owned.disown();
    throw new PrunError('E_REFUSED', `it was not started: ${refused.why}`, 'see prun status');
  }
  return {
    ...{ taskId, workspaceRoot, run, follower, unit, isolation },
    workdir: isolation === 'clone' ? path.join(setFolderOf(run), SET_FILES.clones, unit) : workspaceRoot,
    after: 0,
    notes: [],
    owned,
  };
}

/** It was cancelled meanwhile: its end tells that. */
function hasEnded(run: Run, unit: string): boolean {
  const state = viewRun(run).units.get(unit)?.state;
  return state !== undefined && isFinalState(state);
}

/** A clone is one of the whole repository, and its worker starts at the top. */
function promptOf({ prompt, isolation, top, workspaceRoot }: NewTask): string {
  const below = top === null ? '' : path.relative(top, workspaceRoot);
  if (isolation === 'inplace' || below === '') return prompt;
  return `The task is about the folder ${below}: work in it (you start at the top of the repository).\n\n${prompt}`;
}

function specOf({ environment, cwd, codexBin }: McpContext, task: NewTask, unit: string): UnitSpec {
  const { isolation, workspaceRoot, timeoutMs } = task;
  const isInPlace = isolation === 'inplace';
  const wish = {
    ...{ id: unit, executor: 'codex' as const, mode: isolation, prompt: promptOf(task), codexBin },
    ...{ model: task.model, effort: task.effort },
    sandbox: task.sandbox ?? undefined,
    // CODEX_DISPATCH_TIMEOUT holds for calls that say nothing.
    timeout: timeoutMs === undefined ? undefined : secondsOf(timeoutMs),
    workspace: isInPlace ? workspaceRoot : undefined,
  };
  return {
    ...newSpec(wish, unitDefaults(environment, cwd)),
    options: { structured: true },
    // The caller decides what runs beside what; a clone is to have what the caller sees now.
    ...(isInPlace ? { sharesTree: true } : { startsFromNow: true }),
  };
}
