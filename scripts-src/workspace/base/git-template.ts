import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, textOf } from '../../platform/byte-path.ts';
import { PRIVATE_DIR, PRIVATE_FILE } from '../../platform/files.ts';
import { type GitPlace, gitBytes } from '../../platform/git.ts';
import { readOptional } from '../read-optional.ts';
import { type BasePart, readCloneIndex } from './base-parts.ts';
import { RAW_ATTRIBUTES, writeAlternates } from './object-store.ts';
import { type SourceRepository, sourcePlace } from './source-repo.ts';
import { cloneConfig, writeHooks } from './walls.ts';

/**
 * Makes the git folder that every clone of a base starts with: the user's branches, tags and history as they are, the
 * base commit on the user's branch, objects borrowed from the store, the walls. A clone is a copy of it.
 */
export async function makeGitTemplate(
  folder: string,
  part: BasePart,
  n: number,
  store: GitPlace,
  finalStore: string,
): Promise<void> {
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info']) {
    mkdirSync(path.join(folder, name), { recursive: true, mode: PRIVATE_DIR });
  }
  const { source } = part;
  const write = (file: string, text: string | Uint8Array): void => {
    if (text.length > 0) writeFileSync(path.join(folder, file), text, { mode: PRIVATE_FILE });
  };
  write('HEAD', source.branch === null ? `${part.commit}\n` : `ref: refs/heads/${source.branch}\n`);
  write('packed-refs', await packedRefs(part));
  write('config', configOf(part, n));
  write('shallow', readOptional(path.join(source.commonDir, 'shallow')));
  write('info/attributes', RAW_ATTRIBUTES);
  write('info/exclude', readOptional(path.join(source.commonDir, 'info', 'exclude')));
  write('info/sparse-checkout', readOptional(path.join(source.gitDir, 'info', 'sparse-checkout')));
  writeAlternates(folder, [path.join(finalStore, 'objects')]);
  writeHooks(path.join(folder, 'hooks'));
  await readCloneIndex({ ...store, indexFile: path.join(folder, 'index') }, part);
}

/** Where a part's git folder lies inside a clone. */
export function gitFolderOf(n: number): string {
  return n === 0 ? '.git' : `.git/modules/prun-${n}`;
}

/** From a submodule's files back to the top of the clone: one step for each name of its path. */
export function wayUp(where: BytePath): string {
  return '../'.repeat(textOf(where).split('/').length);
}

function configOf(part: BasePart, n: number): string {
  const { source } = part;
  const { objectFormat, settings, excludesFile } = source;
  const common = { objectFormat, settings, excludesFile };
  if (n === 0) return cloneConfig({ ...common, hooksPath: '.git/hooks' });
  return cloneConfig({
    ...common,
    hooksPath: `${wayUp(part.path)}${gitFolderOf(n)}/hooks`,
    workTree: `../../../${textOf(part.path)}`,
  });
}

/** The user's branches, tags and what was last fetched, with the base commit on the user's branch. */
async function packedRefs({ source, commit }: BasePart): Promise<string | Buffer> {
  const own = source.branch === null ? undefined : `refs/heads/${source.branch}`;
  const refs = await carriedRefs(source);
  const lines = refs.filter(([name]) => name !== latin1(own)).map(([name, id]) => `${id} ${name}\n`);
  if (own !== undefined) lines.push(`${commit} ${latin1(own)}\n`);
  return Buffer.from(lines.join(''), 'latin1');
}

const CARRIED = /^refs\/(?:heads|tags|remotes)\//;

/** Names in bytes and ids. A name that is shown in quotes is not known by its bytes: then git is asked. */
async function carriedRefs(source: SourceRepository): Promise<[string, string][]> {
  const entries = Object.entries(source.refs);
  if (entries.every(([name]) => !name.startsWith('"'))) {
    return entries
      .filter(([name, value]) => CARRIED.test(name) && /^[0-9a-f]+$/.test(value))
      .map(([name, value]) => [latin1(name) ?? '', value]);
  }
  const argv = ['for-each-ref', '--format=%(objectname) %(symref)%00%(refname)'];
  const output = await gitBytes(sourcePlace(source), [...argv, 'refs/heads', 'refs/tags', 'refs/remotes']);
  return output
    .toString('latin1')
    .split('\n')
    .filter(Boolean)
    .flatMap((line): [string, string][] => {
      const [ids = '', name = ''] = line.split('\0');
      const [id = '', symref = ''] = ids.split(' ');
      return symref ? [] : [[name, id]];
    });
}

function latin1(text: string | undefined): string | undefined {
  return text === undefined ? undefined : Buffer.from(text, 'utf8').toString('latin1');
}
