/** What was seen at one result path that somebody waits for. */
export interface LandingFacts {
  /** A regular file (links followed) with something other than white space in it. */
  hasText: boolean;
  /** How long it has been quiet, ms. */
  quietMs: number;
  /**
   * `held`: a dispatcher, or its guardian, still answers for the path. `ended`: its outcome speaks of this very
   * file. `none`: nobody answers for what is there, be it that nobody ever did, or that it was written since.
   */
  supervision: 'held' | 'ended' | 'none';
}

/** Whether a result has landed, and when time alone may change that (monotonic ms, Infinity for never). */
export interface Landing {
  landed: boolean;
  dueMs: number;
}

/** A result of which only a change on disk can bring news. */
export const WAITING: Landing = { landed: false, dueMs: Number.POSITIVE_INFINITY };

/**
 * Verdict on one result. A supervised file lands with its outcome, at once and not before: a result written in two
 * bursts did land after the first (PEERS.md 17). Any other has to be quiet for the window.
 */
export function judgeLanding(facts: LandingFacts, windowSeconds: number, nowMs: number): Landing {
  if (!facts.hasText || facts.supervision === 'held') return WAITING;
  if (facts.supervision === 'ended') return { landed: true, dueMs: Number.POSITIVE_INFINITY };
  const leftMs = windowSeconds * 1000 - facts.quietMs;
  return leftMs > 0
    ? { landed: false, dueMs: nowMs + leftMs }
    : { landed: true, dueMs: Number.POSITIVE_INFINITY };
}
