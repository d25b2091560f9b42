import { existsSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { openSet, UNIT_FILES, unitFolder, unitsOf } from '../workspace/workspace-set.ts';

/** Patches of a run's collected deltas: of the named units in that order, or of all. Throws a usage error for none. */
export function collectedPatches(stateHome: string, run: string, units: readonly string[]): string[] {
  const set = openSet(stateHome, run);
  const patchOf = (unit: string): string => path.join(unitFolder(set, unit), UNIT_FILES.patch);
  const unknown = units.find((unit) => !existsSync(patchOf(unit)));
  if (unknown !== undefined) {
    throw usageError(
      `run ${run} has no collected delta of unit ${JSON.stringify(unknown)}`,
      'collect it first: prun collect <clone>',
    );
  }
  const found = (units.length > 0 ? units : unitsOf(set)).map(patchOf).filter((file) => existsSync(file));
  if (found.length > 0) return found;
  throw usageError(`run ${run} has no collected delta`, 'collect them first: prun collect <clone>…');
}

/** Units of a run that have no collected delta yet: what is left out without a word would be missed late. */
export function uncollectedUnits(stateHome: string, run: string): string[] {
  const set = openSet(stateHome, run);
  return unitsOf(set).filter((unit) => !existsSync(path.join(unitFolder(set, unit), UNIT_FILES.patch)));
}
