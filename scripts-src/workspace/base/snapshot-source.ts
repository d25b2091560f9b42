import { copyFileSync, existsSync, lstatSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, below, fileAt, textOf } from '../../platform/byte-path.ts';
import type { GitPlace } from '../../platform/git.ts';
import { liesIn, type TakeProblem, takeFiles } from '../delta/take-files.ts';
import { convertedFiles } from './conversions.ts';
import { foldersBelow, gitDirsOf } from './git-folders.ts';
import {
  changeEntries,
  type IndexEntry,
  LINK_MODE,
  nullIdOf,
  readEntries,
  readTree,
  type TreeEntry,
  writeTree,
} from './index-entries.ts';
import { readSource, type SourceRepository } from './source-repo.ts';
import { refuseWaitingRules } from './waiting-rules.ts';

/** A working tree of the user as it is now. Trees are in the store. */
export interface SourceSnapshot {
  /** All files, byte for byte, those of submodules among them. */
  tree: string;
  /** The files of this repository alone. */
  ownTree: string;
  /** Submodules with files, whatever their depth is. */
  submodules: SubmoduleSnapshot[];
  /** Submodules without files: not initialised. */
  absent: { path: BytePath; commit: string }[];
  /** Repositories in the tree that are no submodules: left out. */
  nested: BytePath[];
  /** Git folders of this repository and its submodules that lie among its files under another name: left out. */
  gitFolders: BytePath[];
  /** Tracked files that are not on disk because the user wants it so (sparse checkout); they are in no tree here. */
  leftOut: TreeEntry[];
  /** Whether a merge is not finished. */
  unmerged: BytePath[];
  problems: TakeProblem[];
}

/** What a coordinator keeps of a run at the top of a project is no part of the work. Only where it is not tracked. */
export const OWN_FOLDERS: readonly BytePath[] = ['agent-io' as BytePath];

/** One submodule of a snapshot. */
export interface SubmoduleSnapshot {
  path: BytePath;
  source: SourceRepository;
  snapshot: SourceSnapshot;
}

/** Where a snapshot is written. */
export interface SnapshotPlace {
  /** The store's git folder. */
  gitDir: string;
  /** Object folders that are read beside the store's own. */
  alternates?: readonly string[];
}

/**
 * The user's working tree as it is now: HEAD's files with all that is staged, unstaged and untracked, exact bytes,
 * executable bits and symlinks. The user's index is copied, and everything is written into the store: no file of the
 * user's repository changes. `scratch` is a folder for the copies; names in it begin with `label`. Throws a usage error
 * where git could not read the working tree to its end.
 */
export async function snapshotSource(
  source: SourceRepository,
  store: SnapshotPlace,
  scratch: string,
  label = 'source',
): Promise<SourceSnapshot> {
  const indexFile = path.join(scratch, `${label}.index`);
  copyIndex(source, indexFile, store.gitDir);
  const place = {
    gitDir: store.gitDir,
    workTree: source.workTree,
    indexFile,
    alternates: [...(store.alternates ?? []), ...source.objectDirs],
    config: source.excludesFile === null ? {} : { 'core.excludesFile': source.excludesFile },
  };
  const nullId = nullIdOf(source.objectFormat);
  const all = await readEntries(place);
  // Up to here git has looked at no file of the working tree.
  refuseWaitingRules(
    source.workTree,
    all.map(({ path: where }) => where),
  );
  const initialised = all.filter(
    ({ mode, path }) => mode === LINK_MODE && isRepository(source.workTree, path),
  );
  const gitFolders = gitFoldersOf(source, initialised);
  const [gitsOwn, entries] = parted(all, ({ path: where }) => liesIn(gitFolders, where));
  const links = entries.filter(({ mode }) => mode === LINK_MODE);
  const converted = await convertedFiles(source, place, entries);
  const isOnDisk = presence(source.workTree);
  const leftOut = entries.filter(({ skipWorktree, path: where }) => skipWorktree && !isOnDisk(where));
  const out = new Set(leftOut);
  // An entry that is written anew has no flags and no times: the file itself is read.
  const read = entries.filter(
    (entry) =>
      entry.mode !== LINK_MODE &&
      !out.has(entry) &&
      (entry.skipWorktree || entry.assumeUnchanged || converted.has(entry.path)),
  );
  await changeEntries(
    place,
    [
      ...read.map(({ path, mode, id }) => ({ path, mode, id })),
      ...[...links, ...gitsOwn].map(({ path }) => ({ path })),
    ],
    nullId,
  );
  const excludeFrom = [path.join(source.commonDir, 'info', 'exclude')].filter((file) => existsSync(file));
  const foreign = [...links.map(({ path }) => path), ...OWN_FOLDERS, ...gitFolders];
  const taken = await takeFiles({
    place,
    nullId,
    excludeFrom,
    nested: 'leave',
    foreign,
    ignored: { everything: false, paths: [] },
  });
  const closed = taken.closed.map((where) => ({
    path: where,
    what: 'a folder that may not be read: what is in it is missing',
    lost: true,
  }));
  // A tree holds what the user sees, and nothing that is left out of the working tree.
  await changeEntries(
    place,
    leftOut.map(({ path: where }) => ({ path: where })),
    nullId,
  );
  const ownTree = await writeTree(place);
  const submodules: SubmoduleSnapshot[] = [];
  for (const [n, link] of initialised.entries()) {
    const inner = await readSource(folderAt(source.workTree, link.path));
    const snapshot = await snapshotSource(inner, store, scratch, `${label}-${n}`);
    submodules.push({ path: link.path, source: inner, snapshot });
  }
  const inner = { ...place, alternates: [...place.alternates, ...objectDirsOf(submodules)] };
  const tree = await flatten(inner, ownTree, submodules, nullId);
  return {
    tree,
    ownTree,
    submodules,
    absent: links.filter((link) => !initialised.includes(link)).map(({ path, id }) => ({ path, commit: id })),
    nested: taken.nested,
    gitFolders,
    leftOut: leftOut.map(({ path, mode, id }) => ({ path, mode, id })),
    unmerged: unmergedPaths(entries),
    problems: [...closed.filter(({ path: where }) => !liesIn(foreign, where)), ...taken.problems],
  };
}

