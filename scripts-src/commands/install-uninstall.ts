import { existsSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import type { ProcessHost } from '../process/types.ts';
import type { InstallArguments } from './install-arguments.ts';
import { removeFiles } from './install-files.ts';
import type { SkillPlace } from './install-place.ts';
import { KEPT_FOLDER, planRemoval } from './install-plan.ts';
import { emptyReport, type InstallReport } from './install-report.ts';
import { refuseToRemove } from './install-repository.ts';
import { versionIn } from './install-source.ts';
import { refuseWhileUsed, usersOf } from './install-users.ts';
import { removeLink } from './make-link.ts';

/** Removes what prun install put there. */
export async function uninstall(
  host: ProcessHost,
  wish: InstallArguments,
  place: SkillPlace,
): Promise<InstallReport> {
  const { target, dryRun } = wish;
  if (place.kind === 'repository') refuseToRemove(target, place);
  const report: InstallReport = {
    ...emptyReport(wish, place.kind === 'link' ? 'link' : 'copy'),
    action: 'REMOVED',
  };
  if (place.kind === 'nothing' || place.kind === 'empty') {
    return { ...report, action: 'UNCHANGED', notes: ['there is no prun there'] };
  }
  report.notes.push('rules for it that you put into your settings stay there');
  report.previousVersion = versionIn(place.folder);
  if (place.kind === 'link') {
    if (!place.isOwn) {
      throw usageError(
        `${target} is a relative link to ${place.folder}, which another installer made`,
        'remove it with that installer, or remove the link yourself',
      );
    }
    report.notes.push(`the link led to ${place.folder}, which stays`);
    if (!dryRun) removeLink(target);
    return report;
  }
  if (place.manifest === undefined) {
    throw usageError(
      `${target} was not put there by prun install (it has no .prun-manifest.json)`,
      'remove the folder yourself, or run prun install first, which keeps what is changed',
    );
  }
  const users = await usersOf(host, place.folder);
  refuseWhileUsed(place.folder, users);
  if (users === undefined) report.notes.push('the system does not tell whether processes still use it');
  const plan = planRemoval(place.folder, place.manifest);
  report.counts.removed = plan.remove.length;
  report.changed = plan.changed;
  report.own = plan.own;
  const kept = path.join(place.folder, KEPT_FOLDER);
  if (existsSync(kept)) report.notes.push(`what prun install kept of your changes stays in ${kept}`);
  if (!dryRun) removeFiles(host, place.folder, plan);
  return report;
}
