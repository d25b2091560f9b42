/** Two starts of an account are at least so far apart, ms, and half as much again by chance. */
const GAP_MS = 300;
/** The first start of an account is alone for so long, ms: it may renew a token that all others read. */
const FIRST_ALONE_MS = 1000;
/** After so long without a start its token may have run out again, ms. */
const FORGOTTEN_MS = 600_000;

/** When units of an account were started; monotonic ms. */
export interface StartPace {
  lastMs: number;
  /** The next start comes no sooner. */
  nextMs: number;
}

/** Nothing of the account was started yet. */
export function firstPace(): StartPace {
  return { lastMs: Number.NEGATIVE_INFINITY, nextMs: Number.NEGATIVE_INFINITY };
}

/**
 * The pace after a start: workers of one account that start together refresh its token together, and all but one of
 * them lose it (PEERS.md, auth refresh race). `chance`: from 0 up to 1. Pure.
 */
export function paceAfterStart({ lastMs }: StartPace, nowMs: number, chance: number): StartPace {
  const gap = nowMs - lastMs > FORGOTTEN_MS ? FIRST_ALONE_MS : GAP_MS;
  return { lastMs: nowMs, nextMs: nowMs + gap * (1 + chance / 2) };
}

/** How long the next start of the account has to wait, ms; 0 for not at all. Pure. */
export function paceLeftMs({ nextMs }: StartPace, nowMs: number): number {
  return Math.max(0, nextMs - nowMs);
}
