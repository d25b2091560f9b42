import { writeSync } from 'node:fs';
import { errnoOf } from '../platform/errors.ts';

/**
 * Writes a text to stdout to its last byte, however slowly it is read there; gives the system's error where that cannot
 * be done (`EPIPE`: nobody reads; `ENOSPC`: a file on a full disk). Only what was written whole counts as told.
 */
export async function tellWhole(text: string): Promise<string | undefined> {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      const code = errnoOf(error);
      if (code !== 'EAGAIN') return code ?? 'EIO';
      // The pipe is full: whoever reads takes its time.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  return undefined;
}
