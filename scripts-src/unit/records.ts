import type { StructuredResult } from './structured-schema.ts';

/** Newest schema of the JSON files that this version writes and reads. */
export const SCHEMA = 1;

/** Limits of one unit. 0 switches a limit off. */
export interface UnitLimits {
  stallThresholdSeconds: number;
  timeoutSeconds: number;
  maxOutputBytes: number;
  /** Tokens of the attempt, in and out together; left out: no limit. */
  maxTokens?: number | undefined;
}

/** `unit.json`: what was asked. Identities are written `boot:pid:start`. */
export interface UnitRecord {
  schema: number;
  unit: string;
  attempt: number;
  executor: string;
  argv: string[];
  cwd: string;
  promptFile: string;
  resultFile: string;
  /** The tree that the unit's workspace started from, null where it has none. */
  base: string | null;
  limits: UnitLimits;
  /** Value of PRUN_UNIT that every descendant carries. */
  marker: string;
  /** Soft RLIMIT_RSS in bytes that every descendant carries (Linux), else null. */
  rssMark: string | null;
  /** Order of process starts from which on a process can belong to this unit. */
  since: number;
  supervisor: string;
  /** The worker's shim (POSIX) or the worker itself (Windows); null before the start. */
  worker: string | null;
  startedAt: string;
  startedMonotonicMs: number;
  boot: string;
  /** The session that goes on in this attempt, and what its thread had used before; undefined for a new one. */
  resumed?: { sessionId: string; tokensBefore: TokenCounts | null } | undefined;
  /** The last message is asked for as a structured result (unit/structured-schema.ts). */
  structured?: boolean | undefined;
  /** The caller's schema for the last message (absolute); what was in it at the start lies in the state dir. */
  outputSchema?: string | undefined;
}

/** Tokens in four counts. */
export interface TokenCounts {
  input: number;
  cachedInput: number;
  output: number;
  reasoningOutput: number;
}

/** Final states of an attempt. */
export type OutcomeStatus = 'succeeded' | 'failed' | 'cancelled' | 'interrupted';

/** What a worker or its program said of its failure, in the words of executor/types.ts: the types are checked against each other. */
export type ReportedFailure =
  | 'usage-limit'
  | 'quota'
  | 'rate-limit'
  | 'auth'
  | 'login'
  | 'overloaded'
  | 'network'
  | 'stream-cut'
  | 'context'
  | 'bad-request'
  | 'model-gone'
  | 'empty-answer'
  | 'sandbox-refusal'
  | 'panic'
  | 'bad-flags'
  | 'session-live'
  | 'session-lost'
  | 'validation'
  | 'model-error';

/** Why an attempt ended as it did. `ok` goes with succeeded, and only with it. */
export type OutcomeReason =
  | 'ok'
  | 'no-result'
  | 'empty-result'
  | 'exit'
  | 'signal'
  | 'idle-stall'
  | 'hard-timeout'
  | 'output-limit'
  | ReportedFailure
  /** It used more tokens than it may. */
  | 'token-limit'
  /** The last message does not hold the schema that was asked for. */
  | 'schema'
  /** Its structured result says BLOCKED, or NEEDS_CONTEXT. */
  | 'worker-blocked'
  | 'needs-context'
  | 'spawn'
  | 'dispatch-dead'
  | 'disk'
  | 'nothing-done'
  | 'claim-mismatch'
  | 'workspace'
  | 'verify'
  | 'cancelled';

/**
 * Where the text in the result file comes from. `tail` is a FALLBACK; so is `last-message` where the attempt did not
 * succeed, unless its reason says what is wrong with a result (`isSaved`). `stdout`: what a `command` worker printed, whole.
 */
export type ResultOrigin = 'worker' | 'last-message' | 'stdout' | 'tail';

/** A process named in an outcome. */
export interface NamedProcess {
  pid: number;
  command: string;
}

/** The last evidence of progress and how long it was ago when the attempt ended. */
export interface LastEvidence {
  kind: string;
  at: string;
  quietSeconds: number;
}

