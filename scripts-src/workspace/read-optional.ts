import { readFileSync } from 'node:fs';
import { errnoOf } from '../platform/errors.ts';

/** A file's bytes, none where there is no such file. Any other trouble throws. */
export function readOptional(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return Buffer.alloc(0);
    throw error;
  }
}
