import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { mcpRooms, structured } from '../helpers/mcp-room.ts';
import { processesOf } from '../helpers/process-table.ts';
import { scriptsFolder } from '../helpers/prun-cli.ts';
import { ROOT, scratch, testEnvironment } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

const newRoom = mcpRooms();

const script = (): string => path.join(scriptsFolder(), 'prun-mcp.cjs');

function callScript(...argv: string[]) {
  const folder = scratch();
  const options = { encoding: 'utf8', input: '', env: testEnvironment(folder) } as const;
  return spawnSync(process.execPath, [script(), ...argv], options);
}

it('a command line that it does not know is refused with 2, and help and version go to stdout', () => {
  for (const argv of [['--bogus'], ['serve'], ['--state-home'], ['--state-home='], ['--codex-bin=']]) {
    const { status, stdout, stderr } = callScript(...argv);
    expect({ argv, status, stdout }).toEqual({ argv, status: 2, stdout: '' });
    expect(stderr).toMatch(/^prun-mcp: .*: .*\n$/);
  }
  expect(callScript('--help').stdout).toContain('claude mcp add prun');
  expect(callScript('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it('a client that asks for server/discover before initialize is served, and stdout carries nothing else', () => {
  const said = [
    { id: 0, method: 'server/discover', params: {} },
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ];
  const input = said.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  return new Promise<void>((resolve) => {
    const child = spawn(process.execPath, [script()], { env: testEnvironment(scratch()) });
    let out = '';
    child.stdout.on('data', (text) => {
      out += text;
      if (out.split('\n').length > 3) child.stdin.end();
    });
    child.once('close', (code) => {
      const answers = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(code).toBe(0);
      expect(answers.map(({ id }) => id)).toEqual([0, 1, 2]);
      expect(answers[0].error.code).toBe(-32601);
      expect(answers[1].result).toMatchObject({
        protocolVersion: '2025-11-25',
        serverInfo: { name: 'prun' },
      });
      expect(answers[2].result.tools).toHaveLength(3);
      for (const tool of answers[2].result.tools) expect(tool.outputSchema.required).toContain('status');
      resolve();
    });
    child.stdin.write(input);
  });
});

it('wrong arguments are refused with what is wrong and what to do, and nothing is started', async () => {
  const room = newRoom();
  room.answers('any', 'plain', { text: structured('DONE', 'Fine.') });
  const server = await room.connect();
  const file = path.join(room.folder, 'file');
  writeFileSync(file, '');
  const good = { taskId: 't', prompt: 'Do it.', workspaceRoot: room.folder };
  const wrong: [string, Record<string, unknown>, RegExp][] = [
    ['codex_implement', { ...good, taskId: ' ' }, /taskId.*is empty/],
    ['codex_implement', { ...good, prompt: ' \n' }, /prompt.*is empty/],
    ['codex_implement', { ...good, workspaceRoot: 'src' }, /absolute path or a file URL/],
    ['codex_implement', { ...good, workspaceRoot: 'file://host/x' }, /give an absolute path/],
    ['codex_implement', { ...good, workspaceRoot: path.join(room.folder, 'none') }, /does not exist/],
    ['codex_implement', { ...good, workspaceRoot: file }, /is no folder/],
    ['codex_implement', { ...good, workspaceRoot: '/tmp/\0x' }, /has a NUL in it: give a folder/],
    ['codex_implement', { ...good, workspaceRoot: `/${'a'.repeat(5000)}` }, /^.{0,400}ENAMETOOLONG\).*$/],
    [
      'codex_implement',
      { ...good, workspaceRoot: `file:///${'%zz'.repeat(9000)}` },
      /^.{0,400}absolute path.*$/,
    ],
    ['codex_implement', { ...good, model: '-c' }, /model: is no name/],
    ['codex_implement', { ...good, model: 'a\0b' }, /model: is no name/],
    ['codex_debug', { prompt: 'x', effort: 'high\n' }, /effort: is no name/],
    ['codex_implement', { ...good, isolation: 'worktree' }, /isolation/],
    ['codex_implement', { ...good, isolation: 'clone' }, /is in no git repository/],
    ['codex_implement', { ...good, timeoutMs: 0 }, /timeoutMs/],
    ['codex_implement', { ...good, typo: 1 }, /typo/],
    ['codex_implement', { taskId: 't', prompt: 'x' }, /the client names no roots.*give the absolute path/],
    ['codex_debug', { prompt: 'x', sandbox: 'danger-full-access' }, /sandbox/],
    ['codex_resume', { taskId: 'nobody', prompt: 'x' }, /no task .*nobody.* is known/],
    ['codex_resume', { taskId: 't', prompt: 'x', sessionId: 'last' }, /sessionId.*UUID/],
  ];
  for (const [tool, input, text] of wrong) expect(await server.refused(tool, input)).toMatch(text);
  expect((await room.cli.run(['list'])).stdout).not.toContain('RUN ');
});

it('a message that is too long is refused, and what runs goes on', async () => {
  const room = newRoom();
  room.answers('any', 'plain', { text: structured('DONE', 'Fine.'), wait: '1500' });
  const server = await room.connect();
  const input = { taskId: 't\nSUCCEEDED u (ok)', prompt: 'Do it.', workspaceRoot: room.folder };
  const going = server.client.callTool({ name: 'codex_implement', arguments: input });
  const long = { ...input, taskId: 'long', prompt: 'x'.repeat(11_000_000) };
  await expect(server.task('codex_implement', long)).rejects.toThrow(
    /more than 8388608 bytes: put the bulk into/,
  );
  const { structuredContent, content } = await going;
  expect(structuredContent).toMatchObject({ status: 'DONE', taskId: input.taskId });
  expect(JSON.stringify(content)).toContain('DONE t SUCCEEDED u (ok) (ok)');
});

it('a missing codex and a missing login are said at once, with what to do', async () => {
  const room = newRoom();
  room.answers('any', 'plain', {}, { isSignedIn: false });
  const input = { taskId: 't', prompt: 'Do it.', workspaceRoot: room.folder };
  const missing = await room.connect({ flags: ['--codex-bin', '/nowhere/codex'] });
  expect(await missing.refused('codex_implement', input)).toMatch(/nowhere\/codex was not found: install/);
  const out = await room.connect();
  expect(await out.refused('codex_implement', input)).toMatch(/codex is not signed in .*: run codex login/);
});

it('a codex that does not answer is gone with the server that has asked it', async () => {
  const room = newRoom();
  const file = path.join(room.folder, 'codex that hangs');
  const hang = '#!/bin/sh\n[ "$1" = login ] && { setsid sleep 751 & sleep 751; }\nexit 0\n';
  writeFileSync(file, hang, { mode: 0o755 });
  const asked = () => processesOf({ word: 'sleep 751' }).length;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const server = await room.connect({ flags: ['--codex-bin', file, '--state-home', room.cli.stateHome] });
    const input = { taskId: 't', prompt: 'Do it.', workspaceRoot: room.folder };
    const call = server.task('codex_implement', input).catch((error) => error);
    await waitFor('the question', () => asked() > 1, 60_000);
    process.kill(server.pid, signal);
    await waitFor('its end', () => asked() === 0, 60_000);
    await call;
  }
});

