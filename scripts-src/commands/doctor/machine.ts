import { bytesText, countOf } from '../../render/figures.ts';
import { defaultJobs, type Machine } from '../../run/supervisor/room-for-start.ts';
import { type Finding, fine, note } from './finding.ts';

/** A worker takes about so much memory, bytes. */
const WORKER_BYTES = 1e9;
/** Heavy workers get into each other's way past about five; on a small host two are a good start. */
const HEAVY = { least: 2, most: 5 } as const;

/** What the machine offers, and with how many heavy units to begin. */
export function machineFinding(machine: Machine): Finding {
  const { processors, availableBytes, load } = machine;
  const facts = [
    countOf(processors, 'core'),
    `${bytesText(availableBytes)} of memory free`,
    // Windows has no load average.
    ...(load > 0 ? [`load ${load.toFixed(1)}`] : []),
  ];
  if (availableBytes < 2 * WORKER_BYTES) {
    return note('machine', facts.join(', '), 'close programs that take memory: a worker takes about 1 GB');
  }
  return fine('machine', `${facts.join(', ')}; of units that build or test begin with ${heavyJobs(machine)}`);
}

function heavyJobs({ processors }: Machine): number {
  return Math.max(HEAVY.least, Math.min(HEAVY.most, Math.floor(processors / 2)));
}

/**
 * How many units at once are a good start: what `prun run` takes when nobody says, and no more than the limits leave room
 * for. `limits`: see LookAnswer.
 */
export function suggestedJobs(limits: readonly (number | null)[], machine: Machine): number {
  const most = Math.min(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY));
  return Math.max(1, Math.min(defaultJobs(machine), most));
}

/**
 * Why a run may begin with another number later or now: the load changes it from one look to the next, and a run looks at
 * no limits. Undefined where neither plays a part.
 */
export function jobsReason(jobs: number, machine: Machine): string | undefined {
  const now = defaultJobs(machine);
  const calm = defaultJobs({ ...machine, load: 0 });
  if (jobs < now) return `the limits leave room for no more; a run begins with auto(${now})`;
  return calm > now
    ? `load ${machine.load.toFixed(1)} halves it; a run that begins with less load takes auto(${calm})`
    : undefined;
}
