import { plainError, usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue } from '../platform/read-flags.ts';
import { stateHome } from '../platform/state-home.ts';
import { type CommandText, commandTextFor } from '../run/command-text.ts';
import { listRuns, nameOfRun, openRun, type Run, runsText } from '../run/run-folder.ts';
import { viewRun } from '../run/run-view.ts';
import { readUnits } from '../run/unit-specs.ts';
import { refuseOperands, stateHomeFrom } from './clone-arguments.ts';

/** The run that a command is about, and how commands about it are written. */
export interface NamedRun {
  run: Run;
  command: CommandText;
}

/** Opens the run that `--run` names. Throws a usage error where none is named, or there is none of that name. */
export function runOfFlags(flags: FlagValues, name: string): NamedRun {
  refuseOperands(flags, name);
  const id = lastValue(flags, '--run');
  const home = stateHomeFrom(flags, process.env, process.cwd());
  if (id === undefined) throw usageError('--run is missing', whichRun(home, name));
  const run = openRun(home, id);
  return { run, command: commandTextFor(run, stateHome(process.env)) };
}

/** So many of the newest runs are asked whether they are over. */
const LOOKED_AT = 20;

/** What to write instead: the one run that can be meant, or which ones there are. */
function whichRun(home: string, name: string): string {
  const usual = `name the run: prun ${name} --run <id>`;
  try {
    const runs = listRuns(home);
    const open = runs.slice(0, LOOKED_AT).filter(isOpen);
    const meant = open.length === 1 ? open[0] : runs.length === 1 ? runs[0] : undefined;
    if (meant === undefined) return `${usual} (${runsText(runs)})`;
    const command = commandTextFor(meant, stateHome(process.env))(name);
    const others = runs.length - 1;
    const why = others === 0 ? 'the only run' : 'the only run that is not over';
    return `${why} is ${nameOfRun(meant)}: ${command}${others === 0 ? '' : ` (${runsText(runs)})`}`;
  } catch (error) {
    // A newer prun's, or no folder that can be read: the mistake is another one.
    if (plainError(error) === undefined) throw error;
    return usual;
  }
}

function isOpen(run: Run): boolean {
  const { units, isAllDone } = viewRun(run);
  return units.size === 0 || !isAllDone;
}

/** Units of a run that `--unit` names, for a command that needs no view of it. */
export function unitsNamed(run: Run, flags: FlagValues): string[] {
  return flags.values.has('--unit') ? unitsOfFlag({ run, units: readUnits(run).units }, flags) : [];
}

const MAX_NAMES = 10;

/** Units that a flag names, each once. Throws a usage error for one that the run does not have. */
export function unitsOfFlag(
  { run, units }: { run: Run; units: ReadonlyMap<string, unknown> },
  flags: FlagValues,
  flag = '--unit',
): string[] {
  const names = [...new Set(flags.values.get(flag) ?? [])];
  const stranger = names.find((name) => !units.has(name));
  if (stranger === undefined) return names;
  const known = [...units.keys()];
  const more = known.length > MAX_NAMES ? ` and ${known.length - MAX_NAMES} more` : '';
  throw usageError(
    `run ${run.record.id} has no unit ${JSON.stringify(stranger.slice(0, 120))}`,
    known.length === 0
      ? 'it has none yet: prun add'
      : `its units are ${known.slice(0, MAX_NAMES).join(', ')}${more}`,
  );
}
