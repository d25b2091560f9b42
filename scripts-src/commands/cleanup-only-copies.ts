import { readFileSync } from 'node:fs';
import { PrunError } from '../platform/errors.ts';
import { keptPatches } from '../run/kept-patches.ts';
import type { Run } from '../run/run-folder.ts';
import type { RunView } from '../run/run-view.ts';
import type { IsApplied } from '../workspace/apply/applied-deltas.ts';
import { readPatchHeader } from '../workspace/delta/patch-file.ts';

/**
 * Names of the kept patches of a run that are the last copy of something: units whose delta no apply has taken, and what was
 * archived of the integration worktree. Earlier attempts of a unit have given way to its newest one.
 */
export function onlyCopies(run: Run, { units }: Pick<RunView, 'units'>, isApplied: IsApplied): string[] {
  const names = keptPatches(run).flatMap(({ file, name }) => {
    const isEarlier = /\.\d+$/.test(name) && !units.has(name);
    return isEarlier || isElsewhere(file, isApplied) ? [] : [name];
  });
  return [...new Set(names)];
}

function isElsewhere(file: string, isApplied: IsApplied): boolean {
  try {
    const header = readPatchHeader(file);
    if (!header) return false;
    // A patch of the same trees changes nothing but, at most, submodules' commits.
    if (header.base === header.result) return !readFileSync(file, 'utf8').includes('\ndiff --git ');
    return isApplied(header);
  } catch (error) {
    if (!(error instanceof PrunError)) throw error;
    // Damaged: nobody knows what it holds.
    return false;
  }
}
