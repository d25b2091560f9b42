import { readValue } from '../../platform/files.ts';
import { type Finding, fine, note } from './finding.ts';
import type { OwnUse } from './own-use.ts';

/** Processes that watch, of a few runs and those who wait for them. */
const LEAST_INSTANCES = 16;
const LEAST_WATCHES = 1024;
const ENOUGH = { instances: 512, watches: 65_536 } as const;

/**
 * How many processes may still watch files (inotify(7)). prun looks now and then where it may not watch: slower, but
 * nothing is missed.
 */
export function inotifyFinding(
  platform: NodeJS.Platform,
  use: Pick<OwnUse, 'watchers'> | undefined,
  read: (name: string) => string | undefined = (name) => readValue(`/proc/sys/fs/inotify/${name}`),
): Finding {
  const id = 'inotify';
  if (platform !== 'linux') return fine(id, 'of Linux alone: this system watches files without such limits');
  const instances = Number(read('max_user_instances') ?? Number.NaN);
  const watches = Number(read('max_user_watches') ?? Number.NaN);
  if (!Number.isInteger(instances) || !Number.isInteger(watches))
    return fine(id, 'this system does not tell its limits');
  const used = use?.watchers ?? 0;
  const fact = `${used} of ${instances} watching processes, ${watches} watches`;
  if (instances - used < LEAST_INSTANCES) {
    return note(
      id,
      `${fact}: hardly one more, and prun gets slower to wake`,
      `sudo sysctl fs.inotify.max_user_instances=${Math.max(ENOUGH.instances, 2 * instances)}`,
    );
  }
  if (watches < LEAST_WATCHES) {
    return note(id, `${fact}: few`, `sudo sysctl fs.inotify.max_user_watches=${ENOUGH.watches}`);
  }
  return fine(id, fact);
}
