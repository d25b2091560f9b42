import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue, readFlags } from '../platform/read-flags.ts';
import { stateHome } from '../platform/state-home.ts';
import { secondsFrom } from '../platform/whole-seconds.ts';

/** What `prun clone` prints for --help. */
export const CLONE_HELP = `usage: prun clone --repo DIR --unit ID [--unit ID]… [flags]

Makes a throwaway clone for each unit. It holds what you see in the repository now: HEAD and all staged, unstaged and
untracked work. All units of one call, and of one --run, start from the same frozen base. Your repository is only read.
Prints one line for each unit: CLONE <absolute path>

  --repo DIR         the repository, or a folder in it
  --unit ID          letters, digits, - and _; repeat it for more units at once
  --run NAME         name of the base: a later call with the same name takes the same base
  --after UNIT       starts from the collected result of this unit of the run (repeat it: they are merged)
  --as-it-stands     starts from the tree as it is now, and not from the frozen base of the run
  --renew            the unit has a workspace from an earlier attempt: its delta is archived, a fresh one takes its place
  --owns GLOB        what the unit may touch (repeat it; with several units: ID=GLOB)
  --warm PATH        brings an ignored file or folder that a build needs, such as node_modules (repeat it);
                     auto takes what the lockfiles suggest
  --warm-anyway      also where the repository's own texts say not to copy it
  --setup CMD        a shell command that runs once in each clone; its output is kept
  --setup-timeout S  seconds until the setup is ended (default 1800; 0 is off)
  --worktree         a worktree on a branch prun/<run>/<unit> of the repository instead of a clone
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             all facts as JSON

Results of --after that do not go together are printed as prun conflicts prints them, and nothing is made.

exit: 0 made; 2 wrong arguments; 30 a setup failed (the clone is there); 35 the results of --after clash
`;

/** A unit and what it owns. */
export interface UnitRequest {
  unit: string;
  owns: string[];
}

/** The parsed command line of `prun clone`. */
export interface CloneArguments {
  repository: string;
  units: UnitRequest[];
  run: string | undefined;
  /** Units of the run whose results it starts from. */
  after: string[];
  asItStands: boolean;
  renew: boolean;
  warm: string[];
  warmAnyway: boolean;
  setup: string | undefined;
  setupTimeoutSeconds: number;
  worktree: boolean;
  stateHome: string;
  json: boolean;
}

/** Reads the command line of `prun clone`; undefined when help was asked for. */
export function parseClone(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  cwd: string,
): CloneArguments | undefined {
  const flags = readFlags(argv, {
    values: [
      ...['--repo', '--unit', '--run', '--after', '--owns', '--warm', '--setup', '--setup-timeout'],
      '--state-home',
    ],
    switches: ['--worktree', '--as-it-stands', '--renew', '--warm-anyway', '--json'],
  });
  if (flags.help) return undefined;
  refuseOperands(flags, 'clone');
  const repository = lastValue(flags, '--repo');
  if (!repository) throw usageError('--repo is missing', 'give the repository with --repo <folder>');
  const names = (flags.values.get('--unit') ?? []).map((name) => unitName(name));
  if (names.length === 0) throw usageError('--unit is missing', 'name the unit with --unit <id>');
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined)
    throw usageError(`--unit ${twice} is given twice`, 'give each unit a name of its own');
  const run = runName(lastValue(flags, '--run'));
  return {
    repository: path.resolve(cwd, repository),
    units: ownedUnits(names, flags.values.get('--owns') ?? []),
    run,
    after: parentsFrom(flags, run, names),
    asItStands: flags.switches.has('--as-it-stands'),
    renew: renewFrom(flags, run),
    warm: flags.values.get('--warm') ?? [],
    warmAnyway: flags.switches.has('--warm-anyway'),
    setup: lastValue(flags, '--setup'),
    setupTimeoutSeconds: secondsFrom(
      { flag: '--setup-timeout', variable: 'PRUN_SETUP_TIMEOUT', fallback: 1800 },
      lastValue(flags, '--setup-timeout'),
      environment,
    ),
    worktree: flags.switches.has('--worktree'),
    stateHome: stateHomeFrom(flags, environment, cwd),
    json: flags.switches.has('--json'),
  };
}

