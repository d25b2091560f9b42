import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { lstatOrNone } from '../platform/files.ts';
import { type InstallManifest, readManifest } from './install-manifest.ts';
import { KEPT_FOLDER } from './install-plan.ts';
import { isSkillOfPrun } from './install-source.ts';

/** What stands where the skill goes. */
export type SkillPlace =
  | { kind: 'nothing' }
  | { kind: 'empty' }
  /** A prun folder; without a manifest somebody else put it there. */
  | { kind: 'copy'; folder: string; manifest: InstallManifest | undefined }
  /** The whole repository, a clone of it or unpacked; `folder` is the prun folder in it. */
  | { kind: 'repository'; folder: string; isClone: boolean }
  /** A link to a prun folder. `isOwn`: an absolute one, as prun install makes them. */
  | { kind: 'link'; folder: string; isOwn: boolean };

/** Looks at it. Throws a usage error, with what to do, for everything that is not prun's to touch. */
export function lookAtPlace(target: string): SkillPlace {
  const stat = lstatOrNone(target);
  if (stat === undefined) return { kind: 'nothing' };
  if (stat.isSymbolicLink()) return lookAtLink(target);
  if (!stat.isDirectory()) {
    throw usageError(`${target} is no folder`, 'move it away, and run the command again');
  }
  const names = readdirSync(target);
  if (names.length === 0) return { kind: 'empty' };
  const inside = path.join(target, 'skills', 'prun');
  if (isSkillOfPrun(inside)) {
    return {
      kind: 'repository',
      folder: realpathSync(inside),
      isClone: existsSync(path.join(target, '.git')),
    };
  }
  const manifest = readManifest(target);
  if (manifest !== undefined || isSkillOfPrun(target) || existsSync(path.join(target, KEPT_FOLDER))) {
    return { kind: 'copy', folder: realpathSync(target), manifest };
  }
  throw usageError(
    `${target} is not prun's: it has no SKILL.md of prun`,
    'look at what it is and move it away, or give another --project',
  );
}

function lookAtLink(target: string): SkillPlace {
  const text = readlinkSync(target);
  const to = path.resolve(path.dirname(target), text);
  if (lstatOrNone(to) === undefined || !existsSync(target)) {
    throw usageError(
      `${target} is a link to ${to}, which is not there`,
      'remove the link, or bring back what it leads to',
    );
  }
  const folder = realpathSync(target);
  if (!isSkillOfPrun(folder)) {
    throw usageError(
      `${target} is a link to ${folder}, which is no prun folder`,
      'remove the link, or give another --project',
    );
  }
  return { kind: 'link', folder, isOwn: path.isAbsolute(text) };
}
