import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue } from '../platform/read-flags.ts';
import { wholeSeconds } from '../platform/whole-seconds.ts';
import { byteCount } from '../run/manifest/byte-count.ts';
import type { ScheduleSettings } from '../run/records.ts';

/** Flags that say how a run starts its units; all take a value. */
export const SCHEDULE_FLAGS = [
  '--jobs',
  '--delay',
  '--memfree',
  '--load',
  '--backoff',
  '--transient-retries',
  '--token-limit',
] as const;

/** What --help says of them. */
export const SCHEDULE_HELP = `  --jobs N           units that run at once (default: by cores, memory and load)
  --delay S          seconds between two starts
  --memfree BYTES    memory that must be available for another start, such as 1G
  --load X           load average above which nothing is started
  --backoff S        seconds before what failed for a moment is tried again; they double (default 10)
  --transient-retries N
                     how often a unit is tried again after such a failure (default 4)
  --token-limit N    tokens of all units together after which nothing new starts (default 0: no limit)
`;

/** The settings that the command line gives. Throws a usage error that names the flag. */
export function scheduleFrom(flags: FlagValues): Partial<ScheduleSettings> {
  const [jobs, delay, memfree, load, backoff, retries, tokens] = SCHEDULE_FLAGS.map((name) =>
    lastValue(flags, name),
  );
  return {
    ...(jobs === undefined ? {} : { jobs: countFrom(jobs, '--jobs', 1) }),
    ...(delay === undefined ? {} : { delaySeconds: wholeSeconds(delay, '--delay') }),
    ...(memfree === undefined ? {} : { memfreeBytes: bytesFrom(memfree, '--memfree') }),
    ...(load === undefined ? {} : { load: loadFrom(load) }),
    ...(backoff === undefined ? {} : { backoffSeconds: wholeSeconds(backoff, '--backoff') }),
    ...(retries === undefined ? {} : { transientRetries: countFrom(retries, '--transient-retries', 0) }),
    ...(tokens === undefined ? {} : { tokenLimit: countFrom(tokens, '--token-limit', 0) }),
  };
}

/** A whole number from `least` up. Throws a usage error that names the flag. */
export function countFrom(value: string, flag: string, least: number): number {
  const count = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (count >= least) return count;
  throw usageError(
    `${flag} is ${JSON.stringify(value)}, not a whole number from ${least} up`,
    `give ${flag} a number such as 4`,
  );
}

/** Bytes of a value such as `64M`. Throws a usage error that names the flag. */
export function bytesFrom(value: string, flag: string): number {
  const bytes = byteCount(value);
  if (bytes !== undefined) return bytes;
  throw usageError(
    `${flag} is ${JSON.stringify(value)}, not a number of bytes`,
    'give a whole number such as 1000000, 500M or 1G',
  );
}

function loadFrom(value: string): number {
  const load = /^\d{1,9}(?:\.\d+)?$/.test(value) ? Number(value) : 0;
  if (load > 0) return load;
  throw usageError(
    `--load is ${JSON.stringify(value)}, not a number above 0`,
    'give a number such as 8 or 3.5',
  );
}
