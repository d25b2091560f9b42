import path from 'node:path';
import { readOutcome } from '../unit/read-records.ts';
import { readPatchHeader } from '../workspace/delta/patch-file.ts';
import { attemptsIn } from '../workspace/workspace-of.ts';
import { readSet } from '../workspace/workspace-set.ts';

const MAX_NOTES = 10;

/**
 * What somebody should know of deltas before they go in, one line each: a unit whose last attempt did not succeed, and a
 * base in another repository than `commonDir`.
 */
export function deltaNotes(patches: readonly string[], commonDir?: string): string[] {
  return patches.flatMap((patch) => {
    const header = readPatchHeader(patch);
    if (!header) return [];
    const folder = path.dirname(header.store);
    return [
      ...endNote(folder, header.unit),
      ...(commonDir === undefined ? [] : originNote(folder, header.unit, commonDir)),
    ];
  });
}

/** One line for each unit of a run that was never collected, at most ten. */
export function uncollectedNotes(units: readonly string[]): string[] {
  const more = units.length - MAX_NOTES;
  return [
    ...units.slice(0, MAX_NOTES).map((unit) => `unit ${unit} has not been collected`),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'unit has' : 'units have'} not been collected`] : []),
  ];
}

/** What is said of units that were left out, a line each, ten at most. */
export function leftOutNotes(lines: readonly string[], most = MAX_NOTES): string[] {
  const more = lines.length - most;
  return [
    ...lines.slice(0, most),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'unit is' : 'units are'} left out`] : []),
  ];
}

function endNote(set: string, unit: string): string[] {
  const last = attemptsIn({ set, unit }).at(-1);
  const outcome = last === undefined ? undefined : readOutcome(last);
  if (!outcome || outcome.status === 'succeeded') return [];
  return [`unit ${unit} ended ${outcome.status} (${outcome.reason}): its delta may be half done`];
}

function originNote(folder: string, unit: string, commonDir: string): string[] {
  const source = readSet(folder)?.record.source;
  if (!source || source.commonDir === commonDir) return [];
  return [`the delta of ${unit} was made in another repository, ${source.workTree}`];
}
