import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gitPaths, neutralGitDir } from '../../helpers/plain-git.ts';
import type { BuiltRepository } from './build-repository.ts';

/** What of a working tree counts. Each byte of a path is one character. */
export interface Visible {
  /** Files and links that are tracked, or there and not ignored. */
  files: Set<string>;
  /** Folders that are repositories of their own. */
  nested: string[];
}

/**
 * The files of a working tree that count: those of `tracked` that are there, and every other one that the ignore rules
 * of its own repository (the top one or a submodule) do not hide. `scratch` is a folder for git folders that this makes.
 */
export async function visibleFiles(
  root: string,
  tracked: Iterable<string>,
  built: BuiltRepository,
  scratch: string,
): Promise<Visible> {
  const files = new Set<string>();
  const nested: string[] = [];
  for (const where of tracked) if (isFileAt(root, where)) files.add(where);
  const regions = built.modules.map((module) => module.where);
  for (const region of ['', ...regions]) {
    if (region && !isFolderAt(root, region)) continue;
    const gitDir = neutralGitDir(
      path.join(scratch, `oracle ${region.replaceAll('/', ' ')}`),
      built.format,
      region ? '' : built.excludes,
    );
    const top = region ? path.join(root, region) : root;
    const environment = { GIT_DIR: gitDir, GIT_WORK_TREE: top };
    for (const below of await gitPaths(top, ['ls-files', '-z', '-o', '--exclude-standard'], {
      environment,
    })) {
      const where = region ? `${region}/${below}` : below;
      const isElsewhere = regions.some((other) => other.length > region.length && isWithin(where, other));
      if (isElsewhere) continue;
      if (where.endsWith('/')) nested.push(where.slice(0, -1));
      else if (isFileAt(root, where)) files.add(where);
    }
  }
  for (const where of files) if (nested.some((folder) => isWithin(where, folder))) files.delete(where);
  return { files, nested };
}

/** What the user's indexes hold, submodules' among them. */
export async function trackedByUser(built: BuiltRepository): Promise<string[]> {
  const found: string[] = [];
  for (const region of ['', ...built.modules.map((module) => module.where)]) {
    const top = path.join(built.source, region);
    const config = { 'core.fsmonitor': 'false' };
    const listed = await gitPaths(top, ['ls-files', '-z'], {
      config,
      environment: { GIT_OPTIONAL_LOCKS: '0' },
    });
    found.push(...listed.map((below) => (region ? `${region}/${below}` : below)));
  }
  return found;
}

/** Whether a path is the folder or below it. */
export function isWithin(where: string, folder: string): boolean {
  return where === folder || where.startsWith(`${folder}/`);
}

/** Every file below a folder, without anything called `.git`. */
export function filesBelow(root: string, folder: string): string[] {
  const at = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(folder, 'latin1')]);
  return readdirSync(at, { encoding: 'buffer' }).flatMap((name) => {
    if (name.toString('latin1') === '.git') return [];
    const where = `${folder}/${name.toString('latin1')}`;
    return isFolderAt(root, where) ? filesBelow(root, where) : [where];
  });
}

function statOf(root: string, where: string) {
  try {
    return lstatSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(where, 'latin1')]));
  } catch {
    return undefined;
  }
}

function isFolderAt(root: string, where: string): boolean {
  return statOf(root, where)?.isDirectory() ?? false;
}

/** A regular file or a link whose parents are real folders. */
function isFileAt(root: string, where: string): boolean {
  const names = where.split('/');
  for (let at = 1; at < names.length; at++) if (!isFolderAt(root, names.slice(0, at).join('/'))) return false;
  const stats = statOf(root, where);
  return stats !== undefined && (stats.isFile() || stats.isSymbolicLink());
}
