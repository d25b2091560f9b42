import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { stateHome as usualStateHome } from '../platform/state-home.ts';
import { programFrom } from '../run/manifest/new-spec.ts';

/** What `prun-mcp --help` prints. */
export const MCP_HELP = `usage: prun-mcp [flags]

An MCP server on stdin and stdout: codex_implement, codex_resume and codex_debug run tasks on the Codex CLI, as units of
prun: watched, ended with everything that they started, with their output and their sessions kept. An MCP client starts
it, for example:

  claude mcp add prun -- node <this file>

  --codex-bin FILE   the codex to run (CODEX_BIN; default: codex in PATH)
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --version          the version
  --help             this text

When the client goes, or the server is killed, all tasks that run are ended; their sessions can go on (codex_resume).
prun list, status, logs and apply show and use the tasks, too. Exit code: 0; 2 wrong arguments; 128+n ended by a signal.
`;

/** What the server was called for. Paths are absolute. */
export type McpCall =
  | { kind: 'help' | 'version' }
  | { kind: 'serve'; stateHome: string; codexBin: string | undefined }
  /** What the guardian of a server calls: end what the server has left behind. */
  | { kind: 'reap'; folder: string };

/** Reads the command line of `prun-mcp`. Throws a usage error for what it does not know. */
export function parseMcp(argv: readonly string[], environment: NodeJS.ProcessEnv, cwd: string): McpCall {
  const flags = readFlags(argv, {
    values: ['--codex-bin', '--state-home', '--reap'],
    switches: ['--version'],
  });
  if (flags.help) return { kind: 'help' };
  if (flags.switches.has('--version')) return { kind: 'version' };
  const [word] = flags.operands;
  if (word !== undefined) {
    throw usageError(`unexpected argument ${JSON.stringify(word.slice(0, 80))}`, 'see prun-mcp --help');
  }
  const folder = lastValue(flags, '--reap');
  if (folder !== undefined) return { kind: 'reap', folder: path.resolve(cwd, folder) };
  const home = lastValue(flags, '--state-home');
  if (home === '') throw usageError('--state-home is empty', 'give a folder');
  const codexBin = lastValue(flags, '--codex-bin');
  if (codexBin === '') throw usageError('--codex-bin is empty', 'give the codex to run');
  return {
    kind: 'serve',
    stateHome: home === undefined ? usualStateHome(environment) : path.resolve(cwd, home),
    codexBin: codexBin === undefined ? undefined : programFrom(codexBin, cwd),
  };
}
