import { usageError } from '../platform/errors.ts';
import type { InstallArguments } from './install-arguments.ts';
import type { SkillPlace } from './install-place.ts';
import { emptyReport, type InstallReport } from './install-report.ts';
import { ruleOffer } from './install-rules.ts';
import { type SkillSource, versionIn } from './install-source.ts';
import { realPathOf, refuseInside } from './install-target.ts';
import { putLink, refusePassingSource } from './make-link.ts';

/** Makes a link to the folder that runs, or looks at the one that is there. */
export function installLink(
  wish: InstallArguments,
  source: SkillSource,
  place: Exclude<SkillPlace, { kind: 'repository' }>,
): InstallReport {
  const { target, dryRun } = wish;
  const report: InstallReport = {
    ...emptyReport(wish, 'link'),
    version: source.version,
    previousVersion: place.kind === 'link' ? versionIn(place.folder) : null,
    offer: ruleOffer({ ...wish, folder: target, linkedTo: source.folder }),
  };
  if (place.kind === 'copy') {
    throw usageError(
      `${target} is a copy of prun, and --link was given`,
      'take the copy away with prun install --uninstall first',
    );
  }
  if (place.kind === 'link') {
    if (place.folder === source.folder) {
      report.notes.push(`it is a link to ${place.folder}`);
      return report;
    }
    throw usageError(
      `${target} is a link to another prun folder, ${place.folder}`,
      'upgrade that one, or remove the link (only the link) and run prun install again',
    );
  }
  refusePassingSource(source.folder);
  refuseInside(source.folder, realPathOf(target));
  if (!dryRun) putLink(target, source.folder, place);
  return { ...report, action: 'INSTALLED', notes: [`it is a link to ${source.folder}, which has to stay`] };
}
