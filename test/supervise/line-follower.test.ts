import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { followLines } from '../../scripts-src/supervise/line-follower.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'prun-lines-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let files = 0;

function follow(text = '') {
  const file = path.join(root, `${++files}`);
  writeFileSync(file, text);
  const lines: string[] = [];
  const follower = followLines(file, (line) => lines.push(line));
  return { file, lines, follower, append: (more: string | Uint8Array) => appendFileSync(file, more) };
}

describe('a file that grows', () => {
  it('gives whole lines, and a torn one when it is whole', () => {
    const { lines, follower, append } = follow('one\ntw');
    follower.advance();
    expect(lines).toEqual(['one']);
    append('o');
    follower.advance();
    expect(lines).toEqual(['one']);
    append('\nthree\n');
    follower.advance();
    expect(lines).toEqual(['one', 'two', 'three']);
    follower.close();
  });

  it('gives the last line without a newline at the end only', () => {
    const { lines, follower } = follow('one\ntwo');
    follower.advance();
    follower.finish();
    follower.finish();
    expect(lines).toEqual(['one', 'two']);
  });

  it.each([
    ['CRLF', 'a\r\nb\r\n', ['a', 'b']],
    ['empty lines', '\n\na\n\n', ['', '', 'a', '']],
    ['NUL', 'a\0b\n', ['a\0b']],
    ['nothing', '', []],
  ])('takes %s', (_, text, expected) => {
    const { lines, follower } = follow(text);
    follower.advance();
    follower.finish();
    expect(lines).toEqual(expected);
  });

  it('keeps a character whole that comes in two writes', () => {
    const { lines, follower, append } = follow();
    const bytes = Buffer.from('\u00e4\u6f22\n');
    for (const byte of bytes) {
      append(Buffer.from([byte]));
      follower.advance();
    }
    expect(lines).toEqual(['\u00e4\u6f22']);
  });

  it('says how much it read, and keeps to a budget', () => {
    const { lines, follower } = follow(`${'x'.repeat(99)}\n`.repeat(10_000));
    const some = follower.advance(1000);
    expect(some).toBeGreaterThanOrEqual(1000);
    expect(some).toBeLessThan(1_000_000);
    while (follower.advance(1000) > 0);
    expect(lines).toHaveLength(10_000);
    expect(follower.offset()).toBe(1_000_000);
    expect(follower.size()).toBe(1_000_000);
  });

  it('cuts a line of more than 4 MB and goes on behind it', () => {
    const { lines, follower, append } = follow();
    append(`{"head":1,"${'y'.repeat(6 * 1024 * 1024)}"}\nnext\n`);
    follower.advance();
    expect(lines).toHaveLength(2);
    expect(lines[0]?.length).toBe(4 * 1024 * 1024);
    expect(lines[0]?.startsWith('{"head":1')).toBe(true);
    expect(lines[1]).toBe('next');
  });

  it('keeps memory flat in a line that never ends', () => {
    const { lines, follower, append } = follow();
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 30; round++) {
      append('z'.repeat(4 * 1024 * 1024));
      follower.advance();
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    append('\nafter\n');
    follower.advance();
    expect(lines.at(-1)).toBe('after');
  });

  it('skips a flood to its end, and the line that it lands in', () => {
    const { lines, follower, append } = follow('before\n');
    follower.advance();
    append(`${'w'.repeat(999)}\n`.repeat(60_000));
    append('the end\n');
    expect(follower.advance()).toBeLessThan(5 * 1024 * 1024);
    expect(lines[0]).toBe('before');
    expect(lines.at(-1)).toBe('the end');
    expect(lines.length).toBeLessThan(5000);
    expect(lines.slice(1, -1).every((line) => line.length === 999)).toBe(true);
  });

  it('knows how a flood began: a worker names its session first', () => {
    const { lines, follower, append } = follow('session\nturn\n');
    append(`${'w'.repeat(40_000_000)}\n`);
    append('the end\n');
    follower.advance();
    expect(lines).toEqual(['session', 'turn', 'the end']);
  });

  it('begins again in a file that was cut', () => {
    const { file, lines, follower, append } = follow('one\n');
    follower.advance();
    truncateSync(file, 0);
    follower.rewind();
    append('two\n');
    follower.advance();
    expect(lines).toEqual(['one', 'two']);
  });
});
