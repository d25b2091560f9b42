import os from 'node:os';
import path from 'node:path';
import { usageError } from './errors.ts';

/**
 * The user's home, absolute. Where HOME is empty or relative, Node gives it back as it is, and everything below it would
 * come into the current folder: then the system's record of the user counts. Throws a usage error where there is none.
 */
export function homeFolder(): string {
  const named = os.homedir();
  if (path.isAbsolute(named)) return named;
  try {
    return os.userInfo().homedir;
  } catch {
    throw usageError(`HOME is ${JSON.stringify(named)}, no absolute path`, 'set HOME to your home folder');
  }
}
