import { PrunError } from '../platform/errors.ts';
import { gitText } from '../platform/git.ts';

/** A word on git where a project's `git status` would show the folder; prun edits no ignore file. */
export async function gitHint(project: string): Promise<string[]> {
  const folder = '.claude/skills/prun';
  try {
    const argv = ['ls-files', '--others', '--exclude-standard', '--directory', '--', folder];
    const untracked = await gitText({ cwd: project, asUser: true }, argv, { limitMs: 10_000 });
    if (untracked === '') return [];
  } catch (error) {
    if (!(error instanceof PrunError)) throw error;
    // No repository, or no git: nobody would see the folder.
    return [];
  }
  return [
    `git shows ${folder} as new: commit it for all who work on the project, or add /${folder}/ to .git/info/exclude for yourself`,
  ];
}
