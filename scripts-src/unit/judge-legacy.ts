import { open, stalled, type Verdict } from './judge-unit.ts';

/** What was seen of a unit without a readable `unit.json`: a shell dispatcher's, or one that is just starting. */
export interface LegacyFacts {
  /** `unknown`: there is no readable dispatch-pid, so nothing can be said. */
  dispatcher: 'alive' | 'dead' | 'unknown';
  /** `stale`: the file that `pre-mtime` speaks of. Missing, empty and white space are `none`. */
  result: 'none' | 'stale' | 'fresh';
  isFallback: boolean;
  resultQuietMs: number;
  /** Time since the last sign of life. */
  quietMs: number;
  /** The worker has written something. */
  hasOutput: boolean;
  /** A `unit.json` is there but cannot be read yet: supervised, so only its outcome will make it done. */
  torn: boolean;
}

/** Limits of a watcher in seconds. A stall threshold of 0 is off. */
export interface WatchLimits {
  stallThresholdSeconds: number;
  stableWindowSeconds: number;
}

/**
 * Verdict as the shell version's monitor gave it: a fresh, quiet result with text is done unless its first line is
 * the FALLBACK header; else the liveness of the dispatcher and the age of the tail decide.
 */
export function judgeLegacy(facts: LegacyFacts, limits: WatchLimits, nowMs: number): Verdict {
  if (facts.result === 'fresh' && !facts.torn) {
    const leftMs = limits.stableWindowSeconds * 1000 - facts.resultQuietMs;
    if (leftMs > 0) return { status: 'finishing', event: 'none', dueMs: nowMs + leftMs };
    const dueMs = Number.POSITIVE_INFINITY;
    return facts.isFallback
      ? { status: 'failed(fallback)', event: 'fail', dueMs }
      : { status: 'done', event: 'done', dueMs };
  }
  if (facts.dispatcher === 'dead') {
    return { status: 'failed(dispatch-dead)', event: 'fail', dueMs: Number.POSITIVE_INFINITY };
  }
  const started = facts.hasOutput && !facts.torn;
  const thresholdMs = limits.stallThresholdSeconds * 1000;
  if (thresholdMs === 0) return open(started, Number.POSITIVE_INFINITY);
  return facts.quietMs >= thresholdMs
    ? stalled(facts.quietMs)
    : open(started, nowMs + thresholdMs - facts.quietMs);
}
