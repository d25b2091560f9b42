import type { UnitAccount } from '../account-of-unit.ts';
import { type AdaptiveJobs, unlimitedJobs } from './adaptive-jobs.ts';
import { firstPace, type StartPace } from './start-pace.ts';

/** What a supervisor knows of an account. It begins anew with each supervisor; the breaker itself is in the events. */
export interface AccountState {
  jobs: AdaptiveJobs;
  pace: StartPace;
  /** The unit that is tried first after the reset; null while none is. */
  probe: { unit: string; attempt: number } | null;
  /** No unit is tried first before then, monotonic ms: the last one could not tell. */
  probeFromMs: number;
  /** Which part of the time that is added to a reset is added here, from 0 up to 1. */
  chance: number;
  /** When its units that run were started, monotonic ms. */
  started: Map<string, number>;
}

/** What is known of an account; the same object each time. */
export function accountState(
  { accounts }: { accounts: Map<string, AccountState> },
  { key }: UnitAccount,
): AccountState {
  const known = accounts.get(key);
  if (known) return known;
  const state: AccountState = {
    jobs: unlimitedJobs(),
    pace: firstPace(),
    probe: null,
    probeFromMs: Number.NEGATIVE_INFINITY,
    chance: Math.random(),
    started: new Map(),
  };
  accounts.set(key, state);
  return state;
}
