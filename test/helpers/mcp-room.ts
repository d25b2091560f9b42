import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { TaskOutput } from '../../scripts-src/mcp/tool-schemas.ts';
import { type CodexBinOptions, writeCodexBin } from './codex-bin.ts';
import { type CodexCase, type CodexServer, startCodexServer } from './codex-server.ts';
import { git } from './plain-git.ts';
import { scriptsFolder } from './prun-cli.ts';
import { type RunRoom, runRoom } from './run-room.ts';
import { testEnvironment } from './unit-run.ts';

/** How a tool is called. */
export interface CallWish {
  signal?: AbortSignal;
  onProgress?: (message: string) => void;
}

/** A running server with the official client at its other end. */
export interface Connected {
  client: Client;
  pid: number;
  stderr(): string;
  /** The structured content of a task that has ended. */
  task(tool: string, input: Record<string, unknown>, wish?: CallWish): Promise<TaskOutput>;
  /** The text of a call that is refused. */
  refused(tool: string, input: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** How a server is started. */
export interface ConnectWish {
  flags?: readonly string[];
  environment?: Record<string, string>;
  /** Which protocol the client speaks: that of 2025 alone, or the newest that both know. */
  mode?: 'legacy' | 'auto';
  /** Folders that the client names as its roots; left out: it has no roots. */
  roots?: readonly string[];
}

/** How a codex is set up. */
export type AnswerWish = Pick<CodexBinOptions, 'isSignedIn'>;

/** A room with MCP servers whose workers are the real codex. */
export interface McpRoom extends RunRoom {
  /** The codex of all of its servers, unless they are told another one. */
  codexBin: string;
  /** Has tasks with this `model` answered so. */
  answers(model: string, name: CodexCase, params?: Record<string, string>, more?: AnswerWish): void;
  /** A git repository with one commit. */
  repository(name: string, files?: Record<string, string>): Promise<string>;
  connect(wish?: ConnectWish): Promise<Connected>;
}

/** What a worker says at its end. */
export function structured(status: string, summary: string, files: readonly string[] = []): string {
  return JSON.stringify({ status, summary, files_changed: files, tests: [], concerns: [] });
}

/** Opens the stand-in for codex's API for a file's tests, and gives what makes a room. Call it at the top level. */
export function mcpRooms(): () => McpRoom {
  let server: CodexServer | undefined;
  beforeAll(async () => {
    server = await startCodexServer();
  });
  afterAll(() => server?.close());
  return () => mcpRoom(() => server?.port ?? 0);
}

function mcpRoom(port: () => number): McpRoom {
  const room = runRoom();
  const codexBin = writeChoosingCodex(room.folder);
  return {
    ...room,
    codexBin,
    answers(model, name, params = {}, more = {}) {
      const folder = path.join(room.folder, 'models', model);
      mkdirSync(folder, { recursive: true });
      writeCodexBin(folder, { port: port(), case: name, params, ...more });
    },
    async repository(name, files = { 'README.md': 'hello\n' }) {
      const folder = path.join(room.folder, name);
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        writeFileSync(path.join(folder, file), text);
      }
      await git(folder, ['init', '-q', '-b', 'main']);
      await git(folder, ['add', '-A']);
      await git(folder, ['commit', '-q', '-m', 'first']);
      return folder;
    },
    connect: (wish = {}) => connect(room, codexBin, wish),
  };
}

async function connect(room: RunRoom, codexBin: string, wish: ConnectWish): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      path.join(scriptsFolder(), 'prun-mcp.cjs'),
      ...(wish.flags ?? ['--codex-bin', codexBin, '--state-home', room.cli.stateHome]),
    ],
    env: testEnvironment(room.cli.home, wish.environment),
    cwd: room.folder,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (text) => {
    stderr += text;
  });
  const { roots, mode = 'legacy' } = wish;
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: roots ? { roots: {} } : {}, versionNegotiation: { mode } },
  );
  if (roots) {
    client.setRequestHandler('roots/list', () => ({
      roots: roots.map((folder) => ({ uri: new URL(`file://${encodeURI(folder)}`).href })),
    }));
  }
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = (tool: string, input: Record<string, unknown>, { signal, onProgress }: CallWish = {}) =>
    client.callTool(
      { name: tool, arguments: input },
      {
        timeout: 120_000,
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onprogress: ({ message }) => onProgress(message ?? '') } : {}),
      },
    );
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    async task(tool, input, callWish) {
      const { structuredContent, content, isError } = await call(tool, input, callWish);
      expect(isError ?? false, JSON.stringify(content)).toBe(false);
      return structuredContent as TaskOutput;
    },
    async refused(tool, input) {
      const { content, isError } = await call(tool, input);
      expect(isError, JSON.stringify(content)).toBe(true);
      return JSON.stringify(content);
    },
    close: () => client.close(),
  };
}

/** A codex that becomes the one of the model that it is called with: each task of a test can have its own answers. */
function writeChoosingCodex(folder: string): string {
  const file = path.join(folder, 'codex');
  const script = `#!/bin/sh
n=$# model=
while [ "$n" -gt 0 ]; do
  word=$1 n=$((n - 1)); shift
  if [ "$word" = -m ]; then model=$1 n=$((n - 1)); shift; else set -- "$@" "$word"; fi
done
if [ -z "$model" ]; then set -- "$@"; for model in '${folder}'/models/*; do model=\${model##*/}; break; done; fi
exec '${folder}/models/'"$model/codex" "$@"
`;
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return file;
}
