import type { Random } from '../../torture/random.ts';

const WORDS =
  'ash bay cape dune elm fern glen heath isle knoll lake marsh oak pine quay reef sand tarn vale wold'.split(
    ' ',
  );

/** Text whose every line is like no other. */
export function textOf(random: Random, lines: number, end = '\n'): Buffer {
  const line = () =>
    `${random.pick(WORDS)} ${random.pick(WORDS)} ${Math.floor(random.next() * 1e9).toString(36)}`;
  return Buffer.from(Array.from({ length: lines }, () => line() + end).join(''));
}

/** Bytes that are no text. */
export function binaryOf(random: Random, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at++) bytes[at] = random.below(256);
  bytes[0] = 0;
  return bytes;
}

/** 200 KB, cheap to make. */
export function bigOf(random: Random): Buffer {
  const piece = binaryOf(random, 2048);
  return Buffer.concat(Array.from({ length: 100 }, (_, at) => Buffer.concat([Buffer.from(`${at}`), piece])));
}

/** Names that trip programs up; each byte is one character. */
export const ODD_NAMES: readonly string[] = [
  'with space',
  ' leading space',
  'trailing space ',
  'double"quote',
  "single'quote",
  'new\nline',
  'tab\tname',
  '-rf',
  '--help',
  utf8('na\u00efve \u65e5\u672c'),
  utf8('e\u0301 decomposed'),
  'not utf8 \xff\xfe',
  'back\\slash',
  'st*r',
  'wh?t',
  '[ab]',
  '{a,b}',
  ':(glob)x',
  '!bang',
  '#hash',
  '$HOME `id`',
  '%41%',
  '~',
  '...',
  'a:b',
  'semi;colon',
  '\x7f\x01',
  '"quoted"',
  'con',
  'x'.repeat(200),
];

/** Text as a name of bytes. */
export function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
