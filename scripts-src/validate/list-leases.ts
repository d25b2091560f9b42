import type { ProcessHost } from '../process/types.ts';
import { isHolderAlive, isWaiterAlive } from './lease-alive.ts';
import { leasePlace, resourceHome } from './lease-place.ts';
import { readSlots } from './lease-slots.ts';
import { newestTable } from './lease-store.ts';
import { listText, slotViews } from './lease-text.ts';

/** Who holds and who waits, those who live; as text for people, or as one line of JSON. Changes nothing. */
export function listLeases(
  host: ProcessHost,
  environment: NodeJS.ProcessEnv,
  { home: flag, json }: { home: string | undefined; json: boolean },
): string {
  const home = resourceHome(environment, flag);
  const slots = readSlots(home);
  const table = newestTable(leasePlace(host, home));
  const living = {
    ...table,
    holders: table.holders.filter((lease) => isHolderAlive(host, lease)),
    waiters: table.waiters.filter((lease) => isWaiterAlive(host, lease)),
  };
  const views = slotViews(living, slots.named, slots.of);
  if (json) return `${JSON.stringify({ schema: 1, home, slots: views })}\n`;
  return listText(views, Date.now());
}
