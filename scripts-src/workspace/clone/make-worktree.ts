import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import {
  SET_FILES,
  storeOf,
  unitFolder,
  unseenFile,
  type WorkspaceBase,
  type WorkspaceSet,
} from '../workspace-set.ts';
import { cloneFolder, type DraftWorkspace, refuseTaken, takenMeanwhile } from './draft-workspace.ts';
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
 * Adds a unit's worktree without files, at the place where it is to be: git wants it so. Its branch, at the base's HEAD,
 * is the claim: git makes it for one call only.
 */
export async function addWorktree(set: WorkspaceSet, base: WorkspaceBase, unit: string): Promise<void> {
  const { source } = set.record;
  const { head } = base.record;
  if (head === null) {
    throw usageError(
      `${source.workTree} has no commit yet, and a worktree needs one`,
      'leave --worktree out: a clone works without commits',
    );
  }
  const branch = worktreeBranch(set.record, unit);
  try {
    const argv = ['worktree', 'add', '--no-checkout', '--quiet', '-b', branch, cloneFolder(set, unit), head];
    await runGit(ownerPlace(set.record), argv);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    refuseTaken(set, unit);
    if (existsSync(cloneFolder(set, unit))) throw takenMeanwhile(set, unit);
    throw usageError(
      `no worktree on branch ${branch} can be added (${error.stderr.trim().split('\n').at(-1)})`,
      'give another --run or --unit, or remove that branch',
    );
  }
}

/**
 * Writes the files of the base into a unit's worktree, nothing staged. What the user has not committed yet is there as
 * uncommitted work. Private indexes go to the draft's records.
 */
export async function fillWorktree(
  set: WorkspaceSet,
  base: WorkspaceBase,
  draft: DraftWorkspace,
  writers: number,
): Promise<void> {
  const { record } = set;
  const { unit, records } = draft;
  const folder = cloneFolder(set, unit);
  const submodules = base.record.submodules.map(({ path: where }) => pathFromJson(where));
  for (const [n, where] of [undefined, ...submodules].entries()) {
    const template = path.join(base.folder, SET_FILES.templates, String(n));
    const workTree = where === undefined ? folder : folderAt(folder, where);
    const indexFile = path.join(records, `checkout-${n}`);
    cpSync(path.join(template, 'index'), indexFile);
    mkdirSync(workTree, { recursive: true });
    const place = { gitDir: storeOf(set), workTree, indexFile };
    await writeFiles(place, writers);
    await keepIndex(
      place,
      path.join(records, `index-${n}`),
      splitPaths(readOptional(unseenFile(base, n))),
      record.objectFormat,
    );
    rmSync(indexFile);
    if (where === undefined) continue;
    const inside = gitFolderOf(n);
    adoptSubmodule(template, path.join(records, inside), path.join(unitFolder(set, unit), inside), workTree);
  }
  await runGit({ cwd: folder, asUser: true }, ['read-tree', 'HEAD']);
}

/**
 * A worktree has no git folder of its own to put a submodule's into: it lies with the unit's records. It is written to
 * `draft` and names itself by where it will lie, `gitDir`.
 */
function adoptSubmodule(template: string, draft: string, gitDir: string, workTree: string): void {
  mkdirSync(path.dirname(draft), { recursive: true, mode: PRIVATE_DIR });
  cpSync(template, draft, { recursive: true });
  const config = path.join(draft, 'config');
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
