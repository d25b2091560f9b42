import { accessSync, type BigIntStats, constants, lstatSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { messageOf, usageError } from '../platform/errors.ts';

/**
 * Makes the folder of a result. Whatever would make the result impossible is said before a worker costs anything: throws a
 * usage error.
 */
export function prepareResultFolder(resultFile: string, promptFile: string): void {
  const there = statOf(resultFile);
  if (there?.isDirectory())
    throw usageError(`--result-file ${resultFile} is a directory`, 'give the path of a file');
  // What stands there is moved out of the way later: never a device or a pipe. A link is moved as a link.
  if (there && !there.isFile() && !lstatSync(resultFile).isSymbolicLink())
    throw usageError(`--result-file ${resultFile} is not a regular file`, 'give the path of a file');
  const prompt = statOf(promptFile);
  if (there && prompt && there.ino === prompt.ino && there.dev === prompt.dev)
    throw usageError(`--result-file ${resultFile} is the prompt file`, 'give the result a path of its own');
  const folder = path.dirname(resultFile);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw usageError(
      `the folder of --result-file ${resultFile} cannot be written (${messageOf(error)})`,
      'give a path in a writable folder',
    );
  }
}

function statOf(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
