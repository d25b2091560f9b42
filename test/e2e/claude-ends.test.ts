import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AnthropicCase } from '../helpers/anthropic-server.ts';
import { type ClaudeWish, openClaudeRoom } from '../helpers/claude-room.ts';
import { processesOf } from '../helpers/process-table.ts';
import { type ExpectedEnd, expectEnd, type UnitEnd } from '../helpers/room.ts';
import { waitFor } from '../helpers/wait-for.ts';

// The real Claude Code against a loopback stand-in for its API, run by dispatch-task: how its units end.

const room = openClaudeRoom();
const OK: ExpectedEnd = { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 };
const NO_RESULT: ExpectedEnd = { status: 'failed', reason: 'no-result', origin: 'last-message', code: 0 };
const WRITE = 'echo "the result" > "$RESULT"; echo wrote';
const failed = (reason: ExpectedEnd['reason']): ExpectedEnd => ({
  status: 'failed',
  reason,
  origin: 'tail',
  code: 1,
});

interface Row {
  title: string;
  name: AnthropicCase;
  wish?: ClaudeWish;
  is: ExpectedEnd;
  /** Part of the result. */
  result?: string;
  detail?: RegExp;
  also?: (end: UnitEnd) => void;
}

const RESETS = Math.floor(Date.now() / 1000) + 3600;

const ROWS: Row[] = [
  {
    title: 'a command that writes the result',
    name: 'shell',
    wish: { params: { cmd: WRITE } },
    is: OK,
    result: 'the result\n',
    also: ({ outcome, stderr }) => {
      expect(outcome.tokens).toEqual({ input: 320, cachedInput: 80, output: 40, reasoningOutput: 0 });
      expect(outcome.sessionId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      // People read short lines, and no JSON.
      expect(stderr).toContain('exit 0');
      expect(stderr).not.toContain('"type":');
    },
  },
  {
    title: 'a plain answer: it is saved as a FALLBACK, and exit 0 stays 0',
    name: 'plain',
    wish: { params: { text: 'The answer is 42 \u00e4.' } },
    is: NO_RESULT,
    result: "The worker's last message:\n\nThe answer is 42 \u00e4.\n",
  },
  {
    title: 'daemons in sessions of their own, left behind by a command: they are gone',
    name: 'shell',
    wish: {
      params: {
        cmd: 'echo r > "$RESULT"; setsid sleep 651 >/dev/null 2>&1 </dev/null & (env -i setsid sleep 651 >/dev/null 2>&1 </dev/null &); sleep 0.3',
      },
    },
    is: OK,
    also: ({ outcome }) => expect(outcome.reaped.map(({ command }) => command)).toEqual(['sleep', 'sleep']),
  },
  {
    title: 'a five-hour limit, with the time when it ends',
    name: 'usage',
    wish: { subscription: true, params: { reset: String(RESETS) } },
    is: failed('usage-limit'),
    detail: /hit your 5-hour limit/,
    also: ({ outcome }) =>
      expect(outcome.failure).toMatchObject({
        reason: 'usage-limit',
        resetAt: new Date(RESETS * 1000).toISOString(),
      }),
  },
  { title: 'a rate limit', name: 'h429', is: failed('rate-limit'), detail: /429/ },
  { title: 'a wrong key', name: 'h401', is: failed('auth'), detail: /Invalid API key/ },
  {
    title: 'no login',
    name: 'plain',
    wish: { noKey: true },
    is: failed('login'),
    detail: /Please run \/login/,
  },
  { title: 'no credit', name: 'credit', is: failed('quota'), detail: /Credit balance is too low/ },
  { title: 'too much to do', name: 'h529', is: failed('overloaded'), detail: /Overloaded/ },
  { title: 'a broken server', name: 'h500', is: failed('overloaded'), detail: /500/ },
  {
    title: 'a prompt that is too long',
    name: 'toolong',
    is: failed('context'),
    detail: /Prompt is too long/,
  },
  { title: 'a model that is not there', name: 'nomodel', is: failed('model-gone'), detail: /selected model/ },
  { title: 'a refused request', name: 'h400', is: failed('bad-request'), detail: /Field required/ },
  {
    title: 'a stream that is cut',
    name: 'drop',
    is: failed('stream-cut'),
    detail: /Connection to the API was lost/,
  },
  {
    title: 'a refused connection',
    name: 'plain',
    wish: { refused: true },
    is: failed('network'),
    detail: /refused/,
  },
  {
    title: 'an empty answer',
    name: 'empty',
    is: { status: 'failed', reason: 'empty-answer', origin: 'tail', code: 0 },
  },
  {
    title: 'a refused command in a mode that asks',
    name: 'shell',
    wish: { params: { cmd: WRITE }, flags: ['--permission-mode', 'dontAsk'] },
    is: { status: 'failed', reason: 'sandbox-refusal', origin: 'last-message', code: 0 },
    detail: /permission mode refused: Bash/,
  },
  {
    title: 'an answer after a cut stream',
    name: 'droponce',
    is: NO_RESULT,
    result: 'Recovered after a drop.',
  },
  {
    title: 'a session that is not there',
    name: 'plain',
    wish: { flags: ['--workdir', os.tmpdir(), '--resume', '99999999-2222-4333-8444-555555555555'] },
    is: failed('session-lost'),
  },
  {
    title: 'a hang after its command: it is reaped, with what the command started',
    name: 'shellhang',
    wish: { params: { cmd: 'setsid sleep 652 & echo started' }, flags: ['--stall-threshold', '2'] },
    is: { status: 'failed', reason: 'idle-stall', origin: 'tail', code: 124 },
  },
];

describe.skipIf(process.platform === 'win32')('a unit on the real claude', () => {
  it.concurrent.each(ROWS)('$title', async ({ name, wish, is, result, detail, also }) => {
    const end = await room.claude(name, wish).end(60_000);
    expectEnd(end, is);
    if (result !== undefined) expect(end.result).toContain(result);
    if (detail) expect(end.outcome.detail).toMatch(detail);
    also?.(end);
  });

  it('an answer that streams slower than the threshold is no stall', async () => {
    const unit = room.claude('slow', {
      params: { n: '12', delay: '400' },
      flags: ['--stall-threshold', '2'],
    });
    expectEnd(await unit.end(60_000), NO_RESULT);
  });

  it('goes on with its session after it was killed in a command', async () => {
    const folder = room.folder();
    const flags = ['--workdir', folder];
    const first = room.claude('shell', {
      folder,
      unit: 'first',
      prompt: 'Begin the work.\n',
      params: { cmd: 'echo started; sleep 653' },
      flags,
    });
    const record = await first.unitRecord();
    const sleeper = () => processesOf({ marker: record.marker }).find(({ argv }) => argv === 'sleep 653');
    await waitFor('the command', sleeper, 60_000);
    const worker = processesOf({ marker: record.marker }).find(({ command }) => command === 'claude');
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    const killed = await first.end(60_000);
    expectEnd(killed, { status: 'failed', reason: 'signal', origin: 'tail' });

    const session = killed.outcome.sessionId ?? '';
    const second = room.claude('plain', {
      folder,
      prompt: 'Go on with it.\n',
      flags: [...flags, '--resume', session],
    });
    const end = await second.end(60_000);
    expect(end.outcome.sessionId).toBe(session);
    const asked = JSON.stringify(room.server().requests.at(-1)?.body);
    expect(asked).toContain('Begin the work.');
    expect(asked).toContain('Go on with it.');
    expect(readFileSync(path.join(await second.stateDir(), 'tail'), 'utf8')).toContain(session);
  });
});
