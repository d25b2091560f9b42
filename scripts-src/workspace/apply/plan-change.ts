import { accessSync, constants, readdirSync } from 'node:fs';
import {
  type BytePath,
  below,
  bytePath,
  fileAt,
  parentOf,
  shownPath,
  textOf,
} from '../../platform/byte-path.ts';
import { errnoOf, messageOf, PrunError } from '../../platform/errors.ts';
import { gitFoldersIn } from '../base/git-folders.ts';
import type { ChangeList, PathChange } from './change-journal.ts';
import { foldersOf } from './parent-folders.ts';
import { lookAt, type ObjectFormat, type PathState, readPath, type SeenPath } from './path-state.ts';
import { STAGING_NAME } from './staging-folder.ts';

/** A file of a tree. */
export interface TreeFile {
  /** git's: `100644`, `100755` or `120000`. */
  mode: string;
  id: string;
  /** Bits and owner that it must have (before) or is given (after), where they are known better than by its mode. */
  exact?: { perm: number; uid: number; gid: number };
}

/** What is to become of a path; null where there is (to be) no file. */
export interface WantedPath {
  path: BytePath;
  before: TreeFile | null;
  after: TreeFile | null;
}

/** Something in a target that a change must not touch. */
export interface Obstacle {
  path: BytePath;
  /** One line: what is there. */
  what: string;
}

/** A change as the target allows it. */
export interface ChangePlan {
  list: ChangeList;
  /** The wanted path of each entry of the list. */
  wanted: WantedPath[];
  obstacles: Obstacle[];
  /** Paths that hold already what they were to hold. */
  already: BytePath[];
}

/**
 * Compares what is wanted with what is on disk, byte for byte, and changes nothing. Links are never followed; throws
 * where a folder lies on another device than the target. Folders that become empty go; with `mayGo` only those, as the
 * others were there before what is taken back.
 */
export function planChange(
  root: string,
  format: ObjectFormat,
  wanted: readonly WantedPath[],
  mayGo?: ReadonlySet<BytePath>,
): ChangePlan {
  const plan: ChangePlan = {
    list: { changes: [], foldersMade: [], foldersRemoved: [] },
    wanted: [],
    obstacles: [],
    already: [],
  };
  const gone = new Set(wanted.filter(({ after }) => after === null).map(({ path: where }) => where));
  const folders = createFolderLook(root, gone);
  const gitFolders = gitFoldersIn(root).map(folded);
  const goneInodes = new Map<string, BytePath>();
  const inWay: BytePath[] = [];
  // Deletions first: what a case-insensitive file system shows in the way of `a` may be the `A` that goes.
  const ordered = [...wanted].sort((a, b) => Number(a.after !== null) - Number(b.after !== null));
  for (const one of ordered) {
    const fault = faultOfName(one.path, gitFolders) ?? folders.faultAbove(one);
    if (fault) {
      plan.obstacles.push({ path: one.path, what: fault });
      continue;
    }
    const seen = folders.isBehind(one.path) ? { state: { kind: 'none' as const } } : look(root, format, one);
    if (typeof seen === 'string') {
      plan.obstacles.push({ path: one.path, what: seen });
      continue;
    }
    if (seen === undefined && one.before === null) inWay.push(one.path);
    const verdict = judge(one, seen, goneInodes);
    if (verdict === 'already') plan.already.push(one.path);
    else if (verdict !== 'change') plan.obstacles.push({ path: one.path, what: verdict });
    else {
      const change = changeOf(one, seen);
      plan.list.changes.push(change);
      plan.wanted.push(one);
      if (one.after === null && change.oldStamp) goneInodes.set(change.oldStamp.ino, one.path);
    }
  }
  planFolders(root, plan, folders, inWay, mayGo);
  return plan;
}

