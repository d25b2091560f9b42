import { existsSync, lstatSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { monotonicMs } from '../platform/clock.ts';
import { entriesOf, readValue, renameRetrying } from '../platform/files.ts';
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
  if (isGone(run)) return undefined;
  if (!isRealFolder(run)) {
    return 'the way to it leads through a symlink: nothing is removed there, look at it';
  }
  const self = identify(host, process.pid);
  if (!self) return `the process table cannot be read${host.trouble?.() ? ` (${host.trouble?.()})` : ''}`;
  const identity = formatIdentity(self);
  const deadline = monotonicMs() + SUPERVISOR_ENDS_MS;
  for (;;) {
    const holder = takeClaim(host, runFile(run, 'supervisors'), identity);
    if (!holder || holder.identity === identity) break;
    if (monotonicMs() >= deadline) return `its supervisor is still at work (${holder.identity})`;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (isGone(run)) return undefined;
  }
  // Another cleanup was quicker, and the claim has made a folder anew.
  if (isGone(run)) return withdraw(run, identity);
  if (openRequests(run).length > 0) return 'another prun command has just asked something of it';
  const name = `.${run.record.id}-${process.pid}-${randomHex(8)}${REMOVED}`;
  const aside = path.join(path.dirname(run.folder), name);
  renameRetrying(run.folder, aside);
  removeTree(aside);
  return undefined;
}

function isGone(run: Run): boolean {
  return !existsSync(runFile(run, 'record'));
}

/** Takes away what the claim has made, and nothing of a run of that name that was made in this moment. */
function withdraw(run: Run, identity: string): undefined {
  const claims = runFile(run, 'supervisors');
  for (const { name } of entriesOf(claims)) {
    const claim = path.join(claims, name);
    if (readValue(claim) === identity) rmSync(claim, { force: true });
  }
  try {
    rmdirSync(claims);
    rmdirSync(run.folder);
  } catch {
    // Gone, or somebody else's is in it.
  }
}

function isRealFolder(run: Run): boolean {
  if (!lstatSync(run.folder).isDirectory()) return false;
  const home = realpathSync.native(runsFolder(run.stateHome));
  return realpathSync.native(run.folder) === path.join(home, run.record.id);
}
