import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { PRIVATE_DIR, PRIVATE_FILE } from '../platform/files.ts';
import { type Job, type JobPlace, readJob } from '../validate/job.ts';
import { VALIDATION_FILES } from '../validate/validation-records.ts';
import type { UnitWish } from './manifest/new-spec.ts';
import type { Run } from './run-folder.ts';

/** Id of the unit that validates what all other units of a run have made together. */
export const VALIDATION_UNIT = 'validation';

/** The command that its worker is: called by prun alone. */
export const VALIDATION_COMMAND = 'run-validation';

/** Slot of the machine that it holds: one heavy thing at a time. */
const RESOURCE = 'heavy';

/** Where a run keeps its job and the evidence of each attempt. */
export function validationFolder({ folder }: Pick<Run, 'folder'>): string {
  return path.join(folder, 'validation');
}

/** Where the evidence of an attempt is, or will be. */
export function evidenceFile(run: Pick<Run, 'folder'>, attempt: number): string {
  return path.join(validationFolder(run), String(attempt), VALIDATION_FILES.result);
}

/** Folder of the run in which a unit's result has its usual place (`agent-io/results/<unit>.md`). */
export function folderOfResult(resultFile: string): string {
  return path.resolve(resultFile, '../../..');
}

/**
 * The unit that validates a run: in a clone whose base is the merge of all results, after all units that change code. It
 * gets what they get for a workspace: their warm paths, and their setup where they have one in common.
 *
 * @param prun the compiled script
 */
export function validationWish(units: readonly UnitWish[], job: Job, prun: string): UnitWish {
  const code = units.filter(({ mode }) => mode === 'clone' || mode === 'worktree');
  refuseOthers(units, code);
  const setups = [...new Set(code.flatMap(({ setup }) => setup ?? []))];
  return {
    id: VALIDATION_UNIT,
    executor: 'command',
    mode: 'clone',
    prompt: `Validate the results of ${code.map(({ id }) => id).join(', ')} together (${job.file}).`,
    after: code.map(({ id }) => id),
    argv: [process.execPath, prun, VALIDATION_COMMAND, '--result', '{result_file}'],
    // Its steps have a time limit of their own; without one somebody has to hear of a silent step.
    stallThreshold: 0,
    timeout: 0,
    ...(job.stepTimeoutSeconds > 0 ? { stallNotice: 0 } : {}),
    resources: [RESOURCE],
    warm: [...new Set(code.flatMap(({ warm }) => warm ?? []))],
    setup: setups.length === 1 ? setups[0] : undefined,
    passEnv: job.inheritEnvironment,
  };
}

function refuseOthers(units: readonly UnitWish[], code: readonly UnitWish[]): void {
  if (units.some(({ id }) => id === VALIDATION_UNIT)) {
    throw usageError(
      `the manifest has a unit ${VALIDATION_UNIT}, and --validate adds one of that name`,
      'give the unit another id',
    );
  }
  const inPlace = units.find(({ mode }) => mode === 'inplace');
  if (inPlace) {
    throw usageError(
      `unit ${inPlace.id} works in place, so there is no tree of all results that --validate could check`,
      'give it mode clone, or run validate-run afterwards on what was committed',
    );
  }
  if (code.length > 0) return;
  throw usageError('--validate is given, and no unit changes code', 'it is for units in clones or worktrees');
}

/** Keeps a job in the draft of a run: what is validated does not change when somebody edits the user's file. */
export function keepJob(draft: string, job: Job): void {
  mkdirSync(validationFolder({ folder: draft }), { mode: PRIVATE_DIR });
  writeJob(path.join(validationFolder({ folder: draft }), 'job.json'), job, {});
}

/** The job of one attempt: the kept one, for the clone in which it runs. */
export function jobOfAttempt(run: Pick<Run, 'folder'>, attempt: number, place: JobPlace): Job {
  const kept = readJob(path.join(validationFolder(run), 'job.json'), place);
  const file = path.join(validationFolder(run), `${attempt}.json`);
  writeJob(file, kept, place);
  return readJob(file);
}

function writeJob(file: string, job: Job, place: Partial<JobPlace>): void {
  const written = {
    ...place,
    environment: job.environment,
    inherit_environment: job.inheritEnvironment,
    step_timeout: job.stepTimeoutSeconds,
    ...job.commands,
  };
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`, { mode: PRIVATE_FILE });
}

/** Whether a run validates its results. */
export function hasValidation(run: Pick<Run, 'folder'>): boolean {
  return existsSync(path.join(validationFolder(run), 'job.json'));
}
