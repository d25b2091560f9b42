import { describe, expect, it } from 'vitest';
import {
  cellsOf,
  fitCells,
  fitMiddle,
  padCells,
  padMiddle,
  wrapCells,
} from '../../scripts-src/render/cells.ts';

describe('cells of a terminal', () => {
  it.each([
    ['plain', 5],
    ['', 0],
    ['größe', 5],
    ['e\u0301', 1],
    ['日本語', 6],
    ['한국', 4],
    ['ｆｕｌｌ', 8],
    ['🚀', 2],
    ['👩‍👩‍👧', 2],
    ['✔️', 2],
    ['✓', 1],
    ['a\u200bb', 2],
  ])('%j takes %i', (text, cells) => {
    expect(cellsOf(text)).toBe(cells);
  });

  it.each([
    ['short', 10, 'short'],
    ['exactly', 7, 'exactly'],
    ['too long a text', 8, 'too lon…'],
    ['two words', 5, 'two…'],
    ['日本語', 6, '日本語'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['日本語', 2, '…'],
    ['any', 1, '…'],
    ['any', 0, ''],
  ])('%j fits into %i as %j', (text, width, fitted) => {
    expect(fitCells(text, width)).toBe(fitted);
    expect(cellsOf(fitted)).toBeLessThanOrEqual(width);
    expect(cellsOf(padCells(text, width))).toBe(width);
  });

  it.each([
    ['short', 10, 'short'],
    ['exactly', 7, 'exactly'],
    ['items-list-old', 9, 'item…-old'],
    ['items-list-old', 8, 'item…old'],
    ['abcdef', 3, 'ab…'],
    ['日本語文字', 8, '日本…字'],
    ['any', 0, ''],
  ])('%j fits into %i as %j, cut in its middle', (text, width, fitted) => {
    expect(fitMiddle(text, width)).toBe(fitted);
    expect(cellsOf(fitted)).toBeLessThanOrEqual(width);
    expect(cellsOf(padMiddle(text, width))).toBe(width);
  });

  it.each([
    ['one two three', 7, '', ['one two', 'three']],
    ['one two three', 7, '  ', ['one two', '  three']],
    ['one', 80, '  ', ['one']],
    ['', 5, '', ['']],
    ['/a/very/long/path end', 8, '', ['/a/very/', 'long/pat', 'h end']],
    ['日本語', 4, '', ['日本', '語']],
    ['日本', 1, '', ['日', '本']],
    ['all on one line', Number.POSITIVE_INFINITY, '', ['all on one line']],
  ])('%j wraps at %f with indent %j', (text, width, indent, lines) => {
    expect(wrapCells(text, width, indent)).toEqual(lines);
  });
});
