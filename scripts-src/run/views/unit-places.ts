import path from 'node:path';
import { SET_FILES, setsFolder } from '../../workspace/workspace-set.ts';
import { defaultResultFile, promptFileOf, type Run } from '../run-folder.ts';
import type { UnitView } from '../run-view.ts';

/** Where the things of one unit lie, absolute; null where there is no such thing. */
export interface UnitPlaces {
  /** The whole prompt of its newest attempt. */
  promptFile: string | null;
  stateDir: string | null;
  /** Where it works: a clone, a worktree, the user's own tree; null for a scratch unit and before its start. */
  workspace: string | null;
  /** Its result, or where it is expected. */
  resultFile: string;
}

/** Places of a unit by arithmetic: nothing is looked up on the disk. */
export function unitPlaces(run: Run, unit: UnitView): UnitPlaces {
  const { spec, stateDir } = unit;
  const wasDispatched = stateDir !== null || unit.attempt > 1 || unit.state === 'dispatching';
  return {
    promptFile: wasDispatched && spec.executor !== 'session' ? promptFileOf(run, unit.id) : null,
    stateDir,
    workspace: spec.workspace ?? (wasDispatched ? usualWorkspace(run, unit) : null),
    resultFile: unit.resultFile ?? spec.resultFile ?? defaultResultFile(run, unit.id),
  };
}

function usualWorkspace(run: Run, { id, spec }: UnitView): string | null {
  if (spec.mode === 'scratch') return null;
  if (spec.mode === 'inplace') return run.record.repository;
  return path.join(setsFolder(run.stateHome), run.record.id, SET_FILES.clones, id);
}

/** Whether a unit has ended and left a result, whoever wrote it. */
export function hasResult({ endedAt, resultFile }: Pick<UnitView, 'endedAt' | 'resultFile'>): boolean {
  return endedAt !== null && resultFile !== null;
}
