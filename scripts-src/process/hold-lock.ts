import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PrunError } from '../platform/errors.ts';
import { PRIVATE_DIR } from '../platform/files.ts';
import { takeClaim } from './claim.ts';
import { formatIdentity, identify } from './identity.ts';
import type { ProcessHost } from './types.ts';

const LOOK_EVERY_MS = 50;

/**
 * Waits until this process alone holds a lock of that name, among all that have this state home, and holds it until the
 * process ends; a holder that was killed holds nothing, and one that stands still is never passed by. `onWait` is told
 * who is waited for.
 */
export async function holdLock(
  host: ProcessHost,
  stateHome: string,
  name: string,
  onWait: (holder: string) => void,
): Promise<void> {
  const own = identify(host, process.pid);
  if (!own) throw new PrunError('E_IDENTITY', 'this process is not in the process table', 'try again', 1);
  const folder = path.join(stateHome, 'locks', name);
  mkdirSync(path.dirname(folder), { recursive: true, mode: PRIVATE_DIR });
  for (;;) {
    const holder = takeClaim(host, folder, formatIdentity(own));
    if (!holder) return;
    onWait(holder.identity);
    await pause(LOOK_EVERY_MS);
  }
}
