import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { TaskOutput } from '../../scripts-src/mcp/tool-schemas.ts';
import { mcpRooms, structured } from '../helpers/mcp-room.ts';
import { scriptsFolder } from '../helpers/prun-cli.ts';
import { program, testEnvironment } from '../helpers/unit-run.ts';

// The official programs at the other end: the client of today in both of its protocols, and the inspector's command line.

const newRoom = mcpRooms();

it.each(['legacy', 'auto'] as const)(
  'the official client lists and calls the tools, with progress (%s)',
  async (mode) => {
    const room = newRoom();
    const repo = await room.repository('repo');
    const text = structured('DONE', 'I made it.', ['made.txt']);
    room.answers('one', 'steps', { n: '2', cmd: 'sleep 0.7; echo step {i} >> made.txt', text });
    const server = await room.connect({ mode, roots: [repo] });
    expect(server.client.getProtocolEra()).toBe(mode === 'legacy' ? 'legacy' : 'modern');
    const { tools } = await server.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['codex_debug', 'codex_implement', 'codex_resume']);
    const progress: string[] = [];
    const output = await server.task(
      'codex_implement',
      { taskId: 'Make it!', prompt: 'Make made.txt.', includeRawOutput: true },
      { onProgress: (message) => progress.push(message) },
    );
    expect(output).toMatchObject({
      ...{ status: 'DONE', taskId: 'Make it!', unit: 'Make-it', timedOut: false, reason: 'ok' },
      ...{ assistantText: 'I made it.', result: { files_changed: ['made.txt'] } },
      delta: { files: [{ path: 'made.txt', change: 'added', alsoBy: [], isCertain: true }] },
    });
    expect(output.rawOutput).toContain('"type":"thread.started"');
    expect(progress.join('\n')).toContain('echo step');
    expect(readFileSync(path.join(repo, 'made.txt'), 'utf8')).toBe('step 0\nstep 1\n');
    expect(server.stderr()).toBe('');

    const { stdout } = await room.cli.run(['status', '--run', output.run ?? '']);
    expect(stdout).toContain('Make-it succeeded');
    const logs = await room.cli.run(['logs', '--run', output.run ?? '', '--unit', 'Make-it']);
    expect(logs.stdout).toContain('echo step');
  },
);

it("the official inspector's command line lists and calls the tools", async () => {
  const room = newRoom();
  const repo = await room.repository('repo');
  room.answers('one', 'shell', { cmd: 'echo made > made.txt', text: structured('DONE', 'I made it.') });
  // What a person would register: the inspector takes flags of the server for its own.
  const words = [process.execPath, path.join(scriptsFolder(), 'prun-mcp.cjs'), '--codex-bin', room.codexBin];
  const command = [...words, '--state-home', room.cli.stateHome].map((word) => `'${word}'`).join(' ');
  const launcher = program(room.folder, 'prun-mcp', `exec ${command}`);
  const inspect = (...argv: string[]) => inspector(room.cli.home, [launcher, ...argv]);
  const { tools } = (await inspect('--method', 'tools/list')) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name).sort()).toEqual(['codex_debug', 'codex_implement', 'codex_resume']);

  const input = ['taskId=t', 'prompt=Make made.txt.', `workspaceRoot=${repo}`];
  const args = input.flatMap((pair) => ['--tool-arg', pair]);
  const called = await inspect('--method', 'tools/call', '--tool-name', 'codex_implement', ...args);
  const { structuredContent } = called as { structuredContent: TaskOutput };
  expect(structuredContent).toMatchObject({ status: 'DONE', taskId: 't', assistantText: 'I made it.' });
  expect(readFileSync(path.join(repo, 'made.txt'), 'utf8')).toBe('made\n');
});

/** What the inspector prints of a call of the server. */
async function inspector(home: string, argv: readonly string[]): Promise<unknown> {
  const main = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli/build/index.js');
  const child = spawn(process.execPath, [main, ...argv], {
    env: testEnvironment(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let complaint = '';
  child.stdout.on('data', (text) => {
    said += text;
  });
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code, complaint).toBe(0);
  return JSON.parse(said);
}
