import { plainError } from '../../platform/errors.ts';
import { readSource, type SourceRepository } from '../../workspace/base/source-repo.ts';
import { refuseStateAmongFiles } from '../../workspace/base/state-home-place.ts';
import { type Finding, fine, note, problem } from './finding.ts';
import type { LookWish } from './look-apart.ts';

/** Whether units can have clones of the repository here, as git with the user's own settings sees it. */
export async function repositoryFinding({
  cwd,
  stateHome,
}: Pick<LookWish, 'cwd' | 'stateHome'>): Promise<Finding> {
  const id = 'repository';
  try {
    const source = await readSource(cwd);
    await refuseStateAmongFiles(source, stateHome);
    return fine(id, `${source.workTree}, ${standOf(source)}`);
  } catch (thrown) {
    const error = plainError(thrown);
    if (error === undefined) throw thrown;
    if (error.code === 'E_GIT_MISSING') return fine(id, 'not looked at: there is no git');
    if (error.message.endsWith('is not in a git repository')) {
      return fine(id, `${cwd} is in none (needed by units with mode clone or worktree only)`);
    }
    const fact = error.message.replace(/^--repo /, '');
    return fact.includes('bare repository') ? note(id, fact, error.next) : problem(id, fact, error.next);
  }
}

function standOf({ head, branch }: SourceRepository): string {
  if (head === null) return 'without a commit yet';
  return branch === null ? `no branch, commit ${head.slice(0, 12)}` : `branch ${branch}`;
}
