import { cpSync } from 'node:fs';
import type { BytePath } from '../../platform/byte-path.ts';
import { type GitPlace, runGit } from '../../platform/git.ts';
import { changeEntries, nullIdOf } from '../base/index-entries.ts';

/** Writes the files of an index into a working tree and notes their times in the index. */
export async function writeFiles(place: GitPlace, writers: number): Promise<void> {
  const settings = { 'checkout.workers': String(writers), 'checkout.thresholdForParallelism': '100' };
  await runGit({ ...place, config: settings }, ['checkout-index', '--all', '--force', '--index', '--quiet']);
}

/** Keeps a private copy of an index: it knows the files' times, and what is in no tree (`unseen`) is not in it. */
export async function keepIndex(
  place: GitPlace & { indexFile: string },
  to: string,
  unseen: readonly BytePath[],
  objectFormat: 'sha1' | 'sha256',
): Promise<void> {
  cpSync(place.indexFile, to, { preserveTimestamps: true });
  await changeEntries(
    { ...place, indexFile: to },
    unseen.map((path) => ({ path })),
    nullIdOf(objectFormat),
  );
}
