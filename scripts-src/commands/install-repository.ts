import { usageError } from '../platform/errors.ts';
import type { InstallArguments } from './install-arguments.ts';
import type { SkillPlace } from './install-place.ts';
import { emptyReport, type InstallReport } from './install-report.ts';
import { ruleOffer } from './install-rules.ts';
import type { SkillSource } from './install-source.ts';

type Repository = Extract<SkillPlace, { kind: 'repository' }>;

/** The whole repository stands where the skill goes: it works as it is, with rules of its own, and is left alone. */
export function repositoryReport(
  wish: InstallArguments,
  source: SkillSource,
  place: Repository,
): InstallReport {
  if (place.folder !== source.folder) {
    throw usageError(
      `${wish.target} is ${whatItIs(place)}, which works as a skill as it is`,
      'upgrade it with git pull; to have the prun folder alone there, move the repository away first',
    );
  }
  const notes = [`it is ${whatItIs(place)}, which works as a skill as it is: git pull upgrades it`];
  return {
    ...emptyReport(wish, 'repository'),
    version: source.version,
    previousVersion: source.version,
    notes,
    offer: ruleOffer({ ...wish, folder: place.folder }),
  };
}

/** Refuses to remove it. */
export function refuseToRemove(target: string, place: Repository): never {
  throw usageError(
    `${target} is ${whatItIs(place)}, which prun install did not put there`,
    'remove it yourself when you need nothing in it',
  );
}

function whatItIs({ isClone }: Repository): string {
  return isClone ? 'a clone of the whole prun repository' : 'the whole prun repository';
}
