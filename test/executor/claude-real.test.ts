import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claude } from '../../scripts-src/executor/claude.ts';
import type { CommandRequest, WorkerEvent, WorkerFacts } from '../../scripts-src/executor/types.ts';
import {
  type AnthropicCase,
  type AnthropicServer,
  startAnthropicServer,
} from '../helpers/anthropic-server.ts';
import { type ClaudeBinOptions, claudeHome, writeClaudeBin } from '../helpers/claude-bin.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'prun-claude-real-')));
let server: AnthropicServer;
beforeAll(async () => {
  server = await startAnthropicServer();
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  facts: WorkerFacts;
  events: WorkerEvent[];
  stderr: string;
  dir: string;
  work: string;
  failure: ReturnType<NonNullable<typeof claude.failureAtEnd>>;
}

type Wish = Partial<ClaudeBinOptions> & { change?: Partial<CommandRequest>; dir?: string };

/** Runs the real claude with the command line and environment that the executor builds. */
async function run(
  name: AnthropicCase,
  params: Record<string, string> = {},
  wish: Wish = {},
): Promise<Ended> {
  const { change, dir = mkdtempSync(join(root, `${name}-`)), ...options } = wish;
  const work = join(dir, 'work');
  mkdirSync(work, { recursive: true });
  const { argv, environment } = claude.command({
    binary: writeClaudeBin(dir, { port: server.port, case: name, params, ...options }),
    marker: 'outer/inner',
    lastMessageFile: join(dir, 'last-message'),
    resultFile: join(dir, 'result.md'),
    unit: 'inner',
    workdir: work,
    promptFile: join(dir, 'prompt'),
    sandbox: 'danger-full-access',
    isolate: true,
    environment: { ...process.env, HOME: dir, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'host' },
    passEnv: [],
    ...change,
  });
  const [binary = '', ...args] = argv;
  const worker = spawn(binary, args, { cwd: work, env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  worker.stdin.end('Prompt, byte for byte: \u00e4 "$HOME" \'\n');
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    worker[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => worker.on('close', resolve));
  const reader = claude.events();
  const lines = output.stdout.split('\n').filter(Boolean);
  const events = lines.map((line) => reader.read(line)).filter((event) => event !== undefined);
  const facts = reader.facts();
  const { stderr } = output;
  return {
    code,
    facts,
    events,
    stderr,
    dir,
    work,
    failure: claude.failureAtEnd?.({ exitCode: code, stderr, facts }),
  };
}

const texts = (events: WorkerEvent[], kind: WorkerEvent['kind']): (string | undefined)[] =>
  events.filter((event) => event.kind === kind && event.text !== undefined).map(({ text }) => text);

describe('the real claude, started as the executor says', () => {
  it('answers: the prompt arrives byte for byte, with a session, tokens and an end', async () => {
    const { code, facts, events, dir } = await run('plain', { text: 'The answer is 42 \u00e4.' });
    expect(code).toBe(0);
    expect(facts).toMatchObject({
      structured: true,
      ended: 'completed',
      lastMessage: 'The answer is 42 \u00e4.',
    });
    expect(facts.sessionId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(facts.tokens).toEqual({ input: 160, cachedInput: 40, output: 20, reasoningOutput: 0 });
    expect(facts.failure).toBeUndefined();
    expect(events[0]).toMatchObject({ kind: 'session', progress: true });
    expect(events.at(-1)).toEqual({ kind: 'end', progress: true, text: 'done: 160 tokens in, 20 out' });
    const asked = server.requests.findLast(({ url }) => url.includes(encodeURIComponent('42')));
    expect(asked?.body?.model).toMatch(/^claude-sonnet/);
    expect(JSON.stringify(asked?.body?.messages)).toContain('Prompt, byte for byte: \u00e4 \\"$HOME\\" \'');
    const log = claude.sessionLog(facts.sessionId ?? '', { CLAUDE_CONFIG_DIR: claudeHome(dir) }, Date.now());
    expect(readFileSync(log ?? '', 'utf8')).toContain('The answer is 42');
  });

  it('runs commands without a question, which see the marker and nothing of the host session', async () => {
    const cmd = 'env > seen; exit 3';
    const { code, facts, events, work } = await run('shell', { cmd });
    expect(code).toBe(0);
    expect(texts(events, 'command-started')).toEqual([`$ ${cmd}`]);
    expect(texts(events, 'command-ended')).toEqual([`exit 3: ${cmd}`]);
    expect(facts).toMatchObject({ ended: 'completed', lastMessage: 'Wrote it.', openCommands: 0 });
    expect(facts.tokens).toEqual({ input: 320, cachedInput: 80, output: 40, reasoningOutput: 0 });
    const seen = readFileSync(join(work, 'seen'), 'utf8');
    expect(seen).toContain('PRUN_UNIT=outer/inner\n');
    expect(seen).not.toContain('CLAUDE_CODE_SESSION_ID=host');
  });

  it('tells which files it writes and changes', async () => {
    const file = join(root, 'added.txt');
    const { events } = await run('write', { file, body: 'one' });
    expect(readFileSync(file, 'utf8')).toBe('edited\n');
    expect(events.filter(({ kind }) => kind === 'file-change')).toEqual([
      { kind: 'file-change', progress: true, text: `edited ${file}`, files: [file] },
      { kind: 'file-change', progress: true, text: `edited ${file}`, files: [file] },
    ]);
  });

  it('each piece of an answer that streams is progress, before any message is whole', async () => {
    const { events } = await run('slow', { n: '5', delay: '20' });
    const message = events.findIndex(({ kind }) => kind === 'message');
    expect(
      events.slice(0, message).filter(({ kind, progress }) => kind === 'other' && progress).length,
    ).toBeGreaterThan(4);
  });

  it('a sub-agent: its commands are seen, its tokens count, and its words are not the answer', async () => {
    const { facts, events } = await run('agent', { cmd: 'echo sub' });
    expect(texts(events, 'command-ended')).toEqual(['exit 0: echo sub']);
    expect(facts).toMatchObject({ lastMessage: 'The parent is done.', openCommands: 0 });
    expect(facts.tokens?.input).toBeGreaterThan(320);
  });

  it('goes on with the same session, which remembers', async () => {
    const first = await run('plain', { text: 'I remember the word heron.' });
    const resume = first.facts.sessionId ?? '';
    const second = await run('plain', {}, { dir: first.dir, change: { resume } });
    expect(second.facts.sessionId).toBe(resume);
    expect(second.facts.tokens).toEqual(first.facts.tokens);
    const asked = server.requests.at(-1);
    expect(JSON.stringify(asked?.body?.messages)).toContain('the word heron');
  });

  it('keeps nothing of an ephemeral session', async () => {
    const { facts, dir } = await run('plain', {}, { change: { options: { ephemeral: true } } });
    expect(facts.ended).toBe('completed');
    const environment = { CLAUDE_CONFIG_DIR: claudeHome(dir) };
    expect(claude.sessionLog(facts.sessionId ?? '', environment, Date.now())).toBeUndefined();
  });

  it('a session that is not there is lost, and a flag that it does not know is told', async () => {
    const resume = '99999999-2222-4333-8444-555555555555';
    const lost = await run('plain', {}, { change: { resume } });
    expect(lost.code).toBe(1);
    expect([lost.facts.failure?.reason, lost.failure?.reason]).toContain('session-lost');
    const mode = await run('plain', {}, { change: { options: { permissionMode: 'nonsense' } } });
    expect(mode).toMatchObject({ code: 1, failure: { reason: 'bad-flags' } });
  });

  it('leaves out the settings, hooks, memory and MCP servers of the user, and keeps those of the repository', async () => {
    const dir = mkdtempSync(join(root, 'isolated-'));
    const ran = join(dir, 'ran');
    const hook = (word: string) => ({
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: `echo ${word} >>'${ran}'` }] }] },
    });
    mkdirSync(join(dir, 'work', '.claude'), { recursive: true });
    mkdirSync(claudeHome(dir));
    writeFileSync(join(claudeHome(dir), 'settings.json'), JSON.stringify(hook('user')));
    writeFileSync(join(claudeHome(dir), 'CLAUDE.md'), 'memory-of-the-user');
    writeFileSync(join(dir, 'work', '.claude', 'settings.json'), JSON.stringify(hook('project')));
    writeFileSync(join(dir, 'work', 'CLAUDE.md'), 'memory-of-the-project');
    const servers = { mine: { command: '/bin/sh', args: ['-c', `echo mcp >>'${ran}'; cat`] } };
    writeFileSync(join(dir, 'work', '.mcp.json'), JSON.stringify({ mcpServers: servers }));
    await run('plain', { text: 'isolated' }, { dir });
    expect(readFileSync(ran, 'utf8')).toBe('project\n');
    const asked = JSON.stringify(server.requests.findLast(({ url }) => url.includes('text=isolated'))?.body);
    expect(asked).toContain('memory-of-the-project');
    expect(asked).not.toContain('memory-of-the-user');

    await run('plain', {}, { dir, change: { isolate: false } });
    expect(readFileSync(ran, 'utf8').split('\n')).toContain('user');
  });

  it('a read-only unit looks and changes nothing, and says what was refused', async () => {
    const { code, facts, events, work } = await run(
      'shell',
      { cmd: 'echo no > changed' },
      { change: { sandbox: 'read-only' } },
    );
    expect(code).toBe(0);
    expect(existsSync(join(work, 'changed'))).toBe(false);
    expect(texts(events, 'command-ended')).toEqual(['refused: echo no > changed']);
    expect(facts).toMatchObject({ ended: 'completed', refusals: ['Bash: echo no > changed'] });
    const looks = await run('shell', { cmd: 'ls -la' }, { change: { sandbox: 'read-only' } });
    expect(texts(looks.events, 'command-ended')).toEqual(['exit 0: ls -la']);
  });

  it('gives a schema and takes the structured answer for the last message', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    const options = { outputSchema: '/state/schema.json', outputSchemaText: JSON.stringify(schema, null, 2) };
    const { facts } = await run('schema', { answer: '{"a":1}' }, { change: { options } });
    expect(facts).toMatchObject({ ended: 'completed', lastMessage: '{"a":1}' });
  });
});

