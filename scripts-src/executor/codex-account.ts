import { join } from 'node:path';
import { homeFolder } from '../platform/home-folder.ts';
import { shortHash } from '../platform/random.ts';
import { readVariable } from './scrub-environment.ts';
import type { WorkerOptions } from './types.ts';

/** The home of a codex with this environment: its login, its sessions and the user's configuration lie there. */
export function codexHomeOf(environment: NodeJS.ProcessEnv): string {
  const home = readVariable(environment, 'HOME') || readVariable(environment, 'USERPROFILE') || homeFolder();
  return readVariable(environment, 'CODEX_HOME') || join(home, '.codex');
}

/** Settings that name another server: who has used up the one is still welcome at the other. */
const PROVIDER = /^\s*"?(?:model_provider|model_providers|oss_provider|openai_base_url|profile)\b/;

/**
 * The account of a codex with this environment: its home, where the login lies, the key that it is given instead
 * (FACTS-codex.md, Install and start), and the provider that its unit's settings name. All of it goes into the hash only.
 */
export function codexAccount(
  environment: NodeJS.ProcessEnv,
  { config = [] }: Pick<WorkerOptions, 'config'> = {},
): string {
  const key = readVariable(environment, 'CODEX_API_KEY') ?? '';
  const provider = config.filter((setting) => PROVIDER.test(setting)).sort();
  return shortHash([codexHomeOf(environment), key, ...provider].join('\0'));
}
