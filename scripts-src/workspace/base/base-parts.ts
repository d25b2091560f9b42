import { rmSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, below, joinPaths } from '../../platform/byte-path.ts';
import { type GitPlace, gitText, runGit } from '../../platform/git.ts';
import { changeEntries, LINK_MODE, nullIdOf, type TreeEntry, writeTree } from './index-entries.ts';
import type { SnapshotPlace, SourceSnapshot } from './snapshot-source.ts';
import type { SourceRepository } from './source-repo.ts';

/** One repository of a base: the user's own first, then its submodules at any depth. */
export interface BasePart {
  /** Where its files lie, empty for the user's own. */
  path: BytePath;
  source: SourceRepository;
  /** The commit that a clone stands on: HEAD, or one on top of it where the files differ from HEAD's. */
  commit: string;
  /** Its files with submodules as links, as a commit has them. */
  commitTree: string;
  /** Paths of submodules in it, with files or without. */
  links: BytePath[];
  /** Tracked files that are to stay out of the working tree. */
  leftOut: TreeEntry[];
}

/** Subject of the commit that holds the user's unfinished work. */
export const BASE_SUBJECT = 'prun base: work that was not committed yet';

/** The parts of a base with their commits, which are written into the store. Inner submodules first are committed. */
export async function commitParts(
  source: SourceRepository,
  snapshot: SourceSnapshot,
  store: SnapshotPlace,
  scratch: string,
): Promise<BasePart[]> {
  const inner: BasePart[] = [];
  const links = [...snapshot.absent];
  for (const submodule of snapshot.submodules) {
    const parts = await commitParts(submodule.source, submodule.snapshot, store, scratch);
    const [own] = parts;
    if (own) links.push({ path: submodule.path, commit: own.commit });
    inner.push(...parts.map((part) => ({ ...part, path: joined(submodule.path, part.path) })));
  }
  const place: GitPlace & { indexFile: string } = {
    gitDir: store.gitDir,
    indexFile: path.join(scratch, 'commit.index'),
    alternates: [...(store.alternates ?? []), ...source.objectDirs],
  };
  const commitTree = await treeOfCommit(place, snapshot, links, source);
  const commit = await commitOf(place, source, commitTree);
  const own: BasePart = {
    path: '' as BytePath,
    source,
    commit,
    commitTree,
    links: links.map(({ path: where }) => where),
    leftOut: snapshot.leftOut,
  };
  return [own, ...inner];
}

function joined(folder: BytePath, inside: BytePath): BytePath {
  return inside === '' ? folder : below(folder, inside);
}

/** The files that the user sees, what is left out of the working tree, and submodules as links. */
async function treeOfCommit(
  place: GitPlace & { indexFile: string },
  { ownTree, leftOut }: SourceSnapshot,
  links: readonly { path: BytePath; commit: string }[],
  source: SourceRepository,
): Promise<string> {
  if (links.length + leftOut.length === 0) return ownTree;
  await readIndex(place, ownTree);
  await changeEntries(
    place,
    [...leftOut, ...links.map(({ path: where, commit }) => ({ path: where, mode: LINK_MODE, id: commit }))],
    nullIdOf(source.objectFormat),
  );
  return writeTree(place);
}

async function commitOf(place: GitPlace, source: SourceRepository, tree: string): Promise<string> {
  if (source.head !== null) {
    const own = await gitText(place, ['rev-parse', `${source.head}^{tree}`]);
    if (own === tree) return source.head;
  }
  const parents = source.head === null ? [] : ['-p', source.head];
  return gitText(place, ['commit-tree', tree, ...parents, '-m', BASE_SUBJECT]);
}

/** Makes an index of a tree, without times of files. */
export async function readIndex(place: GitPlace & { indexFile: string }, tree: string): Promise<void> {
  rmSync(place.indexFile, { force: true });
  await runGit(place, ['read-tree', tree]);
}

/** The same for a clone: files that the user leaves out of the working tree stay out. */
export async function readCloneIndex(
  place: GitPlace & { indexFile: string },
  part: Pick<BasePart, 'commitTree' | 'leftOut'>,
): Promise<void> {
  await readIndex(place, part.commitTree);
  if (part.leftOut.length === 0) return;
  // git asks for a working tree here and looks at none of its files.
  const anywhere = { ...place, workTree: path.dirname(place.indexFile) };
  await runGit(anywhere, ['update-index', '-z', '--skip-worktree', '--stdin'], {
    input: joinPaths(part.leftOut.map(({ path: where }) => where)),
  });
}