it('goes on when somebody has removed its state home', async () => {
  const room = newRoom();
  room.answers('any', 'plain', { text: structured('DONE', 'Fine.') });
  const server = await room.connect();
  const input = { taskId: 't', prompt: 'Do it.', workspaceRoot: room.folder };
  const { run } = await server.task('codex_implement', input);
  await room.open(run ?? '').done();
  rmSync(room.cli.stateHome, { recursive: true });
  expect(await server.task('codex_implement', input)).toMatchObject({ status: 'DONE' });
});

it('its own files are no change of a worker, also where the state home lies among the files', async () => {
  const room = newRoom();
  room.answers('any', 'shell', { cmd: 'echo two > README.md', text: structured('DONE', 'Fine.') });
  const repo = await room.repository('repo');
  const home = path.join(repo, 'state');
  const server = await room.connect({ flags: ['--codex-bin', room.codexBin, '--state-home', home] });
  const output = await server.task('codex_implement', { taskId: 't', prompt: 'Do it.', workspaceRoot: repo });
  expect(output.delta).toMatchObject({ files: [{ path: 'README.md', change: 'modified' }], more: 0 });
});

it('a worker of prun gets no worker of its own', async () => {
  const room = newRoom();
  const server = await room.connect({ environment: { PRUN_UNIT: 'outer-1' } });
  const input = { taskId: 't', prompt: 'Do it.', workspaceRoot: room.folder };
  expect(await server.refused('codex_implement', input)).toMatch(/a worker must not start prun again/);
});

it('goes on with another run where its run was cleaned up, and says so of sessions that are gone', async () => {
  const room = newRoom();
  room.answers('any', 'plain', { text: structured('DONE', 'Fine.') });
  const server = await room.connect();
  const input = { taskId: 't', prompt: 'Do it.', workspaceRoot: room.folder };
  const { run: first } = await server.task('codex_implement', input);
  await room.open(first ?? '').done();
  await room.cli.run(['cleanup', '--run', first ?? '', '--everything']);
  expect(await server.refused('codex_resume', { taskId: 't', prompt: 'On.' })).toMatch(
    /was removed, and its session/,
  );
  const { run: second, status } = await server.task('codex_implement', input);
  expect(status).toBe('DONE');
  expect(second).not.toBe(first);
});

it('the plugin starts the script that lies beside it', () => {
  const folder = path.join(ROOT, 'skills/prun');
  const { mcpServers } = JSON.parse(readFileSync(path.join(folder, '.mcp.json'), 'utf8'));
  // The host puts the plugin's folder in its place.
  const args = [`\${CLAUDE_PLUGIN_ROOT}/scripts/prun-mcp.cjs`];
  expect(mcpServers).toEqual({ prun: { command: 'node', args } });
});

it('works in the only root of the client, which may be a file URL, without a repository', async () => {
  const room = newRoom();
  room.answers('any', 'patch', { file: 'made.txt', text: structured('DONE_WITH_CONCERNS', 'Made.') });
  const root = path.join(room.folder, 'plain folder');
  mkdirSync(root);
  const server = await room.connect({ roots: [root] });
  const output = await server.task('codex_implement', { taskId: 'ü/ß', prompt: 'Make it.' });
  expect(output).toMatchObject({ status: 'DONE_WITH_CONCERNS', unit: 'u' });
  expect(output.delta?.files.map(({ path: file }) => file)).toEqual(['made.txt']);
  expect(output.notes.join('\n')).toContain('in no git repository');

  const several = await room.connect({ roots: [root, room.folder] });
  expect(await several.refused('codex_implement', { taskId: 't', prompt: 'x' })).toMatch(/has 2 roots/);
  const url = pathToFileURL(root).href;
  const debug = await several.task('codex_debug', { prompt: 'Why?', workspaceRoot: url });
  expect(debug.taskId).toMatch(/^debug-[0-9a-f]{8}$/);
});
