import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, bytePathOf, textOf } from '../../platform/byte-path.ts';

/**
 * The git folders of a working tree's repository that lie below it under another name than `.git`
 * (`git init --separate-git-dir`): paths from the top. Their files are no part of the work. Only reads.
 */
export function gitFoldersIn(workTree: string): BytePath[] {
  return foldersBelow(workTree, gitDirsOf(workTree));
}

/** A working tree's git folder and the one that it shares with other worktrees; empty where it names none. */
export function gitDirsOf(workTree: string): string[] {
  const gitDir = gitDirOf(workTree);
  return gitDir === undefined ? [] : [gitDir, commonDirOf(gitDir)];
}

/** Which of the folders lie below a working tree, as paths from its top; `.git` itself is not told. */
export function foldersBelow(workTree: string, folders: readonly string[]): BytePath[] {
  const top = realOf(workTree);
  const found = folders.flatMap((folder) => {
    const where = path.relative(top, realOf(folder));
    const isBelow =
      where !== '' && where !== '..' && !where.startsWith(`..${path.sep}`) && !path.isAbsolute(where);
    return isBelow ? [bytePathOf(where.split(path.sep).join('/'))] : [];
  });
  const unseen = [...new Set(found)].filter((where) => !/(?:^|\/)\.git(?:\/|$)/i.test(textOf(where)));
  return unseen.filter((where) => !unseen.some((other) => where.startsWith(`${other}/`)));
}

/** `.git` is the folder, a link to it, or a file that names it (gitrepository-layout(5)). */
function gitDirOf(workTree: string): string | undefined {
  const entry = path.join(workTree, '.git');
  const stat = statSync(entry, { throwIfNoEntry: false });
  if (!stat?.isFile()) return stat?.isDirectory() ? entry : undefined;
  const named = /^gitdir: ([^\n]+?)\r?\n*$/.exec(readText(entry))?.[1];
  return named === undefined ? undefined : path.resolve(workTree, named);
}

/** A linked worktree's folder names that of its repository. */
function commonDirOf(gitDir: string): string {
  const named = readText(path.join(gitDir, 'commondir')).trim();
  return path.resolve(gitDir, named === '' ? '.' : named);
}

function readText(file: string): string {
  try {
    // A pipe of that name is not opened: the reading would not end.
    return statSync(file).isFile() ? readFileSync(file, 'utf8') : '';
  } catch {
    // Not there, or closed to this user: then git cannot use it either.
    return '';
  }
}

/** The name by which the file system knows a folder: links and letter case resolved. */
function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // Not there: its name is all there is.
    return path.resolve(folder);
  }
}
