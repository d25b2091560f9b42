import { PrunError } from '../platform/errors.ts';
import type { ProcessHost } from '../process/types.ts';
import { leasesIn } from '../validate/lease-marks.ts';
import { leasePlace, resourceHome } from '../validate/lease-place.ts';
import { isMachineName, readSlots } from '../validate/lease-slots.ts';
import { newestTable } from '../validate/lease-store.ts';

/** Tells the machine's slots, which all runs share, from the resources that a run counts for itself. */
export type IsMachineWide = (name: string) => boolean;

/** By the resource home of an environment: `heavy`, `implementation`, `simulator-<id>` and what `slots.json` names. */
export function machineWideIn(environment: NodeJS.ProcessEnv): IsMachineWide {
  try {
    const slots = readSlots(resourceHome(environment));
    return (name) => slots.of(name) !== undefined;
  } catch (error) {
    // Whoever leases says that the file is wrong; until then its names are not known.
    if (error instanceof PrunError) return isMachineName;
    throw error;
  }
}

/** What a `resource-run` above this run holds is the run's own already: its units share it, one at a time. */
export function machineWideBelow(host: ProcessHost, environment: NodeJS.ProcessEnv): IsMachineWide {
  const isMachineWide = machineWideIn(environment);
  const ids = leasesIn(environment);
  if (ids.length === 0) return isMachineWide;
  try {
    const { holders } = newestTable(leasePlace(host, resourceHome(environment)));
    const held = new Set(holders.filter(({ id }) => ids.includes(id)).flatMap(({ resources }) => resources));
    return (name) => isMachineWide(name) && !held.has(name);
  } catch {
    // A newer prun keeps the table: whoever leases is told so.
    return isMachineWide;
  }
}
