import { createPreflight } from '../executor/codex-preflight.ts';
import { monotonicMs } from '../platform/clock.ts';
import { EXIT, PrunError } from '../platform/errors.ts';
import { resolveProgram } from '../platform/resolve-program.ts';
import { unitDefaults } from '../run/manifest/new-spec.ts';
import type { McpContext } from './mcp-context.ts';

/**
 * Makes the question that each call asks first, which throws PrunError where codex is missing or cannot work: a worker
 * without an account would try for a long time before it says so, and a caller can do something about it at once.
 */
export function requireCodexOf(
  context: Pick<McpContext, 'stateHome' | 'codexBin' | 'environment' | 'cwd' | 'record'>,
): () => Promise<void> {
  const { stateHome, codexBin, environment, cwd, record } = context;
  const preflight = createPreflight({ stateHome, mark: record.mark, now: monotonicMs });
  return async () => {
    const defaults = unitDefaults(environment, cwd);
    const name = codexBin ?? defaults.codexBin ?? 'codex';
    const program = resolveProgram(name, cwd, environment);
    if (program.kind !== 'found') {
      throw new PrunError(
        'E_NO_CODEX',
        program.kind === 'missing' ? `${program.tried} was not found` : `${program.path} is not executable`,
        'install the Codex CLI (npm install -g @openai/codex), or start prun-mcp with --codex-bin or CODEX_BIN',
        EXIT.notFound,
      );
    }
    // A codex that gives no answer must not outlive this server.
    record.stand();
    const { trouble } = await preflight({
      program: program.path,
      environment,
      isolate: defaults.isolateMcp,
      options: undefined,
    });
    if (!trouble) return;
    const [what = '', next = 'see codex login status'] = splitAtLast(trouble.detail);
    throw new PrunError('E_CODEX', what, next, EXIT.notExecutable);
  };
}

/** A line of the form `what is wrong: what to do`. */
function splitAtLast(line: string): [string, string?] {
  const at = line.lastIndexOf(': ');
  return at < 0 ? [line] : [line.slice(0, at), line.slice(at + 2)];
}
