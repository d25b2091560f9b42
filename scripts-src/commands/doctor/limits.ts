import * as z from 'zod/mini';
import { readValue } from '../../platform/files.ts';
import { defaultJobs, machineNow } from '../../run/supervisor/room-for-start.ts';
import { type Finding, fine, note, problem } from './finding.ts';
import type { OwnUse } from './own-use.ts';

/** Limits of this user's processes; null: there is none, or nobody tells. */
export interface Limits {
  /** Open files of one process. */
  openFiles: number | null;
  /** Processes of the user (Linux: with their threads), and how many there are. */
  processes: number | null;
  processesInUse: number;
  /** The same of the container or session that this process is in. */
  group: number | null;
  groupInUse: number;
}

/** A codex with npm's wrapper has about 60 threads, and runs commands that have their own. */
const TASKS_OF_UNIT = 100;
/** Where threads are not counted. */
const PROCESSES_OF_UNIT = 10;
const LEAST_FILES = 1024;

/** What holds here: the limits that Node itself reports, and of Linux those of the control group. */
export function machineLimits(platform: NodeJS.Platform, use: OwnUse | undefined): Limits {
  const limits = userLimits();
  // The kernel does not hold root to it (getrlimit(2), CAP_SYS_RESOURCE).
  const isRoot = platform === 'linux' && process.getuid?.() === 0;
  const group = platform === 'linux' ? groupLimit() : undefined;
  return {
    openFiles: limits?.open_files?.soft ?? null,
    processes: isRoot ? null : (limits?.max_user_processes?.soft ?? null),
    processesInUse: use?.tasks ?? 0,
    group: group?.most ?? null,
    groupInUse: group?.inUse ?? 0,
  };
}

/** What is said of limits, and for how many units they leave room. Pure but for the usual number of jobs. */
export function limitsFinding(
  limits: Limits,
  platform: NodeJS.Platform,
  usualJobs = defaultJobs(machineNow()),
): { finding: Finding; mostUnits: number | null } {
  const id = 'limits';
  if (platform === 'win32') {
    return { finding: fine(id, 'Windows has none that matter here'), mostUnits: null };
  }
  const { openFiles, processes, processesInUse, group, groupInUse } = limits;
  const ofUnit = platform === 'linux' ? TASKS_OF_UNIT : PROCESSES_OF_UNIT;
  const rooms = [
    { most: processes, inUse: processesInUse, what: 'for this user', step: 'raise ulimit -u' },
    {
      most: group,
      inUse: groupInUse,
      what: 'in this container or session',
      step: 'give it more processes (pids.max, docker run --pids-limit)',
    },
  ].flatMap(({ most, ...room }) =>
    most === null ? [] : [{ ...room, most, left: Math.max(0, most - room.inUse) }],
  );
  const [tight] = rooms.sort((a, b) => a.left - b.left);
  const mostUnits = tight ? Math.floor(tight.left / ofUnit) : null;
  const facts = [
    openFiles === null ? 'any number of open files' : `${openFiles} open files`,
    tight ? `${tight.inUse} of ${tight.most} processes in use ${tight.what}` : 'any number of processes',
  ].join(', ');
  if (tight && mostUnits === 0) {
    return { finding: problem(id, `${facts}: no room for a unit (about ${ofUnit})`, tight.step), mostUnits };
  }
  if (tight && mostUnits !== null && mostUnits < usualJobs) {
    const fact = `${facts}: room for ${mostUnits} units at once`;
    return { finding: note(id, fact, tight.step), mostUnits };
  }
  if (openFiles !== null && openFiles < LEAST_FILES) {
    return { finding: note(id, `${facts}: few for builds`, `ulimit -n ${4 * LEAST_FILES}`), mostUnits };
  }
  return { finding: fine(id, facts), mostUnits };
}

/** Node raises its own limit of open files to the hardest at its start, and workers inherit that. */
function userLimits(): z.infer<typeof reportShape>['userLimits'] {
  const { report } = process;
  // It would look up the names of everybody that this process talks to.
  Object.assign(report, { excludeNetwork: true });
  const parsed = reportShape.safeParse(report.getReport());
  return parsed.success ? parsed.data.userLimits : undefined;
}

const limit = z.object({
  soft: z.union([
    z.pipe(
      z.literal('unlimited'),
      z.transform(() => null),
    ),
    z.number(),
  ]),
});
const reportShape = z.object({
  userLimits: z.optional(z.object({ open_files: z.optional(limit), max_user_processes: z.optional(limit) })),
});

/** The limit of the control group's processes (cgroups(7), pids), by version 2, then version 1. */
function groupLimit(
  procFile = '/proc/self/cgroup',
  root = '/sys/fs/cgroup',
): { most: number; inUse: number } | undefined {
  const lines = (readValue(procFile) ?? '').split('\n').map((line) => line.split(':'));
  const unified = lines.find(([, names]) => names === '')?.[2] ?? '/';
  const named = lines.find(([, names]) => names?.split(',').includes('pids'))?.[2] ?? '/';
  for (const folder of [`${root}${unified}`, `${root}/pids${named}`]) {
    const most = Number(readValue(`${folder}/pids.max`) ?? 'none');
    // `max`: there is none.
    if (Number.isInteger(most) && most > 0) {
      return { most, inUse: Number(readValue(`${folder}/pids.current`) ?? 0) };
    }
  }
  return undefined;
}
