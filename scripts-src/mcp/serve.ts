import os from 'node:os';
import path from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { readableLine } from '../executor/readable-line.ts';
import { EXIT, messageOf } from '../platform/errors.ts';
import { version } from '../platform/version.ts';
import { currentHost } from '../process/host.ts';
import { endTasks } from './end-tasks.ts';
import type { McpContext } from './mcp-context.ts';
import { MAX_MESSAGE_BYTES, messageLines } from './message-lines.ts';
import { reapDeadServers } from './reap-server.ts';
import { requireCodexOf } from './require-codex.ts';
import { serverRecord } from './server-record.ts';
import { serverRuns } from './server-runs.ts';
import { inPlaceTasks } from './tasks-in-place.ts';
import { registerTools } from './tools.ts';

const INSTRUCTIONS = `prun runs tasks on the Codex CLI. Give each task a prompt that stands alone, and call several tools in one message to run tasks at the same time. Look at what they changed before you build on it: nothing is committed.`;

/** What a server is started with. */
export interface ServeRequest {
  stateHome: string;
  codexBin: string | undefined;
  /** The compiled script that this process runs. */
  program: string;
}

/**
 * Serves MCP on stdin and stdout until the client goes or a signal comes; then ends all tasks and the process. Resolves
 * when it serves.
 */
export async function serve({ stateHome, codexBin, program }: ServeRequest): Promise<void> {
  const closing = new AbortController();
  const host = await currentHost();
  const record = serverRecord(host, stateHome, program);
  const place = { stateHome, codexBin, environment: process.env, cwd: process.cwd(), record };
  const context: McpContext = {
    ...{ ...place, host },
    prun: path.join(path.dirname(program), 'prun.cjs'),
    runs: serverRuns(host, stateHome),
    inPlace: inPlaceTasks(),
    requireCodex: requireCodexOf(place),
    calls: new Set(),
    live: new Set(),
    closing: closing.signal,
    say: (text) => void process.stderr.write(`prun-mcp: ${text}\n`),
  };
  const end = once(async (exitCode: number) => {
    await endTasks(context, closing);
    process.exit(exitCode);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => end(128 + os.constants.signals[signal]));
  }
  for (const event of ['end', 'close'] as const) process.stdin.on(event, () => end(EXIT.ok));
  // Whoever would read the answers has gone.
  process.stdout.on('error', () => end(EXIT.ok));
  reapDeadServers(context);
  const input = process.stdin.pipe(messageLines((id) => refuseMessage(context, id)));
  serveStdio(() => serverOf(context), {
    transport: new StdioServerTransport(input, process.stdout),
    onerror: (error) => context.say(readableLine(messageOf(error), SAID_CHARS)),
  });
}

/** What the library says of a message that it does not understand is a page long. */
const SAID_CHARS = 300;

/** JSON-RPC's code for a request that is none. */
const INVALID_REQUEST = -32600;

function refuseMessage({ say }: McpContext, id: number | string | undefined): void {
  const what = `a message has more than ${MAX_MESSAGE_BYTES} bytes`;
  const message = `${what}: put the bulk into a file and name its path`;
  say(message);
  if (id === undefined) return;
  process.stdout.write(
    `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } })}\n`,
  );
}

function serverOf(context: McpContext): McpServer {
  const server = new McpServer(
    { name: 'prun', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  registerTools(server, context);
  return server;
}

function once(work: (exitCode: number) => Promise<void>): (exitCode: number) => void {
  let isBegun = false;
  return (exitCode) => {
    if (isBegun) return;
    isBegun = true;
    void work(exitCode);
  };
}
