import { lstatSync } from 'node:fs';
import { type BytePath, fileAt, joinPaths, parentOf } from '../../platform/byte-path.ts';
import { type GitPlace, gitBytes } from '../../platform/git.ts';
import { blobSizes } from './base-files.ts';
import type { IndexEntry } from './index-entries.ts';
import { type SourceRepository, sourcePlace } from './source-repo.ts';

const ATTRIBUTES = ['text', 'crlf', 'eol', 'ident', 'filter', 'working-tree-encoding'];
const UNSET = new Set(['unspecified', 'unset']);

/**
 * Tracked files whose bytes on disk may differ from their blobs although git calls them unchanged, because git converts
 * them on the way: line ends, keywords, encodings, filters. Their bytes have to be read. `store` reads the source's
 * objects. A conversion of line ends or keywords changes the size, so equal sizes mean equal bytes there.
 */
export async function convertedFiles(
  source: SourceRepository,
  store: GitPlace,
  entries: readonly IndexEntry[],
): Promise<Set<BytePath>> {
  const regular = entries.filter(({ mode, stage }) => stage === 0 && mode.startsWith('100'));
  const everywhere = ['true', 'input'].includes(source.settings.get('core.autocrlf')?.toLowerCase() ?? '');
  if (!everywhere && !hasAttributes(source, entries)) return new Set();
  const attributes = await attributesOf(source, regular);
  const bySize: IndexEntry[] = [];
  const found = new Set<BytePath>();
  for (const entry of regular) {
    const values = attributes.get(entry.path) ?? {};
    const isSet = (name: string): boolean => !UNSET.has(values[name] ?? 'unspecified');
    if (isSet('filter') || isSet('working-tree-encoding')) found.add(entry.path);
    else if (everywhere || ['text', 'crlf', 'eol', 'ident'].some(isSet)) bySize.push(entry);
  }
  const sizes = await blobSizes(
    store,
    bySize.map(({ id }) => id),
  );
  for (const entry of bySize) {
    if (sizes.get(entry.id) !== sizeOnDisk(source.workTree, entry.path)) found.add(entry.path);
  }
  return found;
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