/** Git folders among the files: the repository's own, and those that its submodules name. */
function gitFoldersOf(source: SourceRepository, submodules: readonly IndexEntry[]): BytePath[] {
  const theirs = submodules.flatMap(({ path: where }) => gitDirsOf(folderAt(source.workTree, where)));
  return foldersBelow(source.workTree, [source.gitDir, source.commonDir, ...theirs]);
}

function parted<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** Object folders of submodules, whatever their depth is. */
export function objectDirsOf(submodules: readonly SubmoduleSnapshot[]): string[] {
  return submodules.flatMap(({ source, snapshot }) => [
    ...source.objectDirs,
    ...objectDirsOf(snapshot.submodules),
  ]);
}

/** Joins the files of submodules to those of the repository that they are in. */
export async function flatten(
  place: GitPlace & { indexFile: string },
  ownTree: string,
  submodules: readonly { path: BytePath; snapshot: { tree: string } }[],
  nullId: string,
): Promise<string> {
  if (submodules.length === 0) return ownTree;
  const flat = { ...place, indexFile: `${place.indexFile}.flat` };
  const files = [...(await readTree(place, ownTree))];
  for (const { path: folder, snapshot } of submodules) {
    const inside = await readTree(place, snapshot.tree);
    files.push(...inside.map((entry) => ({ ...entry, path: below(folder, entry.path) })));
  }
  rmSync(flat.indexFile, { force: true });
  await changeEntries(flat, files, nullId);
  return writeTree(flat);
}

/**
 * Copies the index with its shared part (split index), which git looks for in its own folder. The copy must not look
 * newer than it is: git tells by the time of the index which files it has to read once more.
 */
function copyIndex(source: SourceRepository, to: string, gitDir: string): void {
  const from = path.join(source.gitDir, 'index');
  rmSync(to, { force: true });
  if (!existsSync(from)) return;
  const { mtimeMs } = statSync(from);
  copyFileSync(from, to);
  for (const name of readdirSync(source.gitDir)) {
    if (name.startsWith('sharedindex.'))
      copyFileSync(path.join(source.gitDir, name), path.join(gitDir, name));
  }
  const earlier = (mtimeMs - 1) / 1000;
  utimesSync(to, earlier, earlier);
}

function presence(root: string): (where: BytePath) => boolean {
  return (where) => {
    try {
      lstatSync(fileAt(root, where));
      return true;
    } catch {
      // Whatever stands in the way, the file is not there for the user.
      return false;
    }
  };
}

/** A submodule that was cloned has a `.git`, a file or a folder. */
function isRepository(root: string, where: BytePath): boolean {
  return existsSync(path.join(folderAt(root, where), '.git'));
}

function unmergedPaths(entries: readonly IndexEntry[]): BytePath[] {
  return [...new Set(entries.filter(({ stage }) => stage > 0).map(({ path }) => path))];
}

/** A path as a folder name of this system. */
export function folderAt(root: string, where: BytePath): string {
  return path.join(root, textOf(where));
}
