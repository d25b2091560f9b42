import { currentHost } from '../process/host.ts';
import { liveAttempt } from '../unit/live-attempt.ts';
import { attemptsIn } from '../workspace/workspace-of.ts';
import type { WorkspaceSet } from '../workspace/workspace-set.ts';

/** State dir of the attempt that works in a unit's workspace now, or undefined when none does. */
export async function runningAttempt(set: WorkspaceSet, unit: string): Promise<string | undefined> {
  const noted = attemptsIn({ set: set.folder, unit });
  return noted.length === 0 ? undefined : liveAttempt(await currentHost(), noted);
}
