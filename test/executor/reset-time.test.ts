import { describe, expect, it } from 'vitest';
import { believedTime, resetTime, secondsToWait } from '../../scripts-src/executor/reset-time.ts';

// Local times, as codex prints them: right in every zone that the tests run in.
const NOW = new Date(2026, 10, 30, 19, 0, 0).getTime();
const local = (...fields: [number, number, number, number, number]): string =>
  new Date(...fields).toISOString();
const later = (ms: number): string => new Date(NOW + ms).toISOString();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('when a limit ends', () => {
  it.each<[string, string | undefined]>([
    ['You\u2019ve hit your usage limit. \u2026 or try again at 7:24 PM.', local(2026, 10, 30, 19, 24)],
    ['try again at 7:24\u202fPM.', local(2026, 10, 30, 19, 24)],
    ['Try again at 7:24 p.m.', local(2026, 10, 30, 19, 24)],
    ['try again at 19:24.', local(2026, 10, 30, 19, 24)],
    ['try again at 9 PM.', local(2026, 10, 30, 21, 0)],
    ['try again at 12:10 AM.', local(2026, 11, 1, 0, 10)],
    ['try again at 12:10 PM.', local(2026, 11, 1, 12, 10)],
    ['try again at 6:54 PM.', local(2026, 11, 1, 18, 54)],
    ['try again at Dec 1st, 2026 7:24 PM.', local(2026, 11, 1, 19, 24)],
    ['try again at Dec 5th, 2026 8:07 PM.', local(2026, 11, 5, 20, 7)],
    ['try again at December 2, 2026 at 19:24', local(2026, 11, 2, 19, 24)],
    ['try again at Dec 3rd 7 AM', local(2026, 11, 3, 7, 0)],
    ['resets at 7:24 PM', local(2026, 10, 30, 19, 24)],
    ['try again at 2026-11-30T19:24:00Z', believedTime(Date.UTC(2026, 10, 30, 19, 24), NOW)],
    ['try again in 2 hours 5 minutes.', later(2 * HOUR + 5 * 60_000)],
    ['try again in 3 days 6 hours 57 minutes.', later(3 * DAY + 6 * HOUR + 57 * 60_000)],
    ['try again in 1 day and 1 minute', later(DAY + 60_000)],
    ['try again in about an hour', later(HOUR)],
    ['try again in less than a minute', later(60_000)],
    ['resets in 6m0s', later(360_000)],
    ['try again in 20ms', later(20)],
    [`{"error":{"resets_at":${(NOW + HOUR) / 1000}}}`, later(HOUR)],
    ['{"error":{"resets_in_seconds":90}}', later(90_000)],
    [`{"error":{"resets_at":${(NOW + HOUR) / 1000},"resets_in_seconds":5}}`, later(HOUR)],
    // Not believed.
    ['try again at Nov 29th, 2026 7:24 PM.', undefined],
    ['try again at Dec 9th, 2026 7:24 PM.', undefined],
    ['try again at Dec 30th, 2025 7:24 PM.', undefined],
    ['{"resets_at":1700000000}', undefined],
    ['{"resets_at":1999999999}', undefined],
    ['try again in 40 days', undefined],
    ['{"resets_in_seconds":999999999}', undefined],
    // No time.
    ['You\u2019ve hit your usage limit. \u2026 try again later.', undefined],
    ['try again at 25:00', undefined],
    ['try again at 13:00 PM', undefined],
    ['try again at 7:61 PM', undefined],
    ['try again at 7', undefined],
    ['try again at Foo 1st, 2026 7:24 PM', undefined],
    ['try again at Dec 45th, 2026 7:24 PM', undefined],
    ['it was 7:24 PM', undefined],
    ['', undefined],
  ])('%s', (text, expected) => {
    expect(resetTime(text, NOW)).toBe(expected);
  });

  it('is the end of the minute that is running, because the seconds were left out', () => {
    const within = new Date(2026, 10, 30, 19, 24, 30).getTime();
    expect(resetTime('try again at 7:24 PM', within)).toBe(local(2026, 10, 30, 19, 25));
  });

  // Two clocks: that of this machine is ahead of the server's, which is still at its limit.
  it.each([
    'try again at 6:59 PM.',
    'try again at 18:56',
    'try again at Nov 30th, 2026 6:58 PM.',
    `{"resets_at":${NOW / 1000 - 200}}`,
    `{"resets_at":${NOW / 1000}}`,
  ])('is a minute away where it was a moment ago: %s', (text) => {
    expect(resetTime(text, NOW)).toBe(later(60_000));
  });

  it('is in the same hour where clocks have gone back and the hour comes twice', () => {
    const zone = process.env.TZ;
    process.env.TZ = 'America/New_York';
    try {
      for (const hour of [5, 6]) {
        const said = Date.UTC(2026, 10, 1, hour, 10);
        const expected = new Date(said + 20 * 60_000).toISOString();
        expect(resetTime('try again at 1:30 AM', said)).toBe(expected);
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it('is next year where the date is', () => {
    const eve = new Date(2026, 11, 31, 23, 50, 0).getTime();
    expect(resetTime('try again at Jan 2nd 1:00 AM', eve)).toBe(local(2027, 0, 2, 1, 0));
  });

  it('is found in no time in a long text', () => {
    const before = performance.now();
    resetTime('try again at '.repeat(1_000_000), NOW);
    resetTime(`try again in ${'1 day '.repeat(100_000)}`, NOW);
    expect(performance.now() - before).toBeLessThan(1000);
  });
});

describe('seconds to wait', () => {
  it.each<[string, number | undefined]>([
    ['Rate limit reached. Please try again in 1.5s.', 1.5],
    ['retry-after: 7', 7],
    ['{"retry_after":"30"}', 30],
    ['Please retry after 10 seconds', 10],
    ['try again in 2 minutes', 120],
    ['retrying in 4s', 4],
    ['wait for 3 seconds', 3],
    ['retry-after: 0', undefined],
    ['try again in 20 days', undefined],
    ['try again at 7:24 PM', undefined],
    ['status 429', undefined],
  ])('%s', (text, expected) => {
    expect(secondsToWait(text)).toBe(expected);
  });
});
