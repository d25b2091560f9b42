import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { PRIVATE_FILE, renameRetrying, temporaryBeside } from '../../platform/files.ts';
import { type GitPlace, runGit } from '../../platform/git.ts';
import { PATCH_DIFF } from '../delta/patch-file.ts';

/** Writes the difference of two trees as a patch that `git apply` takes, whole or not at all. */
export async function writePlainPatch(
  place: GitPlace,
  from: string,
  to: string,
  file: string,
): Promise<void> {
  const temporary = temporaryBeside(file);
  const fd = openSync(temporary, 'ax', PRIVATE_FILE);
  try {
    await runGit(place, [...PATCH_DIFF, from, to], { stdoutFd: fd });
    fsyncSync(fd);
    renameRetrying(temporary, file);
  } finally {
    closeSync(fd);
    rmSync(temporary, { force: true });
  }
}
