import { describe, expect, it } from 'vitest';
import { adviceFor } from '../../scripts-src/executor/failure-advice.ts';
import { FAILURE_REASONS } from '../../scripts-src/executor/failure-kinds.ts';

describe('advice about a failure', () => {
  it.each(FAILURE_REASONS)('%s: one line that can follow what is wrong', (reason) => {
    for (const facts of [{}, { run: 'r1', unit: 'api', executor: 'omp', sessionId: 's1' }]) {
      expect(adviceFor(reason, facts)).toMatch(/^[a-z`][^\n]{15,250}[^.\n]$/);
    }
  });

  it('names the command where the unit is in a run', () => {
    expect(adviceFor('login', { run: 'r1', unit: 'api' })).toBe(
      'run `codex login`, then prun resume --run r1 --unit api',
    );
    expect(adviceFor('login', { run: 'r1' })).toBe('run `codex login`, then prun resume --run r1');
    expect(adviceFor('login')).toBe('run `codex login`, then dispatch the unit again');
  });

  it('says when, where that is known', () => {
    expect(adviceFor('usage-limit', { resetAt: '2026-11-30T19:24:00.000Z' })).toContain(
      'before 2026-11-30T19:24:00.000Z',
    );
    expect(adviceFor('usage-limit')).toContain('before its limit is reset');
    expect(adviceFor('rate-limit', { retryAfterSeconds: 7 })).toContain('after 7 s');
  });

  it('speaks of the program that ran the unit', () => {
    expect(adviceFor('login', { executor: 'claude' })).toContain('/login');
    expect(adviceFor('bad-flags', { executor: 'claude' })).toContain('update claude');
  });
});
