import { readFileSync } from 'node:fs';
import path from 'node:path';
import { codexHomeOf } from './codex-account.ts';
import { ask, type ProbeRequest } from './codex-probe.ts';
import { readableLine } from './readable-line.ts';
import { readVariable } from './scrub-environment.ts';
import type { CommandRequest } from './types.ts';

/** What a codex says of its login. */
export type LoginState =
  | { kind: 'in' }
  /** Nobody is logged in. */
  | { kind: 'out'; said: string }
  /** It gave no answer that can be used. `said`: the last line of what it said instead, may be empty. */
  | { kind: 'unknown'; said: string };

/** Asks `codex login status`, which reads its own home and no network. Never throws. */
export async function loginState(request: Omit<ProbeRequest, 'stateHome'>): Promise<LoginState> {
  const { exitCode, stdout, stderr, trouble } = await ask(request, ['login', 'status']);
  if (exitCode === 0) return { kind: 'in' };
  // Warnings come first.
  const said = readableLine(`${stdout}${stderr}`.trim().split('\n').at(-1) ?? '') || (trouble ?? '');
  return { kind: /\bnot logged in\b/i.test(`${stdout}${stderr}`) ? 'out' : 'unknown', said };
}

/**
 * Whether a worker can do without a login of codex's own: with the key that `exec` takes and `login status` knows
 * nothing of, or with another provider than OpenAI's.
 */
export function needsNoLogin(request: Pick<CommandRequest, 'environment' | 'isolate' | 'options'>): boolean {
  if (readVariable(request.environment, 'CODEX_API_KEY')) return true;
  const config = (request.options?.config ?? []).join('\n');
  return hasOwnProvider(config) || (!request.isolate && hasOwnProvider(userConfig(request.environment)));
}

/** Also one in a profile: whether that is chosen, only codex knows. */
function hasOwnProvider(config: string): boolean {
  const names = config.matchAll(/^\s*"?(?:model_provider|oss_provider)"?\s*=\s*["']?([\w.-]+)/gm);
  return [...names].some(([, name]) => name !== 'openai');
}

function userConfig(environment: NodeJS.ProcessEnv): string {
  try {
    return readFileSync(path.join(codexHomeOf(environment), 'config.toml'), 'utf8');
  } catch {
    // There is none.
    return '';
  }
}
