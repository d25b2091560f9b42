import path from 'node:path';
import { PrunError } from '../../platform/errors.ts';
import { readStart } from '../../platform/files.ts';
import { type GitPlace, gitText } from '../../platform/git.ts';
import type { Run } from '../run-folder.ts';

/** What a run has added to the user's repository (promise P5 lists what it may), as git tells it now. */
export interface RepositoryTraces {
  repository: string;
  branches: { name: string; commit: string }[];
  worktrees: { folder: string; branch: string }[];
  /** Lines of the repository's private exclude file that prun wrote. */
  excludes: { file: string; line: string }[];
  /** Why it could not be asked, one line; null where it could. */
  trouble: string | null;
}

const EXCLUDE_BYTES = 1024 * 1024;
const LIMIT_MS = 20_000;

/** Asks the run's repository for its traces; undefined for a run without a repository. Changes nothing. */
export async function repositoryTraces({ record }: Run): Promise<RepositoryTraces | undefined> {
  const repository = record.integration?.repository ?? record.repository;
  if (repository === null) return undefined;
  const traces: RepositoryTraces = { repository, branches: [], worktrees: [], excludes: [], trouble: null };
  const place: GitPlace = { cwd: repository, asUser: true };
  const prefix = `refs/heads/prun/${record.id}/`;
  try {
    const ask = (...argv: string[]) => gitText(place, argv, { limitMs: LIMIT_MS });
    const branches = await ask('for-each-ref', '--format=%(objectname) %(refname)', prefix);
    traces.branches = branches.split('\n').flatMap((line) => {
      const [commit = '', name = ''] = line.split(' ');
      return name === '' ? [] : [{ name: name.replace('refs/heads/', ''), commit }];
    });
    traces.worktrees = worktreesIn(await ask('worktree', 'list', '--porcelain'), prefix);
    const common = path.resolve(repository, await ask('rev-parse', '--git-common-dir'));
    const file = path.join(common, 'info', 'exclude');
    traces.excludes = excludeLines(readStart(file, EXCLUDE_BYTES)).map((line) => ({ file, line }));
  } catch (error) {
    if (!(error instanceof PrunError)) throw error;
    traces.trouble = error.message;
  }
  return traces;
}

/** Worktrees on branches below a prefix, from `git worktree list --porcelain`. Pure. */
export function worktreesIn(porcelain: string, prefix: string): RepositoryTraces['worktrees'] {
  return porcelain.split('\n\n').flatMap((entry) => {
    const folder = /^worktree (.*)$/m.exec(entry)?.[1];
    const branch = /^branch (.*)$/m.exec(entry)?.[1];
    if (folder === undefined || !branch?.startsWith(prefix)) return [];
    return [{ folder, branch: branch.replace('refs/heads/', '') }];
  });
}

/** Lines of an exclude file that are prun's: they name its folder for worktrees. Pure. */
export function excludeLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('#') && /(?:^|\/)\.worktrees(?:\/|$)/.test(line.trim()));
}
