import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT, PrunError, usageError } from '../platform/errors.ts';
import { faultPoint } from '../platform/fault.ts';
import { PRIVATE_FILE } from '../platform/files.ts';
import { nearestWord } from '../platform/nearest-word.ts';
import { stateHome as usualStateHome } from '../platform/state-home.ts';
import { currentHost } from '../process/host.ts';
import { progressLine } from '../render/progress-line.ts';
import { commandTextFor } from '../run/command-text.ts';
import { ensureSupervisor } from '../run/ensure-supervisor.ts';
import { keepEnvironment } from '../run/keep-environment.ts';
import { newSpec, unitDefaults } from '../run/manifest/new-spec.ts';
import { type Manifest, readManifest } from '../run/manifest/read-manifest.ts';
import { outerUnit } from '../run/outer-unit.ts';
import type { UnitSpec } from '../run/records.ts';
import { postRequest } from '../run/requests.ts';
import { refuseSharedResults } from '../run/result-places.ts';
import { contextFileOf, createRun, type Run, readRun, refuseTaken, runsFolder } from '../run/run-folder.ts';
import { defaultJobs, machineNow } from '../run/supervisor/room-for-start.ts';
import { writeSpecs } from '../run/unit-specs.ts';
import { keepJob, validationWish } from '../run/validation-unit.ts';
import { printedName } from '../unit/printed-name.ts';
import { type Job, readJob } from '../validate/job.ts';
import { provideSet } from '../workspace/base/create-set.ts';
import { draftsIn } from '../workspace/base/dead-drafts.ts';
import { readSource, type SourceRepository } from '../workspace/base/source-repo.ts';
import { refuseStateAmongFiles } from '../workspace/base/state-home-place.ts';
import { refuseWaitingRulesOf } from '../workspace/base/waiting-rules.ts';
import { planWarm } from '../workspace/warm/warm.ts';
import { setsFolder } from '../workspace/workspace-set.ts';
import { mistakeLines, mistakesError } from './manifest-mistakes.ts';
import { overlapNotes } from './overlap-notes.ts';
import { parseRun, RUN_HELP, type RunArguments } from './run-arguments.ts';
import { NEW_RUN, planJson, planText, promptOf, type RunPlan } from './run-plan.ts';
import { sessionLine } from './session-line.ts';

