import { readableLine } from '../executor/readable-line.ts';
import type { FailureReason, WorkerFacts, WorkerFailure } from '../executor/types.ts';
import type { OutcomeReason, OutcomeStatus, UnitLimits, VerifyRecord } from '../unit/records.ts';
import type { ResultState } from '../unit/result-file.ts';
import type { ClaimCheck } from '../workspace/claims/claims.ts';
import { isOtherSession } from './session-check.ts';
import type { ReapReason } from './stall-verdict.ts';

/** Longest line of explanation that is made of a worker's own words. */
const DETAIL_CHARS = 600;

/** How the worker's process ended. `lost`: nobody saw it and nothing was written down. null is never 0. */
export type WorkerExit =
  | { kind: 'code'; code: number }
  | { kind: 'signal'; signal: string; inferred: boolean }
  | { kind: 'lost' };

/** Why the attempt came to its end, from the supervisor's point of view. */
export type EndCause =
  | { kind: 'worker-ended' }
  | { kind: 'reaped'; reason: ReapReason }
  /** The coordinator wanted its end. `by` says what carried the wish, such as `prun cancel`. */
  | { kind: 'cancelled'; by: string }
  /** It was to go on with a session and began another one. */
  | { kind: 'other-session' }
  | { kind: 'dispatcher-signalled'; signal: NodeJS.Signals }
  /** Its supervisor died. `detail`: what to say of it where that was no dispatch-task. */
  | { kind: 'dispatcher-dead'; detail?: string }
  | { kind: 'spawn-failed'; message: string; exitCode: number };

/** All that the verdict on a finished attempt rests on. */
export interface Evidence {
  cause: EndCause;
  exit: WorkerExit;
  facts: WorkerFacts;
  /** What the worker's events, its stderr and its exit code tell of a failure (worker-failure.ts). */
  failure?: WorkerFailure | undefined;
  /** What stood at the result path before anything was salvaged. */
  result: ResultState;
  resultFile: string;
  quiet: string;
  limits: UnitLimits;
  /** The session that was to go on; undefined where a new one was to begin. */
  askedSession?: string | undefined;
  /** How its claims and its delta agree; undefined where there is no workspace or no delta. */
  claims?: ClaimCheck | undefined;
  /** True where a unit that changes nothing has done its work all the same: a `command` that checks or reports. */
  mayChangeNothing?: boolean;
  /** What its last message says against a success; undefined where no schema was asked for, or all is well. */
  asked?: AskedFault | undefined;
  /** How the command ended that checks the workspace after the worker; undefined where none was run. */
  verify?: VerifyRecord | undefined;
}

/** The reason of an attempt that was to go on with a session, and did not. */
export const SESSION_LOST = 'session-lost';

/** An end by what a worker said, or did not say, in a last message that was to hold a schema. */
export interface AskedFault {
  reason: 'schema' | 'worker-blocked' | 'needs-context';
  detail: string;
}

/** Status, reason and one line of explanation. */
export interface Verdict {
  status: OutcomeStatus;
  reason: OutcomeReason;
  detail: string;
}

/**
 * The one place where an end gets its name. The first reason that applies wins: what prun did, what stopped prun,
 * what the worker said of its failure, how it ended, and only then what it left.
 */
export function classifyEnd(evidence: Evidence): Verdict {
  const { cause, exit, facts, failure, askedSession } = evidence;
  if (cause.kind === 'reaped')
    return { status: 'failed', reason: cause.reason, detail: reapDetail(evidence, cause.reason) };
  if (cause.kind === 'cancelled') {
    return { status: 'cancelled', reason: 'cancelled', detail: `the unit was cancelled by ${cause.by}` };
  }
  if (cause.kind === 'spawn-failed') return { status: 'failed', reason: 'spawn', detail: cause.message };
  if (cause.kind === 'dispatcher-signalled') {
    return { status: 'interrupted', reason: 'signal', detail: `dispatch-task was ended by ${cause.signal}` };
  }
  if (cause.kind === 'dispatcher-dead') {
    return { status: 'interrupted', reason: 'dispatch-dead', detail: deadDetail(facts, cause.detail) };
  }
  if (cause.kind === 'other-session' || isOtherSession(askedSession, facts)) {
    return { status: 'failed', reason: SESSION_LOST, detail: otherSessionDetail(evidence) };
  }
  if (failure && (facts.ended === 'failed' || !isCleanExit(exit))) return failedBy(failure);
  if (exit.kind === 'signal') {
    return { status: 'failed', reason: 'signal', detail: `the worker was ended by ${exit.signal}` };
  }
  if (exit.kind === 'code' && exit.code !== 0) {
    return { status: 'failed', reason: 'exit', detail: `the worker exited with ${exit.code}` };
  }
  if (exit.kind === 'lost') {
    return { status: 'interrupted', reason: 'dispatch-dead', detail: 'nobody saw how the worker ended' };
  }
  if (evidence.asked) return { status: 'failed', ...evidence.asked };
  return whyNothing(verdictOnWork(evidence), evidence);
}

/** The verdict on a worker that ended well: on what it left, what it claims, and what the check says. */
function verdictOnWork(evidence: Evidence): Verdict {
  const verdict = verdictOnResult(evidence.result, evidence.resultFile);
  if (verdict.status !== 'succeeded') return verdict;
  return verdictOnClaims(evidence) ?? verdictOnVerify(evidence.verify) ?? verdict;
}

