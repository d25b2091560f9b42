import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import type { ScheduleSettings } from '../run/records.ts';
import { checkedRunName } from '../run/run-folder.ts';
import { stateHomeFrom } from './clone-arguments.ts';
import { SCHEDULE_FLAGS, SCHEDULE_HELP, scheduleFrom } from './schedule-flags.ts';

/** What `prun run` prints for --help. */
export const RUN_HELP = `usage: prun run FILE [flags]

Starts the units of a manifest (YAML or JSON; prun schema prints its keys) under a supervisor of their own, and returns at
once. Prints RUN <id>, DIR <its folder> and what to call next. Units that change code start from one frozen base: the
files of the repository as they are now, uncommitted work included. Everything that is wrong with the manifest is said
at once, with its line, and then nothing is started.

  jobs: 4                            # above the units: settings of the run, and what holds for all units
  repo: .
  units:
    - id: api
      prompt: Make the order of GET /items stable.     # or promptFile: api.md
      owns: [src/api/**]
      verify: npm test -- api
    - id: docs
      promptFile: docs.md
      after: [api]

  --run ID           name of the run: letters, digits, - and _; it must be new
  --repo DIR         the repository, instead of the manifest's
${SCHEDULE_HELP}  --validate JOB     add a unit validation: after all units that change code, the job (JSON, as for validate-run) runs in
                     a clean clone of their merged results; worktree and commit of the job are filled in
  --dry-run          start nothing and leave nothing: print the plan and a whole prompt (on a terminal more of them)
  --unit ID          with --dry-run: the whole prompt of this unit alone
  --wait             stay until something needs you, as prun wait does
  --allow-nested     also inside a worker
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             {"run", "dir"}; with --dry-run the plan and all prompts

exit: 0 started; 2 wrong arguments or manifest; 34 no supervisor could be started; with --wait those of prun wait
`;

/** The parsed command line of `prun run`. Paths are absolute. */
export interface RunArguments {
  file: string;
  run: string | undefined;
  repository: string | undefined;
  schedule: Partial<ScheduleSettings>;
  /** The job of a validation. */
  validate: string | undefined;
  dryRun: boolean;
  unit: string | undefined;
  wait: boolean;
  allowNested: boolean;
  stateHome: string;
  json: boolean;
}

/** Reads the command line of `prun run`; undefined when help was asked for. */
export function parseRun(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  cwd: string,
): RunArguments | undefined {
  const flags = readFlags(argv, {
    values: [
      '--run',
      '--sid',
      '--repo',
      '--unit',
      '--phase',
      '--state-home',
      '--validate',
      ...SCHEDULE_FLAGS,
    ],
    switches: ['--dry-run', '--wait', '--allow-nested', '--json'],
  });
  if (flags.help) return undefined;
  const [file, more] = flags.operands;
  if (!file) throw usageError('no manifest is given', 'give its path: prun run FILE');
  if (more !== undefined) {
    throw usageError(`unexpected argument ${JSON.stringify(more)}`, 'give one manifest; see prun run --help');
  }
  const repository = lastValue(flags, '--repo');
  if (repository === '') throw usageError('--repo is empty', 'give a folder of a git repository');
  const validate = lastValue(flags, '--validate');
  if (validate === '') throw usageError('--validate is empty', 'give a job (JSON): see validate-run --help');
  const dryRun = flags.switches.has('--dry-run');
  const unit = lastValue(flags, '--unit') ?? lastValue(flags, '--phase');
  if (unit !== undefined && !dryRun) {
    throw usageError(
      '--unit is for --dry-run',
      'run starts all units of the manifest; see prun retry for one',
    );
  }
  const run = lastValue(flags, '--run') ?? lastValue(flags, '--sid');
  return {
    file: path.resolve(cwd, file),
    run: run === undefined ? undefined : checkedRunName(run),
    repository: repository === undefined ? undefined : path.resolve(cwd, repository),
    schedule: scheduleFrom(flags),
    validate: validate === undefined ? undefined : path.resolve(cwd, validate),
    dryRun,
    unit,
    wait: flags.switches.has('--wait'),
    allowNested: flags.switches.has('--allow-nested'),
    stateHome: stateHomeFrom(flags, environment, cwd),
    json: flags.switches.has('--json'),
  };
}
