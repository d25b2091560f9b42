import type * as z from 'zod/mini';
import { nearestWord } from '../../platform/nearest-word.ts';
import { valueAt } from '../../platform/value-at.ts';

/** Where something stands in a manifest: keys and positions from the top. */
export type ManifestPath = readonly (string | number)[];

/** Something that is wrong with a manifest. */
export interface Mistake {
  path: ManifestPath;
  /** One line, what is wrong and what to do. */
  text: string;
}

/** Notes a mistake at a key of a unit, or at a path below the unit. */
export type Wrong = (key: string | (string | number)[], text: string) => void;

/** A mistake with its line and column, both from 1. */
export interface PlacedMistake extends Mistake {
  line: number;
  column: number;
}

/** As many mistakes are told at once. */
export const MAX_MISTAKES = 20;

/** `units[3].after`, empty for the whole. */
export function placeName(path: ManifestPath): string {
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
  at: ManifestPath,
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

/** Words that other tools have for keys of a unit or a run. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  name: 'id',
  phase: 'id',
  brief: 'promptFile',
  file: 'promptFile',
  task: 'prompt',
  runner: 'executor',
  command: 'argv',
  cmd: 'argv',
  dependson: 'after',
  depends: 'after',
  needs: 'after',
  requires: 'after',
  paths: 'owns',
  files: 'owns',
  thinking: 'effort',
  image: 'images',
  schema: 'outputSchema',
  jsonschema: 'outputSchema',
  store: 'pnpmStore',
  maxtokens: 'tokenLimit',
  concurrency: 'jobs',
  parallel: 'jobs',
  repository: 'repo',
  check: 'verify',
  test: 'verify',
  retry: 'retries',
  env: 'passEnv',
};

/** What is wrong with a key that is not among `known`; `elsewhere`: keys of the other level, and where that is. */
export function unknownKey(
  key: string,
  known: readonly string[],
  elsewhere: readonly string[],
  where: string,
): string {
  if (elsewhere.includes(key)) return `is a key ${where}: put it there`;
  const other = OTHER_WORDS[key.toLowerCase().replace(/[-_]/g, '')];
  const meant = other && known.includes(other) ? other : nearestWord(key, known);
  return meant === undefined
    ? 'is no known key: prun schema names them all'
    : `is no known key: is ${meant} meant?`;
}
