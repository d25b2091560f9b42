import { constants, mkdirSync, writeFileSync } from 'node:fs';
import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf } from '../../platform/errors.ts';
import { PRIVATE_DIR, PRIVATE_FILE } from '../../platform/files.ts';
import { runJobs } from '../../platform/run-jobs.ts';
import { readOptional } from '../read-optional.ts';
import type { SourceRepository } from './source-repo.ts';

/**
 * Trees hold the bytes that lie on disk: no line ends, filters, keywords or encodings are converted on the way in.
 * `info/attributes` goes before every .gitattributes (gitattributes(5)).
 */
export const RAW_ATTRIBUTES = '* -text -filter -ident -working-tree-encoding\n';

/** File operations in flight at once: the thread pool of libuv has four. */
const IN_FLIGHT = 16;

/**
 * Makes a bare store that holds every object of the user's repository, by hard links where the file system has them:
 * object files are never written again, and nobody works in the store. With links into a clone a `chmod -R` reached
 * the user's packs, and with borrowed objects a garbage collection there broke the clones (FACTS-processes.md, Git).
 */
export async function createStore(store: string, source: SourceRepository): Promise<void> {
  makeSkeleton(store, source);
  await takeAllObjects(store, source);
}

/** Takes every object of a repository that the store does not have yet. */
export async function takeAllObjects(
  store: string,
  { objectDirs }: Pick<SourceRepository, 'objectDirs'>,
): Promise<void> {
  for (const folder of objectDirs) await takeObjects(folder, path.join(store, 'objects'));
}

/** Makes an empty store that reads the user's objects where they are: for one command, not for keeping. */
export async function createBorrowingStore(
  store: string,
  source: SourceRepository,
  more: readonly string[] = [],
): Promise<void> {
  makeSkeleton(store, source);
  writeAlternates(store, [...source.objectDirs, ...more]);
}

/** Lists object folders that a repository reads beside its own. */
export function writeAlternates(gitDir: string, objectDirs: readonly string[]): void {
  if (objectDirs.length === 0) return;
  const lines = objectDirs.map((folder) => `${alternateLine(folder)}\n`).join('');
  writeFileSync(path.join(gitDir, 'objects', 'info', 'alternates'), lines, { mode: PRIVATE_FILE });
}

/** git reads `"…"` as a quoted name, and `#` as a comment. */
function alternateLine(folder: string): string {
  const portable = process.platform === 'win32' ? folder.replaceAll('\\', '/') : folder;
  if (!/^[#"]|[\n\\]/.test(portable)) return portable;
  return `"${portable.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

function makeSkeleton(store: string, source: SourceRepository): void {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info']) {
    mkdirSync(path.join(store, folder), { recursive: true, mode: PRIVATE_DIR });
  }
  const write = (file: string, text: string | Uint8Array): void =>
    writeFileSync(path.join(store, file), text, { mode: PRIVATE_FILE });
  write('HEAD', 'ref: refs/heads/main\n');
  write('config', storeConfig(source.objectFormat));
  write('info/attributes', RAW_ATTRIBUTES);
  write('info/exclude', readOptional(path.join(source.commonDir, 'info', 'exclude')));
  const shallow = readOptional(path.join(source.commonDir, 'shallow'));
  if (shallow.length > 0) write('shallow', shallow);
}

function storeConfig(format: SourceRepository['objectFormat']): string {
  const version = format === 'sha256' ? 1 : 0;
  return [
    '[core]',
    `\trepositoryformatversion = ${version}`,
    '\tbare = true',
    '\tautocrlf = false',
    '\tsafecrlf = false',
    '\tfsyncMethod = batch',
    '[gc]',
    '\tauto = 0',
    ...(version === 1 ? ['[extensions]', `\tobjectFormat = ${format}`] : []),
    '',
  ].join('\n');
}

/**
 * Loose objects first, then packs: what a garbage collection of the user removes between the two lies in a pack by
 * then, and a pack that vanishes has been replaced by one that a second look finds.
 */
async function takeObjects(from: string, to: string): Promise<void> {
  const folders = (await readdir(from)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const jobs = folders.map((name) => async () => {
    const names = await namesIn(path.join(from, name));
    if (names.length === 0) return;
    await mkdir(path.join(to, name), { recursive: true, mode: PRIVATE_DIR });
    for (const file of names) await linkOrCopy(path.join(from, name, file), path.join(to, name, file));
  });
  await runJobs(jobs, IN_FLIGHT);
  for (let tries = 0; tries < 10; tries++) {
    const names = (await namesIn(path.join(from, 'pack'))).filter((name) =>
      /^(?:pack-|multi-pack)/.test(name),
    );
    // A pack counts once its index is there: index last, as git itself does it.
    const ordered = names.sort((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx')));
    const vanished = await takeAll(ordered, path.join(from, 'pack'), path.join(to, 'pack'));
    if (!vanished) return;
  }
}

async function takeAll(names: readonly string[], from: string, to: string): Promise<boolean> {
  let vanished = false;
  for (const name of names) {
    // A multi-pack index and bitmaps name packs that may be gone by now; git does well without them.
    if (name.startsWith('multi-pack') || name.endsWith('.bitmap') || name.endsWith('.keep')) continue;
    const taken = await linkOrCopy(path.join(from, name), path.join(to, name));
    vanished ||= !taken;
  }
  return vanished;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** False when the file has vanished meanwhile. */
async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const code = errnoOf(error) ?? '';
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    // Another file system, somebody else's file, one without links or with too many: a copy is right as well.
    if (!['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'].includes(code))
      throw error;
  }
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}
