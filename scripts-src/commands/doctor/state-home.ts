import type { LookAnswer } from './finding.ts';
import { leftoverRuns } from './leftover-runs.ts';
import type { LookWish } from './look-apart.ts';
import { placeFinding } from './place.ts';

/** Where runs and workspaces lie, and what is left of earlier ones. */
export async function lookAtStateHome({ stateHome, limitMs }: LookWish): Promise<LookAnswer> {
  const place = await placeFinding({
    id: 'state-home',
    folder: stateHome,
    another: 'give another one with PRUN_STATE_HOME or --state-home',
    isPrivate: true,
    isMade: true,
  });
  return { findings: [place, await leftoverRuns(stateHome, limitMs)], mostUnits: null };
}
