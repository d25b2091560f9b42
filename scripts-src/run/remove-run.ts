import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { monotonicMs } from '../platform/clock.ts';
import { renameRetrying } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { removeTree } from '../platform/remove-tree.ts';
import { takeClaim } from '../process/claim.ts';
import { formatIdentity, identify } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { openRequests } from './requests.ts';
import { type Run, runFile, runsFolder } from './run-folder.ts';

/** A supervisor that has told the end of its run ends itself within this time, ms. */
const SUPERVISOR_ENDS_MS = 5000;
const LOOK_MS = 50;

/** Name of a run's folder while it is removed: nobody takes it for a run. */
export const REMOVED = '.removed';

/**
 * Removes a run's folder with all that is in it; why it stays, or undefined when it has gone. Nothing may be live. This
 * process becomes the run's supervisor first, so that no other one begins meanwhile, and the folder loses its name
 * before its first file goes. Nothing behind a symlink is removed.
 */
export async function removeRun(host: ProcessHost, run: Run): Promise<string | undefined> {
  if (!isRealFolder(run))
    return 'the way to it leads through a symlink: nothing is removed there, look at it';
  const self = identify(host, process.pid);
  if (!self) return `the process table cannot be read${host.trouble?.() ? ` (${host.trouble?.()})` : ''}`;
  const deadline = monotonicMs() + SUPERVISOR_ENDS_MS;
  for (;;) {
    const holder = takeClaim(host, runFile(run, 'supervisors'), formatIdentity(self));
    if (!holder || holder.identity === formatIdentity(self)) break;
    if (monotonicMs() >= deadline) return `its supervisor is still at work (${holder.identity})`;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  if (openRequests(run).length > 0) return 'another prun command has just asked something of it';
  const name = `.${run.record.id}-${process.pid}-${randomHex(8)}${REMOVED}`;
  const aside = path.join(path.dirname(run.folder), name);
  renameRetrying(run.folder, aside);
  removeTree(aside);
  return undefined;
}

function isRealFolder(run: Run): boolean {
  if (!lstatSync(run.folder).isDirectory()) return false;
  return (
    realpathSync.native(run.folder) ===
    path.join(realpathSync.native(runsFolder(run.stateHome)), run.record.id)
  );
}
