import type { Executor, WorkerFacts } from '../executor/types.ts';
import type { TokenCounts, UnitRecord } from '../unit/records.ts';
import { addTokens, tokensSince } from '../unit/token-counts.ts';

/** Where an attempt's token counts come from. */
export interface TokenSources {
  executor: Executor;
  record: Pick<UnitRecord, 'resumed' | 'startedAt'>;
  facts: Pick<WorkerFacts, 'tokens' | 'ended' | 'sessionId'>;
  /** The caller's, where the executor looks for its session log. */
  environment: NodeJS.ProcessEnv;
}

/** Tokens of an attempt alone, and of its whole thread; null where nobody said. */
export interface ToldTokens {
  tokens: TokenCounts | null;
  threadTokens: TokenCounts | null;
}

/**
 * Turns what a worker said of its tokens into those of its attempt. Counts are cumulative over a thread, across resumes,
 * too (FACTS-codex.md, Events); what the thread had used before stands in the attempt's record. A worker that was ended
 * before it could say anything has left counts in its session log. Call it when no process of the worker is left.
 */
export function toldTokens({ executor, record, facts, environment }: TokenSources): ToldTokens {
  const told = facts.ended === 'completed' && facts.tokens ? facts.tokens : fromLog();
  const { resumed } = record;
  // Another thread than the one that was to go on begins with nothing.
  const isResumed = resumed !== undefined && resumed.sessionId === facts.sessionId;
  if (!told || !isResumed) return { tokens: told, threadTokens: told };
  const before = resumed.tokensBefore;
  if (executor.countsAttemptOnly) {
    return { tokens: told, threadTokens: before && addTokens(before, told) };
  }
  return { tokens: before && tokensSince(told, before), threadTokens: told };

  function fromLog(): TokenCounts | null {
    const log = facts.sessionId
      ? executor.sessionLog(facts.sessionId, environment, Date.parse(record.startedAt))
      : undefined;
    const logged = log === undefined ? undefined : executor.tokensInLog?.(log);
    return logged ?? facts.tokens ?? null;
  }
}
