import { describe, expect, it } from 'vitest';
import { judgeLanding, type LandingFacts } from '../../scripts-src/unit/landing.ts';

describe('judgeLanding', () => {
  const now = 1000;
  const forever = Number.POSITIVE_INFINITY;
  it.each<[string, LandingFacts, boolean, number]>([
    ['nothing there', { hasText: false, quietMs: 0, supervision: 'none' }, false, forever],
    ['nothing there after the outcome', { hasText: false, quietMs: 0, supervision: 'ended' }, false, forever],
    ['text, not quiet', { hasText: true, quietMs: 4000, supervision: 'none' }, false, now + 6000],
    ['text, quiet', { hasText: true, quietMs: 10_000, supervision: 'none' }, true, forever],
    ['text with its outcome', { hasText: true, quietMs: 0, supervision: 'ended' }, true, forever],
    [
      'quiet text of a worker that still runs',
      { hasText: true, quietMs: 9e9, supervision: 'held' },
      false,
      forever,
    ],
  ])('%s', (_title, facts, landed, dueMs) => {
    expect(judgeLanding(facts, 10, now)).toEqual({ landed, dueMs });
  });
});
