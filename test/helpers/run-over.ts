import { existsSync } from 'node:fs';
import type { RunRoom, StartedRun } from './run-room.ts';
import { waitFor } from './wait-for.ts';

/** Cancels what still goes on in a run, and waits until its supervisor has gone: then its folder can be removed. */
export async function endRun(room: RunRoom, run: StartedRun): Promise<void> {
  await room.cli.run(['cancel', '--run', run.id, '--grace', '0']);
  await supervisorGone(run);
}

/** Waits until the supervisor of a run whose units have all ended has gone. */
export async function supervisorGone(run: StartedRun): Promise<void> {
  await run.done();
  await waitFor(`the end of the supervisor of ${run.id}`, () => !existsSync(`/proc/${run.supervisorPid()}`));
}
