import type { LookAnswer } from './finding.ts';
import type { LookWish } from './look-apart.ts';
import { repositoryFinding } from './repository.ts';
import { skillFinding } from './skill.ts';

/** The current folder: the repository that it is in, and whether Claude Code finds the skill from there. */
export async function lookAtHere(wish: LookWish): Promise<LookAnswer> {
  return { findings: [await repositoryFinding(wish), skillFinding(wish)], mostUnits: null };
}
