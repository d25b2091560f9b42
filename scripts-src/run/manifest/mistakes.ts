import { nearestWord } from '../../platform/nearest-word.ts';
import type { Mistake } from '../../platform/schema-mistakes.ts';

/** Notes a mistake at a key of a unit, or at a path below the unit. */
export type Wrong = (key: string | (string | number)[], text: string) => void;

/** A mistake with its line and column, both from 1. */
export interface PlacedMistake extends Mistake {
  line: number;
  column: number;
}

/** As many mistakes are told at once. */
export const MAX_MISTAKES = 20;

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
