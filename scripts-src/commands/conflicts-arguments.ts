import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { stateHome } from '../platform/state-home.ts';

/** What `prun conflicts` was asked. */
export interface ConflictsRequest {
  help: boolean;
  json: boolean;
  /** Whether files outside what a unit owns leave the exit code 0. */
  allowOutside: boolean;
  /** Absolute paths in the order given; none with a run. */
  patches: string[];
  run: string | undefined;
  /** Units of the run; all when empty. */
  units: string[];
  /** Absolute. */
  stateHome: string;
}

/** Text of `prun conflicts --help`. */
export const CONFLICTS_HELP = `usage: prun conflicts [flags] <patch>...
       prun conflicts [flags] --run NAME [--unit ID]...

Compares collected deltas with one another by real three-way merges of trees. Reads only.

  CONFLICTS units=N pairs=N outside=N           pairs that clash; files outside what their units own
  CONFLICT <unit> <unit> <path> <kind> ...      one line for each pair and file; content: the lines of both
  OUTSIDE <unit> <path>                         a file outside the unit's --owns globs
  ORDER <unit> ...                              all apply cleanly in this order
  NO-ORDER <unit> ... WITHOUT <unit> ...        no order of all was found; the first ones apply cleanly, in this order
  MORE conflicts=N outside=N                    lines that were left out: at most 40 are printed, --json has all

kind: content, add/add, modify/delete, rename/delete, rename/rename, file/directory, mode, binary, symlink, other.
Lines count from 1; 12-11 means that the unit deleted what stood before its line 12. A path with spaces, quotes or
control characters in it stands in double quotes, with C escapes.

flags
  --run NAME         deltas of this run, in place of patches: of all units that succeeded or were accepted and were not
                     left out (prun reconcile); stderr names the others. Of prun clone without a run: all
  --unit ID          with --run: only these units, however they ended (repeat it)
  --state-home DIR   where runs are kept
  --allow-outside    files outside --owns are printed, and do not count for the exit code
  --json             everything as one JSON object
  --help             this text

exit: 0 nothing clashes and every unit kept to what it owns; 35 otherwise; 2 wrong call, or a patch that prun collect
did not write.
`;

/** Reads the command line of `prun conflicts`. Throws a usage error that names the wrong flag or what is missing. */
export function parseConflicts(argv: readonly string[], environment: NodeJS.ProcessEnv): ConflictsRequest {
  const flags = readFlags(argv, {
    values: ['--run', '--unit', '--state-home'],
    switches: ['--json', '--allow-outside'],
  });
  const run = lastValue(flags, '--run');
  const home = lastValue(flags, '--state-home');
  if (!flags.help) refuseWrongCall(flags.operands, run, home, flags.values.get('--unit') ?? []);
  return {
    help: flags.help,
    json: flags.switches.has('--json'),
    allowOutside: flags.switches.has('--allow-outside'),
    patches: flags.operands.map((operand) => path.resolve(operand)),
    run,
    units: flags.values.get('--unit') ?? [],
    stateHome: home ? path.resolve(home) : stateHome(environment),
  };
}

function refuseWrongCall(
  operands: readonly string[],
  run: string | undefined,
  home: string | undefined,
  units: readonly string[],
): void {
  if (home === '') throw usageError('--state-home is empty', 'give a folder');
  if (run === undefined && operands.length === 0) {
    throw usageError('no patch given', 'give the path of each PATCH line of prun collect, or --run <name>');
  }
  if (run === undefined && units.length > 0)
    throw usageError('--unit was given without --run', 'add --run <name>');
  if (run !== undefined && operands.length > 0) {
    throw usageError('patches and --run were given', 'give one of them');
  }
  // An unset shell variable must not pass for the current folder, and a run's name is no path.
  if (operands.includes('')) throw usageError('a patch has an empty name', 'give the path of each patch');
  if (run !== undefined && !/^\w[\w.-]*$/.test(run)) {
    throw usageError(`--run is ${JSON.stringify(run.slice(0, 80))}`, 'give the name of a run');
  }
}
