import { shortHash } from '../../platform/random.ts';
import { holdLock } from '../../process/hold-lock.ts';
import type { ProcessHost } from '../../process/types.ts';

/**
 * Waits until this process alone may fetch into a repository and add to it, among all that have this state home, as
 * `holdLock` says. `onWait` is told who is waited for.
 */
export function holdRepository(
  host: ProcessHost,
  stateHome: string,
  commonDir: string,
  onWait: (holder: string) => void,
): Promise<void> {
  return holdLock(host, stateHome, `repository-${shortHash(commonDir)}`, onWait);
}
