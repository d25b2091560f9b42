import { type BytePath, bytePath } from '../../platform/byte-path.ts';
import { type GitPlace, gitBytes, runGit } from '../../platform/git.ts';

/** git's mode of a submodule's entry: a commit of another repository. */
export const LINK_MODE = '160000';

/** One entry of an index. */
export interface IndexEntry {
  path: BytePath;
  mode: string;
  id: string;
  /** 0, or 1 to 3 in a merge that is not finished. */
  stage: number;
  /** The user told git not to look at the file (`update-index --assume-unchanged`). */
  assumeUnchanged: boolean;
  /** The file is left out of the working tree (sparse checkout), or the user told git so. */
  skipWorktree: boolean;
}

/** An entry with the size that its file had when the index last looked at it, bytes. */
export interface SizedEntry extends IndexEntry {
  size: number;
}

/** All entries of an index, in its order. */
export async function readEntries(place: GitPlace): Promise<SizedEntry[]> {
  const output = await gitBytes(place, ['ls-files', '-z', '-v', '--stage', '--debug']);
  const text = output.toString('latin1');
  const entries: SizedEntry[] = [];
  // `H 100644 <id> 0\t<path>NUL`, the letter in lower case for assume-unchanged (git-ls-files(1), -v); then lines of
  // figures up to the one with the size (--debug).
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\0', at);
    const tab = text.indexOf('\t', at);
    const size = text.indexOf('\n  size: ', end) + 9;
    if (end < 0 || size < 9) break;
    const [tag = '', mode = '', id = '', stage = ''] = text.slice(at, tab).split(' ');
    entries.push({
      path: text.slice(tab + 1, end) as BytePath,
      mode,
      id,
      stage: Number(stage),
      assumeUnchanged: tag !== tag.toUpperCase(),
      skipWorktree: tag.toUpperCase() === 'S',
      size: Number.parseInt(text.slice(size, size + 20), 10),
    });
    at = text.indexOf('\n', size) + 1;
  }
  return entries;
}

/** A line for `update-index --index-info`; without a mode the path is taken out. */
export interface IndexChange {
  path: BytePath;
  mode?: string;
  id?: string;
}

/** Writes entries into an index without looking at files: no flags, no times, so that the next look reads them. */
export async function changeEntries(
  place: GitPlace,
  changes: readonly IndexChange[],
  nullId: string,
): Promise<void> {
  if (changes.length === 0) return;
  const input = indexLines(changes.map(({ path, mode = '0', id = nullId }) => ({ path, mode, id })));
  await runGit(place, ['update-index', '-z', '--index-info'], { input });
}

/** Entries as `update-index -z --index-info` reads them. */
export function indexLines(entries: readonly TreeEntry[]): Buffer {
  return Buffer.from(entries.map(({ path, mode, id }) => `${mode} ${id} 0\t${path}\0`).join(''), 'latin1');
}

/** Entries from such lines. */
export function parseIndexLines(lines: Buffer): TreeEntry[] {
  return lines
    .toString('latin1')
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', id = ''] = line.slice(0, tab).split(' ');
      return { mode, id, path: line.slice(tab + 1) as BytePath };
    });
}

/** A file of a tree. */
export interface TreeEntry {
  path: BytePath;
  mode: string;
  id: string;
}

/** All files of a tree. */
export async function readTree(place: GitPlace, tree: string): Promise<TreeEntry[]> {
  const output = await gitBytes(place, ['ls-tree', '-r', '-z', '--full-tree', tree]);
  return output
    .toString('latin1')
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', , id = ''] = line.slice(0, tab).split(' ');
      return { mode, id, path: bytePath(Buffer.from(line.slice(tab + 1), 'latin1')) };
    });
}

/** The tree of an index. Objects that a partial clone lacks are no reason to fail. */
export async function writeTree(place: GitPlace): Promise<string> {
  return (await gitBytes(place, ['write-tree', '--missing-ok'])).toString('utf8').trim();
}

/** The id that stands for nothing. */
export function nullIdOf(format: 'sha1' | 'sha256'): string {
  return '0'.repeat(format === 'sha256' ? 64 : 40);
}
