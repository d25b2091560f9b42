import { type BytePath, bytePathOf } from '../../platform/byte-path.ts';
import { type GitPlace, runGit } from '../../platform/git.ts';
import type { TakeProblem } from '../delta/take-files.ts';

/**
 * Folders with new files that this user may not read: git passes over them with a warning. `excludeFrom` are files with
 * more ignore rules; what is ignored is not told. Nothing is closed to root, and nothing is asked then.
 */
export async function closedFolders(place: GitPlace, excludeFrom: readonly string[]): Promise<TakeProblem[]> {
  if (process.getuid?.() === 0) return [];
  const rules = ['--exclude-standard', ...excludeFrom.map((file) => `--exclude-from=${file}`)];
  const { stderr } = await runGit(place, ['ls-files', '-z', '--others', ...rules]);
  return closedFoldersIn(stderr).map((path) => ({
    path,
    what: 'a folder that may not be read: what is in it is missing',
    lost: true,
  }));
}

/** The folders that git's warnings name, in order, each once. Pure. */
export function closedFoldersIn(stderr: string): BytePath[] {
  const named = [...stderr.matchAll(/^warning: could not open directory '(.+?)\/?': Permission denied$/gm)];
  return [...new Set(named.map(([, folder = '']) => bytePathOf(folder)))];
}
