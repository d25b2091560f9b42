import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue } from '../platform/read-flags.ts';
import { stateHome } from '../platform/state-home.ts';
import { type CommandText, commandTextFor } from '../run/command-text.ts';
import { openRun, type Run } from '../run/run-folder.ts';
import { readUnits } from '../run/unit-specs.ts';
import { stateHomeFrom } from './clone-arguments.ts';

/** The run that a command is about, and how other commands about it are written. */
export interface RunTarget {
  run: Run;
  text: CommandText;
}

/** Opens the run that `--run` names. Throws a usage error where none is named or it is not there. */
export function targetRun(flags: FlagValues): RunTarget {
  const name = lastValue(flags, '--run');
  if (name === undefined) throw usageError('--run is missing', 'name the run with --run <id>: see prun list');
  const run = openRun(stateHomeFrom(flags, process.env, process.cwd()), name);
  return { run, text: commandTextFor(run, stateHome(process.env)) };
}

/** The units that `--unit` names, all of them in the run. Throws a usage error for others. */
export function targetUnits(flags: FlagValues, run: Run): string[] {
  const named = flags.values.get('--unit') ?? [];
  if (named.length === 0) return [];
  const { units } = readUnits(run);
  const unknown = named.find((id) => !units.has(id));
  if (unknown === undefined) return [...new Set(named)];
  const known = [...units.keys()];
  const names = known.length === 0 ? 'it has no units yet' : `its units are ${known.slice(0, 10).join(', ')}`;
  throw usageError(
    `run ${run.record.id} has no unit ${JSON.stringify(unknown.slice(0, 120))}`,
    `${names}${known.length > 10 ? ` and ${known.length - 10} more` : ''}`,
  );
}

/** Throws a usage error for words that are no flags: a run and its units are named with them. */
export function refuseWords(flags: FlagValues, command: string): void {
  const [word] = flags.operands;
  if (word === undefined) return;
  throw usageError(
    `unexpected argument ${JSON.stringify(word.slice(0, 120))}`,
    `give the run as --run <id>: see prun ${command} --help`,
  );
}
