import { type BigIntStats, chmodSync, lstatSync } from 'node:fs';
import { type BytePath, fileAt, joinPaths, parentOf, splitPaths } from '../../platform/byte-path.ts';
import { errnoOf } from '../../platform/errors.ts';
import { GitError, type GitPlace, gitBytes, runGit } from '../../platform/git.ts';
import { randomHex } from '../../platform/random.ts';
import { closedFoldersIn } from '../base/closed-folders.ts';
import { changeEntries } from '../base/index-entries.ts';

/** A working tree and the private index that is brought up to it. `place` names store, working tree and index. */
export interface TakeRequest {
  place: GitPlace & { workTree: string; indexFile: string };
  nullId: string;
  /** Files with more ignore rules, as `info/exclude` has them. */
  excludeFrom: readonly string[];
  /** Repositories inside the tree: left out and named, or entered as if they were folders. */
  nested: 'leave' | 'enter';
  /** Folders whose files somebody else takes: submodules. */
  foreign: readonly BytePath[];
  /** Take new files at ignored paths as well: all, or what lies at these paths. */
  ignored: { everything: boolean; paths: readonly BytePath[] };
  /** Files that their owner may not read may be opened for the reading. Never in the user's own tree. */
  mayUnlock?: boolean;
}

/** What became of a path that could not be taken. */
export interface TakeProblem {
  path: BytePath;
  what: string;
  lost: boolean;
}

/** What the look at a working tree found. */
export interface TakenFiles {
  /** New files that are now in the index. */
  added: BytePath[];
  /** Folders that this user may not read: what is new in them is not known. */
  closed: BytePath[];
  /** Repositories inside the tree: left out or entered, as was asked. */
  nested: BytePath[];
  problems: TakeProblem[];
}

/** Times that a file is read again when it changed under the reading. */
const READ_TRIES = 5;
/** An index entry below an inner repository makes git look into it as into any folder. No file has this name. */
const PLACEHOLDER = `.prun-${randomHex(16)}`;

/**
 * Brings a private index up to the files of a working tree: edits, new files, deletions, modes, symlinks. The working
 * tree and its own `.git` are not touched, and `.git` is not needed. What git cannot hold is named in `problems`.
 */
export async function takeFiles(request: TakeRequest): Promise<TakenFiles> {
  const { place, nested } = request;
  const [{ paths: others, closed }, tracked] = await Promise.all([newFiles(request), changedFiles(place)]);
  const files = others.filter((where) => !where.endsWith('/'));
  let inner = others.filter((where) => where.endsWith('/'));
  const found: BytePath[] = [];
  while (inner.length > 0) {
    found.push(...inner.map((where) => where.slice(0, -1) as BytePath));
    if (nested === 'leave') break;
    const deeper = await enterNested(request, inner);
    files.push(...deeper.filter((where) => !where.endsWith('/')));
    inner = deeper.filter((where) => where.endsWith('/'));
  }
  const problems = await readIntoIndex(request, [...tracked, ...files]);
  return { added: files, closed, nested: found, problems };
}

async function newFiles(
  request: TakeRequest,
  below: readonly BytePath[] = [],
): Promise<{ paths: BytePath[]; closed: BytePath[] }> {
  const { place, excludeFrom, ignored, foreign } = request;
  const warned: string[] = [];
  const list = async (...rules: string[]) => {
    const { stdout, stderr } = await runGit(place, ['ls-files', '-z', '--others', ...rules]);
    warned.push(stderr);
    return splitPaths(stdout);
  };
  const rules = ['--exclude-standard', ...excludeFrom.map((file) => `--exclude-from=${file}`)];
  const listed = ignored.everything ? await list() : await list(...rules);
  if (!ignored.everything && ignored.paths.length > 0) {
    const known = new Set(listed);
    const wanted = (await list()).filter((where) => liesIn(ignored.paths, where) && !known.has(where));
    listed.push(...wanted);
  }
  const isWanted = (where: BytePath): boolean =>
    below.length === 0 || below.some((folder) => where.startsWith(folder));
  const paths = listed.filter((where) => isWanted(where) && !liesIn(foreign, where));
  return { paths, closed: closedFoldersIn(warned.join('')) };
}

/** Whether a path is one of the folders or lies below one. */
export function liesIn(folders: readonly BytePath[], where: BytePath): boolean {
  return folders.some((folder) => where === folder || where.startsWith(`${folder}/`));
}

/** Tracked files that differ from the index by their times, size, mode or kind; they are read to be sure. */
async function changedFiles(place: GitPlace): Promise<BytePath[]> {
  const argv = ['diff-files', '-z', '--name-only', '--no-renames', '--ignore-submodules=all'];
  return [...new Set(splitPaths(await gitBytes(place, argv)))];
}

async function enterNested(request: TakeRequest, repositories: readonly BytePath[]): Promise<BytePath[]> {
  const { place, nullId } = request;
  const empty = (await gitBytes(place, ['hash-object', '-w', '--stdin'])).toString('utf8').trim();
  const placeholders = repositories.map((where) => `${where}${PLACEHOLDER}` as BytePath);
  await changeEntries(
    place,
    placeholders.map((path) => ({ path, mode: '100644', id: empty })),
    nullId,
  );
  const { paths: inside } = await newFiles(request, repositories);
  await changeEntries(
    place,
    placeholders.map((path) => ({ path })),
    nullId,
  );
  return inside;
}

/** Kinds of what may stand at a path. */
export type Kind = 'file' | 'gone' | 'folder' | 'special' | 'unreadable';