/** `prun run`: starts the units of a manifest, and returns. */
export async function run(argv: readonly string[], prun: string): Promise<number> {
  const options = parseRun(argv, process.env, process.cwd());
  if (!options) {
    process.stdout.write(RUN_HELP);
    return EXIT.ok;
  }
  const outerMarker = outerUnit(process.env, options.allowNested || options.dryRun);
  const manifest = checkedManifest(options);
  const defaults = unitDefaults(process.env, process.cwd());
  const job = jobOf(options);
  const added = job ? [validationWish(manifest.units, job, prun)] : [];
  const specs = [...manifest.units, ...added].map((wish) => newSpec(wish, defaults));
  const name = options.run ?? manifest.run ?? NEW_RUN;
  refuseSharedResults(
    { folder: path.join(runsFolder(options.stateHome), name), stateHome: options.stateHome },
    specs,
  );
  const source = await sourceOf(options, manifest, specs);
  for (const note of overlapNotes(specs)) process.stderr.write(`NOTE ${note}\n`);
  if (options.dryRun) return showPlan(options, manifest, specs, source);
  const started = await makeRun(options, manifest, specs, job, source, outerMarker);
  faultPoint('run:made', started.folder);
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ run: started.record.id, dir: started.folder })}\n`);
  } else {
    const head = [`RUN ${started.record.id}`, `DIR ${printedName(started.folder)}`];
    process.stdout.write(linesOf([...head, ...sessionLine(started, specs)]));
  }
  await ensureSupervisor(await currentHost(), started);
  if (options.wait) return waitFor(started, options);
  if (!options.json) {
    const command = commandTextFor(started, usualStateHome(process.env));
    process.stdout.write(linesOf([`NEXT ${command('wait')}`, `NEXT ${command('status')}`]));
  }
  return EXIT.ok;
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

async function waitFor({ record }: Run, { stateHome, json }: RunArguments): Promise<number> {
  const { wait } = await import('./wait.ts');
  return wait(['--run', record.id, '--state-home', stateHome, ...(json ? ['--json'] : [])]);
}

/** The job of --validate. Where it runs and at which commit is known when all results are there. */
function jobOf({ validate, file }: RunArguments): Job | undefined {
  if (validate === undefined) return undefined;
  const job = readJob(validate, { worktree: path.dirname(file), commit: '0000000' });
  if (job.leftAside.length > 0) {
    process.stderr.write(
      `NOTE ${validate}: ${job.leftAside.join(' and ')} ${job.leftAside.length === 1 ? 'is' : 'are'} left aside: the merged results are validated in a clone of their own\n`,
    );
  }
  return job;
}

function checkedManifest({ file, repository }: RunArguments): Manifest {
  const read = readManifest(file, { repository });
  if (read.kind === 'manifest') return read.manifest;
  for (const line of mistakeLines(read.file, read.mistakes)) process.stderr.write(`${line}\n`);
  throw mistakesError(read.file, read.mistakes);
}

/** The repository, when it can be used for all that is asked of it. */
async function sourceOf(
  options: RunArguments,
  manifest: Manifest,
  specs: readonly UnitSpec[],
): Promise<SourceRepository | undefined> {
  if (manifest.repository === undefined) return undefined;
  const source = await namedSource(manifest.repository, options);
  if (!needsBase(specs)) return source;
  await refuseStateAmongFiles(source, options.stateHome);
  const warm = [...new Set(specs.flatMap((spec) => spec.warm))];
  if (warm.length > 0) {
    await refuseWaitingRulesOf(source);
    await planWarm(source, { paths: warm, anyway: false });
  }
  return source;
}

/** What is wrong with it is said of the place where it was named. */
async function namedSource(named: string, { file, repository }: RunArguments): Promise<SourceRepository> {
  try {
    return await readSource(named);
  } catch (error) {
    if (repository !== undefined || !(error instanceof PrunError)) throw error;
    throw usageError(error.message.replace(/^--repo/, `${file}: repo`), error.next);
  }
}

function needsBase(specs: readonly UnitSpec[]): boolean {
  return specs.some(({ mode }) => mode === 'clone' || mode === 'worktree');
}

/**
 * Makes the run with all that its supervisor needs, the request to start included: from the moment that it has its
 * name, whoever looks at it goes on with it, even if this process is killed.
 */
async function makeRun(
  options: RunArguments,
  manifest: Manifest,
  specs: readonly UnitSpec[],
  job: Job | undefined,
  source: SourceRepository | undefined,
  outerMarker: string | null,
): Promise<Run> {
  const { stateHome } = options;
  const name = options.run ?? manifest.run;
  if (name !== undefined) refuseTaken(stateHome, name);
  const setFolder = name === undefined ? undefined : path.join(setsFolder(stateHome), name);
  if (setFolder !== undefined && existsSync(setFolder) && source && needsBase(specs)) {
    throw usageError(
      `there are workspaces of a run ${name} already (${setFolder}), with a base of their own`,
      `give another --run, or remove them with prun cleanup --run ${name} --everything`,
    );
  }
  const wanted = {
    repository: source?.workTree ?? null,
    integration: null,
    schedule: { ...manifest.schedule, ...options.schedule },
    resources: manifest.resources,
    outerMarker,
  };
  removeDeadRuns(stateHome);
  const progress = progressLine(process.stderr);
  try {
    return await createRun(stateHome, name, wanted, async (draft) => {
      const folder = { folder: draft };
      writeSpecs(draft, specs);
      if (job) keepJob(draft, job);
      if (manifest.context !== undefined) {
        writeFileSync(contextFileOf(folder), manifest.context, { mode: PRIVATE_FILE });
      }
      const environment = keepEnvironment(folder, process.env, specs);
      postRequest(folder, { type: 'start', units: null, schedule: {}, environment });
      faultPoint('run:draft', stateHome);
      const id = readRun(draft)?.record.id;
      if (!source || !needsBase(specs) || id === undefined) return;
      progress.say(`freezing the base: ${source.workTree}`);
      await provideSet(stateHome, source, id);
    });
  } finally {
    progress.clear();
  }
}

/** What a call that was killed has left before its run had a name: nobody can go on with it. */
function removeDeadRuns(stateHome: string): void {
  const home = runsFolder(stateHome);
  if (!existsSync(home)) return;
  for (const { file, isDead } of draftsIn(home)) {
    // What prun init has left may say where its worktree is.
    if (isDead && readRun(file)?.record.integration === null) rmSync(file, { recursive: true, force: true });
  }
}

function showPlan(
  options: RunArguments,
  manifest: Manifest,
  units: readonly UnitSpec[],
  source: SourceRepository | undefined,
): number {
  const schedule = { ...manifest.schedule, ...options.schedule };
  const plan: RunPlan = {
    run: options.run ?? manifest.run ?? NEW_RUN,
    stateHome: options.stateHome,
    repository: source?.workTree ?? null,
    schedule,
    jobsNow: schedule.jobs ?? defaultJobs(machineNow()),
    resources: manifest.resources,
    context: manifest.context,
    units,
  };
  if (options.unit !== undefined) process.stdout.write(promptOf(plan, specNamed(options.unit, units)));
  else if (options.json) process.stdout.write(`${JSON.stringify(planJson(plan), null, 2)}\n`);
  else process.stdout.write(planText(plan, process.stdout.isTTY === true));
  return EXIT.ok;
}

function specNamed(id: string, units: readonly UnitSpec[]): UnitSpec {
  const found = units.find((spec) => spec.id === id);
  if (found) return found;
  const ids = units.map((spec) => spec.id);
  const near = nearestWord(id, ids) ?? ids.slice(0, 10).join(', ');
  throw usageError(`the manifest has no unit ${JSON.stringify(id)}`, `is ${near} meant?`);
}
