import { describe, expect, it } from 'vitest';
import {
  loweredJobs,
  raisedByEnd,
  raisedByTime,
  unlimitedJobs,
} from '../../scripts-src/run/supervisor/adaptive-jobs.ts';
import { backoffMs, pauseLeftMs, transientRetriesOf } from '../../scripts-src/run/supervisor/backoff.ts';
import { firstPace, paceAfterStart, paceLeftMs } from '../../scripts-src/run/supervisor/start-pace.ts';

const SCHEDULE = { jobs: null, delaySeconds: 0, memfreeBytes: null, load: null };

describe('the pause before another try', () => {
  it.each([
    ['the first', {}, 0, null, 0, 5000],
    ['the first, at most', {}, 0, null, 1, 10_000],
    ['the third', {}, 2, null, 0, 20_000],
    ['one of many is no longer than five minutes', {}, 50, null, 1, 300_000],
    ['with another first pause', { backoffSeconds: 1 }, 1, null, 0.5, 1500],
    ['none', { backoffSeconds: 0 }, 3, null, 0.5, 0],
    ['as long as the server wants', {}, 0, 60, 0, 60_000],
    ['and some more by chance', {}, 0, 60, 0.5, 61_250],
    ['longer than the server wants', {}, 3, 2, 0, 40_000],
    ['but not for a day', {}, 0, 86_400, 0, 3_600_000],
  ])('%s', (_, schedule, tries, asked, chance, ms) => {
    expect(backoffMs(schedule, tries, asked, chance)).toBe(ms);
  });

  it('comes four times unless somebody said otherwise', () => {
    expect(transientRetriesOf(SCHEDULE)).toBe(4);
    expect(transientRetriesOf({ ...SCHEDULE, transientRetries: 0 })).toBe(0);
  });

  const pause = { queuedAt: '2026-01-01T12:00:00.000Z', notBefore: '2026-01-01T12:00:30.000Z' };
  it.each([
    ['at its beginning', '2026-01-01T12:00:00.000Z', 30_000],
    ['a while later', '2026-01-01T12:00:20.000Z', 10_000],
    ['at its end', '2026-01-01T12:00:30.000Z', 0],
    ['after a suspend', '2026-01-02T12:00:30.000Z', 0],
    ['after the clock was set back', '2025-01-01T12:00:30.000Z', 30_000],
  ])('%s', (_, now, ms) => {
    expect(pauseLeftMs(pause, Date.parse(now))).toBe(ms);
  });

  it('holds nobody where the log is damaged', () => {
    expect(pauseLeftMs({ queuedAt: 'x', notBefore: 'y' }, 0)).toBe(0);
    expect(pauseLeftMs({ queuedAt: pause.notBefore, notBefore: pause.queuedAt }, 0)).toBe(0);
  });
});

describe('jobs of an account', () => {
  const now = { running: 8, scheduled: 8 };

  it('are halved by a rate limit, down to one, once for all that met it together', () => {
    const four = loweredJobs(unlimitedJobs(), now, 1000, 5000);
    expect(four.most).toBe(4);
    expect(loweredJobs(four, { running: 7, scheduled: 8 }, 2000, 5100)).toBe(four);
    const two = loweredJobs(four, { running: 4, scheduled: 8 }, 6000, 7000);
    expect(two.most).toBe(2);
    const one = loweredJobs(two, { running: 2, scheduled: 8 }, 8000, 9000);
    expect(loweredJobs(one, { running: 1, scheduled: 8 }, 10_000, 11_000).most).toBe(1);
  });

  it('are halved from what ran, where that was less than the schedule has', () => {
    expect(loweredJobs(unlimitedJobs(), { running: 3, scheduled: 30 }, 0, 0).most).toBe(1);
  });

  it('are raised by one for a good end of what was started since, and for each quiet minute', () => {
    const four = loweredJobs(unlimitedJobs(), now, 1000, 5000);
    expect(raisedByEnd(four, 2000, 6000).most).toBe(4);
    expect(raisedByEnd(four, 5500, 6000).most).toBe(5);
    expect(raisedByTime(four, 8, 64_999).most).toBe(4);
    expect(raisedByTime(four, 8, 125_000)).toMatchObject({ most: 6, changedMs: 125_000 });
  });

  it('are never more than the schedule has, and then are limited no more', () => {
    const four = loweredJobs(unlimitedJobs(), now, 1000, 5000);
    expect(raisedByTime(four, 8, 1e7).most).toBeNull();
    expect(raisedByTime(four, 4, 5001).most).toBeNull();
    expect(raisedByEnd(unlimitedJobs(), 0, 0).most).toBeNull();
  });
});

describe('starts of an account', () => {
  it('leave the first one alone for a second, and are a third of one apart from then on', () => {
    expect(paceLeftMs(firstPace(), 0)).toBe(0);
    const first = paceAfterStart(firstPace(), 10_000, 0);
    expect(paceLeftMs(first, 10_000)).toBe(1000);
    expect(paceLeftMs(first, 10_900)).toBe(100);
    const second = paceAfterStart(first, 11_000, 0.5);
    expect(paceLeftMs(second, 11_000)).toBe(375);
    expect(paceLeftMs(second, 12_000)).toBe(0);
  });

  it('begin anew after ten minutes without one: its token may have run out', () => {
    const long = paceAfterStart(paceAfterStart(firstPace(), 0, 0), 700_000, 0);
    expect(paceLeftMs(long, 700_000)).toBe(1000);
  });
});
