import type * as z from 'zod/mini';
import { valueAt } from './value-at.ts';

/** Where something stands in a file: keys and positions from the top. */
export type ValuePath = readonly (string | number)[];

/** Something that is wrong with a file. */
export interface Mistake {
  path: ValuePath;
  /** One line, what is wrong and what to do. */
  text: string;
}

/** `units[3].after`, empty for the whole. */
export function placeName(path: ValuePath): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${keyName(part)}`));
  return parts.join('').replace(/^\./, '');
}

function keyName(key: string): string {
  return /^[\w-]{1,80}$/.test(key) ? key : quoted(key);
}

/** A value as a message can show it, short and on one line. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…${text.at(-1) ?? ''}` : text;
}

/** Mistakes that a schema found in `value`, which stands at `at`. `keys`: the keys that are known there. */
export function mistakesFrom(
  error: z.core.$ZodError,
  value: unknown,
  at: ValuePath,
  unknownKey: (key: string) => string,
): Mistake[] {
  return error.issues.flatMap((issue): Mistake[] => {
    const within = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
    const path = [...at, ...within];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key], text: unknownKey(key) }));
    }
    const found = valueAt(value, within);
    if (found === undefined) return [{ path, text: 'is missing' }];
    return [{ path, text: found === null ? 'is empty' : `${quoted(found)} ${issue.message}` }];
  });
}
