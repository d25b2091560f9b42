import { LEASES, type ProcessEntry, type ProcessMarks } from './types.ts';

/**
 * The columns of a look, for `ps -o`, each without a header. One flag per column, because POSIX lets `pid=,ppid=`
 * mean one column with the header `,ppid=`. `sess` is left out: on macOS it prints a kernel pointer, which
 * current kernels report as 0. The name comes last since only names contain spaces.
 */
export const PS_COLUMNS = ['pid', 'ppid', 'pgid', 'state', 'lstart', 'time', 'comm'].flatMap((name) => [
  '-o',
  `${name}=`,
]);

/** The columns of a look for marks: identity and the whole command line, with the environment under `-E`. */
export const PS_COMMAND_COLUMNS = ['pid', 'lstart', 'command'].flatMap((name) => ['-o', `${name}=`]);

/** A command line as one look saw it, with the start that ties it to a process. */
export interface PsCommand {
  start: string;
  text: string;
}

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const LSTART = '[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\\d{1,2}) (\\d\\d):(\\d\\d):(\\d\\d) (\\d{4})';
const ROW = new RegExp(`^ *(\\d+) +(\\d+) +(\\d+) +(\\S+) +${LSTART} +([\\d:.-]+)(?: (.*))?$`);
const COMMAND_ROW = new RegExp(`^ *(\\d+) +${LSTART} *(?: (.*))?$`);

/**
 * The rows of `ps` with PS_COLUMNS in the C locale and UTC, by pid. Lines of any other shape are left out: the
 * rest of a name with a line break in it (macOS writes `^J`), a message, a date of another locale. The first
 * row of a pid counts, so that such a rest cannot replace a row that stands before it.
 */
export function parsePsTable(text: string): Map<number, ProcessEntry> {
  const entries = new Map<number, ProcessEntry>();
  const leaders = new Set<number>();
  for (const line of text.split('\n')) {
    const match = ROW.exec(line);
    if (!match) continue;
    const [, pidText, ppid, pgid, state = '', month, day, hour, minute, second, year, time = '', name] =
      match;
    const pid = Number(pidText);
    const startOrder = epochOf([month, day, hour, minute, second, year]);
    if (startOrder === undefined || pid === 0 || entries.has(pid)) continue;
    if (state.includes('s', 1)) leaders.add(pid);
    entries.set(pid, {
      pid,
      ppid: Number(ppid),
      pgid: Number(pgid),
      sid: 0,
      start: String(startOrder / 1000),
      startOrder,
      state: stateOf(state),
      command: (name ?? '').trim(),
      cpuMs: cpuMsOf(time),
    });
  }
  deriveSessions(entries, leaders);
  return entries;
}

/**
 * Fills in `sid`, which macOS does not print. A session leader (`s` in its state) names its own session; any
 * other process is in the session of its group's leader, since a group never spans two; else in that of the
 * parent that it was forked from. Where this ends at no leader, the session is unknown and the process gets its
 * own pid: a number that is shared for want of knowledge would make strangers kin, and whole sessions are killed
 * by kinship. What it cannot see: a parent that called setsid after it had forked the child.
 */
export function deriveSessions(
  entries: ReadonlyMap<number, ProcessEntry>,
  leaders: ReadonlySet<number>,
): void {
  // Each process enters a path once, so that the whole is linear however deep the tree is.
  const visited = new Set<number>();
  const known = new Map<number, number>([...leaders].map((pid) => [pid, pid]));
  for (const first of entries.values()) {
    const path: ProcessEntry[] = [];
    let entry: ProcessEntry | undefined = first;
    while (entry && !known.has(entry.pid) && !visited.has(entry.pid)) {
      visited.add(entry.pid);
      path.push(entry);
      entry = relativeInSession(entries, entry);
    }
    const sid = entry && known.get(entry.pid);
    for (const one of path) if (sid !== undefined) known.set(one.pid, sid);
    first.sid = known.get(first.pid) ?? first.pid;
  }
}

