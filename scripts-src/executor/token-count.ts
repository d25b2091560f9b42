import type { Fields } from './codex-items.ts';

/**
 * A count of tokens in an event; undefined for what is none. A number that JSON cannot hold (1e999), or a negative one, would
 * make a record that nobody can read, or a sum that says nothing.
 */
export function tokenCount(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
