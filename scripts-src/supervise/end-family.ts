import type { Family, Observer } from '../process/family.ts';
import { identityOf, isAlive } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { killOnSight, type Sweep } from './reap.ts';

/**
 * Ends a unit's processes for good. Where the system shows no marks (Windows, and on macOS those that hide their
 * environment), the tree below `rootPid` goes first, while its parents still tell who belongs to it; then
 * everybody who is known is killed at sight.
 */
export async function endFamily(
  host: ProcessHost,
  family: Family,
  rootPid: number,
  observer: Observer,
  limitMs: number,
): Promise<Sweep> {
  if (host.platform !== 'linux') await sweepBelow(host, family, rootPid);
  return killOnSight(host, family, observer, limitMs);
}

async function sweepBelow(host: ProcessHost, family: Family, rootPid: number): Promise<void> {
  const root = family.members.get(rootPid);
  if (!root || !isAlive(host, identityOf(host, root))) return;
  const { sweepToolWorks, sweepTree } = await import('../process/tree-kill.ts');
  const hasPs = () => sweepToolWorks(host.platform);
  await sweepTree(host, identityOf(host, root), { platform: host.platform, hasPs });
}
