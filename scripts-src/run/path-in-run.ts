import path from 'node:path';
import type { Run } from './run-folder.ts';

/**
 * Where a path that a run has recorded lies now: below the run's folder also when that was moved or copied since. Paths
 * outside of it are as they are.
 */
export function pathInRun(run: Pick<Run, 'folder' | 'record'>, recorded: string): string {
  const below = path.relative(run.record.folder, recorded);
  const isInside = below !== '' && below.split(path.sep)[0] !== '..' && !path.isAbsolute(below);
  return isInside ? path.join(run.folder, below) : recorded;
}
