import { withoutValues } from '../executor/failure-evidence.ts';
import { failureKind } from '../executor/failure-kinds.ts';
import type { Executor, WorkerFacts, WorkerFailure } from '../executor/types.ts';
import type { OutcomeRecord } from '../unit/records.ts';
import type { EndCause, Verdict, WorkerExit } from './classify.ts';

/** What a failure is looked for in. */
export interface FailureSources {
  executor: Executor;
  cause: EndCause;
  exit: WorkerExit;
  facts: WorkerFacts;
  /** The end of stderr, without a trace. */
  stderr: string;
  startedAt: string;
  /** The caller's, where the executor looks for its session log. */
  environment: NodeJS.ProcessEnv;
}

/**
 * The failure that a worker's events, its stderr and its exit code tell together. What ended the turn by its own words
 * goes first; then what the end of the process tells, which is younger than the last error that its events told.
 */
export function workerFailure(sources: FailureSources): WorkerFailure | undefined {
  const { executor, cause, exit, facts, stderr } = sources;
  // A worker that prun has ended is no witness of why: its exit code and its last words are of that.
  const hasEnded = cause.kind === 'worker-ended' && exit.kind !== 'lost';
  const exitCode = exit.kind === 'code' ? exit.code : null;
  const atEnd = hasEnded ? executor.failureAtEnd?.({ exitCode, stderr, facts }) : undefined;
  const isNamed = facts.failure !== undefined && facts.failure.reason !== 'model-error';
  const isLastWord = facts.ended !== undefined && isNamed;
  const failure = isLastWord ? facts.failure : (atEnd ?? facts.failure);
  return failure && withoutKeys(withReset(failure, sources), sources.environment);
}

/** What is kept of a failure holds no key of the caller's (promise P9). */
function withoutKeys(failure: WorkerFailure, environment: NodeJS.ProcessEnv): WorkerFailure {
  const { message, evidence } = failure;
  return {
    ...failure,
    message: withoutValues(message, environment),
    ...(evidence && { evidence: evidence.map((line) => withoutValues(line, environment)) }),
  };
}

/** The account's own headers, as far as the executor keeps them, know the end of a limit to the second. */
function withReset(failure: WorkerFailure, sources: FailureSources): WorkerFailure {
  const { executor, facts, environment, startedAt } = sources;
  if (failure.reason !== 'usage-limit' || !executor.resetInLog || !facts.sessionId) return failure;
  const log = executor.sessionLog(facts.sessionId, environment, Date.parse(startedAt));
  const resetAt = log === undefined ? undefined : executor.resetInLog(log, Date.now());
  return resetAt === undefined ? failure : { ...failure, resetAt };
}

/**
 * The failure as an outcome keeps it. Of an end with a name of its own (a reap, a signal) it is what the worker last
 * said of it; a unit that succeeded, or failed by what it left, has none.
 */
export function failureOfOutcome(
  verdict: Verdict,
  cause: EndCause,
  failure: WorkerFailure | undefined,
): OutcomeRecord['failure'] {
  if (failure && (verdict.reason === failure.reason || isInterrupted(verdict, cause))) {
    return {
      reason: failure.reason,
      message: failure.message,
      evidence: failure.evidence ?? [],
      resetAt: failure.resetAt ?? null,
      retryAfterSeconds: failure.retryAfterSeconds ?? null,
    };
  }
  const { reason, detail } = verdict;
  if (!isFailureReason(reason)) return null;
  return { reason, message: detail, evidence: [], resetAt: null, retryAfterSeconds: null };
}

function isInterrupted(verdict: Verdict, cause: EndCause): boolean {
  return verdict.status !== 'succeeded' && cause.kind !== 'worker-ended' && cause.kind !== 'other-session';
}

function isFailureReason(reason: string): reason is WorkerFailure['reason'] {
  return failureKind(reason) !== undefined;
}
