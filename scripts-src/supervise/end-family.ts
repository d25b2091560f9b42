import { type Family, lookAtFamilies, type Observer } from '../process/family.ts';
import { identityOf, isAlive } from '../process/identity.ts';
import type { ProcessEntry, ProcessHost } from '../process/types.ts';
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
  if (host.platform === 'linux') return killOnSight(host, family, observer, limitMs);
  const root = family.members.get(rootPid);
  const isRootAlive = root !== undefined && isAlive(host, identityOf(host, root));
  if (!isRootAlive) family.deadLeader = rootPid;
  const swept = isRootAlive ? await sweepBelow(host, family, root, observer) : [];
  const { reaped, survivors } = await killOnSight(host, family, observer, limitMs);
  return { reaped: [...swept, ...reaped], survivors };
}

/** Lets tree-kill end the tree below `root`; returns the members that are gone afterwards. */
async function sweepBelow(host: ProcessHost, family: Family, root: ProcessEntry, observer: Observer) {
  lookAtFamilies(host, [family], observer, () => {});
  const before = [...family.members.values()];
  const { sweepToolWorks, sweepTree } = await import('../process/tree-kill.ts');
  const hasPs = () => sweepToolWorks(host.platform);
  await sweepTree(host, identityOf(host, root), { platform: host.platform, hasPs });
  const gone = before.filter((member) => !isAlive(host, identityOf(host, member)));
  return gone.map(({ pid, command }) => ({ pid, command }));
}
