import { EXIT, messageOf, PrunError } from '../platform/errors.ts';
import { faultPoint } from '../platform/fault.ts';
import { stateHome as usualStateHome } from '../platform/state-home.ts';
import { currentHost } from '../process/host.ts';
import { type ProgressLine, progressLine } from '../render/progress-line.ts';
import { commandTextFor } from '../run/command-text.ts';
import { outerUnit } from '../run/outer-unit.ts';
import { createRun, type NewRun, ownName, type Run, refuseTaken } from '../run/run-folder.ts';
import { readSource } from '../workspace/base/source-repo.ts';
import { refuseStateAmongFiles } from '../workspace/base/state-home-place.ts';
import {
  makeIntegration,
  type PlannedIntegration,
  planIntegration,
} from '../workspace/integration/make-integration.ts';
import { primaryCheckout } from '../workspace/integration/primary-checkout.ts';
import { holdRepository } from '../workspace/integration/repository-lock.ts';
import { INIT_HELP, type InitArguments, parseInit } from './init-arguments.ts';

/** `prun init`: a run without units, with an integration worktree where there is a repository. */
export async function init(argv: readonly string[]): Promise<number> {
  const request = parseInit(argv, process.env, process.cwd());
  if (!request) {
    process.stdout.write(INIT_HELP);
    return EXIT.ok;
  }
  const outerMarker = outerUnit(process.env, request.allowNested);
  const progress = progressLine(process.stderr);
  try {
    const made = await makeRun(request, outerMarker, progress);
    progress.clear();
    tell(made, request.json);
    return EXIT.ok;
  } finally {
    progress.clear();
  }
}

interface MadeRun {
  run: Run;
  notes: string[];
}

async function makeRun(
  request: InitArguments,
  outerMarker: string | null,
  progress: ProgressLine,
): Promise<MadeRun> {
  const { stateHome, repository } = request;
  if (repository === undefined) {
    const wanted = newRun(request, outerMarker, undefined);
    return { run: await createRun(stateHome, request.run, wanted), notes: [] };
  }
  progress.say(`reading ${repository}`);
  const source = await readSource(repository);
  await refuseStateAmongFiles(source, stateHome);
  const id = request.run ?? ownName(primaryCheckout(source));
  await holdRepository(await currentHost(), stateHome, source.commonDir, (holder) => {
    progress.say(`waiting for another prun init in this repository (process ${holder.split(':')[1]})`);
  });
  // Who comes late is told before anything is fetched for it; the rename of the run's folder decides.
  refuseTaken(stateHome, id);
  const planned = await planIntegration({
    repository,
    run: id,
    baseRef: request.baseRef,
    say: progress.say,
  });
  // The run first: what is made for it afterwards is in its record, whatever happens to this process.
  const run = await createRun(stateHome, id, newRun(request, outerMarker, planned));
  faultPoint('init:run', run.folder);
  progress.say(`making ${planned.integration.worktree}`);
  try {
    await makeIntegration(planned);
  } catch (error) {
    throw halfMade(run, error);
  }
  faultPoint('init:worktree', run.folder);
  return { run, notes: planned.notes };
}

function newRun(
  request: InitArguments,
  outerMarker: string | null,
  planned: PlannedIntegration | undefined,
): NewRun {
  return {
    repository: planned?.integration.worktree ?? null,
    integration: planned?.integration ?? null,
    schedule: { jobs: null, delaySeconds: 0, memfreeBytes: null, load: null, ...request.schedule },
    resources: {},
    outerMarker,
  };
}

/** A run whose worktree could not be made is there to be looked at, and to be removed. */
function halfMade(run: Run, error: unknown): PrunError {
  const remove = commandTextFor(run, usualStateHome(process.env))('cleanup', '--everything');
  const [code, exitCode] = error instanceof PrunError ? [error.code, error.exitCode] : ['E_INTEGRATION', 1];
  const what = `run ${run.record.id} has no integration worktree: ${messageOf(error)}`;
  return new PrunError(code, what, `put that right; this run is removed with: ${remove}`, exitCode);
}

function tell({ run, notes }: MadeRun, json: boolean): void {
  const { id, integration } = run.record;
  for (const note of notes) process.stderr.write(`prun init: note: ${note.replace(/\s*[\r\n]+\s*/g, ' ')}\n`);
  if (json) {
    process.stdout.write(`${JSON.stringify({ run: id, dir: run.folder, integration, notes }, null, 2)}\n`);
    return;
  }
  const worktree = integration === null ? '' : `integration_worktree=${integration.worktree}\n`;
  process.stdout.write(`run=${id}\nstate_dir=${run.folder}\n${worktree}`);
}
