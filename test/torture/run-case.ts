import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Seen } from '../helpers/process-table.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { type Random, seededRandom } from './random.ts';
import { type AtEnd, type Call, callPrun, killSame, type RunPlace, textOf } from './run-place.ts';
import type { RunStory } from './run-proof.ts';
import { openTortured, seeThrough } from './run-tortured.ts';
import { drawUnits } from './run-units.ts';
import { electedOf, guardiansOfRun, namesIn, supervisorsOf, workersOf } from './run-victims.ts';

/** Who is struck with SIGKILL. `line`: a supervisor, and two successors as soon as they are elected. */
export type Victim = 'supervisor' | 'guardian' | 'both' | 'worker' | 'wait' | 'line';
const VICTIMS: readonly Victim[] = [
  'supervisor',
  'supervisor',
  'guardian',
  'both',
  'both',
  'worker',
  'worker',
  'wait',
  'line',
];

/** A blow after a pause. */
export interface Blow {
  victim: Victim;
  afterMs: number;
}

/** One run of ten units, and what is done to it. */
export interface RunCase {
  seed: number;
  /** Whether half of the units work in clones of a repository. */
  hasRepository?: boolean;
  blows: Blow[];
  /** Supervisors kill themselves here, and successors again. */
  fault?: string;
  /** So many of them, 3 when left out; then those who know of the point are ended, and the next command goes on. */
  deaths?: number;
  /** Every `prun wait` kills itself here, once. */
  waitFault?: string;
}

/** Draws blows that fall while a run goes on. */
export function drawBlows(random: Random): Blow[] {
  const count = 1 + random.below(5);
  return Array.from({ length: count }, () => ({
    victim: random.pick(VICTIMS),
    afterMs: Math.round(random.next() ** 2 * 1400),
  }));
}

/** Plays one case and proves what the promises say of it. */
export async function runRunCase(plan: RunCase, atEnd: AtEnd): Promise<void> {
  const run = openTortured(atEnd, drawUnits(seededRandom(plan.seed), plan.hasRepository));
  const { place, manifest, story } = run;
  const started = callPrun(place, ['run', manifest], faultEnvironment(plan.fault));
  await waitFor(`the run's folder; ${started.stderr()}`, () => namesIn(place.runFolder).length > 0);
  const calm = plan.fault === undefined ? async () => {} : followFault(place, plan.fault, plan.deaths ?? 3);
  await seeThrough(run, faultEnvironment(plan.waitFault), async (currentWait) => {
    for (const blow of plan.blows) {
      await new Promise((resolve) => setTimeout(resolve, blow.afterMs));
      await strike(place, blow.victim, story, currentWait());
    }
    await started.ended;
  }).finally(calm);
}

function faultEnvironment(fault: string | undefined): Record<string, string> {
  return fault === undefined ? {} : { PRUN_FAULT: fault };
}

/**
 * Sees to it that successors die, too: a fault point of the run's folder strikes once there, until the mark of the blow
 * is removed. One of state dirs would strike for ever, as each attempt has a new one.
 */
function followFault(place: RunPlace, fault: string, deaths: number): () => Promise<void> {
  const mark = `.fault-${fault.replace(/\W/g, '-')}`;
  const ofRun = path.join(place.runFolder, mark);
  const attempts = path.join(place.runFolder, 'attempts');
  let again = 0;
  let isOver = false;
  let next: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    if (isOver) return;
    if (again < deaths - 1 && existsSync(ofRun)) {
      again++;
      rmSync(ofRun, { force: true });
    }
    const struck = namesIn(attempts).filter((name) => existsSync(path.join(attempts, name, mark)));
    if (struck.length < deaths) return;
    const heirs = supervisorsOf(place).filter(({ pid }) =>
      textOf(`/proc/${pid}/environ`).includes('PRUN_FAULT='),
    );
    for (const seen of heirs) killSame(seen);
    isOver = heirs.length === 0;
    if (isOver) next = callPrun(place, ['reconcile', '--run', place.run]).ended;
  }, 30);
  return async () => {
    clearInterval(timer);
    await next;
  };
}

async function strike(
  place: RunPlace,
  victim: Victim,
  story: RunStory,
  wait: Call | undefined,
): Promise<void> {
  if (victim === 'wait') wait?.kill();
  if (victim === 'worker') await strikeWorker(place, story);
  if (victim === 'supervisor') strikeElected(place);
  if (victim === 'guardian') for (const seen of guardiansOfRun(place)) killSame(seen);
  if (victim === 'both') for (const seen of supervisorsOf(place)) killSame(seen);
  if (victim === 'line') for (let heir = 0; heir < 3; heir++) await strikeHeir(place);
}

function strikeElected(place: RunPlace): void {
  const elected = electedOf(place);
  if (elected) killSame(elected);
}

/** The next that is elected, if there is one within a second. */
async function strikeHeir(place: RunPlace): Promise<void> {
  const heir = await waitFor('an heir', () => electedOf(place), 1000).catch(() => undefined);
  if (heir) killSame(heir);
}

/** One process of a worker that runs now, or within the next two seconds. */
async function strikeWorker(place: RunPlace, story: RunStory): Promise<void> {
  // Whoever ends prun's own collecting of a delta gets the delta that he deserves: the outcome says so.
  const isWorkers = ({ seen }: { seen: Seen }): boolean => !seen.argv.includes('prun.cjs collect ');
  const look = () => {
    const workers = workersOf(place).filter(isWorkers);
    return workers[Math.floor(workers.length / 2)];
  };
  const victim = await waitFor('a worker', look, 2000).catch(() => undefined);
  if (!victim) return;
  story.struck.add(victim.marker);
  killSame(victim.seen);
}
