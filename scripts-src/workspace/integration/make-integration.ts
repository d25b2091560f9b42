import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { PrunError, usageError } from '../../platform/errors.ts';
import { runGit } from '../../platform/git.ts';
import { readSource, revision, type SourceRepository, sourcePlace } from '../base/source-repo.ts';
import { integrationBase } from './base-ref.ts';
import { addExcludeLine } from './exclude-line.ts';
import { runFetchingGit } from './fetching-git.ts';
import { type Integration, integrationBranch, WORKTREES_FOLDER } from './integration.ts';
import { primaryCheckout } from './primary-checkout.ts';

/** What an integration worktree is wanted for. */
export interface IntegrationWish {
  /** A folder in the repository, or in a worktree of it. */
  repository: string;
  run: string;
  /** A branch, tag or commit to start from; undefined: by the rules of `integrationBase`. */
  baseRef: string | undefined;
  /** Is told what is being done, in a few words. */
  say(text: string): void;
}

/** An integration worktree before it is made. */
export interface PlannedIntegration {
  integration: Integration;
  source: SourceRepository;
  notes: string[];
}

/** Milliseconds for the checkout: a lazy repository may fetch what it lacks. */
const CHECKOUT_LIMIT_MS = 30 * 60_000;

/**
 * Works out where a run's integration worktree will be and what it starts from, and fetches that. Call it while the
 * repository is held (repository-lock.ts). Adds nothing but fetched refs. Throws a usage error where the place or the
 * branch is taken, or there is nothing to start from.
 */
export async function planIntegration(wish: IntegrationWish): Promise<PlannedIntegration> {
  const source = await readSource(wish.repository);
  const repository = primaryCheckout(source);
  const worktree = path.join(repository, WORKTREES_FOLDER, `int-${wish.run}`);
  const branch = integrationBranch(wish.run);
  await refuseTaken(source, worktree, branch);
  const { ref, commit, notes } = await integrationBase(source, wish.baseRef, wish.say);
  const integration = { repository, worktree, branch, baseRef: ref, baseCommit: commit };
  return { integration, source, notes };
}

async function refuseTaken(source: SourceRepository, worktree: string, branch: string): Promise<void> {
  if (existsSync(worktree)) {
    throw usageError(`${worktree} is there already`, 'give another --run, or remove what lies there');
  }
  if ((await revision(sourcePlace(source), `refs/heads/${branch}`)) === null) return;
  throw usageError(
    `the branch ${branch} is in ${source.workTree} already`,
    'give another --run, or remove that branch',
  );
}

/**
 * Makes a planned integration worktree, still while the repository is held: the exclude line, the branch, the files as git checks them out for the user.
 * Throws PrunError where git cannot; what it has left then is removed by `removeIntegration`.
 */
export async function makeIntegration({ integration, source }: PlannedIntegration): Promise<void> {
  const { worktree, branch, baseCommit } = integration;
  addExcludeLine(source.commonDir);
  mkdirSync(path.dirname(worktree), { recursive: true });
  const place = { gitDir: source.gitDir };
  // The branch first: a checkout that is cut short leaves a worktree that stands on something.
  await runGit({ ...place, asUser: true }, ['branch', '--no-track', branch, baseCommit]);
  const argv = ['worktree', 'add', '--quiet', worktree, branch];
  const { code, said } = await runFetchingGit(place, argv, CHECKOUT_LIMIT_MS);
  if (code === 0) return;
  throw new PrunError(
    'E_INTEGRATION',
    `git cannot make the worktree ${worktree} (${said})`,
    'put that right and make a new run',
    1,
  );
}
