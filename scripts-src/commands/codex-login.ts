import { loginState, needsNoLogin } from '../executor/codex-login.ts';
import { PrunError } from '../platform/errors.ts';
import { resolveProgram } from '../platform/resolve-program.ts';

/**
 * Throws PrunError when the codex that `dispatch-task` would run is missing or not signed in. It is asked beforehand,
 * because a codex without an account tries for a long time (FACTS-codex.md, Install and start).
 */
export async function requireCodex(environment: NodeJS.ProcessEnv, cwd: string): Promise<void> {
  const name = environment.CODEX_BIN || 'codex';
  const program = resolveProgram(name, cwd, environment);
  if (program.kind !== 'found') {
    throw new PrunError(
      'E_NO_CODEX',
      program.kind === 'missing' ? `${program.tried} was not found` : `${program.path} is not executable`,
      'install the Codex CLI (npm install -g @openai/codex) or set CODEX_BIN; the demo without --codex needs none',
    );
  }
  if (needsNoLogin({ environment, isolate: true })) return;
  const state = await loginState({ program: program.path, environment });
  if (state.kind !== 'out') return;
  throw new PrunError(
    'E_NOT_SIGNED_IN',
    `codex is not signed in (${state.said})`,
    'run codex login and try again; the demo without --codex needs no account',
  );
}
