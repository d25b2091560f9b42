import path from 'node:path';
import { EXIT } from '../platform/errors.ts';
import { shortHash } from '../platform/random.ts';
import { holdLock } from '../process/hold-lock.ts';
import { currentHost } from '../process/host.ts';
import type { ProcessHost } from '../process/types.ts';
import { INSTALL_HELP, type InstallArguments, parseInstall } from './install-arguments.ts';
import { installCopy } from './install-copy.ts';
import { gitHint } from './install-hint.ts';
import { installLink } from './install-link.ts';
import { lookAtPlace, type SkillPlace } from './install-place.ts';
import { type InstallReport, printReport } from './install-report.ts';
import { repositoryReport } from './install-repository.ts';
import { readSource, type SkillSource } from './install-source.ts';
import { requireBase } from './install-target.ts';
import { uninstall } from './install-uninstall.ts';

/** `prun install`: the prun folder as a skill of Claude Code. `script` is the running program, in the folder's `scripts`. */
export async function install(argv: readonly string[], script: string): Promise<number> {
  const wish = parseInstall(argv, process.env, process.cwd());
  if (wish === undefined) {
    process.stdout.write(INSTALL_HELP);
    return EXIT.ok;
  }
  requireBase(wish);
  const host = await currentHost();
  if (!wish.dryRun) await holdTarget(host, wish);
  const place = lookAtPlace(wish.target);
  if (wish.uninstall) {
    printReport(await uninstall(host, wish, place), wish.json);
    return EXIT.ok;
  }
  const source = readSource(script);
  const report = await put(host, wish, source, place);
  if (wish.scope === 'project' && !wish.dryRun) report.notes.push(...(await gitHint(wish.base)));
  printReport(report, wish.json);
  return EXIT.ok;
}

async function put(
  host: ProcessHost,
  wish: InstallArguments,
  source: SkillSource,
  place: SkillPlace,
): Promise<InstallReport> {
  if (place.kind === 'repository') return repositoryReport(wish, source, place);
  if (wish.form === 'link' || place.kind === 'link') return installLink(wish, source, place);
  return installCopy(host, wish, source, place);
}

/** Two at once: the second waits, and then finds everything done. */
async function holdTarget(host: ProcessHost, { stateHome, target }: InstallArguments): Promise<void> {
  let told = false;
  await holdLock(host, stateHome, `install-${shortHash(path.normalize(target))}`, (holder) => {
    if (!told) process.stderr.write(`prun install: waits for another one (pid ${holder.split(':')[1]})\n`);
    told = true;
  });
}
