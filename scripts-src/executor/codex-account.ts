import { homedir } from 'node:os';
import { join } from 'node:path';
import { shortHash } from '../platform/random.ts';
import { readVariable } from './scrub-environment.ts';

/** The home of a codex with this environment: its login, its sessions and the user's configuration lie there. */
export function codexHomeOf(environment: NodeJS.ProcessEnv): string {
  const home = readVariable(environment, 'HOME') || readVariable(environment, 'USERPROFILE') || homedir();
  return readVariable(environment, 'CODEX_HOME') || join(home, '.codex');
}

/**
 * The account of a codex with this environment: its home, where the login lies, and the key that it is given instead
 * (FACTS-codex.md, Install and start). The key goes into the hash only.
 */
export function codexAccount(environment: NodeJS.ProcessEnv): string {
  return shortHash(`${codexHomeOf(environment)}\0${readVariable(environment, 'CODEX_API_KEY') ?? ''}`);
}
