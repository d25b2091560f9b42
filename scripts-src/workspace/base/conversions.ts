import { lstatSync } from 'node:fs';
import { type BytePath, fileAt, joinPaths, parentOf } from '../../platform/byte-path.ts';
import { type GitPlace, gitBytes } from '../../platform/git.ts';
import { blobSizes } from './base-files.ts';
import type { IndexEntry, SizedEntry } from './index-entries.ts';
import { type SourceRepository, sourcePlace } from './source-repo.ts';

/** Conversions that can leave the size as it was. */
const ATTRIBUTES = ['filter', 'working-tree-encoding'];
const UNSET = new Set(['unspecified', 'unset']);

/**
 * Tracked files whose bytes on disk may differ from their blobs although the index calls them unchanged, because git
 * converted them when they were added, by rules that may be gone by now: line ends, keywords, encodings, filters. Their
 * bytes have to be read. Where the size that the index noted is the blob's, line ends and keywords are as they were;
 * where somebody has filters, no size says anything. `place` is the store with a copy of the user's index.
 */
export async function convertedFiles(
  source: SourceRepository,
  place: GitPlace,
  entries: readonly SizedEntry[],
): Promise<Set<BytePath>> {
  const regular = entries.filter(({ mode, stage }) => stage === 0 && mode.startsWith('100'));
  if (hasFilters(source)) return new Set(regular.map(({ path }) => path));
  const sizes = await blobSizes(
    place,
    regular.map(({ id }) => id),
  );
  const found = new Set<BytePath>();
  for (const { path, id, size } of regular) if (size !== sizes.get(id)) found.add(path);
  if (!hasAttributes(source, entries)) return found;
  const attributes = await attributesOf(source, regular);
  for (const [path, values] of attributes) {
    if (ATTRIBUTES.some((name) => !UNSET.has(values[name] ?? 'unspecified'))) found.add(path);
  }
  return found;
}

/** A driver of the user's own. That of Git LFS changes every size: a pointer is no content. */
function hasFilters({ settings }: SourceRepository): boolean {
  return [...settings.keys()].some(
    (key) => /^filter\..+\.(?:clean|process)$/.test(key) && !key.startsWith('filter.lfs.'),
  );
}

/** An attributes file anywhere: in the tree, in the repository, or the user's own. */
function hasAttributes(source: SourceRepository, entries: readonly IndexEntry[]): boolean {
  if (source.settings.has('core.attributesfile')) return true;
  if (entries.some(({ path }) => path === '.gitattributes' || path.endsWith('/.gitattributes'))) return true;
  const folders = new Set<BytePath | undefined>(entries.map(({ path }) => parentOf(path)));
  const untracked = [...folders].some(
    (folder) =>
      sizeOnDisk(source.workTree, `${folder ? `${folder}/` : ''}.gitattributes` as BytePath) !== undefined,
  );
  return (
    untracked ||
    sizeOnDisk(source.commonDir, 'info/attributes' as BytePath) !== undefined ||
    hasUserAttributes()
  );
}

/** git's default place for a user's attributes (gitattributes(5)). */
function hasUserAttributes(): boolean {
  const home = process.env.HOME ?? process.env.USERPROFILE;
  const base = process.env.XDG_CONFIG_HOME || (home ? `${home}/.config` : undefined);
  return Boolean(base && sizeOnDisk(base, 'git/attributes' as BytePath) !== undefined);
}

type Values = Record<string, string>;

async function attributesOf(
  source: SourceRepository,
  entries: readonly IndexEntry[],
): Promise<Map<BytePath, Values>> {
  const output = await gitBytes(sourcePlace(source), ['check-attr', '-z', '--stdin', ...ATTRIBUTES], {
    input: joinPaths(entries.map(({ path }) => path)),
  });
  const fields = output.toString('latin1').split('\0');
  const found = new Map<BytePath, Values>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const where = fields[at] as BytePath;
    const values = found.get(where) ?? {};
    values[fields[at + 1] ?? ''] = fields[at + 2] ?? '';
    found.set(where, values);
  }
  return found;
}

function sizeOnDisk(root: string, where: BytePath): number | undefined {
  try {
    return lstatSync(fileAt(root, where)).size;
  } catch {
    // Not there, or below something that is no folder.
    return undefined;
  }
}
