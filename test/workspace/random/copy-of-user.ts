import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BuiltRepository } from './build-repository.ts';

/** A copy of the user's repository that can be written to; the copy's working tree. */
export async function copyOfUser(built: BuiltRepository, target: string): Promise<string> {
  mkdirSync(target);
  const isLinked = built.gitDir !== built.commonDir;
  const main = path.dirname(built.commonDir);
  const parts = isLinked ? [main, built.source] : [built.source];
  await promisify(execFile)('cp', ['-a', ...parts, target]);
  const copy = path.join(target, path.basename(built.source));
  if (isLinked) {
    // A linked worktree and its repository name each other by absolute paths.
    const here = path.dirname(main);
    for (const file of [
      path.join(copy, '.git'),
      path.join(target, path.relative(here, built.gitDir), 'gitdir'),
    ]) {
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(here, target));
    }
  }
  return copy;
}
