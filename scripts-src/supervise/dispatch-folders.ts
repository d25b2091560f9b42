import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { messageOf, usageError } from '../platform/errors.ts';

/**
 * The work dir as it was given, absolute; undefined for a scratch folder. A mistyped folder is not made: the unit would
 * run in an empty place (PEERS.md scenario 15). Throws a usage error.
 */
export function workFolder(
  flag: string | undefined,
  variable: string | undefined,
  cwd: string,
): string | undefined {
  const given = flag ?? (variable || undefined);
  if (given === undefined) return undefined;
  const name = flag === undefined ? 'PRUN_SCRATCH_CWD' : '--workdir';
  const folder = path.resolve(cwd, given);
  try {
    if (statSync(folder).isDirectory()) return folder;
  } catch (error) {
    throw usageError(
      `${name} ${folder} cannot be used (${messageOf(error)})`,
      'give the path of an existing folder',
    );
  }
  throw usageError(`${name} ${folder} is not a folder`, 'give the path of an existing folder');
}

/** The folder for state dirs, absolute, made where it is not there. Throws a usage error where it cannot be written. */
export function writableStateHome(
  flag: string | undefined,
  environment: NodeJS.ProcessEnv,
  cwd: string,
): string {
  const home = path.resolve(cwd, flag || environment.TMPDIR || os.tmpdir());
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    accessSync(home, constants.W_OK | constants.X_OK);
    return home;
  } catch (error) {
    const name = flag ? '--state-home' : 'the temp folder';
    throw usageError(
      `${name} ${home} cannot be written (${messageOf(error)})`,
      'give a writable folder with --state-home',
    );
  }
}
