import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT, lineOf, PrunError, usageError } from '../platform/errors.ts';
import { lastValue } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import { askSupervisor } from '../run/ask-supervisor.ts';
import { newSpec, type UnitDefaults } from '../run/manifest/new-spec.ts';
import type { UnitSpec } from '../run/records.ts';
import { requireHome } from '../run/require-home.ts';
import { refuseSharedResults } from '../run/result-places.ts';
import { checkedRunName, createRun, defaultResultFile, readRun, runsFolder } from '../run/run-folder.ts';
import { setFolderOf } from '../run/unit-facts.ts';
import { addSpec, readUnits } from '../run/unit-specs.ts';
import { printedName } from '../unit/printed-name.ts';
import { resultStateOf } from '../unit/result-file.ts';
import { readSet, readWorkspace } from '../workspace/workspace-set.ts';
import { stateHomeFrom } from './clone-arguments.ts';
import { parseRegister, REGISTER_HELP, type RegisterArguments } from './register-arguments.ts';
import { type NamedRun, runOfFlags } from './run-of-flags.ts';

const ANSWER_MS = 60_000;

/** What no subagent of a session has. */
const NO_DEFAULTS: UnitDefaults = {
  sandbox: null,
  isolateMcp: true,
  codexBin: null,
  reasoningEffort: null,
  stallThreshold: 0,
  timeout: 0,
};

/** `prun register`: a unit that the coordinator's own session runs. */
export async function register(argv: readonly string[]): Promise<number> {
  const request = parseRegister(argv, process.cwd());
  if (!request) {
    process.stdout.write(REGISTER_HELP);
    return EXIT.ok;
  }
  if (request.isNew) await makeRunIfMissing(request);
  const named = runOfFlags(request.flags, 'register');
  requireHome(named.run);
  const spec = sessionSpec(named, request);
  addSpec(named.run, spec);
  await startUnit(named, spec.id);
  const resultFile = spec.resultFile ?? defaultResultFile(named.run, spec.id);
  const isThere = resultStateOf(resultFile) === 'text';
  const facts = { run: named.run.record.id, unit: spec.id, resultFile, isThere };
  process.stdout.write(
    request.json ? `${JSON.stringify(facts)}\n` : report(named, spec, resultFile, isThere),
  );
  return EXIT.ok;
}

/** Two sessions may make the same run at once: one makes it, both use it. */
async function makeRunIfMissing({ flags }: RegisterArguments): Promise<void> {
  const stateHome = stateHomeFrom(flags, process.env, process.cwd());
  const id = lastValue(flags, '--run');
  if (id === undefined) throw usageError('--run is missing', 'name the run: prun register --run <id> --new');
  const folder = path.join(runsFolder(stateHome), checkedRunName(id));
  if (existsSync(folder)) return;
  try {
    await createRun(stateHome, id, {
      repository: null,
      integration: null,
      schedule: { jobs: null, delaySeconds: 0, memfreeBytes: null, load: null },
      resources: {},
      outerMarker: process.env.PRUN_UNIT ?? null,
    });
  } catch (error) {
    if (!readRun(folder, stateHome)) throw error;
  }
}

function sessionSpec({ run }: NamedRun, request: RegisterArguments): UnitSpec {
  const { unit, resultFile, prompt, timeoutSeconds } = request;
  const there = [...readUnits(run).units.values()].map(({ spec }) => spec);
  // The same call again is told that the unit is there, not that its path is.
  refuseSharedResults(run, [{ id: unit, resultFile: resultFile ?? null }], there);
  const set = readSet(setFolderOf(run));
  const workspace = set && readWorkspace(set, unit);
  return newSpec(
    {
      id: unit,
      executor: 'session',
      // prun neither makes nor sees its place, unless the coordinator has made it a clone.
      mode: workspace?.mode ?? 'scratch',
      prompt,
      resultFile,
      timeout: timeoutSeconds,
      workspace: workspace?.folder,
    },
    NO_DEFAULTS,
  );
}

async function startUnit({ run, command }: NamedRun, unit: string): Promise<void> {
  const host = await currentHost();
  try {
    const answer = await askSupervisor(
      host,
      run,
      { type: 'start', units: [unit], schedule: {}, environment: null },
      ANSWER_MS,
    );
    const [refused] = answer.refused;
    // `prun start` of the whole run may have been quicker.
    if (refused && !refused.why.startsWith('it was started already')) {
      throw new PrunError(
        'E_REFUSED',
        `${unit} is not watched: ${refused.why}`,
        command('status'),
        EXIT.unitFailed,
      );
    }
  } catch (error) {
    if (!(error instanceof PrunError) || error.exitCode !== EXIT.supervisorLost) throw error;
    throw new PrunError(
      error.code,
      `${unit} is registered, but nobody watches it yet (${lineOf(error)})`,
      command('status'),
      error.exitCode,
    );
  }
}

function report(
  { run, command }: NamedRun,
  { id, workspace }: UnitSpec,
  resultFile: string,
  isThere: boolean,
): string {
  const lines = [
    `REGISTERED ${id} run=${run.record.id}`,
    `RESULT ${printedName(resultFile)}`,
    ...(workspace === null ? [] : [`WORKSPACE ${printedName(workspace)}`]),
    ...(isThere ? [`NOTE that file is there already, and counts as the result of ${id}`] : []),
    `NEXT ${command('wait')}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}
