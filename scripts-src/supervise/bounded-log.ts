import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { PRIVATE_FILE } from '../platform/files.ts';

/** The beginning of the output is written as it comes, up to this, bytes. */
const HEAD_BYTES = 4 * 1024 * 1024;
/** Of the rest the end is kept, bytes: that is where a failed test says why. */
const END_BYTES = 1024 * 1024;

/** A file that takes output of any length and keeps its beginning and its end. */
export interface BoundedLog {
  write(chunk: Buffer): void;
  close(): void;
}

/**
 * Makes the file new and private. Throws the system's error where it cannot; a disk that is full later costs the rest
 * of the output, and nothing else.
 */
export function boundedLog(file: string, headBytes = HEAD_BYTES, endBytes = END_BYTES): BoundedLog {
  // Never through a link that a worker laid there.
  rmSync(file, { force: true });
  const fd = openSync(file, 'wx', PRIVATE_FILE);
  let written = 0;
  let end: Buffer[] = [];
  let endSize = 0;
  let leftOut = 0;

  function keep(chunk: Buffer): void {
    end.push(chunk);
    endSize += chunk.length;
    if (endSize <= endBytes * 2) return;
    const whole = Buffer.concat(end);
    leftOut += whole.length - endBytes;
    end = [Buffer.from(whole.subarray(-endBytes))];
    endSize = endBytes;
  }

  return {
    write(chunk) {
      const head = chunk.subarray(0, Math.max(0, headBytes - written));
      if (head.length > 0) {
        written += head.length;
        put(fd, head);
      }
      if (head.length < chunk.length) keep(chunk.subarray(head.length));
    },
    close() {
      const whole = Buffer.concat(end);
      const kept = whole.subarray(-endBytes);
      leftOut += whole.length - kept.length;
      if (leftOut > 0) put(fd, Buffer.from(`\n… ${leftOut} bytes are left out here …\n`));
      put(fd, kept);
      closeSync(fd);
    },
  };
}

function put(fd: number, bytes: Buffer): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  } catch {
    // A full disk: see above.
  }
}
