import { writeSync } from 'node:fs';
import { errnoOf } from './errors.ts';
import { pauseSync } from './pause.ts';

/** Writes to a descriptor that may be a full pipe or a closed one; gives up quietly, because nobody reads there. */
export function writeAllSync(fd: number, text: string): void {
  let rest = Buffer.from(text);
  for (let tries = 0; rest.length > 0 && tries < 200; tries++) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') return;
      pauseSync(5);
    }
  }
}