/** What is put there is known once it is staged. */
function changeOf(one: WantedPath, seen: SeenPath | undefined): PathChange {
  const after: PathState = { kind: 'none' };
  if (one.before === null || !seen?.stamp) return { path: one.path, before: { kind: 'none' }, after };
  return { path: one.path, before: seen.state, after, oldStamp: seen.stamp };
}

function judge(
  one: WantedPath,
  seen: SeenPath | undefined,
  goneInodes: ReadonlyMap<string, BytePath>,
): string {
  // Where the work has a new file, a folder may be in the way only until the work has emptied it.
  if (!seen) return one.before === null ? 'change' : 'a folder or a special file stands there now';
  const { state } = seen;
  if (one.before !== null && isState(state, one.before)) return 'change';
  if (one.after === null ? state.kind === 'none' : isState(state, one.after) && hasMode(state, one.after)) {
    return 'already';
  }
  if (one.before !== null) {
    return state.kind === 'none' ? 'it is not there any more' : 'it was changed since it was read';
  }
  if (state.kind === 'none') return 'change';
  const other = goneInodes.get(seen.stamp?.ino ?? '');
  if (other !== undefined && folded(other) === folded(one.path)) return 'change';
  return 'a file that is not part of the work (ignored by git, or new) is in the way';
}

/** Whether a path holds this file. The executable bit is compared where the caller knows it better than git's mode. */
function isState(state: PathState, file: TreeFile): boolean {
  if (state.kind === 'none' || state.id !== file.id) return false;
  if ((state.kind === 'symlink') !== (file.mode === '120000')) return false;
  if (state.kind === 'symlink' || !file.exact || process.platform === 'win32') return true;
  return state.perm === file.exact.perm;
}

function hasMode(state: PathState, { mode }: TreeFile): boolean {
  if (state.kind !== 'file' || process.platform === 'win32') return true;
  return ((state.perm & 0o100) !== 0) === (mode === '100755');
}

function folded(where: BytePath): string {
  return textOf(where).normalize('NFC').toLowerCase();
}

/** What stands at a path; text where it cannot be told. */
function look(root: string, format: ObjectFormat, one: WantedPath): SeenPath | undefined | string {
  try {
    return readPath(fileAt(root, one.path), format);
  } catch (error) {
    if (['EIO', 'EMFILE'].includes(errnoOf(error) ?? '')) throw error;
    return `it cannot be read (${messageOf(error)})`;
  }
}

/** A tree that somebody made by hand may name what no tree should. `gitFolders` are folded names. */
function faultOfName(where: BytePath, gitFolders: readonly string[]): string | undefined {
  const names = where.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..')) return 'it leads out of the tree';
  if (names.some(isGitName)) return 'it lies in a .git folder';
  const name = folded(where);
  if (gitFolders.some((folder) => name === folder || name.startsWith(`${folder}/`))) {
    return "it lies in git's own folder of the repository";
  }
  if (names[0]?.toLowerCase() === STAGING_NAME) return 'prun works there while it applies';
  if (process.platform === 'win32' && names.some((name) => /[\\:]/.test(name))) {
    return 'Windows has no such file name';
  }
  return undefined;
}

/** `.git` by any name that some file system takes for it (git's own is_hfs_dotgit and is_ntfs_dotgit). */
function isGitName(name: string): boolean {
  const text = textOf(name as BytePath).replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '');
  return /^(?:\.git|git~1)(?:[\s.]*|:.*)$/i.test(text);
}

interface FolderLook {
  faultAbove(one: WantedPath): string | undefined;
  /** Whether a path lies below something that is no folder yet. */
  isBehind(where: BytePath): boolean;
  /** Folders that are not there yet. */
  isMissing(folder: BytePath): boolean;
}

