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

/** Ends what a supervisor that died was about to do: two processes must not make the same workspace. */
export async function endLeftovers(host: ProcessHost, run: Run): Promise<void> {
  const family = createFamily(supervisorMark(run), null, 0);
  await killOnSight(host, family, observerOf(host), KILL_MS);
}
