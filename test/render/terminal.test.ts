import { expect, it } from 'vitest';
import { ansiPaint, noPaint } from '../../scripts-src/render/paint.ts';
import { terminalColumns, terminalPaint } from '../../scripts-src/render/terminal.ts';

it.each<[number | undefined, string | undefined, number]>([
  [100, undefined, 100],
  [100, '60', 60],
  [60, '100', 60],
  [undefined, '60', 60],
  [0, '60', 60],
  [undefined, undefined, 80],
  [undefined, '', 80],
  [100, '0', 100],
  [100, '-5', 100],
  [100, '60.5', 100],
  [undefined, 'many', 80],
])('a terminal of %j columns with COLUMNS=%j has %j', (own, COLUMNS, columns) => {
  expect(terminalColumns(own, COLUMNS === undefined ? {} : { COLUMNS })).toBe(columns);
});

it('has colour unless somebody or something is against it', () => {
  expect(terminalPaint({})).toBe(ansiPaint);
  expect(terminalPaint({ NO_COLOR: '' })).toBe(ansiPaint);
  expect(terminalPaint({ NO_COLOR: '0' })).toBe(noPaint);
  expect(terminalPaint({ TERM: 'dumb' })).toBe(noPaint);
});
