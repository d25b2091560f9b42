import { type GitPlace, gitText } from '../../platform/git.ts';

/**
 * How many commits only this branch holds: they are on no other reference of the repository, and behind none of `heads`,
 * where the branch may have been started. Without one it can go.
 */
export async function ownCommits(
  place: GitPlace,
  branch: string,
  tip: string,
  heads: readonly (string | null)[],
): Promise<number> {
  const known = heads.flatMap((head) => (head === null ? [] : [`^${head}`]));
  const others = ['--not', `--exclude=refs/heads/${branch}`, '--all'];
  return Number(await gitText(place, ['rev-list', '--count', '--ignore-missing', tip, ...known, ...others]));
}
