/**
 * Milliseconds of the machine's monotonic clock. Comparable between processes of one boot (Linux and
 * macOS: time since boot without suspends; Windows: the performance counter), untouched by clock steps.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** Wall time for people and records, ISO 8601 in UTC. Never used for a verdict. */
export function wallTime(epochMs: number = Date.now()): string {
  return new Date(epochMs).toISOString();
}
