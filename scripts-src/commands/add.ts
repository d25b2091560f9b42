import { EXIT, PrunError, usageError } from '../platform/errors.ts';
import { faultPoint } from '../platform/fault.ts';
import { readEnd } from '../platform/files.ts';
import { nearestWord } from '../platform/nearest-word.ts';
import { lastValue } from '../platform/read-flags.ts';
import { type IsMachineWide, machineWideIn } from '../run/machine-slots.ts';
import { newSpec, type UnitWish, unitDefaults } from '../run/manifest/new-spec.ts';
import { defaultMode } from '../run/manifest/unit-rules.ts';
import type { UnitSpec } from '../run/records.ts';
import { requireHome } from '../run/require-home.ts';
import { refuseSharedResults } from '../run/result-places.ts';
import { checkedRunName, defaultResultFile, openRun, type Run } from '../run/run-folder.ts';
import { addSpec, type KnownUnit, readUnits } from '../run/unit-specs.ts';
import { printedName } from '../unit/printed-name.ts';
import { ADD_HELP, type AddArguments, parseAdd } from './add-arguments.ts';
import { type AddedWorkspace, makeAddedWorkspace } from './add-workspace.ts';
import { stateHomeFrom } from './clone-arguments.ts';

const LOG_BYTES = 2048;

/** `prun add`: one more unit of a run, with its workspace where that is made now. */
export async function add(argv: readonly string[]): Promise<number> {
  const request = parseAdd(argv, process.cwd());
  if (!request) {
    process.stdout.write(ADD_HELP);
    return EXIT.ok;
  }
  const run = runOf(request);
  const wish = { ...request.wish, mode: modeOf(request, run) };
  const { units } = readUnits(run);
  refuseWrong(run, units, wish);
  // Settings of the environment are checked before anything is made.
  const defaults = unitDefaults(process.env, process.cwd());
  const made = isMadeNow(run, wish) ? await makeNow(run, wish) : undefined;
  faultPoint('add:made', run.folder);
  const spec = newSpec({ ...wish, workspace: made?.folder }, defaults);
  addSpec(run, spec);
  process.stdout.write(request.json ? json(run, spec) : lines(spec, made));
  return EXIT.ok;
}

function runOf({ flags }: AddArguments): Run {
  const name = lastValue(flags, '--run');
  if (name === undefined) throw usageError('--run is missing', 'name the run: prun add --run <id>');
  const run = openRun(stateHomeFrom(flags, process.env, process.cwd()), checkedRunName(name));
  requireHome(run);
  return run;
}

function modeOf({ mode, wish }: AddArguments, { record }: Run): UnitWish['mode'] {
  if (mode !== undefined) return mode;
  if (record.integration && wish.executor !== 'session') return 'worktree';
  return defaultMode(wish.executor, record.repository !== null);
}

function refuseWrong(run: Run, units: ReadonlyMap<string, KnownUnit>, wish: UnitWish): void {
  const { record } = run;
  if (wish.mode !== 'scratch' && record.repository === null) {
    throw usageError(
      `mode ${wish.mode} needs a repository, and run ${record.id} has none`,
      'use --mode scratch, or a run that was made with --repo',
    );
  }
  // Of file systems that do not tell upper from lower case: each unit has files of its name.
  const same = [...units.keys()].find((id) => id.toLowerCase() === wish.id.toLowerCase());
  if (same !== undefined) {
    throw usageError(
      `unit ${same} is in run ${record.id} already`,
      `give another --unit, or see prun status --run ${record.id}`,
    );
  }
  const stranger = (wish.after ?? []).find((parent) => !units.has(parent));
  if (stranger !== undefined) {
    const near = nearestWord(stranger, [...units.keys()]);
    throw usageError(
      `--after names ${JSON.stringify(stranger)}, which is no unit of run ${record.id}`,
      near === undefined ? 'add that unit first' : `is ${near} meant?`,
    );
  }
  const declared = Object.keys(record.resources);
  const isMachineWide = machineWideIn(process.env);
  const unknown = (wish.resources ?? []).find((name) => !declared.includes(name) && !isMachineWide(name));
  if (unknown !== undefined && declared.length > 0) {
    throw usageError(`the run has no resource ${JSON.stringify(unknown)}`, `use ${declared.join(', ')}`);
  }
  refuseUselessSlots(wish, isMachineWide);
  refuseSharedResults(
    run,
    [{ id: wish.id, resultFile: wish.resultFile ?? null }],
    [...units.values()].map(({ spec }) => spec),
  );
}

function refuseUselessSlots({ verify, verifyResources = [] }: UnitWish, isMachineWide: IsMachineWide): void {
  const unknown = verifyResources.find((name) => !isMachineWide(name));
  if (unknown !== undefined) {
    const next = 'see resource-run --list for the names that there are';
    throw usageError(
      `--verify-resource names ${JSON.stringify(unknown)}, which is no slot of the machine`,
      next,
    );
  }
  if (verifyResources.length > 0 && verify === undefined) {
    throw usageError('--verify-resource does nothing without --verify', 'give --verify, or leave it out');
  }
}

/**
 * Whether the workspace is made by this call: a run with an integration worktree has no frozen base, each of its units
 * starts from that tree as it stands. What builds on results has to wait for them.
 */
function isMadeNow({ record }: Run, { mode, after }: UnitWish): boolean {
  const hasFiles = mode === 'clone' || mode === 'worktree';
  return record.integration !== null && hasFiles && (after ?? []).length === 0;
}

async function makeNow(run: Run, wish: UnitWish): Promise<AddedWorkspace> {
  const made = await makeAddedWorkspace(run, wish);
  if (made.kind === 'failed') throw cloneError(made.stderr, made.code);
  const { setup, notes } = made.workspace;
  for (const note of notes) process.stderr.write(`NOTE ${note}\n`);
  if (setup === null || setup.exitCode === 0) return made.workspace;
  const output = readEnd(setup.log, LOG_BYTES).trim();
  if (output !== '') process.stderr.write(`${output}\n`);
  throw new PrunError(
    'E_SETUP',
    `the setup of unit ${wish.id} ended with ${setup.exitCode}, and the unit was not added`,
    `the end of its output is above, all of it in ${setup.log}: correct it and add the unit again`,
    EXIT.unitFailed,
  );
}

/** The one line that `prun clone` ended with, as this command's own. */
function cloneError(stderr: string, code: number): PrunError {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  const [, message, next] = /^prun clone: (.*): (.*?)$/.exec(line) ?? [];
  return message !== undefined && next !== undefined
    ? new PrunError('E_CLONE', message, next, code)
    : new PrunError('E_CLONE', `prun clone ended with ${code} (${line.slice(0, 400)})`, 'see above', code);
}

function lines(spec: UnitSpec, made: AddedWorkspace | undefined): string {
  const name = spec.mode === 'worktree' ? 'worktree' : 'workspace';
  return [`unit=${spec.id}`, ...(made ? [`${name}=${printedName(made.folder)}`] : []), ''].join('\n');
}

function json(run: Run, spec: UnitSpec): string {
  const { id: unit, executor, mode, workspace } = spec;
  const resultFile = spec.resultFile ?? defaultResultFile(run, unit);
  return `${JSON.stringify({ run: run.record.id, unit, executor, mode, workspace, resultFile })}\n`;
}
