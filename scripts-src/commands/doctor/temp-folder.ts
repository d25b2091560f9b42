import type { LookAnswer } from './finding.ts';
import type { LookWish } from './look-apart.ts';
import { placeFinding } from './place.ts';

/** The folder where single units keep their state dirs. */
export async function lookAtTempFolder({ tempFolder }: LookWish): Promise<LookAnswer> {
  const finding = await placeFinding({
    id: 'temp-folder',
    folder: tempFolder,
    another: 'give another one with TMPDIR',
    isPrivate: false,
    isMade: false,
  });
  return { findings: [finding], mostUnits: null };
}
