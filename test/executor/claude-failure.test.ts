import { describe, expect, it } from 'vitest';
import {
  claudeFailure,
  claudeFailureAtEnd,
  type Trouble,
} from '../../scripts-src/executor/claude-failure.ts';
import { resetTime, timeFromEpoch } from '../../scripts-src/executor/claude-reset-time.ts';
import { providerFailure } from '../../scripts-src/executor/provider-failure.ts';

const NOW = Date.UTC(2026, 10, 30, 19, 30);

function reason(text: string, told: Partial<Trouble> = {}): string {
  return claudeFailure({ text, isLimitReached: false, lines: [], ...told }, NOW).reason;
}

describe('what claude calls a failure', () => {
  it.each([
    ['Claude AI usage limit reached|1796072302', {}, 'usage-limit'],
    ["You've hit your limit \u00b7 resets 3pm", { kind: 'rate_limit' }, 'usage-limit'],
    [
      'You\u2019ve hit your weekly limit \u00b7 resets Dec 3, 9am (UTC)',
      { kind: 'rate_limit' },
      'usage-limit',
    ],
    ["You've hit your Opus limit", { kind: 'rate_limit' }, 'usage-limit'],
    ["You've hit your monthly spend limit", { kind: 'rate_limit' }, 'usage-limit'],
    ['5-hour limit reached \u2219 resets 8pm', {}, 'usage-limit'],
    ['API Error: Request rejected (429) \u00b7 x', { kind: 'rate_limit', status: 429 }, 'rate-limit'],
    [
      'API Error: Request rejected (429) \u00b7 x',
      { kind: 'rate_limit', isLimitReached: true },
      'usage-limit',
    ],
    ['Invalid API key \u00b7 Fix external API key', { kind: 'authentication_failed' }, 'auth'],
    ['Not logged in \u00b7 Please run /login', { kind: 'authentication_failed' }, 'login'],
    ['OAuth token has expired \u00b7 Please run /login', { kind: 'authentication_failed' }, 'login'],
    ['Credit balance is too low', { kind: 'billing_error' }, 'quota'],
    ['API Error: 529 Overloaded.', { kind: 'server_error', status: 529 }, 'overloaded'],
    ['API Error: 500 Internal server error.', { kind: 'server_error', status: 500 }, 'overloaded'],
    ['API Error: Connection to the API was lost (ECONNRESET).', { kind: 'server_error' }, 'stream-cut'],
    ['API Error: Connection refused (ECONNREFUSED)', { kind: 'server_error' }, 'network'],
    ['API Error: Request timed out', { kind: 'unknown' }, 'network'],
    ['Prompt is too long \u00b7 the request is ~208310 tokens', { kind: 'invalid_request' }, 'context'],
    ['API Error: 400 messages.0.content: Field required', { kind: 'invalid_request' }, 'bad-request'],
    ["There's an issue with the selected model (x)", { kind: 'model_not_found' }, 'model-gone'],
    ['Reached maximum number of turns (2)', {}, 'model-error'],
    // Numbers that are no status.
    ['Reached maximum number of turns (401)', {}, 'model-error'],
    ['Tool output of 500 lines, then 429 more', {}, 'model-error'],
    ['API Error (401 {"type":"error"})', {}, 'auth'],
    ['Request failed with status code 429', {}, 'rate-limit'],
    ['HTTP/1.1 503', {}, 'overloaded'],
    ['{"error":{"code":403}}', {}, 'auth'],
    ['502 Bad Gateway', {}, 'overloaded'],
    ['got 529 Overloaded', {}, 'overloaded'],
    [
      "API Error: Claude's response exceeded the 128000 output token maximum",
      { kind: 'max_output_tokens' },
      'model-error',
    ],
    ['No conversation found with session ID: x', {}, 'session-lost'],
  ] as const)('%s', (text, told, expected) => {
    expect(reason(text, told)).toBe(expected);
  });

  it('keeps a bounded message and bounded evidence', () => {
    const lines = Array.from({ length: 9 }, (_, n) => `${n}${'x'.repeat(900)}`);
    const failure = claudeFailure({ text: 'y'.repeat(9000), isLimitReached: false, lines }, NOW);
    expect(failure.message.length).toBe(2000);
    expect(failure.evidence?.map((line) => [line[0], line.length])).toEqual(
      ['4', '5', '6', '7', '8'].map((n) => [n, 500]),
    );
  });
});

