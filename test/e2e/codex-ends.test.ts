import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCodexRoom } from '../helpers/codex-room.ts';
import type { CodexCase } from '../helpers/codex-server.ts';
import { type ExpectedEnd, expectEnd, textOf, type UnitEnd } from '../helpers/room.ts';
import { USERS } from '../helpers/unit-run.ts';

// The real codex binary against a loopback stand-in for its API: how units end that end by themselves.

const room = openCodexRoom();
const OK: ExpectedEnd = { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 };
const NO_RESULT: ExpectedEnd = { status: 'failed', reason: 'no-result', origin: 'last-message', code: 0 };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WRITE = 'echo "the result" > "$RESULT"; echo wrote';

interface Row {
  title: string;
  name: CodexCase;
  params?: Record<string, string>;
  flags?: string[];
  extraArgs?: string[];
  is: ExpectedEnd;
  /** Part of the result. */
  result?: string;
  detail?: RegExp;
  also?: (end: UnitEnd) => void;
}

const ROWS: Row[] = [
  {
    title: 'a plain answer: it is saved as a FALLBACK, and exit 0 stays 0',
    name: 'plain',
    params: { text: 'The answer is 42 \u00e4.' },
    is: NO_RESULT,
    result: "The worker's last message:\n\nThe answer is 42 \u00e4.\n",
    also: ({ result, outcome }) => {
      expect(result?.startsWith('# unit result (FALLBACK, worker wrote no result file)\n')).toBe(true);
      expect(outcome.tokens).toEqual({ input: 100, cachedInput: 40, output: 20, reasoningOutput: 5 });
    },
  },
  {
    title: 'a command that writes the result',
    name: 'shell',
    params: { cmd: WRITE },
    is: OK,
    result: 'the result\n',
    also: ({ stderr, stateDir, outcome }) => {
      // People read short lines, and no trace.
      expect(stderr).toContain('exit 0');
      expect(stderr).not.toMatch(/TRACE|codex_otel|"type":/);
      expect(textOf(path.join(stateDir, 'tail'))).not.toContain('app-server event');
      expect(outcome.tokens).toEqual({ input: 200, cachedInput: 80, output: 40, reasoningOutput: 10 });
    },
  },
  {
    title: 'a command that writes the result, with direct tools',
    name: 'shell',
    params: { cmd: WRITE },
    extraArgs: ['-m', 'gpt-5.5'],
    is: OK,
    result: 'the result\n',
  },
  {
    title: 'several commands, one after the other',
    name: 'steps',
    params: { cmd: 'echo step {i} >> "$RESULT"' },
    is: OK,
    result: 'step 0\nstep 1\nstep 2\n',
  },
  {
    title: 'a patch',
    name: 'patch',
    params: { file: 'added.txt', body: 'by the patch' },
    is: NO_RESULT,
    result: 'Patched.',
    also: ({ stateDir }) => expect(textOf(path.join(stateDir, 'work', 'added.txt'))).toBe('by the patch\n'),
  },
  { title: 'a patch that fails', name: 'badpatch', is: NO_RESULT, result: 'The patch failed.' },
  { title: 'a failing command', name: 'shellfail', is: NO_RESULT, result: 'The command failed.' },
  {
    title: 'a tool that is not there',
    name: 'badtool',
    is: NO_RESULT,
    result: 'There is no such tool.',
    also: ({ outcome }) => expect(outcome.failure).toBeNull(),
  },
  {
    title: 'a work dir that it removes itself',
    name: 'steps',
    params: { n: '2', cmd: 'rmdir "$PWD"; echo step {i}' },
    is: NO_RESULT,
    result: 'Did 2 steps.',
  },
  {
    title: 'no message at all',
    name: 'empty',
    is: { ...NO_RESULT, reason: 'empty-answer', origin: 'tail' },
    detail: /without a message/,
  },
  {
    title: 'commentary before the answer: the last message counts',
    name: 'commentary',
    is: NO_RESULT,
    result: 'The answer.',
  },
  { title: 'reasoning', name: 'reasoning', is: NO_RESULT, result: 'Thought about it.' },
  {
    title: 'a sub-agent that runs a command',
    name: 'spawn',
    params: { cmd: 'echo by the sub-agent > "$RESULT"' },
    is: OK,
    result: 'by the sub-agent\n',
  },
  {
    title: 'a command with 3 MB of output, which is one line of 1 MB in the stream',
    name: 'big',
    is: NO_RESULT,
    result: 'Saw it.',
    also: ({ stateDir, stderr, outcome }) => {
      const lines = readFileSync(path.join(stateDir, 'tail'), 'utf8').split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeGreaterThan(900_000);
      expect(stderr.length).toBeLessThan(64 * 1024);
      expect(outcome.result?.bytes).toBeLessThan(8 * 1024);
    },
  },
  {
    title: 'daemons in sessions of their own, left behind by a command: they are gone',
    name: 'daemon',
    params: {
      cmd: 'echo r > "$RESULT"; setsid sleep 611 >/dev/null 2>&1 </dev/null & (env -i setsid sleep 611 >/dev/null 2>&1 </dev/null &); sleep 0.3',
    },
    is: OK,
    also: ({ outcome }) => expect(outcome.reaped.map(({ command }) => command)).toEqual(['sleep', 'sleep']),
  },
  {
    title: 'a command that is left running',
    name: 'leave',
    params: { cmd: 'echo started; sleep 612' },
    is: NO_RESULT,
    result: 'Left it running.',
  },
  {
    title: 'an answer after a cut stream',
    name: 'droponce',
    is: NO_RESULT,
    result: 'Recovered after a drop.',
  },
];

