import { closeSync, fstatSync } from 'node:fs';
import { openForReading, readRange } from '../platform/files.ts';

/** A longer line is cut: the head decides what an event is, and memory stays flat. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** More unread bytes than this are a flood: skip to its end instead of reading it all. */
const FLOOD_BYTES = 32 * 1024 * 1024;
const AFTER_FLOOD_BYTES = 4 * 1024 * 1024;

/** Follows a growing file line by line. */
export interface LineFollower {
  /** Reads what has come since the last call, at most `budgetBytes`; returns how much. */
  advance(budgetBytes?: number): number;
  /** Delivers a last line that has no newline. */
  finish(): void;
  /** Size of the file at the last call, bytes. */
  size(): number;
  /** Bytes that were read or skipped so far. */
  offset(): number;
  /** Starts again at the beginning of a file that was cut. */
  rewind(): void;
  close(): void;
}

/**
 * Calls `onLine` with each whole line, without its newline. A file that cannot be opened has nothing to say so far: a
 * worker may replace it at this moment, or every descriptor is in use.
 */
export function followLines(file: string, onLine: (line: string) => void): LineFollower {
  let fd = tryToOpen(file);
  let offset = 0;
  let size = 0;
  let pieces: Buffer[] = [];
  let pieceBytes = 0;
  let skipping = false;
  let landedInside = false;

  function take(piece: Buffer): void {
    if (skipping || piece.length === 0) return;
    const room = MAX_LINE_BYTES - pieceBytes;
    pieces.push(Buffer.from(room < piece.length ? piece.subarray(0, room) : piece));
    pieceBytes += Math.min(room, piece.length);
    if (pieceBytes >= MAX_LINE_BYTES) skipping = true;
  }

  function deliver(): void {
    const line = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    pieces = [];
    pieceBytes = 0;
    skipping = false;
    if (landedInside) {
      // The rest of the line that a jump landed in is no line.
      landedInside = false;
      return;
    }
    const text = line?.toString('utf8') ?? '';
    onLine(text.endsWith('\r') ? text.slice(0, -1) : text);
  }

  function feed(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, at));
      deliver();
      from = at + 1;
    }
    take(chunk.subarray(from));
  }

  function skipFlood(file: number): void {
    if (size - offset <= FLOOD_BYTES) return;
    // What a worker says first names its session.
    if (offset === 0) feed(readRange(file, 0, CHUNK_BYTES));
    offset = size - AFTER_FLOOD_BYTES;
    pieces = [];
    pieceBytes = 0;
    skipping = true;
    landedInside = true;
  }

  return {
    advance(budgetBytes = Number.POSITIVE_INFINITY) {
      fd ??= tryToOpen(file);
      if (fd === undefined) return 0;
      size = fstatSync(fd).size;
      skipFlood(fd);
      let done = 0;
      while (offset < size && done < budgetBytes) {
        const chunk = readRange(fd, offset, Math.min(CHUNK_BYTES, size - offset));
        if (chunk.length === 0) break;
        offset += chunk.length;
        done += chunk.length;
        feed(chunk);
      }
      return done;
    },
    finish() {
      if (pieceBytes > 0) deliver();
    },
    size: () => size,
    offset: () => offset,
    rewind() {
      landedInside = false;
      offset = 0;
    },
    close() {
      if (fd !== undefined) closeSync(fd);
    },
  };
}

function tryToOpen(file: string): number | undefined {
  try {
    return openForReading(file);
  } catch {
    // See above.
    return undefined;
  }
}