/** What became of the delta of a unit that worked in a workspace. Lists and texts are bounded. */
export type DeltaSummary =
  | {
      state: 'collected';
      /** The workspace's folder. */
      workspace: string;
      /** Trees in the set's store. */
      base: string;
      result: string;
      /** Numbers of files; `modified` holds those whose type has changed, too. */
      files: number;
      added: number;
      modified: number;
      deleted: number;
      /** Commits that the worker made although it must not. */
      commits: number;
      /** Submodules that stand on another commit. */
      moves: number;
      /** Files outside what the unit owns. */
      outside: number;
      /** What a delta cannot hold, or what was in the way. */
      problems: number;
      /** Those of them by which something is missing in the delta, one line each. */
      lost: string[];
      /** The archived patch, absolute. */
      patch: string;
    }
  | {
      /** `failed`: it was tried; `not-collected`: there was no time, or no work. */
      state: 'failed' | 'not-collected';
      workspace: string;
      /** One line: why. */
      detail: string;
      /** The command that collects it. */
      next: string;
    };

/** How the result's `Files:` field and the delta differ. At most 20 of each kind, and how many more there are. */
export interface ClaimSummary {
  /** Claimed, and not in the delta. */
  claimed: string[];
  /** In the delta, and not claimed. */
  unclaimed: string[];
  /** Claimed, and there at a path that git ignores. */
  ignored: string[];
  more: number;
}

/** The command that checked the workspace after the worker. */
export interface VerifyRecord {
  command: string;
  /** Its own code, 128+n for a signal, 124 when its time was up, 130 when it was interrupted. */
  exitCode: number;
  /** File with its output (absolute), bounded. */
  log: string;
}

/** What is different in the user's repository since the worker was started. */
export interface TripwireSummary {
  /** When it was looked at before and after. */
  since: string;
  seenAt: string;
  /** At most 20, and how many more there are. */
  changes: {
    what: 'ref' | 'HEAD' | 'config' | 'hook' | 'worktree';
    name: string;
    change: 'added' | 'removed' | 'changed';
    before?: string;
    after?: string;
  }[];
  more: number;
  /** What could not be read and was not compared, one line each. */
  unread: string[];
}

/** `outcome.json`: how an attempt ended. Written once, last. */
export interface OutcomeRecord {
  schema: number;
  unit: string;
  attempt: number;
  executor: string;
  status: OutcomeStatus;
  reason: OutcomeReason;
  /** One line for people: what happened, with figures. */
  detail: string;
  /** Exit code of the worker, null when it ended by a signal or nobody saw its end. */
  exitCode: number | null;
  /** Signal that ended the worker, null when none did. */
  signal: string | null;
  /** True when the signal was worked out from a code above 128. */
  signalInferred: boolean;
  result: { path: string; origin: ResultOrigin; bytes: number } | null;
  /** Why there is no result file, null when there is one. */
  resultError: string | null;
  sessionId: string | null;
  /** Of this attempt alone; null where the worker did not say. */
  tokens: TokenCounts | null;
  /** What the whole thread had used at its end, with all attempts that went before in it. */
  threadTokens?: TokenCounts | null | undefined;
  /** What the worker said in the form that was asked for, bounded; null where none was asked for or none holds. */
  structured?: StructuredResult | null | undefined;
  /** What the worker or its program said of its failure; null without one. */
  failure?:
    | {
        reason: ReportedFailure;
        message: string;
        evidence: readonly string[];
        /** ISO 8601. */
        resetAt: string | null;
        retryAfterSeconds: number | null;
      }
    | null
    | undefined;
  startedAt: string;
  endedAt: string;
  durationMs: number;
  lastEvidence: LastEvidence | null;
  reaped: NamedProcess[];
  survivors: NamedProcess[];
  /** null for a unit that worked in no workspace. */
  delta: DeltaSummary | null;
  /** null where no delta was collected or the worker left no result. */
  claims: ClaimSummary | null;
  /** null where nothing is different, or there is no workspace. */
  tripwire: TripwireSummary | null;
  /** null where nothing was asked to check the workspace, or the check was not reached. */
  verify: VerifyRecord | null;
  /** Who wrote this record. */
  supervisor: 'dispatch-task' | 'run' | 'guardian';
  stateDir: string;
}

/** `progress`: time and kind of the last evidence. */
export interface ProgressRecord {
  schema: number;
  boot: string;
  monotonicMs: number;
  at: string;
  kind: string;
}
