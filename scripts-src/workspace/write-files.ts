import { cpSync } from 'node:fs';
import { type GitPlace, runGit } from '../platform/git.ts';
import { changeEntries, LINK_MODE, nullIdOf, readEntries } from './index-entries.ts';

/** Writes the files of an index into a working tree and notes their times in the index. */
export async function writeFiles(place: GitPlace, writers: number): Promise<void> {
  const settings = { 'checkout.workers': String(writers), 'checkout.thresholdForParallelism': '100' };
  await runGit({ ...place, config: settings }, ['checkout-index', '--all', '--force', '--index', '--quiet']);
}

/** Keeps a private copy of an index: it knows the files' times, and submodules are not in it. */
export async function keepIndex(
  place: GitPlace & { indexFile: string },
  to: string,
  objectFormat: 'sha1' | 'sha256',
): Promise<void> {
  cpSync(place.indexFile, to, { preserveTimestamps: true });
  const own = { ...place, indexFile: to };
  const links = (await readEntries(own)).filter(({ mode }) => mode === LINK_MODE);
  await changeEntries(
    own,
    links.map(({ path: where }) => ({ path: where })),
    nullIdOf(objectFormat),
  );
}