// The other failures: test/e2e/claude-ends.test.ts.
describe('how the real claude fails', () => {
  const HOUR = Math.floor(Date.now() / 1000) + 3600;
  const at = new Date(HOUR * 1000).toISOString();
  const rows: [string, AnthropicCase, Wish & { params?: Record<string, string> }, object][] = [
    [
      'a five-hour limit',
      'usage',
      { subscription: true, params: { reset: String(HOUR) } },
      { reason: 'usage-limit', resetAt: at },
    ],
    ['no permission', 'h403', {}, { reason: 'auth' }],
    ['a refusal', 'stopped', {}, { reason: 'bad-request' }],
  ];
  it.concurrent.each(rows)('%s', async (_title, name, { params, ...wish }, failure) => {
    const { code, facts, events } = await run(name, params, wish);
    expect(code).toBe(1);
    expect(facts).toMatchObject({ ended: 'failed', failure });
    expect(facts.failure?.evidence?.length).toBeGreaterThan(0);
    expect(events.at(-1)).toMatchObject({ kind: 'end', progress: false });
    expect(facts.lastMessage ?? '').not.toContain('API Error');
  });

  it.runIf(process.getuid?.() === 0)(
    'root without a sandbox is refused, and is told what to do',
    async () => {
      const { code, failure } = await run('plain', {}, { isSandbox: false });
      expect({ code, failure }).toMatchObject({
        code: 1,
        failure: { reason: 'sandbox-refusal', message: expect.stringContaining('IS_SANDBOX=1') },
      });
    },
  );
});
