import { expect, it } from 'vitest';
import { readableLine } from '../../scripts-src/executor/readable-line.ts';

it.each([
  ['plain', 'plain'],
  ['\x1b[1;31mred\x1b[0m and \x1b]8;;http://x\x07link\x1b]8;;\x1b\\', 'red and link'],
  ['two\r\n  lines\tand\x00a\x07bell\x9b', 'two lines and a bell'],
  ['evil\u202egnp.exe', 'evilgnp.exe'],
  ['\x1b', ''],
  ['', ''],
])('%j reads %j', (text, expected) => {
  expect(readableLine(text)).toBe(expected);
});

it('cuts at a length, between characters', () => {
  expect(readableLine('x'.repeat(500))).toBe(`${'x'.repeat(199)}…`);
  expect(readableLine('😀'.repeat(10), 6)).toMatch(/^😀{2}…$/u);
  expect(readableLine(`${' '.repeat(5000)}late`)).toBe('…');
});
