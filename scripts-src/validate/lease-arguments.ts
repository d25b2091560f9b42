import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { wholeSeconds } from '../platform/whole-seconds.ts';

/** What `resource-run` is asked to do. */
export type LeaseRequest =
  | { kind: 'help' }
  | { kind: 'list'; home: string | undefined; json: boolean }
  | LeasedWork;

/** A command or a hold under slots. */
export interface LeasedWork {
  kind: 'run' | 'hold';
  home: string | undefined;
  /** Names in order, each once. */
  resources: string[];
  /** Longest wait, seconds; 0: no limit. */
  timeoutSeconds: number;
  /** The command's words; empty for a hold. */
  argv: string[];
  /** The folder of a hold, absolute; empty for a command. */
  folder: string;
}

const DEFAULT_TIMEOUT = 3600;

export const LEASE_HELP = `usage: resource-run --resource NAME … [--timeout SEC] (-- CMD WORD… | --hold DIR)
       resource-run --list [--json]

Runs a command while it holds named slots of this machine, which all projects and runs of its user share. Waits its
turn, first come, first served; several names are given together or not at all.

  --resource NAME       heavy (1 slot), implementation (2), simulator-<id> (1 each), or a name of slots.json in the
                        resource home, such as {"heavy": 2, "gpu": 1}; may be repeated
  --timeout SEC         longest wait, 0 = no limit (3600)
  -- CMD WORD…          the command, in a process group of its own; when it ends, all that it started is ended
  --hold DIR            hold the slots without a command: DIR is made, and DIR/ready.json says when they are held;
                        make DIR/release to give them back, which ready.json records
  --list                who holds and who waits; with --json as JSON
  --resource-home DIR   where slots are kept (PRUN_RESOURCE_HOME; default: resources in the state home)
  --help                this text

Exit code: the command's own; 124 the wait was too long; 126 or 127 the command cannot be started; 2 usage, or the
resource home cannot be used; 128+n ended by a signal.
`;

const VALUES = ['--resource', '--timeout', '--hold', '--resource-home'];
const SWITCHES = ['--list', '--json'];

/** Reads the command line. Throws a usage error for what does not go together. */
export function parseLease(argv: readonly string[], cwd: string): LeaseRequest {
  const end = argv.indexOf('--');
  const flags = readFlags(end < 0 ? argv : argv.slice(0, end), { values: VALUES, switches: SWITCHES });
  if (flags.help) return { kind: 'help' };
  const command = end < 0 ? [] : argv.slice(end + 1);
  const [stray] = flags.operands;
  if (stray !== undefined) {
    throw usageError(`unexpected word ${JSON.stringify(stray.slice(0, 80))}`, 'give the command after --');
  }
  const home = pathFrom(lastValue(flags, '--resource-home'), '--resource-home', cwd);
  const names = flags.values.get('--resource') ?? [];
  const hold = pathFrom(lastValue(flags, '--hold'), '--hold', cwd);
  const json = flags.switches.has('--json');
  if (flags.switches.has('--list')) {
    if (names.length > 0 || hold !== undefined || end >= 0) {
      throw usageError('--list goes with --json and --resource-home alone', 'call it twice');
    }
    return { kind: 'list', home, json };
  }
  if (json) throw usageError('--json goes with --list', 'leave it out');
  if (names.length === 0)
    throw usageError('--resource is missing', 'name what to hold, as in --resource heavy');
  if (hold !== undefined && end >= 0) {
    throw usageError('--hold and a command were both given', 'give one of the two');
  }
  if (hold === undefined && (command[0] ?? '') === '') {
    throw usageError('there is no command', 'give it after --, or hold the slots with --hold DIR');
  }
  const timeout = lastValue(flags, '--timeout');
  return {
    kind: hold === undefined ? 'run' : 'hold',
    home,
    resources: [...new Set(names)].sort(),
    timeoutSeconds: timeout === undefined ? DEFAULT_TIMEOUT : wholeSeconds(timeout, '--timeout'),
    argv: [...command],
    folder: hold ?? '',
  };
}

function pathFrom(value: string | undefined, flag: string, cwd: string): string | undefined {
  if (value === '') throw usageError(`${flag} is empty`, `give ${flag} a folder`);
  return value === undefined ? undefined : path.resolve(cwd, value);
}
