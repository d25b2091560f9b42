/** A rate limit is forgotten by one job for so much time without another, ms. */
const RAISE_MS = 60_000;

/** How many units of an account may run at once by its rate limits; times are monotonic ms. */
export interface AdaptiveJobs {
  /** null: as many as the schedule has. */
  most: number | null;
  /** When it was last lowered or raised. */
  changedMs: number;
  /** When it was last lowered. */
  loweredMs: number;
}

/** No rate limit was met yet. */
export function unlimitedJobs(): AdaptiveJobs {
  return { most: null, changedMs: Number.NEGATIVE_INFINITY, loweredMs: Number.NEGATIVE_INFINITY };
}

/** How many units of an account run at once, and the schedule's jobs. */
export interface JobsNow {
  running: number;
  scheduled: number;
}

/**
 * A unit ended by a rate limit: half as many from now on, at least one. Units that were started before the last time met
 * the same limit as the one that lowered it, and change nothing. `running`: with the one that ended. Pure.
 */
export function loweredJobs(
  jobs: AdaptiveJobs,
  { running, scheduled }: JobsNow,
  startedMs: number,
  nowMs: number,
): AdaptiveJobs {
  if (startedMs < jobs.loweredMs) return jobs;
  // A limit that nobody comes near says nothing: what ran was too much.
  const before = Math.min(jobs.most ?? scheduled, scheduled, Math.max(1, running));
  return { most: Math.max(1, Math.floor(before / 2)), changedMs: nowMs, loweredMs: nowMs };
}

/** A unit ended well: one more, once for each that was started after the limit was met. Pure. */
export function raisedByEnd(jobs: AdaptiveJobs, startedMs: number, nowMs: number): AdaptiveJobs {
  if (jobs.most === null || startedMs < jobs.loweredMs) return jobs;
  return { ...jobs, most: jobs.most + 1, changedMs: nowMs };
}

/** Time has passed: one more for each minute in which nothing changed; no limit when the schedule's jobs are reached. Pure. */
export function raisedByTime(jobs: AdaptiveJobs, scheduled: number, nowMs: number): AdaptiveJobs {
  if (jobs.most === null) return jobs;
  const more = Math.floor((nowMs - jobs.changedMs) / RAISE_MS);
  const most = jobs.most + more;
  if (most >= scheduled) return { ...jobs, most: null };
  return more > 0 ? { ...jobs, most, changedMs: jobs.changedMs + more * RAISE_MS } : jobs;
}
