import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { PrunError, usageError } from '../../platform/errors.ts';
import { PRIVATE_DIR } from '../../platform/files.ts';
import { takeClaim } from '../../process/claim.ts';
import { formatIdentity, identify } from '../../process/identity.ts';
import type { ProcessHost } from '../../process/types.ts';
import type { WorkspaceSet } from '../workspace-set.ts';

/**
 * Sees that no other process puts a fresh workspace in the place of this unit's until this one has ended: the second one
 * would take the fresh files of the first for the earlier ones. Throws a usage error while somebody does so.
 */
export function claimRenewal(host: ProcessHost, set: WorkspaceSet, unit: string): void {
  const own = identify(host, process.pid);
  if (!own) throw new PrunError('E_IDENTITY', 'this process is not in the process table', 'try again', 1);
  const folder = path.join(set.folder, 'renewals', unit);
  mkdirSync(path.dirname(folder), { recursive: true, mode: PRIVATE_DIR });
  const holder = takeClaim(host, folder, formatIdentity(own));
  if (!holder || holder.identity === formatIdentity(own)) return;
  throw usageError(
    `unit ${unit} of run ${set.record.id} is given a fresh workspace by another call now (process ${holder.identity.split(':')[1]})`,
    'wait for it',
  );
}
