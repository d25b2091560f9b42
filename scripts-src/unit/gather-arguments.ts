import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { secondsFrom } from '../platform/whole-seconds.ts';
import { printedName } from './printed-name.ts';

/** What `gather` was asked. Seconds; a timeout of 0 is off. */
export interface GatherRequest {
  help: boolean;
  /** Absolute paths in the order given, each file once. */
  resultFiles: string[];
  pollSeconds: number;
  timeoutSeconds: number;
  stableWindowSeconds: number;
}

const SETTINGS = {
  poll: { flag: '--poll', variable: 'PRUN_GATHER_POLL', fallback: 5 },
  timeout: { flag: '--timeout', variable: 'AGENT_CONFIG_GATHER_TIMEOUT', fallback: 3600 },
  stableWindow: { flag: '--stable-window', variable: 'PRUN_GATHER_STABLE_WINDOW', fallback: 10 },
} as const;

/** Text of `gather --help`. */
export const GATHER_HELP = `usage: gather [flags] <result-file>...

Waits until every result file has landed, and says so as each one does.

  GATHER-START count=N timeout=Ss
  DONE <absolute path>       a path with a control character in it is printed as a JSON string
  TIMEOUT remaining=<k>

A file has landed when it is a regular file with text in it that was quiet for the window. The result of a live
dispatch-task lands with its outcome instead, at once and not before. A FALLBACK lands with a warning on stderr.

flags (whole seconds)   variable                      default
  --poll S              PRUN_GATHER_POLL              5      each file is looked at this often at the least
  --timeout S           AGENT_CONFIG_GATHER_TIMEOUT   3600   0 = off
  --stable-window S     PRUN_GATHER_STABLE_WINDOW     10     quiet time of a result without a supervisor; 0 = none
  --help                                                     this text
A flag wins over its variable.

exit: 0 all landed; 2 timeout or wrong call; 128+n ended by signal n.
`;

/** Reads the command line of `gather`. Throws a usage error that names the wrong flag, variable or value. */
export function parseGather(argv: readonly string[], environment: NodeJS.ProcessEnv): GatherRequest {
  const flags = readFlags(argv, { values: Object.values(SETTINGS).map((setting) => setting.flag) });
  const seconds = (name: keyof typeof SETTINGS) =>
    secondsFrom(SETTINGS[name], lastValue(flags, SETTINGS[name].flag), environment);
  if (!flags.help && (flags.operands.length === 0 || flags.operands.includes(''))) {
    throw usageError(
      flags.operands.length === 0 ? 'no result file given' : 'result file "" is an empty name',
      'give the path of each result file that you wait for',
    );
  }
  return {
    help: flags.help,
    resultFiles: distinctFiles(flags.operands),
    pollSeconds: flags.help ? 0 : seconds('poll'),
    timeoutSeconds: flags.help ? 0 : seconds('timeout'),
    stableWindowSeconds: flags.help ? 0 : seconds('stableWindow'),
  };
}

function distinctFiles(operands: readonly string[]): string[] {
  const byRealPath = new Map<string, string>();
  for (const operand of operands) {
    const absolute = path.resolve(operand);
    if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) {
      process.stderr.write(`gather: ${printedName(absolute)} is a folder: give the path of a result file\n`);
    }
    const real = path.join(realFolder(path.dirname(absolute)), path.basename(absolute));
    if (!byRealPath.has(real)) byRealPath.set(real, absolute);
  }
  return [...byRealPath.values()];
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // Not made yet: somebody may wait for a file whose folder a worker will make.
    return folder;
  }
}
