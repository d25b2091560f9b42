import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync } from 'node:fs';
import { errnoOf, messageOf } from '../../platform/errors.ts';
import { openForReading, readRange } from '../../platform/files.ts';

/** What a file of text holds, or why it is none: `<file> <why>: <next>`. */
export type TextFile = { kind: 'text'; text: string } | { kind: 'bad'; why: string; next: string };

/** Reads a file of UTF-8 text as it is, a byte order mark included. Empty, too long and binary files are bad. */
export function readTextFile(file: string, maxBytes: number): TextFile {
  let fd: number;
  try {
    fd = openForReading(file);
  } catch (error) {
    return bad(`cannot be read (${errnoOf(error) ?? messageOf(error)})`, 'give the path of a readable file');
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return bad('is no regular file', 'give the path of a file');
    if (stat.size > maxBytes) {
      return bad(
        `has more than ${maxBytes} bytes`,
        'put the bulk into another file and name its path in the text',
      );
    }
    return textOf(readRange(fd, 0, stat.size));
  } finally {
    closeSync(fd);
  }
}

function textOf(bytes: Buffer): TextFile {
  if (!isUtf8(bytes)) return bad('is not UTF-8', 'save it as UTF-8');
  const text = bytes.toString('utf8');
  return text.trim() === '' ? bad('is empty', 'write the text into it') : { kind: 'text', text };
}

function bad(why: string, next: string): TextFile {
  return { kind: 'bad', why, next };
}