const NOTHING: readonly OutcomeReason[] = ['no-result', 'empty-result', 'nothing-done'];
/** What can have happened to a worker that ends well all the same. */
const NOT_FATAL: readonly FailureReason[] = ['sandbox-refusal', 'empty-answer'];

/** A better name for an end without a result or without work, where the worker's own words have one. */
function whyNothing(verdict: Verdict, { facts, failure, result }: Evidence): Verdict {
  if (!NOTHING.includes(verdict.reason) || result === 'not-a-file') return verdict;
  if (failure && NOT_FATAL.includes(failure.reason)) {
    const said = failedBy(failure);
    return { ...said, detail: `${verdict.detail}: ${said.detail}` };
  }
  const isSilent = facts.structured && facts.ended === 'completed' && !facts.lastMessage?.trim();
  if (!isSilent || verdict.reason === 'nothing-done') return verdict;
  const detail = 'the worker ended its turn without a message and without a result';
  return { status: 'failed', reason: 'empty-answer', detail };
}

/** A failure in one line: its message may have many. */
function failedBy({ reason, message }: WorkerFailure): Verdict {
  return { status: 'failed', reason, detail: readableLine(message, DETAIL_CHARS) || reason };
}

function verdictOnResult(result: ResultState, file: string): Verdict {
  switch (result) {
    case 'text':
      return { status: 'succeeded', reason: 'ok', detail: 'the worker ended well and left a result' };
    case 'empty':
      return {
        status: 'failed',
        reason: 'empty-result',
        detail: 'the worker exited with 0 and left an empty result',
      };
    case 'not-a-file':
      return {
        status: 'failed',
        reason: 'no-result',
        detail: `the worker exited with 0 and ${file} is not a file that can be read`,
      };
    case 'missing':
      return { status: 'failed', reason: 'no-result', detail: 'the worker exited with 0 and left no result' };
  }
}

/** Undefined where the result tells the truth: a difference that is not material is in the outcome, and no failure. */
function verdictOnClaims({ claims, mayChangeNothing }: Evidence): Verdict | undefined {
  if (!claims) return undefined;
  const { claimed, unclaimed, ignored, saysNone, isEmpty, hasConclusion } = claims;
  if (claimed.length > 0) {
    const what = claimed.length === 1 ? 'a file that is' : `${claimed.length} files that are`;
    return mismatch(`the result claims ${what} not in the delta: ${someOf(claimed)}`);
  }
  if (saysNone && unclaimed.length > 0) {
    return mismatch(`the result claims no file, and the delta has ${unclaimed.length}: ${someOf(unclaimed)}`);
  }
  // "I looked, and nothing is to be done" is an answer.
  if (mayChangeNothing || !isEmpty || ignored.length > 0 || (saysNone && hasConclusion)) return undefined;
  const detail = 'the worker exited with 0, changed nothing in its workspace and gave no reason';
  return { status: 'failed', reason: 'nothing-done', detail };
}

function verdictOnVerify(verify: VerifyRecord | undefined): Verdict | undefined {
  if (!verify || verify.exitCode === 0) return undefined;
  const command = verify.command.replace(/\s+/g, ' ').trim();
  const shown = command.length > 120 ? `${command.slice(0, 119)}…` : command;
  const detail = `verify exited with ${verify.exitCode} (${shown}); see verify.log in its state dir`;
  return { status: 'failed', reason: 'verify', detail };
}

function mismatch(detail: string): Verdict {
  return { status: 'failed', reason: 'claim-mismatch', detail };
}

/** Up to three paths, each bounded. */
function someOf(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => (path.length > 80 ? `…${path.slice(-79)}` : path));
  return shown.join(', ') + (paths.length > 3 ? ', …' : '');
}

function otherSessionDetail({ facts, askedSession }: Evidence): string {
  const began = facts.sessionId === undefined ? 'another session' : `a new session ${facts.sessionId}`;
  return `${began} began instead of ${askedSession ?? 'the one that was to go on'}: nothing of it counts`;
}

function isCleanExit(exit: WorkerExit): boolean {
  return exit.kind === 'code' && exit.code === 0;
}

function reapDetail({ limits, quiet }: Evidence, reason: ReapReason): string {
  switch (reason) {
    case 'idle-stall':
      return `no progress for ${limits.stallThresholdSeconds} s (last evidence: ${quiet})`;
    case 'hard-timeout':
      return `still running after ${limits.timeoutSeconds} s (last evidence: ${quiet})`;
    case 'output-limit':
      return `more than ${limits.maxOutputBytes} bytes of output (last evidence: ${quiet})`;
    case 'token-limit':
      return `more than the ${limits.maxTokens} tokens that were left to it (last evidence: ${quiet})`;
  }
}

const DISPATCH_DEAD = 'dispatch-task died without a word and its guardian ended the worker';

function deadDetail(facts: WorkerFacts, what = DISPATCH_DEAD): string {
  return `${what}${facts.sessionId ? `; the session ${facts.sessionId} can be resumed` : ''}`;
}

/**
 * Reads an exit code as a shell gives it. From 129 on it may stand for a signal; that cannot be told from a worker
 * that exits with such a number, so the signal is marked as inferred (FACTS-processes.md).
 */
export function exitFromShellCode(
  code: number,
  signalName: (number: number) => string | undefined,
): WorkerExit {
  const signal = code > 128 ? signalName(code - 128) : undefined;
  return signal ? { kind: 'signal', signal, inferred: true } : { kind: 'code', code };
}
