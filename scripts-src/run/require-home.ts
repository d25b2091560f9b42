import { usageError } from '../platform/errors.ts';
import type { Run } from './run-folder.ts';

/**
 * Throws a usage error for a run that lies elsewhere than where it was made: its workers and its supervisor belong to the
 * folder that it came from, so it is only read.
 */
export function requireHome(run: Run): void {
  if (run.isHome) return;
  throw usageError(
    `run ${run.record.id} was made in ${run.record.folder}, and ${run.folder} is a copy or was moved`,
    'move it back, or use the original; status, logs and reconcile read it here as well',
  );
}
