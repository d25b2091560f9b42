import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathFromJson, shownPath } from '../platform/byte-path.ts';
import { PrunError } from '../platform/errors.ts';
import { stampOf } from '../platform/files.ts';
import { readOutcome } from '../unit/read-records.ts';
import type { OutcomeRecord } from '../unit/records.ts';
import { missingInResultFile } from '../unit/result-contract.ts';
import { isFallback, type ResultState, resultStateOf } from '../unit/result-file.ts';
import { stateFile } from '../unit/state-dir.ts';
import type { DeltaRecord } from '../workspace/records.ts';
import { readDelta, readWorkspace, setsFolder, type WorkspaceSet } from '../workspace/workspace-set.ts';
import { keptPatch } from './kept-patches.ts';
import { pathInRun } from './path-in-run.ts';
import type { ExecutorName, UnitState, WorkspaceMode } from './records.ts';

import type { Run } from './run-folder.ts';
import { isFinalState, type RunView, type UnitView } from './run-view.ts';

/** What stands at a unit's result path. */
export interface ResultFacts {
  path: string;
  state: ResultState;
  bytes: number;
  isFallback: boolean;
  /** What of the contract it lacks; empty for what is no text. */
  missing: string[];
}

/** What became of the delta of a unit that works in a workspace. */
export interface DeltaFacts {
  state: 'collected' | 'failed' | 'not-collected';
  /** One line: why there is none, empty where there is one. */
  detail: string;
  /** What is missing in it, one line each. */
  lost: string[];
  /** How many files it changes. */
  files: number;
  /** Whether the workspace has gone, so that nothing can be collected any more. */
  isGone: boolean;
}

/** One unit of a run as the log, its state dir, its result and its workspace tell of it. Read for `doubtsOf`. */
export interface UnitFacts {
  id: string;
  executor: ExecutorName;
  mode: WorkspaceMode;
  /** By the log; by the outcome where the log has yet to be told of it. */
  state: UnitState;
  reason: string | null;
  detail: string;
  attempt: number;
  stateDir: string | null;
  stalled: UnitView['stalled'];
  staleParents: string[];
  /** Why it is queued behind an open breaker, and the command that is next; left out where it is not. */
  parked?: { why: string; next: 'wait' | 'resume' | 'start' } | undefined;
  /** The command that helps it after a failure; left out where that is a fresh attempt. */
  afterFailure?: string | undefined;
  /** Units that it comes after, and their states. */
  parents: { id: string; state: UnitState }[];
  outcome: OutcomeRecord | undefined;
  /** Why there is no outcome although the unit has ended, one line; null where there is one or need be none. */
  outcomeTrouble: string | null;
  /** null where no path of a result is known. */
  result: ResultFacts | null;
  /** null for a unit without a workspace. */
  delta: DeltaFacts | null;
}

/** Reads what there is to know of a unit that was started. `set`: the workspaces of the run, if it has some. */
export function readUnitFacts(
  { run, units }: Pick<RunView, 'run' | 'units'>,
  view: UnitView,
  set: WorkspaceSet | undefined,
): UnitFacts {
  const stateDir = view.stateDir === null ? null : pathInRun(run, view.stateDir);
  const { outcome, trouble } = outcomeIn(stateDir);
  // The log lags where a supervisor died between the outcome and its event.
  const state = outcome && !isFinalState(view.state) ? outcome.status : view.state;
  const resultFile = outcome?.result?.path ?? view.resultFile;
  return {
    id: view.id,
    executor: view.spec.executor,
    mode: view.spec.mode,
    state,
    reason: outcome?.reason ?? view.reason,
    detail: outcome?.detail ?? view.detail,
    attempt: view.attempt,
    stateDir,
    stalled: view.stalled,
    staleParents: view.staleParents,
    parents: view.spec.after.map((id) => ({ id, state: units.get(id)?.state ?? 'created' })),
    outcome,
    outcomeTrouble: isFinalState(state) ? trouble : null,
    result: resultFile === null ? null : resultFacts(pathInRun(run, resultFile), outcome),
    delta: deltaFacts(run, view, set, outcome, stateDir),
  };
}

