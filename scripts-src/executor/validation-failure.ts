import type { WorkerFailure } from './types.ts';

/** How the last line begins that the worker of a run's validation prints on stderr where it did not pass. */
export const VALIDATION_FAILED = 'prun-validation: ';

/** What a validation says of itself in the end; undefined for every other command. */
export function validationFailure(stderr: string): WorkerFailure | undefined {
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  if (!line.startsWith(VALIDATION_FAILED)) return undefined;
  return { reason: 'validation', message: line.slice(VALIDATION_FAILED.length) };
}
