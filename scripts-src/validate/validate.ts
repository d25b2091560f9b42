import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { monotonicMs, wallTime } from '../platform/clock.ts';
import { lineOf, plainError } from '../platform/errors.ts';
import { ownCommands } from '../supervise/owned-commands.ts';
import { buildFingerprint, environmentFingerprint } from './fingerprint.ts';
import { validateInOrder } from './in-order.ts';
import { makeOutput } from './output-folder.ts';
import { reserveResult, writeResult } from './result-file.ts';
import { requireEqualBuild } from './reused-build.ts';
import { cancelled, noteProgressOf, runStage, verdictOnDifference } from './run-stage.ts';
import { stepEnvironment } from './step-environment.ts';
import type { Validation, ValidationRequest } from './validation.ts';
import {
  STATUS_CODES,
  VALIDATION_FILES,
  VALIDATION_SCHEMA,
  type ValidationResult,
  type ValidationVerdict,
} from './validation-records.ts';
import { type TreeWatch, treePlaceOf, watchTree } from './watch-tree.ts';

/**
 * Validates one commit in one work tree, and leaves the evidence in a new folder. Gives the record and its file. Throws a
 * usage error before anything is run where the request cannot be carried out; after that every end is in the record.
 */
export async function validate(
  request: ValidationRequest,
): Promise<{ result: ValidationResult; file: string }> {
  const place = await treePlaceOf(request.job.worktree, 'worktree');
  const output = await makeOutput(request.output, place);
  const from = monotonicMs();
  const startedAt = wallTime();
  const folder = path.join(output, VALIDATION_FILES.own);
  const { host, script } = request;
  reserveResult(output);
  noteProgressOf({ host, output, startedAt }, null);
  const commands = await ownCommands({ host, name: 'validate', folder, script });
  const begun = await watchTree(place, request.job.commit, path.join(folder, 'index'));
  const watch = begun.kind === 'watch' ? begun.watch : undefined;
  const known = factsOf(request, watch);
  if (watch) requireReusable(request, known, output);
  request.listener.started({ output, commit: known.commit });
  const { workTree: worktree } = place;
  const validation = {
    ...request,
    ...known,
    output,
    worktree,
    startedAt,
    commands,
    watch,
    steps: [],
    checks: 1,
  };
  const verdict =
    begun.kind === 'different'
      ? await verdictOnDifference(request.interruption, 'before the first step', begun.difference)
      : await verdictOn(validation);
  const written = writeResult(output, recordOf(validation, verdict, (monotonicMs() - from) / 1000));
  // Not where something was thrown: then the guardian ends what may still run.
  commands.release();
  return written;
}

type KnownFacts = Pick<Validation, 'commit' | 'tree' | 'fingerprints' | 'stepVariables'>;

/** What follows from the job, the tree and the caller's environment. */
function factsOf({ job, environment }: ValidationRequest, watch: TreeWatch | undefined): KnownFacts {
  const stepVariables = stepEnvironment(
    { inherit: job.inheritEnvironment, set: job.environment },
    environment,
  );
  const commit = watch?.commit ?? job.commit;
  const ofSteps = environmentFingerprint(stepVariables);
  const inputs = { commit, tree: watch?.tree ?? '', commands: job.commands, environment: ofSteps };
  const fingerprints = { build: buildFingerprint(inputs), environment: ofSteps };
  return { commit, tree: watch?.tree ?? null, fingerprints, stepVariables };
}

/** Nothing was run: a build that cannot be taken over is a mistake of the call, and leaves nothing behind. */
function requireReusable(
  { reused, job }: ValidationRequest,
  { commit, fingerprints }: KnownFacts,
  output: string,
): void {
  if (!reused) return;
  try {
    requireEqualBuild(reused, { commit, commands: job.commands, fingerprints });
  } catch (error) {
    rmSync(output, { recursive: true, force: true });
    throw error;
  }
}

async function verdictOn(validation: Validation): Promise<ValidationVerdict> {
  const { job, reused, interruption } = validation;
  try {
    const verdict = await validateInOrder({
      isReused: reused !== undefined,
      has: (stage) => job.commands[stage] !== undefined,
      run: (stage) => runStage(validation, stage),
    });
    const signal = interruption.signal();
    return signal && verdict.status !== 'cancelled' ? cancelled(signal, 'after the last step') : verdict;
  } catch (error) {
    // A full disk, an output folder that is gone, no room for a process: nothing is known of the tree.
    const known = plainError(error);
    if (known === undefined) throw error;
    return { status: 'infrastructure-failed', reason: lineOf(known) };
  }
}

function recordOf(
  { job, reused, ...known }: Validation,
  { status, reason, signal }: ValidationVerdict,
  seconds: number,
): Omit<ValidationResult, 'checksum'> {
  return {
    schema: VALIDATION_SCHEMA,
    status,
    reason: reason.replace(/\s+/g, ' ').slice(0, 600),
    exitCode: status === 'cancelled' ? 128 + constants.signals[signal ?? 'SIGTERM'] : STATUS_CODES[status],
    signal: signal ?? null,
    startedAt: known.startedAt,
    endedAt: wallTime(),
    seconds,
    worktree: known.worktree,
    commit: known.commit,
    tree: known.tree,
    job: { file: job.file, sha256: job.sha256 },
    commands: job.commands,
    stepTimeoutSeconds: job.stepTimeoutSeconds,
    environment: Object.keys(known.stepVariables).sort(),
    fingerprints: known.fingerprints,
    reused: reused ? { result: reused.file, sha256: reused.sha256 } : null,
    recovered: known.steps.some(({ stage, outcome }) => stage === 'recover' && outcome === 'ok'),
    checks: known.checks,
    steps: known.steps,
  };
}