function outcomeIn(stateDir: string | null): { outcome: OutcomeRecord | undefined; trouble: string | null } {
  if (stateDir === null) return { outcome: undefined, trouble: 'it has no state dir' };
  try {
    const outcome = readOutcome(stateDir);
    if (outcome) return { outcome, trouble: null };
    const file = stateFile(stateDir, 'outcome');
    return { outcome: undefined, trouble: `${file} ${existsSync(file) ? 'cannot be read' : 'is missing'}` };
  } catch (error) {
    if (!(error instanceof PrunError)) throw error;
    // By a newer prun: this unit is in doubt, and the others are not.
    return { outcome: undefined, trouble: error.message };
  }
}

function resultFacts(file: string, outcome: OutcomeRecord | undefined): ResultFacts {
  const state = resultStateOf(file);
  const fallback = state === 'text' && isFallback(file);
  // What a command printed is its result as it is: nobody asked it for the fields.
  const isFree = outcome?.result?.origin === 'stdout';
  return {
    path: file,
    state,
    bytes: stampOf(file)?.size ?? 0,
    isFallback: fallback,
    missing: state === 'text' && !fallback && !isFree ? missingInResultFile(file) : [],
  };
}

function deltaFacts(
  run: Run,
  view: UnitView,
  set: WorkspaceSet | undefined,
  outcome: OutcomeRecord | undefined,
  stateDir: string | null,
): DeltaFacts | null {
  const noted = outcome?.delta ?? null;
  const workspace = set && readWorkspace(set, view.id);
  if (noted === null && !workspace) return withoutWorkspace(run, view, outcome);
  const collected = set && readDelta(set, view.id);
  // By hand, after the attempt had ended: then it says more than the outcome does.
  if (collected && isSince(collected, outcome, view)) return factsOf(collected);
  if (noted?.state !== 'collected') {
    const place = workspace?.folder ?? noted?.workspace;
    const { state, detail } = noted ?? UNCOLLECTED;
    return { state, detail, lost: [], files: 0, isGone: place !== undefined && !existsSync(place) };
  }
  const copies = [
    pathInRun(run, noted.patch),
    ...(stateDir === null ? [] : [stateFile(stateDir, 'patch')]),
    ...(collected ? [collected.patch.path] : []),
    keptPatch(run, view.id),
  ];
  if (copies.some((file) => existsSync(file))) {
    return { state: 'collected', detail: '', lost: noted.lost, files: noted.files, isGone: false };
  }
  const isGone = !existsSync(noted.workspace);
  return { state: 'not-collected', detail: `its patch ${noted.patch} has gone`, lost: [], files: 0, isGone };
}

const UNCOLLECTED = { state: 'not-collected', detail: 'nobody has collected its delta' } as const;

/** A unit that was to have a workspace, and of which none is left. */
function withoutWorkspace(
  run: Run,
  { id, spec }: UnitView,
  outcome: OutcomeRecord | undefined,
): DeltaFacts | null {
  const isIsolated = spec.mode === 'clone' || spec.mode === 'worktree';
  if (!isIsolated || outcome?.status !== 'succeeded') return null;
  // How many files it changes went with the records of the workspace.
  if (existsSync(keptPatch(run, id)))
    return { state: 'collected', detail: '', lost: [], files: 0, isGone: true };
  const detail = 'its workspace has gone, and nobody had collected its delta';
  return { state: 'not-collected', detail, lost: [], files: 0, isGone: true };
}

/** Whether a delta was taken after the attempt's work: after its outcome, or, where that holds none, after its result. */
function isSince(delta: DeltaRecord, outcome: OutcomeRecord | undefined, view: UnitView): boolean {
  const worked = outcome?.delta ? outcome.endedAt : workedUntil(view);
  return worked !== undefined && Date.parse(delta.collectedAt) >= Date.parse(worked);
}

/** When the worker last wrote its result, for a worker whose workspace nobody watches. */
function workedUntil({ resultFile, startedAt }: UnitView): string | undefined {
  try {
    if (resultFile !== null) return statSync(resultFile).mtime.toISOString();
  } catch {
    // No result: then its start has to do.
  }
  return startedAt ?? undefined;
}

function factsOf({ problems, files, moves }: DeltaRecord): DeltaFacts {
  const lost = problems.filter((problem) => problem.lost);
  return {
    state: 'collected',
    detail: '',
    lost: lost.map((problem) => `${shownPath(pathFromJson(problem.path))} ${problem.what}`),
    files: files.length + moves.length,
    isGone: false,
  };
}

/** The set of a run's workspaces: it has the run's name. */
export function setFolderOf(run: Pick<Run, 'stateHome' | 'record'>): string {
  return path.join(setsFolder(run.stateHome), run.record.id);
}
