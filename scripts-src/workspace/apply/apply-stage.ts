import { copyFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, joinPaths, splitPaths, textOf } from '../../platform/byte-path.ts';
import { errnoOf } from '../../platform/errors.ts';
import { type GitPlace, gitBytes, gitText, runGit } from '../../platform/git.ts';
import { LINK_MODE, readEntries } from '../base/index-entries.ts';
import type { SourceRepository } from '../base/source-repo.ts';
import type { IndexChange } from './change-journal.ts';
import { keepIndex } from './replace-index.ts';

/** The paths that a change touched, by whether a file is there now. */
export interface TouchedPaths {
  present: readonly BytePath[];
  deleted: readonly BytePath[];
}

/**
 * Stages exactly these paths as the user's own git does it, filters and all, in copies of the index files: what is
 * to be put in their place lies in `folder`. Files of submodules are staged in their submodules.
 */
export async function stageTouched(
  source: SourceRepository,
  touched: TouchedPaths,
  folder: string,
): Promise<IndexChange[]> {
  const changes: IndexChange[] = [];
  await stageIn(source.workTree, source.gitDir, touched, folder, changes);
  return changes;
}

async function stageIn(
  workTree: string,
  gitDir: string,
  touched: TouchedPaths,
  folder: string,
  changes: IndexChange[],
): Promise<void> {
  const indexFile = path.join(gitDir, 'index');
  const place: GitPlace = { gitDir, workTree, asUser: true };
  const links = (await readEntries(place)).filter(({ mode }) => mode === LINK_MODE);
  const own = { present: [...touched.present], deleted: [...touched.deleted] };
  for (const { path: link } of links) {
    const inside = { present: takeBelow(own.present, link), deleted: takeBelow(own.deleted, link) };
    if (inside.present.length + inside.deleted.length === 0) continue;
    const inner = path.join(workTree, textOf(link));
    const innerGit = await gitText({ cwd: inner, asUser: true }, ['rev-parse', '--absolute-git-dir']);
    await stageIn(inner, path.normalize(innerGit), inside, folder, changes);
  }
  if (own.present.length + own.deleted.length === 0) return;
  const n = changes.length;
  const before = keepIndex(indexFile, folder, `index-before-${n}`);
  const copy = path.join(folder, `index-after-${n}`);
  if (before !== null) copyFileSync(path.join(folder, before), copy);
  const private_ = { ...place, indexFile: copy, config: await indexSettings(place) };
  await removeEntries(private_, own.deleted);
  await addEntries(private_, own.present);
  changes.push({ file: indexFile, before, after: existsSync(copy) ? path.basename(copy) : null });
}

/** Takes the paths below a folder out of a list; gives them relative to it. */
function takeBelow(paths: BytePath[], folder: BytePath): BytePath[] {
  const isInside = (where: BytePath): boolean => where.startsWith(`${folder}/`);
  const inside = paths.filter(isInside).map((where) => where.slice(folder.length + 1) as BytePath);
  const outside = paths.filter((where) => !isInside(where));
  paths.splice(0, paths.length, ...outside);
  return inside;
}

/** The index keeps the form that the user gave it: prun's own calls switch these off. */
async function indexSettings(place: GitPlace): Promise<Record<string, string>> {
  const shared = await gitText(place, ['rev-parse', '--shared-index-path']);
  return { 'core.untrackedCache': 'keep', 'core.splitIndex': String(shared !== '') };
}

async function removeEntries(place: GitPlace, paths: readonly BytePath[]): Promise<void> {
  if (paths.length === 0) return;
  // git rm fails for a path that is not in the index: a file that nobody tracked.
  const tracked = new Set(splitPaths(await gitBytes(place, ['ls-files', '-z'])));
  const known = paths.filter((where) => tracked.has(where));
  if (known.length === 0) return;
  await runGit(
    place,
    ['--literal-pathspecs', 'rm', '--cached', '--quiet', '--force', '--sparse', ...FROM_STDIN],
    {
      input: joinPaths(known),
    },
  );
}

async function addEntries(place: GitPlace, paths: readonly BytePath[]): Promise<void> {
  if (paths.length === 0) return;
  await runGit(place, ['--literal-pathspecs', 'add', '--force', '--sparse', ...FROM_STDIN], {
    input: joinPaths(paths),
  });
}

const FROM_STDIN = ['--pathspec-from-file=-', '--pathspec-file-nul'];

/** Whether two index files say the same, whatever times git has noted in them. A missing index says nothing. */
export async function sameEntries(
  gitDir: string,
  one: string | null,
  other: string | null,
): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((file) => entriesIn(gitDir, file)));
  return a !== undefined && b !== undefined && a.equals(b);
}

async function entriesIn(gitDir: string, indexFile: string | null): Promise<Buffer | undefined> {
  if (indexFile === null || !existsSync(indexFile)) return Buffer.alloc(0);
  try {
    // A working tree that git is in the top of, whichever: in a folder of the real one it would list that folder.
    const place: GitPlace = { gitDir, workTree: gitDir, indexFile, cwd: gitDir };
    return await gitBytes(place, ['ls-files', '--stage', '-v', '-z']);
  } catch (error) {
    // An index that git cannot read is not the one that was left.
    if (errnoOf(error) !== undefined) throw error;
    return undefined;
  }
}
