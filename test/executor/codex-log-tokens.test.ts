import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { codexLogTokens } from '../../scripts-src/executor/codex-log-tokens.ts';

const root = mkdtempSync(join(tmpdir(), 'prun-log-tokens-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const usage = (input: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: 40,
  cache_write_input_tokens: 0,
  output_tokens: output,
  reasoning_output_tokens: 5,
  total_tokens: input + output,
});
const line = (type: string, payload: unknown) =>
  JSON.stringify({ timestamp: 't', ordinal: 1, type, payload });
const counts = (input: number, output: number) =>
  line('event_msg', {
    type: 'token_count',
    info: { total_token_usage: usage(input, output), last_token_usage: usage(1, 1) },
    rate_limits: null,
  });
const record = (input: number, output: number) =>
  line('token_usage_record', {
    thread_id: 'x',
    usage: usage(1, 1),
    turn_token_usage: usage(2, 2),
    thread_token_usage: usage(input, output),
  });
const output = (bytes: number) =>
  line('response_item', {
    type: 'custom_tool_call_output',
    output: 'x"type":"token_count"'.repeat(bytes / 21),
  });

it.each<[string, string[], [number, number] | undefined]>([
  ['the last record of a response', [counts(100, 20), record(200, 40)], [200, 40]],
  ['the last count', [record(100, 20), counts(200, 40)], [200, 40]],
  ['what stands before a megabyte of output', [counts(300, 60), output(1_000_000)], [300, 60]],
  ['what stands behind it', [counts(100, 20), output(5_000_000), counts(300, 60)], [300, 60]],
  ['the one before a torn line', [counts(100, 20), record(200, 40).slice(0, 300)], [100, 20]],
  [
    'the one before a count without figures',
    [counts(100, 20), line('event_msg', { type: 'token_count', info: null })],
    [100, 20],
  ],
  ['the one before counts below zero', [counts(100, 20), counts(-200, 40)], [100, 20]],
  [
    'the one before a count that no number holds',
    [counts(100, 20), counts(200, 40).replace('200', '1e999')],
    [100, 20],
  ],
  ['nothing in other records', [line('session_meta', { id: 'x' }), output(100)], undefined],
  ['nothing in what is no JSON', ['"type":"token_count"', '{'], undefined],
  ['nothing in an empty file', [], undefined],
])('of a rollout file it reads %s', (title, lines, expected) => {
  const file = join(root, `${title.replace(/\W/g, '-')}.jsonl`);
  writeFileSync(file, lines.join('\n'));
  const [input, out] = expected ?? [];
  expect(codexLogTokens(file)).toEqual(
    expected && { input, cachedInput: 40, output: out, reasoningOutput: 5 },
  );
});

it('a file that is not there has none', () => {
  expect(codexLogTokens(join(root, 'none.jsonl'))).toBeUndefined();
  expect(codexLogTokens(root)).toBeUndefined();
});
