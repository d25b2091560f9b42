import path from 'node:path';
import { stateFile } from '../../unit/state-dir.ts';
import { SET_FILES, setsFolder } from '../../workspace/workspace-set.ts';
import { pathInRun } from '../path-in-run.ts';
import { defaultResultFile, promptFileOf, type Run } from '../run-folder.ts';
import type { UnitView } from '../run-view.ts';
import { evidenceOf } from './evidence-of.ts';

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
  return placesIn(run)(unit);
}

/** The same for many units: what is common to all is worked out once. */
export function placesIn(run: Run): (unit: UnitView) => UnitPlaces {
  const prompts = folderOf(promptFileOf(run, 'unit'));
  const results = folderOf(defaultResultFile(run, 'unit'));
  const clones = path.join(setsFolder(run.stateHome), run.record.id, SET_FILES.clones) + path.sep;
  // What is recorded of a run that was moved or copied lies below its folder now.
  const here = (file: string): string => (run.isHome ? file : pathInRun(run, file));
  const workspaceOf = ({ id, spec }: UnitView): string | null => {
    if (spec.mode === 'scratch') return null;
    return spec.mode === 'inplace' ? run.record.repository : clones + id;
  };
  return (unit) => {
    const { id, spec, stateDir } = unit;
    const wasDispatched = stateDir !== null || unit.attempt > 1 || unit.state === 'dispatching';
    return {
      promptFile: wasDispatched ? `${prompts}${id}.md` : null,
      stateDir: stateDir === null ? null : here(stateDir),
      workspace: spec.workspace ?? (wasDispatched ? workspaceOf(unit) : null),
      resultFile: here(unit.resultFile ?? spec.resultFile ?? `${results}${id}.md`),
    };
  };
}

/** The folder of the file `unit.md`, with its separator. */
function folderOf(file: string): string {
  return path.dirname(file) + path.sep;
}

/** What explains a unit's end beside its result: the evidence of a validation, or what its own failed check printed. */
export function verifyLogOf(
  run: Run,
  unit: Pick<UnitView, 'id' | 'attempt' | 'reason' | 'stateDir'>,
): string | null {
  const { reason, stateDir } = unit;
  const evidence = evidenceOf(run, unit);
  if (evidence) return evidence.result;
  return reason === 'verify' && stateDir !== null ? pathInRun(run, stateFile(stateDir, 'verifyLog')) : null;
}

/** Whether a unit has ended and left a result, whoever wrote it. */
export function hasResult({ endedAt, resultFile }: Pick<UnitView, 'endedAt' | 'resultFile'>): boolean {
  return endedAt !== null && resultFile !== null;
}
