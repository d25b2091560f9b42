import type { ProcessHost } from '../process/types.ts';
import type { InstallArguments } from './install-arguments.ts';
import { putFolder, replaceFiles } from './install-files.ts';
import { standBehind } from './install-guardian.ts';
import type { SkillPlace } from './install-place.ts';
import { type InstallPlan, planInstall } from './install-plan.ts';
import { emptyReport, type InstallReport } from './install-report.ts';
import { ruleOffer } from './install-rules.ts';
import { type SkillSource, versionIn } from './install-source.ts';
import { realPathOf, refuseInside } from './install-target.ts';
import { usersOf } from './install-users.ts';

/** Puts a copy in place, or brings the one that is there up to date. */
export async function installCopy(
  host: ProcessHost,
  wish: InstallArguments,
  source: SkillSource,
  place: Exclude<SkillPlace, { kind: 'link' | 'repository' }>,
): Promise<InstallReport> {
  const { target, dryRun } = wish;
  const report: InstallReport = {
    ...emptyReport(wish, 'copy'),
    version: source.version,
    previousVersion: place.kind === 'copy' ? versionIn(place.folder) : null,
    offer: ruleOffer({ ...wish, folder: target }),
  };
  if (place.kind === 'copy' && place.folder === source.folder) {
    report.counts.same = source.files.length;
    report.notes.push('this is the folder that runs: a newer prun is installed from its own folder');
    return report;
  }
  refuseInside(source.folder, realPathOf(target));
  if (place.kind !== 'copy') {
    report.action = 'INSTALLED';
    report.counts.added = source.files.length;
    if (!dryRun) putFolder(host, target, source);
    return report;
  }
  if (place.manifest === undefined) {
    report.notes.push('prun install had not put it there: of what differs the old ones are kept');
  }
  const plan = planInstall(place.folder, source.files, place.manifest);
  const stays = await scriptsInUse(host, place.folder, plan);
  tellPlan(report, plan, stays);
  // Without a manifest, or with one of an interrupted upgrade, nothing may differ and it is still to be written.
  const isDone = isUpToDate(report) && place.manifest !== undefined && place.manifest.replaced === undefined;
  if (isDone || (stays.length > 0 && isUpToDate(report))) return report;
  // What is left of one that was removed has nothing to upgrade.
  report.action = place.manifest === undefined && report.previousVersion === null ? 'INSTALLED' : 'UPGRADED';
  if (dryRun) return report;
  const { folder, manifest: old } = place;
  report.keptIn = await replaceFiles(host, {
    ...{ folder, source, plan, old, stays },
    standBehind: (stage) => standBehind(host, wish, source, stage),
  });
  return report;
}

function tellPlan(report: InstallReport, plan: InstallPlan, stays: readonly string[]): void {
  report.counts = {
    added: plan.add.length,
    replaced: plan.replace.length + plan.changed.length + plan.mode.length,
    removed: plan.drop.length - stays.length,
    same: plan.same.length,
  };
  report.changed = plan.changed.map(({ file }) => file);
  report.own = plan.own;
  for (const file of stays) {
    report.notes.push(`${file} is not of this version, and stays while processes use the folder`);
  }
}

function isUpToDate({ counts }: InstallReport): boolean {
  return counts.added + counts.replaced + counts.removed === 0;
}

/** Scripts that this version does not have any more: a guardian of a run that is live may still start one by its path. */
async function scriptsInUse(host: ProcessHost, folder: string, plan: InstallPlan): Promise<string[]> {
  const scripts = plan.drop.map(({ file }) => file).filter((file) => file.startsWith('scripts/'));
  if (scripts.length === 0) return [];
  const users = await usersOf(host, folder);
  // Where the system does not tell, somebody may.
  return users?.length === 0 ? [] : scripts;
}
