import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { errnoOf, usageError } from '../platform/errors.ts';
import { PRIVATE_DIR } from '../platform/files.ts';
import { runGit } from '../platform/git.ts';
import type { TreePlace } from './git-facts.ts';
import { VALIDATION_FILES } from './validation-records.ts';

/**
 * Makes the new folder of a validation. Throws a usage error where it is there already, or where it would be an untracked
 * file of the very tree that is to be validated.
 */
export async function makeOutput(output: string, place: TreePlace): Promise<string> {
  const above = nearestFolder(path.dirname(output));
  const real = path.join(realpathSync(above), path.relative(above, output));
  await refuseInsideTree(real, place);
  try {
    mkdirSync(path.dirname(real), { recursive: true, mode: PRIVATE_DIR });
    mkdirSync(real, { mode: PRIVATE_DIR });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    throw usageError(
      `--output ${output} exists already`,
      'give a folder that is new: evidence is never overwritten',
    );
  }
  for (const name of [VALIDATION_FILES.logs, VALIDATION_FILES.own]) {
    mkdirSync(path.join(real, name), { mode: PRIVATE_DIR });
  }
  return real;
}

function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(path.dirname(folder));
}

async function refuseInsideTree(output: string, { workTree, gitDir, commonDir }: TreePlace): Promise<void> {
  for (const own of [gitDir, commonDir]) {
    if (isInside(output, own)) {
      throw usageError(`--output ${output} is inside ${own}`, 'give a folder outside of the repository');
    }
  }
  if (!isInside(output, workTree)) return;
  const asked = path.relative(workTree, path.join(output, VALIDATION_FILES.result));
  const { code } = await runGit({ gitDir, workTree, asUser: true }, ['check-ignore', '-q', '--', asked], {
    answers: [0, 1],
  });
  if (code === 0) return;
  throw usageError(
    `--output ${output} is inside the worktree, and git does not ignore it`,
    'give a folder outside of it: the tree that is validated must stay clean',
  );
}

/** Whether a path is a folder or below it. */
function isInside(where: string, folder: string): boolean {
  const way = path.relative(folder, where);
  return way === '' || !(way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way));
}