/** `--state-home`, else what the environment says. */
export function stateHomeFrom(flags: FlagValues, environment: NodeJS.ProcessEnv, cwd: string): string {
  const given = lastValue(flags, '--state-home');
  if (given === '') throw usageError('--state-home is empty', 'give a folder');
  return given === undefined ? stateHome(environment) : path.resolve(cwd, given);
}

/** The name of a run as a folder can have it. */
export function runName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)) return name;
  throw usageError(
    `--run ${JSON.stringify(name.slice(0, 120))} is no name`,
    'use letters, digits, ".", "-" and "_", at most 100 of them, a letter or digit first',
  );
}

function parentsFrom(flags: FlagValues, run: string | undefined, units: readonly string[]): string[] {
  const parents = (flags.values.get('--after') ?? []).map((name) => unitName(name, '--after'));
  if (parents.length === 0) return [];
  if (run === undefined) throw usageError('--after needs --run', 'name the run that its units are in');
  if (flags.switches.has('--as-it-stands')) {
    throw usageError('--after and --as-it-stands were given', 'a workspace has one base: give one of them');
  }
  const twice = parents.find((name, n) => parents.indexOf(name) !== n);
  if (twice !== undefined) throw usageError(`--after ${twice} is given twice`, 'give each unit once');
  const own = parents.find((name) => units.includes(name));
  if (own !== undefined) throw usageError(`unit ${own} cannot be after itself`, 'give another --after');
  return parents;
}

function renewFrom(flags: FlagValues, run: string | undefined): boolean {
  const isWanted = flags.switches.has('--renew');
  if (isWanted && run === undefined)
    throw usageError('--renew needs --run', 'name the run that the unit is in');
  return isWanted;
}

function unitName(name: string, flag = '--unit'): string {
  if (/^[A-Za-z0-9_-]{1,100}$/.test(name)) return name;
  throw usageError(
    `${flag} ${JSON.stringify(name.slice(0, 120))} is no unit id`,
    'use letters, digits, "-" and "_", at most 100 of them',
  );
}

/** Throws a usage error for words that are no flags. */
export function refuseOperands(flags: FlagValues, command: string): void {
  const [operand] = flags.operands;
  if (operand === undefined) return;
  throw usageError(`unexpected argument ${JSON.stringify(operand)}`, `see prun ${command} --help`);
}

/** What can own nothing would make every change one outside. */
function refuseStrangeGlob(given: string, names: readonly string[]): void {
  const [, before = '', glob = given] = /^([A-Za-z0-9_-]+)=(.*)$/s.exec(given) ?? [];
  if (before !== '' && !names.includes(before)) {
    throw usageError(
      `--owns ${JSON.stringify(given)} names a unit ${before} that is not among --unit`,
      `write it as ${names[0]}=${glob}`,
    );
  }
  const own = before === '' ? given : glob;
  if (own !== '' && !/^(?:\/|[A-Za-z]:[\\/]|~)/.test(own)) return;
  throw usageError(
    `--owns ${JSON.stringify(given)} is no path below the repository`,
    'give globs relative to its top, such as src/api/**',
  );
}

function ownedUnits(names: readonly string[], owns: readonly string[]): UnitRequest[] {
  const units = names.map((unit): UnitRequest => ({ unit, owns: [] }));
  for (const given of owns) {
    refuseStrangeGlob(given, names);
    const named = units.find(({ unit }) => given.startsWith(`${unit}=`));
    const [only] = units;
    if (named) named.owns.push(given.slice(named.unit.length + 1));
    else if (units.length === 1 && only) only.owns.push(given);
    else {
      throw usageError(
        `--owns ${JSON.stringify(given)} does not say whose it is`,
        `with several units write it as ${names[0]}=${given}`,
      );
    }
  }
  return units;
}
