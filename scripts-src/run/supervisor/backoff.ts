import type { ScheduleSettings } from '../records.ts';

/** The first pause where nobody said, seconds. */
const FIRST_SECONDS = 10;
/** No pause that prun chooses is longer, ms. */
const LONGEST_MS = 300_000;
/** A server that asks for more than this is waited for no longer, ms. */
const LONGEST_ASKED_MS = 3_600_000;
const RETRIES = 4;

/** How often a unit is tried again after failures that may be over soon. */
export function transientRetriesOf({ transientRetries }: ScheduleSettings): number {
  return transientRetries ?? RETRIES;
}

/**
 * The pause before the next try, ms: it doubles with each one, and half of it is chance, so that units that failed
 * together do not come back together. `tries`: how many there were. `askedSeconds`: what the server wants at least, null
 * where it said nothing. `chance`: from 0 up to 1. Pure.
 */
export function backoffMs(
  { backoffSeconds }: Pick<ScheduleSettings, 'backoffSeconds'>,
  tries: number,
  askedSeconds: number | null,
  chance: number,
): number {
  const whole = Math.min(LONGEST_MS, (backoffSeconds ?? FIRST_SECONDS) * 1000 * 2 ** Math.min(tries, 20));
  const pause = whole / 2 + (whole / 2) * chance;
  const asked = Math.min(LONGEST_ASKED_MS, (askedSeconds ?? 0) * 1000);
  // Those that were asked to wait for the same time would come back together, too.
  return Math.round(asked > pause ? asked + (whole / 4) * chance : pause);
}

/** When a unit may be tried again. `queuedAt`, `notBefore`: ISO 8601. */
interface Pause {
  queuedAt: string;
  notBefore: string;
}

/**
 * How long a unit waits from now, ms, 0 for not at all. By the wall clock, but never longer than the pause was meant to
 * be: a clock that is set back holds nobody. Pure.
 */
export function pauseLeftMs({ queuedAt, notBefore }: Pause, nowEpochMs: number): number {
  const endMs = Date.parse(notBefore);
  const left = endMs - nowEpochMs;
  const meant = endMs - Date.parse(queuedAt);
  // Not a number, where the log was damaged: then nobody waits.
  return left > 0 && meant > 0 ? Math.min(left, meant) : 0;
}
