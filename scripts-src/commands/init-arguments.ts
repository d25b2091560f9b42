import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue, readFlags } from '../platform/read-flags.ts';
import type { ScheduleSettings } from '../run/records.ts';
import { checkedRunName } from '../run/run-folder.ts';
import { refuseOperands, stateHomeFrom } from './clone-arguments.ts';
import { SCHEDULE_FLAGS, SCHEDULE_HELP, scheduleFrom } from './schedule-flags.ts';

/** What `prun init` prints for --help. */
export const INIT_HELP = `usage: prun init [--repo DIR] [flags]

Makes a run without units; prun add adds them, prun start starts them. With a repository it gets an integration worktree,
.worktrees/int-<run> in the primary checkout, on a new branch prun/<run>/int: there the foundation is laid and results are
put together, and units start from it as it stands. The branch starts from the default branch of the remote, which is
fetched first (one that does not answer is no fault), or without a remote from HEAD, where nothing is uncommitted.

  run=<id>
  state_dir=<absolute path of the run's folder>
  integration_worktree=<absolute path>

  --repo DIR         the repository: a folder in it, or in a worktree of it
  --base-ref REF     what to start from instead: a branch, a tag or a commit, such as origin/next or HEAD
  --run ID           letters, digits, - and _; a name that is taken is refused (default: one of its own); also --sid
${SCHEDULE_HELP}  --allow-nested     also inside a worker
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             the facts as JSON

exit: 0 made; 1 git cannot make the worktree; 2 wrong arguments, a name that is taken, or nothing to start from
`;

/** The parsed command line of `prun init`. */
export interface InitArguments {
  /** Absolute; undefined for a run without a repository. */
  repository: string | undefined;
  baseRef: string | undefined;
  run: string | undefined;
  schedule: Partial<ScheduleSettings>;
  allowNested: boolean;
  stateHome: string;
  json: boolean;
}

/** Reads the command line of `prun init`; undefined when help was asked for. */
export function parseInit(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  cwd: string,
): InitArguments | undefined {
  const flags = readFlags(argv, {
    values: ['--repo', '--base-ref', '--run', '--sid', '--state-home', ...SCHEDULE_FLAGS],
    switches: ['--allow-nested', '--json'],
  });
  if (flags.help) return undefined;
  refuseOperands(flags, 'init');
  const repository = lastValue(flags, '--repo');
  const baseRef = lastValue(flags, '--base-ref');
  if (repository === '') throw usageError('--repo is empty', 'give a folder of a git repository');
  if (baseRef !== undefined && repository === undefined) {
    throw usageError('--base-ref needs --repo', 'give the repository with --repo <folder>');
  }
  return {
    repository: repository === undefined ? undefined : path.resolve(cwd, repository),
    baseRef,
    run: runFrom(flags),
    schedule: scheduleFrom(flags),
    allowNested: flags.switches.has('--allow-nested'),
    stateHome: stateHomeFrom(flags, environment, cwd),
    json: flags.switches.has('--json'),
  };
}

function runFrom(flags: FlagValues): string | undefined {
  const [run, sid] = [lastValue(flags, '--run'), lastValue(flags, '--sid')];
  if (run !== undefined && sid !== undefined && run !== sid) {
    throw usageError(`--run ${run} and --sid ${sid} are two names`, 'give one of them');
  }
  const name = run ?? sid;
  return name === undefined ? undefined : checkedRunName(name);
}
