import os from 'node:os';
import path from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { EXIT, messageOf } from '../platform/errors.ts';
import { currentHost } from '../process/host.ts';
import { endTasks } from './end-tasks.ts';
import type { McpContext } from './mcp-context.ts';
import { reapDeadServers } from './reap-server.ts';
import { requireCodexOf } from './require-codex.ts';
import { serverRecord } from './server-record.ts';
import { serverRuns } from './server-runs.ts';
import { inPlaceTasks } from './tasks-in-place.ts';
import { registerTools } from './tools.ts';
import { version } from './version.ts';

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
  const place = { stateHome, codexBin, environment: process.env, cwd: process.cwd() };
  const context: McpContext = {
    ...{ ...place, host },
    prun: path.join(path.dirname(program), 'prun.cjs'),
    runs: serverRuns(host, stateHome),
    record: serverRecord(host, stateHome, program),
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
  serveStdio(() => serverOf(context), { onerror: (error) => context.say(messageOf(error)) });
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
