import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue } from '../platform/read-flags.ts';
import { stateHome } from '../platform/state-home.ts';
import { type CommandText, commandTextFor } from '../run/command-text.ts';
import { openRun, type Run } from '../run/run-folder.ts';
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
  if (id === undefined) throw usageError('--run is missing', `name the run: prun ${name} --run <id>`);
  const run = openRun(stateHomeFrom(flags, process.env, process.cwd()), id);
  return { run, command: commandTextFor(run, stateHome(process.env)) };
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
