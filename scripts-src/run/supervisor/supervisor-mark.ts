import { createFamily, observerOf } from '../../process/family.ts';
import type { ProcessHost } from '../../process/types.ts';
import { killOnSight } from '../../supervise/reap.ts';
import type { Run } from '../run-folder.ts';

const KILL_MS = 2000;

/** Value of PRUN_UNIT for what a run's supervisor itself starts (`prun clone` and its setup): no unit has it. */
export function supervisorMark(run: Pick<Run, 'record'>): string {
  // A token of its own, because a name may come again: the time when the run was made.
  return `run-${run.record.id}-${run.record.createdAt.replace(/\D/g, '')}`;
}

/** The same for what makes one unit's workspace. */
export function makerMark(run: Pick<Run, 'record'>, unit: string): string {
  return `${supervisorMark(run)}/${unit}`;
}

/** Ends everything that carries a mark. */
export async function endMarked(host: ProcessHost, mark: string): Promise<void> {
  await killOnSight(host, createFamily(mark, null, 0), observerOf(host), KILL_MS);
}

/** Ends what a supervisor that died was about to do: two processes must not make the same workspace. */
export async function endLeftovers(host: ProcessHost, run: Run): Promise<void> {
  await endMarked(host, supervisorMark(run));
}
