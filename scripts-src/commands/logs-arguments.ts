import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue, readFlags } from '../platform/read-flags.ts';
import { refuseOperands } from './clone-arguments.ts';

/** What `prun logs` prints for --help. */
export const LOGS_HELP = `usage: prun logs --run ID --unit U [flags]
       prun logs --run ID --unit U --verify [flags]
       prun logs --run ID --events [--unit U] [flags]

Shows the end of what a unit's worker printed: the events of codex and claude as short lines, all else as it is, without
control characters. A line is at most 500 characters long. Of several attempts stderr says which one it is. After a unit
whose own check failed the last line says so.

  --run ID           the run
  --unit U           the unit
  --attempt N        an earlier attempt of it (default: the newest)
  --tail N           the last N lines (default 40)
  --follow           goes on with what comes, until the attempt has ended
  --verify           what the unit's own check (verify) printed, instead of the worker's output
  --events           what happened to the unit, or to the whole run, by the run's numbered events; the first line says
                     how many earlier ones there are
  --raw              as it lies on disk, byte for byte: with --tail the last N lines, else all; with --events as JSON
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --help             this text

exit: 0; 2 wrong call, or there is nothing to show yet
`;

const LINES = 40;

/** The command line of `prun logs`, taken apart. */
export interface LogsArguments {
  flags: FlagValues;
  /** undefined with --events of the whole run. */
  unit: string | undefined;
  attempt: number | undefined;
  /** Lines from the end; Infinity for all (--raw without --tail). */
  lines: number;
  follow: boolean;
  events: boolean;
  /** The output of the unit's own check, not the worker's. */
  verify: boolean;
  raw: boolean;
}

/** Reads the command line of `prun logs`; undefined when help was asked for. Throws a usage error for what is wrong. */
export function parseLogs(argv: readonly string[]): LogsArguments | undefined {
  const flags = readFlags(argv, {
    values: ['--run', '--unit', '--attempt', '--tail', '--state-home'],
    switches: ['--follow', '--events', '--verify', '--raw'],
  });
  if (flags.help) return undefined;
  refuseOperands(flags, 'logs');
  const units = flags.values.get('--unit') ?? [];
  const events = flags.switches.has('--events');
  const raw = flags.switches.has('--raw');
  const verify = flags.switches.has('--verify');
  const follow = flags.switches.has('--follow');
  const other = events ? '--events' : follow ? '--follow' : undefined;
  if (verify && other !== undefined) {
    throw usageError(`--verify and ${other} do not go together`, 'give one of them');
  }
  if (units.length > 1) throw usageError('--unit is given twice', 'ask for one unit at a time');
  if (units.length === 0 && !events) throw usageError('--unit is missing', 'name the unit, or give --events');
  const tail = wholeNumber(lastValue(flags, '--tail'), '--tail');
  return {
    flags,
    unit: units[0],
    attempt: wholeNumber(lastValue(flags, '--attempt'), '--attempt'),
    lines: tail ?? (raw ? Number.POSITIVE_INFINITY : LINES),
    follow,
    events,
    verify,
    raw,
  };
}

function wholeNumber(given: string | undefined, name: string): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw usageError(
    `${name} is ${JSON.stringify(given.slice(0, 40))}, no whole number`,
    `give ${name} a number such as 20`,
  );
}
