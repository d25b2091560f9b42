import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { boundedLog } from '../../scripts-src/supervise/bounded-log.ts';
import { scratch } from '../helpers/unit-run.ts';

/** What a log with room for 10 bytes at its beginning and 4 at its end keeps of these pieces. */
function kept(pieces: string[]): string {
  const file = path.join(scratch(), 'log');
  const log = boundedLog(file, 10, 4);
  for (const piece of pieces) log.write(Buffer.from(piece));
  log.close();
  return readFileSync(file, 'utf8');
}

describe('a bounded log', () => {
  it.each<[string, string[], string]>([
    ['nothing', [], ''],
    ['what fits', ['abc', 'def'], 'abcdef'],
    ['as much as fits', ['0123456789'], '0123456789'],
    ['a piece across the bound', ['01234567', '89ab'], '0123456789ab'],
    ['beginning and end together', ['0123456789abcd'], '0123456789abcd'],
    ['one byte too many', ['0123456789abcde'], '0123456789\n… 1 bytes are left out here …\nbcde'],
    ['many pieces', [...'0123456789abcdefghijklmnop'], '0123456789\n… 12 bytes are left out here …\nmnop'],
    ['one huge piece', ['x'.repeat(1000)], 'xxxxxxxxxx\n… 986 bytes are left out here …\nxxxx'],
  ])('keeps %s', (_title, pieces, text) => expect(kept(pieces)).toBe(text));

  it('is private, made new, and never written through a link', () => {
    const folder = scratch();
    const [file, other] = [path.join(folder, 'log'), path.join(folder, 'other')];
    writeFileSync(other, 'mine');
    symlinkSync(other, file);
    const log = boundedLog(file);
    log.write(Buffer.from('new'));
    log.close();
    expect(readFileSync(other, 'utf8')).toBe('mine');
    expect(readFileSync(file, 'utf8')).toBe('new');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
