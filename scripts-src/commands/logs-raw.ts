import { closeSync } from 'node:fs';
import { openForReading, readRange, sizeOf } from '../platform/files.ts';

const CHUNK_BYTES = 1024 * 1024;
/** The end of the output in which the last lines are looked for, bytes. */
const RAW_LOOK_BYTES = 16 * 1024 * 1024;

/** The last lines of a file, or all of it, byte for byte. Waits for whoever reads. */
export async function printRaw(file: string, lines: number): Promise<void> {
  const fd = openForReading(file);
  try {
    const size = sizeOf(file);
    let at = 0;
    if (Number.isFinite(lines)) {
      const from = Math.max(0, size - RAW_LOOK_BYTES);
      at = from + startOfLast(readRange(fd, from, size - from), lines);
    }
    while (at < size) {
      const chunk = readRange(fd, at, Math.min(CHUNK_BYTES, size - at));
      if (chunk.length === 0) return;
      at += chunk.length;
      if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
  } finally {
    closeSync(fd);
  }
}

/** Where the last `lines` lines begin. A last line may have no newline. */
function startOfLast(bytes: Buffer, lines: number): number {
  if (lines === 0) return bytes.length;
  let at = bytes.at(-1) === 10 ? bytes.length - 1 : bytes.length;
  for (let left = lines; left > 0 && at > 0; left--) {
    at = bytes.lastIndexOf(10, at - 1);
    if (at < 0) return 0;
  }
  return at === 0 && bytes[0] !== 10 ? 0 : at + 1;
}