describe('when a limit ends', () => {
  it.each([
    ['Claude AI usage limit reached|1796072302', '2026-11-30T20:58:22.000Z'],
    ["You've hit your limit \u00b7 resets 8:58pm (UTC)", '2026-11-30T20:58:00.000Z'],
    ["You've hit your limit \u00b7 resets 3pm (UTC)", '2026-12-01T15:00:00.000Z'],
    ["You've hit your limit \u00b7 resets 12am (UTC)", '2026-12-01T00:00:00.000Z'],
    ["You've hit your limit \u00b7 resets 9pm (Europe/Berlin)", '2026-11-30T20:00:00.000Z'],
    ['weekly limit \u00b7 resets Dec 3, 9am (America/New_York)', '2026-12-03T14:00:00.000Z'],
    ['weekly limit \u00b7 resets Dec 3 at 9:30am (Asia/Kolkata)', '2026-12-03T04:00:00.000Z'],
    ['weekly limit \u00b7 resets Jan 2, 9am (UTC)', '2027-01-02T09:00:00.000Z'],
    ['5-hour limit reached \u2219 resets 11pm', '2026-11-30T21:00:00.000Z'],
    // The seconds are left out, and the clock here may be ahead of the server's.
    ["You've hit your limit \u00b7 resets 7:30pm (UTC)", '2026-11-30T19:31:00.000Z'],
    ["You've hit your limit \u00b7 resets 7:26pm (UTC)", '2026-11-30T19:31:00.000Z'],
    ['weekly limit \u00b7 resets Nov 30, 7:28pm (UTC)', '2026-11-30T19:31:00.000Z'],
    ['resets 9pm (No/Where)', undefined],
    ['it resets all settings', undefined],
    ['limit reached', undefined],
  ])('%s', (text, expected) => {
    expect(resetTime(text, NOW, 'Africa/Cairo')).toBe(expected);
  });

  it('clocks that change in between', () => {
    // 1 March 2026, noon in New York, a week before the clocks go forward.
    const now = Date.UTC(2026, 2, 1, 17);
    expect(resetTime('resets Mar 9, 9am (America/New_York)', now)).toBe('2026-03-09T13:00:00.000Z');
  });

  it('a number that is no time is none', () => {
    for (const value of [0, -1, Number.NaN, 12, 1e15, '1796072302', null])
      expect(timeFromEpoch(value)).toBeUndefined();
    expect(timeFromEpoch(1796072302)).toBe('2026-11-30T20:58:22.000Z');
  });
});

describe('what claude says before it begins', () => {
  const facts = { structured: false, openCommands: 0 };
  it.each([
    ["error: unknown option '--no-such-flag'", 'bad-flags'],
    [
      "error: option '--permission-mode <mode>' argument 'x' is invalid. Allowed choices are plan.",
      'bad-flags',
    ],
    ['Error: --json-schema is not valid JSON: JSON Parse error', 'bad-flags'],
    ['Error: Session ID 11111111-2222-4333-8444-555555555555 is already in use.', 'session-live'],
    ['No conversation found with session ID: 1', 'session-lost'],
    [
      '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons',
      'sandbox-refusal',
    ],
    ['oh no: Bun has crashed. This indicates a bug in Bun, not your code.', 'panic'],
  ])('%s', (stderr, expected) => {
    expect(claudeFailureAtEnd({ exitCode: 1, stderr: `Warning: x\n${stderr}\n`, facts })?.reason).toBe(
      expected,
    );
    expect(claudeFailureAtEnd({ exitCode: 0, stderr, facts })).toBeUndefined();
  });
});

describe('what providers say', () => {
  it.each([
    ['see https://api.example.com/429/500', undefined],
    ['127.0.0.1:5000 said nothing', undefined],
    ['You exceeded your current quota, please check your plan and billing details.', 'quota'],
    ['The model `x` does not exist or you do not have access to it.', 'model-gone'],
    ["This model's maximum context length is 8192 tokens", 'context'],
    ['socket hang up', 'stream-cut'],
    ['getaddrinfo ENOTFOUND api.example.com', 'network'],
    ['All is well.', undefined],
  ])('%s', (text, expected) => {
    expect(providerFailure(text)).toBe(expected);
  });
});
