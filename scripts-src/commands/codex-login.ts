import { spawnSync } from 'node:child_process';
import { readableLine } from '../executor/readable-line.ts';
import { PrunError } from '../platform/errors.ts';
import { resolveProgram } from '../platform/resolve-program.ts';

const LIMIT_MS = 20_000;

/**
 * Throws PrunError when the codex that `dispatch-task` would run is missing or not signed in. It is asked beforehand,
 * because a codex without an account tries for a long time (FACTS-codex.md, Install and start).
 */
export function requireCodex(environment: NodeJS.ProcessEnv, cwd: string): void {
  const name = environment.CODEX_BIN || 'codex';
  const program = resolveProgram(name, cwd, environment);
  if (program.kind !== 'found') {
    throw new PrunError(
      'E_NO_CODEX',
      program.kind === 'missing' ? `${program.tried} was not found` : `${program.path} is not executable`,
      'install the Codex CLI (npm install -g @openai/codex) or set CODEX_BIN; the demo without --codex needs none',
    );
  }
  // `exec` takes this key, and `login status` knows nothing of it.
  if (environment.CODEX_API_KEY) return;
  const run = loginStatus(program.path, environment);
  if (run.status === 0) return;
  const said = run.error?.message ?? lastLine(`${run.stdout}${run.stderr}`);
  throw new PrunError(
    'E_NOT_SIGNED_IN',
    `codex is not signed in (${said || `exit ${run.status ?? run.signal}`})`,
    'run codex login and try again; the demo without --codex needs no account',
  );
}

/** Warnings come first. */
function lastLine(text: string): string {
  return readableLine(text.trim().split('\n').at(-1) ?? '');
}

function loginStatus(file: string, environment: NodeJS.ProcessEnv) {
  const options = { env: environment, encoding: 'utf8', timeout: LIMIT_MS, windowsHide: true } as const;
  // Node starts no .cmd without a shell.
  return process.platform === 'win32' && /\.(cmd|bat)$/i.test(file)
    ? spawnSync(`"${file}" login status`, { ...options, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    : spawnSync(file, ['login', 'status'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
}
