import { dirname } from 'node:path';
import { messageOf, PrunError } from '../platform/errors.ts';
import { claudeEnvironment } from './claude-environment.ts';
import type { CommandRequest, WorkerCommand } from './types.ts';

/** Linux refuses a longer word in a command line (128 KiB). */
const MAX_SCHEMA_CHARS = 120_000;

/**
 * The permission mode where the unit names none. Nobody answers a worker's question, and what would ask is refused:
 * all modes but one refuse most commands. A read-only unit may look and run commands that only look.
 */
function permissionMode({ options, sandbox }: CommandRequest): string {
  return options?.permissionMode ?? (sandbox === 'read-only' ? 'dontAsk' : 'bypassPermissions');
}

/** Without the user's settings, hooks, plugins and MCP servers. The repository's own settings are part of the task. */
const ISOLATED = ['--strict-mcp-config', '--setting-sources', 'project,local'];

/** claude takes the schema itself, where codex takes a file. In one line: it is a word of a command line. */
function schemaWord(text: string): string {
  const next = 'give a JSON schema that is shorter';
  let word: string;
  try {
    word = JSON.stringify(JSON.parse(text));
  } catch (error) {
    throw new PrunError('E_SCHEMA', `the output schema is no JSON (${messageOf(error)})`, next);
  }
  if (word.length <= MAX_SCHEMA_CHARS) return word;
  throw new PrunError('E_SCHEMA', `the output schema is longer than ${MAX_SCHEMA_CHARS} characters`, next);
}

/**
 * The command line of `claude -p` and its environment; the program is `argv[0]`, the prompt goes to stdin byte for byte.
 * Measured with 2.1.332: a resumed session keeps its id, `--include-partial-messages` alone shows that an answer moves.
 * Throws PrunError for a schema that cannot be given.
 */
export function claudeCommand(request: CommandRequest): WorkerCommand {
  const { model = 'sonnet', reasoningEffort, resume, options = {} } = request;
  const mode = permissionMode(request);
  const argv = [request.binary, '-p', '--output-format', 'stream-json', '--verbose'];
  argv.push('--include-partial-messages', '--model', model, '--permission-mode', mode);
  if (request.isolate) argv.push(...ISOLATED);
  if (reasoningEffort !== undefined) argv.push('--effort', reasoningEffort);
  if (options.outputSchemaText !== undefined)
    argv.push('--json-schema', schemaWord(options.outputSchemaText));
  // The modes that ask refuse files outside the working folders. As one word: the flag takes all words that follow.
  if (mode !== 'bypassPermissions') argv.push(`--add-dir=${dirname(request.resultFile)}`);
  if (options.ephemeral) argv.push('--no-session-persistence');
  if (resume !== undefined) argv.push('--resume', resume);
  return { argv, environment: claudeEnvironment(request), stderr: 'own' };
}
