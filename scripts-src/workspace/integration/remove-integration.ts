import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../platform/errors.ts';
import { lstatOrNone, PRIVATE_DIR } from '../../platform/files.ts';
import { type GitPlace, gitText, runGit } from '../../platform/git.ts';
import { commitParts } from '../base/base-parts.ts';
import { createBorrowingStore } from '../base/object-store.ts';
import { objectDirsOf, snapshotSource } from '../base/snapshot-source.ts';
import { readSource, revision } from '../base/source-repo.ts';
import type { Integration } from './integration.ts';
import { writePlainPatch } from './plain-patch.ts';

/** How an integration worktree is removed. */
export interface RemovalWish {
  /** Whether it goes with changes too. They are archived first. */
  force: boolean;
  /** Absolute folder for what is archived; it is made when it is needed. */
  archive: string;
}

/** What became of an integration worktree. */
export interface RemovedIntegration {
  removed: boolean;
  /** Why it was left alone, what was archived, what stays behind; one line each. */
  notes: string[];
}

/**
 * Removes a run's integration worktree and its branch, finished or half-made. Where it holds changes (files that are not
 * committed, commits that are on no other branch) it is left alone, or with `force` archived first: a patch against its
 * base of all files, and a bundle of its commits. What is gone already is no fault. Nothing else is touched: not the exclude
 * line, which others may need, and nothing behind a symlink.
 */
export async function removeIntegration(
  integration: Integration,
  wish: RemovalWish,
): Promise<RemovedIntegration> {
  const { worktree, branch, repository } = integration;
  const kept = (...notes: string[]): RemovedIntegration => ({ removed: false, notes });
  if (!existsSync(repository)) return { removed: true, notes: [`the repository ${repository} is gone`] };
  const place: GitPlace = { cwd: repository, asUser: true };
  try {
    const stands = await standsThere(place, integration);
    if (stands === 'strange') {
      return kept(`${worktree} is no worktree of ${repository} any more: look at what stands there`);
    }
    const commits = await ownCommits(place, integration);
    const files = stands === 'there' ? await changedFiles(worktree) : [];
    const notes: string[] = [];
    if (commits > 0 || files.length > 0) {
      if (!wish.force) return kept(holdsText(files.length, commits));
      notes.push(...(await archive(place, integration, wish.archive, { files: files.length, commits })));
    }
    await runGit(place, ['worktree', 'remove', '--force', '--force', worktree], { answers: [0, 128] });
    if (stands !== 'gone') rmSync(worktree, { recursive: true, force: true, maxRetries: 5 });
    if ((await revision(place, `refs/heads/${branch}`)) !== null) {
      await runGit(place, ['branch', '--delete', '--force', branch]);
    }
    removeEmpty(path.dirname(worktree));
    return { removed: true, notes };
  } catch (error) {
    return kept(`it cannot be removed (${messageOf(error)}): put that right and try again`);
  }
}

/** What an integration worktree holds that is nowhere else, a few words; undefined where nothing is. Changes nothing. */
export async function integrationHolds(integration: Integration): Promise<string | undefined> {
  const { worktree, repository } = integration;
  const place: GitPlace = { cwd: repository, asUser: true };
  try {
    if (!existsSync(repository)) return undefined;
    const isThere = (await standsThere(place, integration)) === 'there';
    const commits = await ownCommits(place, integration);
    const files = isThere ? (await changedFiles(worktree)).length : 0;
    return commits > 0 || files > 0 ? holdsText(files, commits) : undefined;
  } catch {
    // Why it cannot be read is said by the removal.
    return undefined;
  }
}

function holdsText(files: number, commits: number): string {
  return `it holds changes (files=${files} commits=${commits}): when they are where they belong, --force`;
}

/**
 * What stands where the worktree belongs. `half-made`: git was ended while it made it, and nobody has worked there;
 * `strange`: something that git does not know as a worktree.
 */
async function standsThere(
  place: GitPlace,
  { worktree }: Integration,
): Promise<'there' | 'half-made' | 'gone' | 'strange'> {
  const stat = lstatOrNone(worktree);
  if (!stat) return 'gone';
  if (!stat.isDirectory()) return 'strange';
  const list = await gitText(place, ['worktree', 'list', '--porcelain', '-z']);
  const entries = list.split('\0\0').map((entry) => entry.split('\0'));
  const entry = entries.find(
    ([first = '']) => path.normalize(first.replace(/^worktree /, '')) === path.normalize(worktree),
  );
  // git holds the entry so until the worktree is whole (git-worktree(1), lock).
  if (entry) return entry.includes('locked initializing') ? 'half-made' : 'there';
  return readdirSync(worktree).every((name) => name === '.git') ? 'half-made' : 'strange';
}

/** Commits of the branch that no other reference holds. */
async function ownCommits(place: GitPlace, { branch, baseCommit }: Integration): Promise<number> {
  const tip = await revision(place, `refs/heads/${branch}`);
  if (tip === null || tip === baseCommit) return 0;
  // Not --all: that has the HEAD of every worktree, this one's too.
  const others = ['--not', `--exclude=${branch}`, '--branches', '--tags', '--remotes'];
  return Number(
    await gitText(place, ['rev-list', '--count', '--ignore-missing', tip, `^${baseCommit}`, ...others]),
  );
}

async function changedFiles(worktree: string): Promise<string[]> {
  const status = await gitText({ cwd: worktree, asUser: true }, [
    'status',
    '--porcelain',
    '-z',
    '--untracked-files=all',
  ]);
  return status.split('\0').filter(Boolean);
}

async function archive(
  place: GitPlace,
  integration: Integration,
  folder: string,
  { files, commits }: { files: number; commits: number },
): Promise<string[]> {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_DIR });
  const notes: string[] = [];
  if (commits > 0) {
    const bundle = path.join(folder, 'integration.bundle');
    const range = [`refs/heads/${integration.branch}`, `^${integration.baseCommit}`];
    await runGit(place, ['bundle', 'create', '--quiet', bundle, ...range]);
    notes.push(`its ${commits} commits are archived in ${bundle}: git fetch takes them from there`);
  }
  if (files > 0) {
    const patch = path.join(folder, 'integration.patch');
    await archiveFiles(integration, patch);
    notes.push(`all its files against ${integration.baseRef} are archived in ${patch}`);
  }
  return notes;
}

/** The files as they lie on disk against the base, without a change of the repository. */
async function archiveFiles({ worktree, baseCommit }: Integration, patch: string): Promise<void> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'prun-archive-'));
  try {
    const source = await readSource(worktree);
    const store = path.join(scratch, 'store.git');
    await createBorrowingStore(store, source);
    const snapshot = await snapshotSource(source, { gitDir: store }, scratch);
    const lent = { gitDir: store, alternates: objectDirsOf(snapshot.submodules) };
    const [own] = await commitParts(source, snapshot, lent, scratch);
    if (own) await writePlainPatch(lent, `${baseCommit}^{tree}`, own.commitTree, patch);
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The folder of all integration worktrees goes with the last one. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Others are in it, or it is gone.
  }
}
