import { existsSync } from 'node:fs';
import { PrunError } from '../../platform/errors.ts';
import { readOutcome } from '../../unit/read-records.ts';
import { readResult } from '../../validate/result-file.ts';
import type { ValidationStatus } from '../../validate/validation-records.ts';
import { pathInRun } from '../path-in-run.ts';
import type { RunView, UnitView } from '../run-view.ts';
import { evidenceFile, hasValidation, VALIDATION_UNIT } from '../validation-unit.ts';

/** What a run's validation has found, and where its evidence lies. */
export interface RunEvidence {
  status: ValidationStatus;
  commit: string;
  tree: string | null;
  /** Absolute path of `result.json`. */
  result: string;
}

/** The evidence of a unit's newest attempt; null for every unit but the validation, and while it has none. */
export function evidenceOf(run: RunView['run'], unit: Pick<UnitView, 'id' | 'attempt'>): RunEvidence | null {
  if (unit.id !== VALIDATION_UNIT || !hasValidation(run)) return null;
  const file = evidenceFile(run, unit.attempt);
  if (!existsSync(file)) return null;
  try {
    const { result, isWhole } = readResult(file, 'the evidence');
    // One that somebody has edited proves nothing, whatever stands in it.
    const status = isWhole ? result.status : 'invalid-evidence';
    return { status, commit: result.commit, tree: result.tree, result: file };
  } catch (error) {
    if (!(error instanceof PrunError)) throw error;
    // Somebody has changed it: nothing is known, and `validate-run --verify-evidence` says so.
    return null;
  }
}

/** The evidence of a run that validates; null where it has no validation, or no evidence yet. */
export function evidenceOfRun(view: Pick<RunView, 'run' | 'units'>): RunEvidence | null {
  const unit = view.units.get(VALIDATION_UNIT);
  return unit ? evidenceOf(view.run, unit) : null;
}

/**
 * The tree that a run's validation has seen, as the run's store has it: with the files of submodules, and so comparable with
 * what an apply makes. null where that is not known.
 */
export function validatedTree({ run, units }: Pick<RunView, 'run' | 'units'>): string | null {
  const stateDir = units.get(VALIDATION_UNIT)?.stateDir;
  const delta = stateDir ? readOutcome(pathInRun(run, stateDir))?.delta : undefined;
  return delta?.state === 'collected' && delta.files === 0 ? delta.base : null;
}

/** `passed commit=0123456789ab tree=… <path>`, ids in short. */
export function evidenceText({ status, commit, tree, result }: RunEvidence): string {
  return `${status} commit=${commit.slice(0, 12)} tree=${tree?.slice(0, 12) ?? 'none'} ${result}`;
}
