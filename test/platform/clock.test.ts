import { expect, it } from 'vitest';
import { wallTime } from '../../scripts-src/platform/clock.ts';

it.each([
  [0, '1970-01-01T00:00:00.000Z'],
  [951_782_399_999, '2000-02-28T23:59:59.999Z'],
  [951_782_400_000, '2000-02-29T00:00:00.000Z'],
  [951_868_800_000, '2000-03-01T00:00:00.000Z'],
  [1_796_007_081_552, '2026-11-30T02:51:21.552Z'],
  [4_107_542_400_000, '2100-03-01T00:00:00.000Z'],
])('%d ms is %s', (epochMs, text) => {
  expect(wallTime(epochMs)).toBe(text);
});

it('agrees with Date over two centuries, day by day and at odd milliseconds', () => {
  for (let day = 0; day < 73_000; day++) {
    const epochMs = day * 86_400_000 + ((day * 7_919_111) % 86_400_000);
    expect(wallTime(epochMs)).toBe(new Date(epochMs).toISOString());
  }
});
