import { describe, expect, it } from 'vitest';
import {
  codexFailure,
  failureReason,
  knownFailure,
  plainMessage,
} from '../../scripts-src/executor/codex-failure.ts';
import type { FailureReason } from '../../scripts-src/executor/types.ts';

const TABLE: [FailureReason, string][] = [
  ['usage-limit', 'You\u2019ve hit your usage limit. Visit https://x.test/usage or try again at 7:24 PM.'],
  ['usage-limit', "You've hit your usage limit."],
  [
    'usage-limit',
    'You\u2019ve hit your usage limit. To get more access now, send a request to your admin or try again at 10:07 PM.',
  ],
  ['quota', 'Quota exceeded. Check your plan and billing details.'],
  ['quota', 'You exceeded your current quota, please check your plan and billing details.'],
  ['quota', 'Your workspace is out of credits. Add credits to continue.'],
  ['quota', 'You hit your spend cap set in your workspace. Increase your spend cap to continue.'],
  ['quota', 'To use Codex with your ChatGPT plan, upgrade to Plus: https://chatgpt.com/explore/plus.'],
  ['rate-limit', 'exceeded retry limit, last status: 429 Too Many Requests'],
  ['rate-limit', 'rate limit exceeded: Rate limit reached. Please try again in 1.5s.'],
  ['rate-limit', 'stream disconnected before completion: Rate limit reached for gpt'],
  ['overloaded', 'We\u2019re currently experiencing high demand, which may cause temporary errors.'],
  [
    'overloaded',
    'unexpected status 503 Service Unavailable: upstream unavailable, url: http://127.0.0.1:42911/v1',
  ],
  ['overloaded', 'unexpected status 500 Internal Server Error: timed out'],
  ['overloaded', 'Selected model is at capacity. Please try a different model.'],
  ['context', "Codex ran out of room in the model's context window. Start a new thread."],
  ['bad-request', "Invalid value: 'xhigh'. Supported values are: 'low', 'medium', and 'high'."],
  ['bad-request', '{"error":{"message":"Nobody has seen this text yet","type":"x"}}'],
  ['bad-request', '{"error":{"message":"?","type":"invalid_request_error"}}'],
  ['bad-request', 'unexpected status 413 Payload Too Large: too large, url: http://127.0.0.1:1/v1/responses'],
  ['bad-request', 'This request has been flagged for possible cybersecurity risk.'],
  ['bad-request', 'Reconnecting... 1/5 (unexpected status 422 Unprocessable Entity: no)'],
  ['model-gone', 'unexpected status 404 Not Found: The model `nope` does not exist'],
  ['model-gone', 'The model `nope` does not exist or you do not have access to it.'],
  ['model-gone', `{"detail":"The 'nope' model is not supported when using Codex with a ChatGPT account."}`],
  ['model-gone', `{"error":{"message":"The 'gpt-7' model requires a newer version of Codex."}}`],
  ['bad-request', 'unexpected status 404 Not Found: no such address'],
  // Words of other versions.
  [
    'model-gone',
    'stream error: stream disconnected before completion: The model `gpt-5.3-codex` does not exist or you do not have access to it.; retrying 1/5 in 185ms\u2026',
  ],
  ['model-gone', 'unexpected status 400 Bad Request: {"detail":"Unsupported model"}'],
  [
    'model-gone',
    `{"type":"error","status":400,"error":{"type":"invalid_request_error","message":"The 'gpt-5.6' model is not supported when using Codex with a ChatGPT account."}}`,
  ],
  ['rate-limit', '{"type":"error","status":429,"error":{"message":"slow down"}}'],
  ['auth', 'exceeded retry limit, last status: 401 Unauthorized'],
  ['network', 'stream disconnected before completion: error sending request for url (https://api.test/v1)'],
  ['model-error', 'something that nobody has seen yet'],
  ['model-error', '{"a":1}'],
  ['model-error', ''],
  [
    'login',
    'unexpected status 401 Unauthorized: Missing bearer or basic authentication in header, url: http://127.0.0.1:1/v1',
  ],
  ['login', 'Not logged in'],
  ['auth', 'unexpected status 401 Unauthorized: Incorrect API key provided: x. url: http://h.test/429/v1'],
  ['auth', 'unexpected status 403 Forbidden: no access'],
  ['auth', 'Your access token could not be refreshed. Please log out and sign in again.'],
  ['auth', 'Missing environment variable: `MY_KEY`.'],
  [
    'stream-cut',
    'stream disconnected before completion: Transport error: network error: error decoding response body',
  ],
  ['stream-cut', 'stream disconnected before completion: idle timeout waiting for SSE'],
  ['stream-cut', 'stream disconnected before completion: stream closed before response.completed'],
  ['network', 'stream disconnected before completion: Connection refused (os error 111)'],
  ['network', 'Connection failed: error sending request'],
  ['network', 'Reconnecting... waiting for network (Connection failed: error sending request)'],
  ['network', 'unexpected status 407 Proxy Authentication Required'],
  ['network', 'dns error: failed to lookup address information'],
];

describe('why codex failed', () => {
  it.each(TABLE)('%s: %s', (reason, message) => {
    expect(failureReason(message)).toBe(reason);
  });

  it('knows nothing of text that names no failure', () => {
    expect(knownFailure('All tests pass now.')).toBeUndefined();
  });

  it.each([
    ['Reconnecting... 2/5 (stream (x) cut)', 'stream (x) cut'],
    ['Reconnecting... waiting for network (Connection failed: e)', 'Connection failed: e'],
    ['Reconnecting... 2/5', 'Reconnecting... 2/5'],
    ['{"error":{"message":"Invalid value"}}', 'Invalid value'],
    ['{"detail":"The model is gone"}', 'The model is gone'],
    ['{"error":"short"}', 'short'],
    ['stream error: cut; retrying 1/5 in 202ms\u2026', 'cut'],
    ['{"error":null}', '{"error":null}'],
    ['{torn', '{torn'],
    ['plain', 'plain'],
  ])('%s reads %s', (message, expected) => {
    expect(plainMessage(message)).toBe(expected);
  });
});

describe('what is kept of a failure', () => {
  const at = new Date(2026, 10, 30, 19, 0, 0).getTime();

  it('is when the limit ends, and the lines that told it, without keys', () => {
    const message = 'You\u2019ve hit your usage limit for sk-proj-abcdefghijk, try again at 7:24 PM.';
    const lines = ['1', '2', '3', '4', '5', `6 ${'x'.repeat(900)} sk-proj-abcdefghijk`];
    const failure = codexFailure(message, lines, at);
    expect(failure).toMatchObject({
      reason: 'usage-limit',
      message: 'You\u2019ve hit your usage limit for sk-\u2026, try again at 7:24 PM.',
      resetAt: new Date(2026, 10, 30, 19, 24).toISOString(),
    });
    expect(failure.evidence).toHaveLength(5);
    expect(failure.evidence?.[4]).toHaveLength(500);
    expect(failure.retryAfterSeconds).toBeUndefined();
  });

  it('is how long to wait, where that is told', () => {
    const failure = codexFailure('rate limit exceeded: Please try again in 1.5s.', [], at);
    expect(failure).toMatchObject({ reason: 'rate-limit', retryAfterSeconds: 1.5 });
    expect(failure.resetAt).toBeUndefined();
  });

  it('is a message of at most 2000 characters', () => {
    expect(codexFailure('\ud83d\ude00'.repeat(1500), [], at).message.length).toBeLessThanOrEqual(2000);
  });
});