/** Looks at every folder once. */
function createFolderLook(root: string, gone: ReadonlySet<BytePath>): FolderLook {
  const device = lookAt(root)?.dev;
  const seen = new Map<BytePath, 'folder' | 'missing' | 'symlink' | 'file'>();
  const writable = new Map<BytePath | undefined, boolean>();

  function kindOf(folder: BytePath): 'folder' | 'missing' | 'symlink' | 'file' {
    const known = seen.get(folder);
    if (known) return known;
    const above = parentOf(folder);
    const isBelowFolder = above === undefined || kindOf(above) === 'folder';
    const stat = isBelowFolder ? lookAt(fileAt(root, folder)) : undefined;
    const kind = !stat
      ? 'missing'
      : stat.isSymbolicLink()
        ? 'symlink'
        : stat.isDirectory()
          ? 'folder'
          : 'file';
    if (kind === 'folder' && stat?.dev !== device) {
      throw new PrunError(
        'E_DEVICE',
        `${shownPath(folder)} lies on another device than ${root}, and a change of both cannot be all or nothing`,
        'apply there by hand, or to a tree on one device; nothing was changed',
      );
    }
    seen.set(folder, kind);
    return kind;
  }

  function mayWrite(folder: BytePath | undefined): boolean {
    const known = writable.get(folder);
    if (known !== undefined) return known;
    let may = true;
    try {
      accessSync(folder === undefined ? root : fileAt(root, folder), constants.W_OK | constants.X_OK);
    } catch {
      // Whatever the reason is, no file in it can be replaced.
      may = false;
    }
    writable.set(folder, may);
    return may;
  }

  return {
    isBehind: (where) => foldersOf(where).some((folder) => kindOf(folder) !== 'folder'),
    isMissing: (folder) => kindOf(folder) !== 'folder',
    faultAbove({ path: where, after }) {
      let deepest: BytePath | undefined;
      for (const folder of foldersOf(where)) {
        const kind = kindOf(folder);
        if (kind === 'folder') deepest = folder;
        else if (kind !== 'missing' && after !== null && !gone.has(folder)) {
          return kind === 'symlink'
            ? `the folder ${shownPath(folder)} is a symlink there, and prun does not write through one`
            : `${shownPath(folder)} is a file there`;
        }
      }
      return mayWrite(deepest)
        ? undefined
        : `the folder ${shownPath(deepest ?? ('.' as BytePath))} may not be written`;
    },
  };
}

function planFolders(
  root: string,
  plan: ChangePlan,
  folders: FolderLook,
  inWay: readonly BytePath[],
  mayGo: ReadonlySet<BytePath> | undefined,
): void {
  const added = plan.wanted.filter(({ after }) => after !== null).map(({ path: where }) => where);
  const kept = new Set(added.flatMap(foldersOf));
  const made = [...kept].filter((folder) => folders.isMissing(folder));
  plan.list.foldersMade = made.sort((a, b) => depth(a) - depth(b));
  const deleted = new Set(plan.wanted.filter(({ after }) => after === null).map(({ path: where }) => where));
  const candidates = [...new Set([...deleted].flatMap(foldersOf))].sort((a, b) => depth(b) - depth(a));
  const removed = new Set<BytePath>();
  for (const folder of candidates) {
    const stays = mayGo !== undefined && !mayGo.has(folder) && !inWay.includes(folder);
    if (stays || kept.has(folder) || folders.isMissing(folder)) continue;
    const names = readdirSync(fileAt(root, folder), { encoding: 'buffer' });
    if (!names.every((name) => isGoing(below(folder, bytePath(name)), deleted, removed))) continue;
    removed.add(folder);
    const perm = Number((lookAt(fileAt(root, folder))?.mode ?? 0o755n) & 0o7777n);
    plan.list.foldersRemoved.push({ path: folder, perm });
  }
  for (const where of inWay) {
    if (removed.has(where)) continue;
    plan.obstacles.push({ path: where, what: 'a folder stands there that holds more than the work removes' });
  }
}

function isGoing(where: BytePath, deleted: ReadonlySet<BytePath>, removed: ReadonlySet<BytePath>): boolean {
  return deleted.has(where) || removed.has(where);
}

function depth(where: BytePath): number {
  return where.split('/').length;
}
