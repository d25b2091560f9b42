import { statSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue, readFlags } from '../platform/read-flags.ts';
import { wholeSeconds } from '../platform/whole-seconds.ts';
import { readTextFile } from '../run/manifest/text-file.ts';
import { MAX_PROMPT_BYTES } from '../run/manifest/unit-rules.ts';

/** What `prun register --help` prints. */
export const REGISTER_HELP = `usage: prun register --run ID --unit UNIT [--result-file F] [flags]

Records a unit that runs as a subagent in your own session (executor session), so that ledger, wait and reconcile cover it.
prun starts nothing for it. It has landed when its result file is there, whole and quiet for ten seconds; a file that is
there already counts. Register it before you start the subagent, and give the subagent the path that is printed.

A unit that writes code works in a clone of the run: prun clone --run ID --unit UNIT first, then register, and when it has
landed prun collect --run ID --unit UNIT.

  --run ID           the run
  --new              makes the run, without a repository, where there is none of that name
  --unit UNIT        a name of its own: letters, digits, - and _
  --result-file F    where the subagent writes its result (default: agent-io/results/<unit>.md of the run)
  --prompt-file F    what it was told, for the record
  --timeout S        seconds until it counts as failed without a result (default 0: never)
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             {run, unit, resultFile, isThere} as JSON

exit: 0 registered; 2 wrong arguments, or the unit or its result file is taken; 34 no supervisor could be made to watch it
`;

/** The parsed command line of `prun register`. */
export interface RegisterArguments {
  flags: FlagValues;
  unit: string;
  /** Absolute; undefined for the run's own place. */
  resultFile: string | undefined;
  /** Empty where none was given. */
  prompt: string;
  timeoutSeconds: number;
  isNew: boolean;
  json: boolean;
}

/** Reads the command line of `prun register`; undefined when help was asked for. */
export function parseRegister(argv: readonly string[], cwd: string): RegisterArguments | undefined {
  const flags = readFlags(argv, {
    values: [
      '--run',
      '--unit',
      '--phase',
      '--result-file',
      '--prompt-file',
      '--brief',
      '--timeout',
      '--state-home',
    ],
    switches: ['--new', '--json'],
  });
  if (flags.help) return undefined;
  const resultFile = lastValue(flags, '--result-file');
  return {
    flags,
    unit: unitFrom(flags),
    resultFile:
      resultFile === undefined ? undefined : checkedResultFile(path.resolve(cwd, resultFile), resultFile),
    prompt: promptFrom(lastValue(flags, '--prompt-file') ?? lastValue(flags, '--brief'), cwd),
    timeoutSeconds: wholeSeconds(lastValue(flags, '--timeout') ?? '0', '--timeout'),
    isNew: flags.switches.has('--new'),
    json: flags.switches.has('--json'),
  };
}

function unitFrom(flags: FlagValues): string {
  const [unit, ...others] = [...(flags.values.get('--unit') ?? []), ...(flags.values.get('--phase') ?? [])];
  if (unit === undefined) throw usageError('--unit is missing', 'name the unit with --unit <id>');
  if (others.length > 0) {
    throw usageError(
      '--unit is given several times',
      'each unit has a result of its own: register one at a time',
    );
  }
  if (/^[A-Za-z0-9_-]{1,100}$/.test(unit)) return unit;
  throw usageError(
    `--unit ${JSON.stringify(unit.slice(0, 120))} is no unit id`,
    'use letters, digits, "-" and "_", at most 100 of them',
  );
}

function checkedResultFile(file: string, given: string): string {
  const next = 'give the path of the file that the subagent writes';
  if (given === '') throw usageError('--result-file is empty', next);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) throw usageError(`--result-file ${file} is no regular file`, next);
  const folder = statSync(path.dirname(file), { throwIfNoEntry: false });
  if (folder && !folder.isDirectory()) {
    throw usageError(`--result-file ${file} lies in ${path.dirname(file)}, which is no folder`, next);
  }
  return file;
}

function promptFrom(given: string | undefined, cwd: string): string {
  if (given === undefined) return '';
  const file = path.resolve(cwd, given);
  const read = readTextFile(file, MAX_PROMPT_BYTES);
  if (read.kind === 'text') return read.text;
  throw usageError(`--prompt-file ${file} ${read.why}`, read.next);
}
