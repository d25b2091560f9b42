import { PrunError } from '../../platform/errors.ts';
import { readOutcome, readUnitRecord } from '../../unit/read-records.ts';
import { totalTokens } from '../../unit/token-counts.ts';
import { readEvents } from '../event-log.ts';
import type { RunEvent } from '../records.ts';
import type { Run } from '../run-folder.ts';
import { type TokensJson, tokensJson, withAttempt } from '../token-sums.ts';
import { attemptsOf } from './attempts-of.ts';

/** One attempt of a unit as it ended, or as it stands. */
export interface AttemptFacts {
  attempt: number;
  /** `open` until it has its outcome. */
  status: string;
  reason: string | null;
  detail: string;
  /** null before it is known: the outcome names it, or the attempt goes on with one. */
  sessionId: string | null;
  /** Whether it went on with the session of an earlier attempt. */
  isResumed: boolean;
  /** null for one that ended before it had one, and where it is not there any more. */
  stateDir: string | null;
  durationMs: number | null;
  /** Of this attempt alone; null where its worker did not say. */
  tokens: TokensJson | null;
}

/** All attempts of a unit that the run knows, oldest first: reads their records. */
export function attemptFacts(run: Run, unit: string): AttemptFacts[] {
  const ends = endsOf(run, unit);
  const dirs = attemptsOf(run, unit);
  const numbers = [...new Set([...ends.keys(), ...dirs.keys()])].sort((a, b) => a - b);
  return numbers.map((attempt) => {
    const dir = dirs.get(attempt);
    return factsIn(attempt, dir, ends.get(attempt));
  });
}

type Ended = Extract<RunEvent, { type: 'ended' }>;

function endsOf(run: Run, unit: string): Map<number, Ended> {
  const ends = readEvents(run).events.filter(
    (event): event is Ended => event.type === 'ended' && event.unit === unit,
  );
  return new Map(ends.map((event) => [event.attempt, event]));
}

function factsIn(attempt: number, stateDir: string | undefined, ended: Ended | undefined): AttemptFacts {
  const { record, outcome } = stateDir === undefined ? {} : recordsIn(stateDir);
  const counts = outcome?.tokens ?? ended?.tokenCounts ?? null;
  const total = counts ? totalTokens(counts) : (ended?.tokens ?? null);
  return {
    attempt,
    status: outcome?.status ?? ended?.status ?? 'open',
    reason: outcome?.reason ?? ended?.reason ?? null,
    detail: outcome?.detail ?? ended?.detail ?? '',
    sessionId: outcome?.sessionId ?? ended?.sessionId ?? record?.resumed?.sessionId ?? null,
    isResumed: record?.resumed !== undefined,
    stateDir: stateDir ?? null,
    durationMs: outcome?.durationMs ?? ended?.durationMs ?? null,
    tokens: tokensJson(withAttempt(null, total, counts)),
  };
}

function recordsIn(stateDir: string) {
  try {
    return { record: readUnitRecord(stateDir), outcome: readOutcome(stateDir) };
  } catch (error) {
    // A newer prun's: what the log says has to do.
    if (error instanceof PrunError) return {};
    throw error;
  }
}
