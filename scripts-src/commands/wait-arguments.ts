import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue, readFlags } from '../platform/read-flags.ts';
import { wholeSeconds } from '../platform/whole-seconds.ts';
import { refuseOperands } from './clone-arguments.ts';

/** What `prun wait` prints for --help. */
export const WAIT_HELP = `usage: prun wait --run ID [flags]

Sleeps until the next thing that needs you, tells it in at most 40 lines, and ends. Nothing is missed while nobody waits:
the next call tells it at once. What was told does not wake again. Killing it loses nothing.

It wakes when a unit failed (after its retries), shows no progress, or is blocked; when an account's limit or login holds
the queue (its breaker is open); when one finished whose end was wished for; for a note of the supervisor; and when all is
done. On a run that is over it says so at once, and so it does where all that is left waits for prun resume.

  WAIT-EVENT <all-done|breaker|fail|blocked|stall|note|finish|timeout|lost> run=ID events=A-B done=N failed=N running=N …
                                                          all-done: and tokens=N, those of all attempts that said
  BREAKER <executor> open(<reason>) until <time> …        one line for each account of which nothing new is started
  UNIT <id> <state>(<reason>) <one line> result=<path>    one line for each unit that it is about
  NOTE <one line>
  MORE units=N <path>                                     those that had no room: the ledger has them
  NEXT <command>

flags
  --run ID           the run
  --unit U           wake for ends, stalls and blocks of this unit only (repeat it); at once if all have ended
  --each             wake for every unit that ends, not only for those that need you
  --timeout S        give up after S seconds (default 0: never)
  --after N          you know all events up to number N, whatever was told before
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             the same as one JSON object
  --help             this text

exit: 0 all is done and every unit succeeded, or a wished unit finished; 30 a unit failed, was blocked or cancelled; 31 a
unit stalls, or a note; 32 a breaker is open; 33 the time is over; 34 the supervisor was lost and cannot be replaced; 2
wrong call, or nothing was started. Of several the first of 34, 32, 30, 31, 33, 0.
`;

/** The flags of `prun wait`, taken apart. */
export interface WaitArguments {
  flags: FlagValues;
  each: boolean;
  after: number | undefined;
  timeoutSeconds: number;
  json: boolean;
}

/** Reads the command line of `prun wait`; undefined when help was asked for. Throws a usage error for what is wrong. */
export function parseWait(argv: readonly string[]): WaitArguments | undefined {
  const flags = readFlags(argv, {
    values: ['--run', '--unit', '--timeout', '--after', '--state-home'],
    switches: ['--each', '--json'],
  });
  if (flags.help) return undefined;
  refuseOperands(flags, 'wait');
  return {
    flags,
    each: flags.switches.has('--each'),
    after: eventNumber(lastValue(flags, '--after')),
    timeoutSeconds: wholeSeconds(lastValue(flags, '--timeout') ?? '0', '--timeout'),
    json: flags.switches.has('--json'),
  };
}

function eventNumber(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw usageError(
    `--after is ${JSON.stringify(given.slice(0, 40))}, no number of an event`,
    'give the second number of events=A-B',
  );
}
