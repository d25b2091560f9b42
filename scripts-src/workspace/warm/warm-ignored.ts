import path from 'node:path';
import { type BytePath, below, splitPaths, textOf } from '../../platform/byte-path.ts';
import { type GitPlace, gitBytes } from '../../platform/git.ts';

/** The repository from which ignored files are brought along; only read. */
export interface WarmSource {
  /** Absolute. */
  workTree: string;
  gitDir: string;
  /** Paths of submodules that are checked out, below the work tree. */
  submodules?: readonly BytePath[];
}

/**
 * What git ignores in a work tree and its submodules, without slashes at the ends: folders as one where everything in
 * them is ignored, never with what lies in them. The index is not written.
 */
export async function ignoredPaths(source: WarmSource): Promise<BytePath[]> {
  const own = await listIgnored({ gitDir: source.gitDir, workTree: source.workTree });
  const found = [...own];
  for (const submodule of source.submodules ?? []) {
    // git finds the submodule's repository from its folder.
    const inside = await listIgnored({ cwd: path.join(source.workTree, textOf(submodule)) });
    found.push(...inside.map((where) => below(submodule, where)));
  }
  return found;
}

async function listIgnored(place: GitPlace): Promise<BytePath[]> {
  const argv = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const listed = splitPaths(await gitBytes({ ...place, asUser: true }, argv));
  const folders = new Set<string>();
  const found: BytePath[] = [];
  for (const entry of listed) {
    const where = (entry.endsWith('/') ? entry.slice(0, -1) : entry) as BytePath;
    // git names a folder and then what is in it, where the folder is ignored only because all in it is.
    if (isBelow(where, folders)) continue;
    if (entry.endsWith('/')) folders.add(where);
    found.push(where);
  }
  return found;
}

/** Whether a path lies below one of the folders. */
function isBelow(where: BytePath, folders: ReadonlySet<string>): boolean {
  for (let cut = where.indexOf('/'); cut >= 0; cut = where.indexOf('/', cut + 1)) {
    if (folders.has(where.slice(0, cut))) return true;
  }
  return false;
}
