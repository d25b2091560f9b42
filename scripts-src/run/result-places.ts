import { realpathSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { defaultResultFile } from './run-folder.ts';

/** A unit and the result path that it was given; null for the run's own place. */
export interface ResultWish {
  id: string;
  resultFile: string | null;
}

/**
 * Sees that no two units of a run write to one file, by whatever names, and that none writes among prun's own files. Throws
 * a usage error that names both. `folder`: the run's, which may not be there yet. `wanted` are the units that are new.
 */
export function refuseSharedResults(
  { folder, stateHome }: { folder: string; stateHome: string },
  wanted: readonly ResultWish[],
  there: readonly ResultWish[] = [],
): void {
  // The run's own places cannot meet: ids differ, and all else below the state home is refused.
  const owners = new Map<string, string>();
  const custom = ({ resultFile }: ResultWish): boolean => resultFile !== null;
  for (const { id, resultFile } of there.filter(custom)) owners.set(realPlace(resultFile ?? ''), id);
  const home = realPlace(stateHome);
  for (const { id, resultFile } of wanted) {
    if (resultFile === null || resultFile === defaultResultFile({ folder }, id)) continue;
    const place = realPlace(resultFile);
    if (place === home || place.startsWith(home + path.sep)) {
      throw usageError(
        `the result of unit ${id} would lie among prun's own files (${resultFile})`,
        'give it a path of its own, or leave it out for the place in the run',
      );
    }
    const other = owners.get(place);
    if (other !== undefined && other !== id) {
      throw usageError(
        `the result file ${resultFile} is that of unit ${other}`,
        'give each unit a result file of its own',
      );
    }
    owners.set(place, id);
  }
}

/** A path without links in what is there of it: what is not there yet keeps its name. */
function realPlace(file: string): string {
  const absolute = path.resolve(file);
  for (let there = absolute; ; there = path.dirname(there)) {
    try {
      return path.join(realpathSync.native(there), path.relative(there, absolute));
    } catch {
      // This part is not there yet: look further up. The root always is.
      if (there === path.dirname(there)) return absolute;
    }
  }
}