describe.concurrent('the real codex', () => {
  it.each(ROWS)('$title', async ({ name, params, flags, extraArgs, is, result, detail, also }) => {
    const unit = room.codex(name, {
      ...(params ? { params } : {}),
      ...(extraArgs ? { extraArgs } : {}),
      ...(flags ? { flags } : {}),
    });
    const end = await unit.end(58_000);
    expectEnd(end, is);
    expect(end.outcome.sessionId).toMatch(UUID);
    if (result) expect(end.result).toContain(result);
    if (detail) expect(end.outcome.detail).toMatch(detail);
    also?.(end);
  });

  it.each(USERS)(
    'sends the prompt as it is, and keeps the session for a resume, as $user',
    async ({ user: _, ...as }) => {
      const prompt = 'Byte for byte: \u00e4 "$HOME" \'\\n\' `id`\r\nand no newline at the end';
      const unit = room.codex('shell', { ...as, prompt, params: { cmd: WRITE, who: String(as.uid ?? 0) } });
      const end = await unit.end(40_000);
      expectEnd(end, OK);
      const request = room
        .server()
        .requests.find(({ url, body }) => url.includes(`who=${as.uid ?? 0}`) && body);
      expect(JSON.stringify(request?.body?.input)).toContain(JSON.stringify(prompt).slice(1, -1));
      const sessions = path.join(unit.folder, 'codex-home', 'sessions');
      const files = readdirSync(sessions, { recursive: true }).map(String);
      expect(files.some((file) => file.endsWith(`-${end.outcome.sessionId}.jsonl`))).toBe(true);
    },
  );

  it('keeps its trace bounded, private and out of the tail', async () => {
    const end = await room.codex('slow', { params: { n: '200', delay: '5' } }).end(40_000);
    expectEnd(end, NO_RESULT);
    const trace = path.join(end.stateDir, 'stderr');
    expect(statSync(trace).mode & 0o777).toBe(0o600);
    expect(statSync(trace).size).toBeLessThan(5 * 1024 * 1024);
    expect(readFileSync(path.join(end.stateDir, 'tail'), 'utf8').split('\n').length).toBeLessThan(20);
  });
});
