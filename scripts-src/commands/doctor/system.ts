import path from 'node:path';
import { askProgram } from '../../process/ask-program.ts';
import { UNSHARE } from '../../supervise/contain.ts';
import { type Finding, fine, type LookAnswer } from './finding.ts';
import { inotifyFinding } from './inotify.ts';
import { limitsFinding, machineLimits } from './limits.ts';
import type { LookWish } from './look-apart.ts';
import { ownUse } from './own-use.ts';
import { saidIn } from './said-in.ts';

/** What the operating system grants this user. `mark`: what is started is marked with it. */
export async function lookAtSystem(
  { limitMs }: Pick<LookWish, 'limitMs'>,
  mark?: string,
  platform: NodeJS.Platform = process.platform,
): Promise<LookAnswer> {
  const use = platform === 'linux' ? ownUse() : undefined;
  const limits = limitsFinding(machineLimits(platform, use), platform);
  const containment = await containmentFinding(limitMs, mark, platform);
  return {
    findings: [limits.finding, inotifyFinding(platform, use), containment],
    mostUnits: limits.mostUnits,
  };
}

/** Whether `--contain` does something here. Nothing depends on it. */
async function containmentFinding(
  limitMs: number,
  mark: string | undefined,
  platform: NodeJS.Platform,
): Promise<Finding> {
  const id = 'containment';
  if (platform !== 'linux') return fine(id, 'pid namespaces are of Linux alone: --contain does nothing here');
  const answer = await askProgram([...UNSHARE, 'true'], {
    environment: process.env,
    cwd: path.parse(process.execPath).root,
    limitMs,
    mark,
  });
  return answer.exitCode === 0
    ? fine(id, 'pid namespaces work (--contain)')
    : fine(
        id,
        `pid namespaces do not work (${saidIn(answer)}): --contain does nothing, all else works without`,
      );
}
