import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { usageError } from '../platform/errors.ts';
import { openForReading, PRIVATE_FILE, readRange } from '../platform/files.ts';

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** A whole line of a file of JSON lines. */
export interface JsonLine {
  /** Where it begins, bytes. */
  offset: number;
  /** Its length without the newline, bytes. */
  length: number;
  /** undefined for a line that is no JSON: torn by a crash, or damaged. */
  json: unknown;
}

/**
 * Appends lines, each one whole by one write(2) with O_APPEND (FACTS-processes.md, Files), after a line that a crash
 * has torn on a line of their own. Throws the system's error, as on a full disk.
 */
export function appendLines(file: string, values: readonly unknown[]): void {
  if (values.length === 0) return;
  const fd = openSync(file, 'a+', PRIVATE_FILE);
  try {
    const { size } = fstatSync(fd);
    const isTorn = size > 0 && readRange(fd, size - 1, 1)[0] !== NEWLINE;
    const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
    const bytes = Buffer.from(isTorn ? `\n${text}` : text);
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
  } finally {
    closeSync(fd);
  }
}

/**
 * Ends a last line that a crash has torn, so that it counts from now on as what it is: without this, one that lacks its
 * newline only would come to life with the next that is appended. Throws the system's error, as on a full disk.
 */
export function endTornLine(file: string): void {
  const fd = openSync(file, 'a+', PRIVATE_FILE);
  try {
    const { size } = fstatSync(fd);
    if (size > 0 && readRange(fd, size - 1, 1)[0] !== NEWLINE) writeSync(fd, '\n');
  } finally {
    closeSync(fd);
  }
}

/**
 * Reads the whole lines from `offset` (bytes) on; a last line without its newline is left for later. Gives each line
 * to `take` and returns the offset behind the last whole one. A file that is not there has no lines. Throws a usage error
 * for what is no file.
 */
export function readLines(file: string, offset: number, take: (line: JsonLine) => void): number {
  let fd: number;
  try {
    fd = openForReading(file);
  } catch {
    // Not there yet, or gone: nothing to read.
    return offset;
  }
  try {
    refuseNoFile(fd, file);
    let at = offset;
    let rest = Buffer.alloc(0);
    for (;;) {
      const chunk = readRange(fd, at + rest.length, CHUNK_BYTES);
      if (chunk.length === 0) return at;
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let from = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
        if (end > from) {
          take({ offset: at + from, length: end - from, json: parsed(bytes.toString('utf8', from, end)) });
        }
        from = end + 1;
      }
      at += from;
      rest = Buffer.from(bytes.subarray(from));
    }
  } finally {
    closeSync(fd);
  }
}

/** A pipe or a folder that stands there is nobody's log, and cannot be read from a place on. */
function refuseNoFile(fd: number, file: string): void {
  if (fstatSync(fd).isFile()) return;
  throw usageError(
    `${file} is no regular file`,
    'somebody replaced it: put the file back, or remove the run',
  );
}

/** One line again, by its place. undefined where the file has gone or holds something else by now. */
export function readLineAt(file: string, offset: number, length: number): unknown {
  const fd = openForReading(file);
  try {
    return parsed(readRange(fd, offset, length).toString('utf8'));
  } finally {
    closeSync(fd);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Torn: whoever reads passes over it.
    return undefined;
  }
}