async function readIntoIndex(request: TakeRequest, paths: readonly BytePath[]): Promise<TakeProblem[]> {
  const { place } = request;
  const problems: TakeProblem[] = [];
  let left = [...paths];
  for (let tries = 0; left.length > 0; tries++) {
    const closed = request.mayUnlock ? openFiles(place.workTree, left) : [];
    const look = lookAt(place.workTree);
    const before = new Map(left.map((where) => [where, look(where)]));
    const kindOf = (where: BytePath): Kind => before.get(where)?.kind ?? 'gone';
    const taken = left.filter((where) => kindOf(where) === 'file');
    const removed = left.filter((where) => !['file', 'unreadable'].includes(kindOf(where)));
    problems.push(...left.flatMap((where) => problemOf(where, kindOf(where))));
    await changeEntries(
      place,
      removed.map((path) => ({ path })),
      request.nullId,
    );
    try {
      problems.push(...(await addToIndex(place, taken)));
      const again = lookAt(place.workTree);
      left = taken.filter((where) => !isSame(before.get(where), again(where)));
    } finally {
      for (const { path, mode } of closed) chmodSync(fileAt(place.workTree, path), mode);
    }
    if (tries + 1 >= READ_TRIES) {
      for (const path of left) {
        const what = `changed while it was read, ${READ_TRIES} times; the delta has what was there at the last reading`;
        problems.push({ path, what, lost: true });
      }
      break;
    }
  }
  return problems;
}

/** Files without the right to read, opened; as root everything can be read as it is. */
function openFiles(root: string, paths: readonly BytePath[]): { path: BytePath; mode: number }[] {
  if (process.platform === 'win32' || process.getuid?.() === 0) return [];
  const look = lookAt(root);
  return paths.flatMap((path) => {
    const { stat } = look(path);
    const mode = Number(stat?.mode ?? 0n);
    if (!stat?.isFile() || mode & 0o400) return [];
    try {
      chmodSync(fileAt(root, path), (mode & 0o7777) | 0o400);
      return [{ path, mode: mode & 0o7777 }];
    } catch {
      // Somebody else's file: git says that it cannot be read, and it is named.
      return [];
    }
  });
}

/**
 * git reads the files itself, so that it knows their times afterwards. One that it cannot take would stop all: then the
 * halves are tried apart, until the one is found.
 */
async function addToIndex(place: GitPlace, paths: readonly BytePath[]): Promise<TakeProblem[]> {
  if (paths.length === 0) return [];
  try {
    const { stderr } = await runGit(
      place,
      ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'],
      { input: joinPaths(paths) },
    );
    return stderr.includes('Ignoring path') ? await leftByGit(place, paths) : [];
  } catch (error) {
    if (!(error instanceof GitError) || /No space left|Disk quota/i.test(error.stderr)) throw error;
    const [first] = paths;
    if (paths.length === 1 && first !== undefined) return [cannotTake(first, error)];
  }
  const half = Math.ceil(paths.length / 2);
  return [
    ...(await addToIndex(place, paths.slice(0, half))),
    ...(await addToIndex(place, paths.slice(half))),
  ];
}

/** git passes over names that its own files could have on some system (`.GIT`, `git~1`), and calls that no failure. */
async function leftByGit(place: GitPlace, paths: readonly BytePath[]): Promise<TakeProblem[]> {
  const taken = new Set(splitPaths(await gitBytes(place, ['ls-files', '-z'])));
  return paths
    .filter((where) => !taken.has(where))
    .map((path) => ({ path, what: 'has a name that git keeps for itself: git cannot hold it', lost: true }));
}

function cannotTake(path: BytePath, error: GitError): TakeProblem {
  const said = error.stderr.trim().split('\n')[0]?.slice(0, 200) ?? '';
  return { path, what: `cannot be read into the delta (git: ${said})`, lost: true };
}

function problemOf(path: BytePath, kind: Kind): TakeProblem[] {
  if (kind === 'special') {
    return [{ path, what: 'is a pipe, socket or device, and no file: git cannot hold it', lost: true }];
  }
  if (kind === 'unreadable') return [{ path, what: 'its folder may not be read', lost: true }];
  return [];
}

/** What stands at a path. */
export interface Stamp {
  kind: Kind;
  stat?: BigIntStats;
}

/** Looks at paths without following a symlink, also not one that stands where a folder was. */
export function lookAt(root: string): (where: BytePath) => Stamp {
  const folders = new Map<BytePath, boolean>();
  const isRealFolder = (folder: BytePath): boolean => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const above = parentOf(folder);
    const real = (!above || isRealFolder(above)) && stampAt(root, folder).kind !== 'file';
    folders.set(folder, real);
    return real;
  };
  return (where) => {
    const folder = parentOf(where);
    return folder && !isRealFolder(folder) ? { kind: 'gone' } : stampAt(root, where);
  };
}

function stampAt(root: string, where: BytePath): Stamp {
  try {
    const stat = lstatSync(fileAt(root, where), { bigint: true });
    if (stat.isFile() || stat.isSymbolicLink()) return { kind: 'file', stat };
    return { kind: stat.isDirectory() ? 'folder' : 'special' };
  } catch (error) {
    return { kind: errnoOf(error) === 'EACCES' ? 'unreadable' : 'gone' };
  }
}

function isSame(a: Stamp | undefined, b: Stamp): boolean {
  if (!a?.stat || !b.stat) return a?.kind === b.kind;
  return (
    a.stat.ino === b.stat.ino &&
    a.stat.size === b.stat.size &&
    a.stat.mtimeNs === b.stat.mtimeNs &&
    a.stat.ctimeNs === b.stat.ctimeNs &&
    a.stat.mode === b.stat.mode
  );
}
