import { describe, expect, it } from 'vitest';
import { failureReason, knownFailure, plainMessage } from '../../scripts-src/executor/codex-failure.ts';
import type { FailureReason } from '../../scripts-src/executor/types.ts';

const TABLE: [FailureReason, string][] = [
  ['usage-limit', 'You\u2019ve hit your usage limit. Visit https://x.test/usage or try again at 7:24 PM.'],
  ['usage-limit', "You've hit your usage limit."],
  ['usage-limit', 'Quota exceeded. Check your plan and billing details.'],
  ['usage-limit', 'You exceeded your current quota, please check your plan and billing details.'],
  ['rate-limit', 'exceeded retry limit, last status: 429 Too Many Requests'],
  ['rate-limit', 'rate limit exceeded: Rate limit reached. Please try again in 1.5s.'],
  ['rate-limit', 'stream disconnected before completion: Rate limit reached for gpt'],
  ['model-error', 'We\u2019re currently experiencing high demand, which may cause temporary errors.'],
  [
    'model-error',
    'unexpected status 503 Service Unavailable: upstream unavailable, url: http://127.0.0.1:42911/v1',
  ],
  ['model-error', 'unexpected status 500 Internal Server Error: timed out'],
  ['model-error', 'Selected model is at capacity. Please try a different model.'],
  ['model-error', "Codex ran out of room in the model's context window. Start a new thread."],
  ['model-error', "Invalid value: 'xhigh'. Supported values are: 'low', 'medium', and 'high'."],
  ['model-error', 'unexpected status 404 Not Found: The model `nope` does not exist'],
  ['model-error', 'something that nobody has seen yet'],
  ['model-error', ''],
  ['auth', 'unexpected status 401 Unauthorized: Incorrect API key provided: x. url: http://h.test/429/v1'],
  ['auth', 'unexpected status 403 Forbidden: no access'],
  ['auth', 'Your access token could not be refreshed. Please log in again.'],
  ['auth', 'Not logged in'],
  ['auth', 'Missing environment variable: `MY_KEY`.'],
  [
    'network',
    'stream disconnected before completion: Transport error: network error: error decoding response body',
  ],
  ['network', 'stream disconnected before completion: idle timeout waiting for SSE'],
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
    ['{"error":null}', '{"error":null}'],
    ['{torn', '{torn'],
    ['plain', 'plain'],
  ])('%s reads %s', (message, expected) => {
    expect(plainMessage(message)).toBe(expected);
  });
});
