import { EXIT, usageError } from '../platform/errors.ts';
import { createFamily, observerOf } from '../process/family.ts';
import { currentHost } from '../process/host.ts';
import { isAlive, parseIdentity } from '../process/identity.ts';
import { endFamily } from './end-family.ts';
import { recallMembers } from './member-ledger.ts';
import { sleep } from './reap.ts';

/** The word by which a guardian calls an owner's script. */
export const END_OWNED = '--end-owned';

const KILL_MS = 5000;
/** A command that its owner was starting when it died shows its mark only a moment later, ms. */
const NEWBORN_MS = 60;
const OWNER_LOOK_MS = 20;

/**
 * A guardian's work: waits until the owner is dead, and ends everything that its commands have started.
 *
 * @param words marker, soft RSS limit in bytes or `-`, the owner's start order, its identity, the owner's folder
 */
export async function endOwned(words: readonly string[]): Promise<number> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  const [marker, rssMark, since, owner, folder] = words;
  const id = parseIdentity(owner ?? '');
  if (!marker || !rssMark || !folder || !id || !Number.isFinite(Number(since))) {
    throw usageError(`${END_OWNED} is for guardians`, 'see --help for what can be called');
  }
  const host = await currentHost();
  while (isAlive(host, id)) await sleep(OWNER_LOOK_MS);
  const family = createFamily(marker, rssMark === '-' ? null : rssMark, Number(since));
  recallMembers(host, folder, family);
  await endFamily(host, family, -1, observerOf(host), KILL_MS);
  await sleep(NEWBORN_MS);
  const { survivors } = await endFamily(host, family, -1, observerOf(host), KILL_MS);
  // A guardian that fails is run again.
  return survivors.length === 0 ? EXIT.ok : EXIT.attention;
}
