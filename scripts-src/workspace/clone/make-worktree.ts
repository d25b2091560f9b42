import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathFromJson, splitPaths } from '../../platform/byte-path.ts';
import { usageError } from '../../platform/errors.ts';
import { PRIVATE_DIR, PRIVATE_FILE } from '../../platform/files.ts';
import { GitError, type GitPlace, runGit } from '../../platform/git.ts';
import { gitFolderOf } from '../base/git-template.ts';
import { folderAt } from '../base/snapshot-source.ts';
import { quotedValue } from '../base/walls.ts';
import { readOptional } from '../read-optional.ts';
import type { SetRecord } from '../records.ts';
import { SET_FILES, storeOf, unitFolder, unseenFile, type WorkspaceSet } from '../workspace-set.ts';
import { keepIndex, writeFiles } from './write-files.ts';

/** The branch of a unit's worktree in the user's repository. */
export function worktreeBranch(set: Pick<SetRecord, 'id'>, unit: string): string {
  return `prun/${set.id}/${unit}`;
}

/** git in the user's repository, for the branches and worktrees that worktree units are allowed to add (promise P5). */
export function ownerPlace({ source }: SetRecord): GitPlace {
  return { gitDir: source.gitDir, asUser: true };
}

/**
 * Makes a unit's worktree at `folder`: a branch of its own at HEAD, the files of the base, nothing staged. What the user
 * has not committed yet is there as uncommitted work. Private indexes go to the unit's records.
 */
export async function makeWorktree(
  set: WorkspaceSet,
  unit: string,
  folder: string,
  writers: number,
): Promise<void> {
  const { record } = set;
  const { head } = record.base;
  if (head === null) {
    throw usageError(
      `${record.source.workTree} has no commit yet, and a worktree needs one`,
      'leave --worktree out: a clone works without commits',
    );
  }
  const branch = worktreeBranch(record, unit);
  await addWorktree(record, branch, folder, head);
  const records = unitFolder(set, unit);
  const submodules = record.base.submodules.map(({ path: where }) => pathFromJson(where));
  for (const [n, where] of [undefined, ...submodules].entries()) {
    const template = path.join(set.folder, SET_FILES.templates, String(n));
    const workTree = where === undefined ? folder : folderAt(folder, where);
    const indexFile = path.join(records, `checkout-${n}`);
    cpSync(path.join(template, 'index'), indexFile);
    mkdirSync(workTree, { recursive: true });
    const place = { gitDir: storeOf(set), workTree, indexFile };
    await writeFiles(place, writers);
    await keepIndex(
      place,
      path.join(records, `index-${n}`),
      splitPaths(readOptional(unseenFile(set, n))),
      record.objectFormat,
    );
    rmSync(indexFile);
    if (where !== undefined) adoptSubmodule(template, path.join(records, gitFolderOf(n)), workTree);
  }
  await runGit({ cwd: folder, asUser: true }, ['read-tree', 'HEAD']);
}

async function addWorktree(record: SetRecord, branch: string, folder: string, head: string): Promise<void> {
  try {
    const argv = ['worktree', 'add', '--no-checkout', '--quiet', '-b', branch, folder, head];
    await runGit(ownerPlace(record), argv);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw usageError(
      `no worktree on branch ${branch} can be added (${error.stderr.trim().split('\n').at(-1)})`,
      'give another --run or --unit, or remove that branch',
    );
  }
}

/** A worktree has no git folder of its own to put a submodule's into: it lies with the unit's records. */
function adoptSubmodule(template: string, gitDir: string, workTree: string): void {
  mkdirSync(path.dirname(gitDir), { recursive: true, mode: PRIVATE_DIR });
  cpSync(template, gitDir, { recursive: true });
  const config = path.join(gitDir, 'config');
  const absolute: Readonly<Record<string, string>> = {
    worktree: workTree,
    hooksPath: path.join(gitDir, 'hooks'),
  };
  const text = readFileSync(config, 'utf8').replace(
    /^\t(worktree|hooksPath) = .*$/gm,
    (_, key: string) => `\t${key} = ${quotedValue(absolute[key] ?? '')}`,
  );
  writeFileSync(config, text, { mode: PRIVATE_FILE });
  writeFileSync(path.join(workTree, '.git'), `gitdir: ${gitDir.replaceAll('\\', '/')}\n`);
}
