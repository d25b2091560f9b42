import { describe, expect, it } from 'vitest';
import { isRetryNotice } from '../../scripts-src/executor/retry-notice.ts';

describe('plain output that only says that something is tried again', () => {
  it.each([
    'Reconnecting... 1/5 (stream disconnected before completion)',
    'Reconnecting... waiting for network (Connection failed: error sending request)',
    '\x1b[33mreconnecting…\x1b[0m',
    'ERROR: stream disconnected; retrying 1/5 in 213ms...',
    'retrying',
    'Retrying...',
    'retry 3/5',
    'retry 17',
    'Retry #4',
    '[12:01:02] connection lost, retrying',
    'Retrying in 5 seconds',
    'retrying after 30s',
    'Retrying request to /responses in 0.4 s',
    'request failed, will retry',
    'waiting for network',
    'Waiting for the connection to come back',
    'attempt 2 of 5',
    'Attempt 3/10 failed: ECONNREFUSED',
    'Rate limited. Please try again in 20s.',
    'rate limit reached, backing off for 8s',
    '429 Too Many Requests',
    'Trying again in 3 s',
  ])('%j is a notice', (line) => {
    expect(isRetryNotice(line)).toBe(true);
  });

  it.each([
    '',
    'retried tests passed',
    'I retried the failing test and it is green',
    'Retrying the failing test with -v',
    'Added retry logic to src/client.ts',
    'The retry policy is now configurable',
    'test retry.spec.ts: 3 tests',
    'attempt 2 of 3 passed',
    'Attempt 1 of 2 succeeded',
    'Reconnecting the wires in module.ts',
    'Fixed the rate limit test',
    'Implemented rate limiting for GET /items',
    'connected to the database',
    'try again button added',
    `retrying ${'x'.repeat(400)}`,
    '{"type":"turn.started"}',
  ])('%j is none', (line) => {
    expect(isRetryNotice(line)).toBe(false);
  });
});