function relativeInSession(
  entries: ReadonlyMap<number, ProcessEntry>,
  entry: ProcessEntry,
): ProcessEntry | undefined {
  const leader = entry.pgid === entry.pid ? undefined : entries.get(entry.pgid);
  if (leader !== undefined && leader.pgid === entry.pgid) return leader;
  // Orphans hang below launchd without ever having been in its session.
  const parent = entry.ppid > 1 ? entries.get(entry.ppid) : undefined;
  return parent !== undefined && parent.startOrder <= entry.startOrder ? parent : undefined;
}

/** Command lines by pid from `ps` with PS_COMMAND_COLUMNS. */
export function parsePsCommands(text: string): Map<number, PsCommand> {
  const commands = new Map<number, PsCommand>();
  for (const line of text.split('\n')) {
    const match = COMMAND_ROW.exec(line);
    if (!match) continue;
    const [, pidText, month, day, hour, minute, second, year, command = ''] = match;
    const pid = Number(pidText);
    const epoch = epochOf([month, day, hour, minute, second, year]);
    if (epoch === undefined || commands.has(pid)) continue;
    commands.set(pid, { start: String(epoch / 1000), text: command });
  }
  return commands;
}

/**
 * The marks in the environment that `ps -E` prints behind the command line, given the same line without it: a
 * prompt or an `env PRUN_UNIT=…` in the arguments must not make a stranger a member. Undefined when the two do
 * not belong together or no environment is shown. A name that comes twice with different values (it can stand
 * in the value of another variable) counts as absent.
 */
export function marksOf(withEnvironment: PsCommand, plain: PsCommand): ProcessMarks | undefined {
  if (withEnvironment.start !== plain.start || !withEnvironment.text.startsWith(plain.text)) return undefined;
  const environment = withEnvironment.text.slice(plain.text.length);
  if (!environment.includes('=')) return undefined;
  const unit = valueIn(environment, 'PRUN_UNIT');
  const threads = ['CODEX_THREAD_ID', 'CODEX_SESSION_ID'].flatMap((name) => valueIn(environment, name) ?? []);
  threads.push(...(valueIn(environment, LEASES)?.split('/') ?? []));
  return unit === undefined ? { threads } : { unit, threads };
}

function valueIn(environment: string, name: string): string | undefined {
  const values = new Set<string>();
  for (const match of environment.matchAll(new RegExp(` ${name}=(\\S*)`, 'g'))) {
    if (match[1]) values.add(match[1]);
  }
  const [value] = values;
  return values.size === 1 ? value : undefined;
}

/** Milliseconds of `ps`'s CPU time: `MM:SS.hh` on macOS, `[DD-]HH:MM:SS` elsewhere. 0 for anything else. */
export function cpuMsOf(text: string): number {
  const match = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d\d)(?:\.(\d\d))?$/.exec(text);
  if (!match) return 0;
  const [days, hours, minutes, seconds, hundredths] = match.slice(1).map((part) => Number(part ?? 0));
  return (
    ((((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000 +
    (hundredths ?? 0) * 10
  );
}

function epochOf(parts: (string | undefined)[]): number | undefined {
  const [month = '', day, hour, minute, second, year] = parts;
  const index = MONTHS.indexOf(month);
  if (index < 0 || index % 3 !== 0) return undefined;
  return Date.UTC(Number(year), index / 3, Number(day), Number(hour), Number(minute), Number(second));
}

// Apple: I, R, S, T, U (uninterruptible), Z, and H or ? for threads in no clear state; procps says D for U.
function stateOf(letters: string): ProcessEntry['state'] {
  switch (letters[0]) {
    case 'Z':
      return 'zombie';
    case 'T':
    case 't':
      return 'stopped';
    case 'U':
    case 'D':
      return 'uninterruptible';
    default:
      return 'alive';
  }
}
