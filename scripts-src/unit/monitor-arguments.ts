import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { secondsFrom } from '../platform/whole-seconds.ts';
import { printedName } from './printed-name.ts';
import { stateFile } from './state-dir.ts';

/** What `monitor` was asked. Seconds; 0 switches the stall threshold and the timeout off. */
export interface MonitorRequest {
  help: boolean;
  /** Absolute paths in the order given, each state dir once. */
  stateDirs: string[];
  stallThresholdSeconds: number;
  pollSeconds: number;
  timeoutSeconds: number;
  stableWindowSeconds: number;
}

const SETTINGS = {
  stallThreshold: { flag: '--stall-threshold', variable: 'PRUN_STALL_THRESHOLD', fallback: 600 },
  poll: { flag: '--poll', variable: 'PRUN_MONITOR_POLL', fallback: 15 },
  timeout: { flag: '--timeout', variable: 'PRUN_MONITOR_TIMEOUT', fallback: 3600 },
  stableWindow: { flag: '--stable-window', variable: 'PRUN_MONITOR_STABLE_WINDOW', fallback: 10 },
} as const;

/** Text of `monitor --help`. */
export const MONITOR_HELP = `usage: monitor [flags] <state-dir>...

Waits until a unit needs the coordinator, or all units are done, prints that as one event and exits.

  MONITOR-START units=N stall-threshold=Ts timeout=Ss
  MONITOR-EVENT all-done|stall|fail|timeout        (usage-error for a wrong call)
  UNIT <name> <status>                             one for each state dir, in the order given

status: done, failed(fallback), failed(dispatch-dead), failed(<reason>), stalled(Ns), growing, finishing, pending.
A name with a control character in it is printed as a JSON string.

flags (whole seconds)   variable                     default
  --stall-threshold S   PRUN_STALL_THRESHOLD         600    without evidence of progress; 0 = off
  --poll S              PRUN_MONITOR_POLL            15     each state dir is looked at this often at the least
  --timeout S           PRUN_MONITOR_TIMEOUT         3600   0 = off
  --stable-window S     PRUN_MONITOR_STABLE_WINDOW   10     quiet time of a result that has no supervisor; 0 = none
  --help                                                    this text
A flag wins over its variable.

exit: 0 all done; 3 a unit failed or stalled; 2 timeout or wrong call; 128+n ended by signal n.
monitor only reads: it signals nothing, and ending it harms nothing.
`;

/** Reads the command line of `monitor`. Throws a usage error that names the wrong flag, variable, value or folder. */
export function parseMonitor(argv: readonly string[], environment: NodeJS.ProcessEnv): MonitorRequest {
  const flags = readFlags(argv, { values: Object.values(SETTINGS).map((setting) => setting.flag) });
  const seconds = (name: keyof typeof SETTINGS) =>
    secondsFrom(SETTINGS[name], lastValue(flags, SETTINGS[name].flag), environment);
  if (!flags.help && flags.operands.length === 0) {
    throw usageError('no state dir given', 'give the path of each STATE-DIR line of dispatch-task');
  }
  return {
    help: flags.help,
    // Somebody who asks for help is not told off for the rest of the line.
    stateDirs: flags.help ? [] : distinctFolders(flags.operands),
    stallThresholdSeconds: flags.help ? 0 : seconds('stallThreshold'),
    pollSeconds: flags.help ? 0 : seconds('poll'),
    timeoutSeconds: flags.help ? 0 : seconds('timeout'),
    stableWindowSeconds: flags.help ? 0 : seconds('stableWindow'),
  };
}

function distinctFolders(operands: readonly string[]): string[] {
  const byRealPath = new Map<string, string>();
  for (const operand of operands) {
    const absolute = path.resolve(operand);
    // path.resolve('') is the current folder: an unset shell variable must not pass for a state dir.
    const isFolder = operand !== '' && statSync(absolute, { throwIfNoEntry: false })?.isDirectory();
    if (!isFolder) {
      throw usageError(
        `state dir ${JSON.stringify(operand)} does not exist`,
        'give the path of a STATE-DIR line of dispatch-task',
      );
    }
    const real = realpathSync(absolute);
    if (!byRealPath.has(real)) byRealPath.set(real, absolute);
  }
  return [...byRealPath.values()];
}

/** What to say of folders that are no state dirs by name or content: nothing will ever happen there. One line each. */
export function doubtsAbout(stateDirs: readonly string[]): string[] {
  return stateDirs
    .filter((dir) => !path.basename(dir).startsWith('prun-task-') && !looksLikeStateDir(dir))
    .map(
      (dir) =>
        `monitor: ${printedName(dir)} holds none of a state dir's files: is it a STATE-DIR of dispatch-task?`,
    );
}

function looksLikeStateDir(folder: string): boolean {
  const files = ['unit', 'dispatchPid', 'resultFile', 'tail', 'outcome'] as const;
  return files.some((file) => existsSync(stateFile(folder, file)));
}
