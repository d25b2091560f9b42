import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PRIVATE_DIR, PRIVATE_FILE } from '../../platform/files.ts';
import type { GitPlace } from '../../platform/git.ts';
import type { ObjectFormat } from './scratch-objects.ts';

/**
 * Opens an empty bare store that reads the objects of the given stores, and removes it when `work` has ended: what a
 * trial merge writes goes with it, and no setting of those stores counts.
 */
export async function withMergeStore<T>(
  stores: readonly string[],
  format: ObjectFormat,
  work: (place: GitPlace) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'prun-matrix-'));
  try {
    for (const name of ['objects', 'refs']) mkdirSync(path.join(folder, name), { mode: PRIVATE_DIR });
    const write = (name: string, text: string): void =>
      writeFileSync(path.join(folder, name), text, { mode: PRIVATE_FILE });
    write('HEAD', 'ref: refs/heads/main\n');
    write(
      'config',
      format === 'sha256'
        ? '[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n'
        : '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
    );
    return await work({
      gitDir: folder,
      alternates: stores.map((store) => path.join(store, 'objects')),
      config: { 'core.compression': '0' },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
