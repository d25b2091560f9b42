import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codex } from '../../scripts-src/executor/codex.ts';
import type { FailureReason, WorkerFacts, WorkerFailure } from '../../scripts-src/executor/types.ts';
import { writeCodexBin } from '../helpers/codex-bin.ts';
import { type CodexCase, type CodexServer, startCodexServer } from '../helpers/codex-server.ts';
import { waitFor } from '../helpers/wait-for.ts';

// What the real codex says of what it was given: prun refuses most of it first, so it is given to codex directly.

const root = mkdtempSync(join(tmpdir(), 'prun-codex-failure-'));
let server: CodexServer;
beforeAll(async () => {
  server = await startCodexServer();
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

interface Started {
  facts(): WorkerFacts;
  kill(): void;
  ended: Promise<{ code: number | null; facts: WorkerFacts; failure: WorkerFailure | undefined }>;
}

function binary(name: CodexCase, params: Record<string, string> = {}): string {
  return writeCodexBin(mkdtempSync(join(root, 'home-')), { port: server.port, case: name, params });
}

function start(program: string, args: readonly string[], prompt: string | Uint8Array): Started {
  const work = mkdtempSync(join(root, 'work-'));
  const argv = ['exec', '--json', '--skip-git-repo-check', ...args, '-'];
  const env = { ...process.env, HOME: work, RUST_LOG: 'error', RUST_BACKTRACE: '1' };
  const child = spawn(program, argv, { cwd: work, env, stdio: 'pipe' });
  const reader = codex.events();
  const said = { stdout: '', stderr: '' };
  let torn = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${torn}${text}`.split('\n');
    torn = lines.pop() ?? '';
    for (const line of lines) reader.read(line);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  // It may end before it has read all of it.
  child.stdin.on('error', () => {});
  child.stdin.end(prompt);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    facts: () => reader.facts(),
    kill: () => child.kill('SIGINT'),
    ended: ended.then((code) => {
      const facts = reader.facts();
      return { code, facts, failure: codex.failureAtEnd?.({ exitCode: code, stderr: said.stderr, facts }) };
    }),
  };
}

interface Row {
  title: string;
  args?: string[];
  prompt?: string | Uint8Array;
  reason: FailureReason;
  message: RegExp;
  code?: number;
}

const ROWS: Row[] = [
  {
    title: 'a prompt that is not UTF-8',
    prompt: new Uint8Array([97, 255, 98]),
    reason: 'bad-request',
    message: /input is not valid UTF-8 \(invalid byte at offset 1\)/,
  },
  {
    title: 'a prompt that is too long',
    prompt: 'x'.repeat(1_048_577),
    reason: 'bad-request',
    message: /Input exceeds the maximum length of 1048576 characters/,
  },
  { title: 'an empty prompt', prompt: '', reason: 'bad-request', message: /^No prompt provided via stdin/ },
  { title: 'a blank prompt', prompt: ' \n', reason: 'bad-request', message: /^No prompt provided via stdin/ },
  {
    title: 'a work dir that is not there',
    args: ['-C', join(root, 'no-such-folder')],
    reason: 'bad-request',
    message: /could not start in its work dir: no such directory/,
  },
  {
    title: 'a schema that is not there',
    args: ['--output-schema', join(root, 'no-such.json')],
    reason: 'bad-request',
    message: /^Failed to read output schema file/,
  },
  {
    title: 'a flag that is gone',
    args: ['--max-turns', '3'],
    reason: 'bad-flags',
    message: /does not take the flag --max-turns: it is older or newer/,
    code: 2,
  },
  {
    title: 'a value that it does not know',
    args: ['--sandbox', 'some'],
    reason: 'bad-flags',
    message: /does not take the value some of --sandbox: /,
    code: 2,
  },
  {
    title: 'a session that is not there',
    args: ['resume', '01a22a53-3f55-7eb0-9823-c6f268b039f1'],
    reason: 'session-lost',
    message: /no rollout found for thread id 01a22a53/,
  },
];

describe.concurrent('the real codex says what it was given wrong', () => {
  it.each(ROWS)('$title: $reason', async ({ args = [], prompt = 'Hello.\n', reason, message, code = 1 }) => {
    const end = await start(binary('plain'), args, prompt).ended;
    expect(end.code).toBe(code);
    expect(end.failure).toMatchObject({ reason, message: expect.stringMatching(message) });
    expect(end.failure?.message).not.toContain('<unknown>');
    expect(end.failure?.evidence?.length).toBeGreaterThan(0);
  });

  it('a session that is in use: session-live', async () => {
    const program = binary('hang');
    const first = start(program, [], 'Hello.\n');
    const id = await waitFor('the session', () => first.facts().sessionId);
    await waitFor('its request', () => server.requests.some((request) => request.case === 'hang'));
    const second = await start(program, ['resume', id], 'More.\n').ended;
    first.kill();
    await first.ended;
    expect(second.code).toBe(1);
    expect(second.failure).toMatchObject({
      reason: 'session-live',
      message: expect.stringContaining('already has an active writer'),
    });
  });

  it('nothing where all is well', async () => {
    mkdirSync(join(root, 'well'), { recursive: true });
    const end = await start(binary('shell', { cmd: 'echo well' }), [], 'Hello.\n').ended;
    expect(end).toMatchObject({ code: 0, failure: undefined });
  });
});
