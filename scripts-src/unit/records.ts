/** Newest schema of the JSON files that this version writes and reads. */
export const SCHEMA = 1;

/** Limits of one unit. 0 switches a limit off. */
export interface UnitLimits {
  stallThresholdSeconds: number;
  timeoutSeconds: number;
  maxOutputBytes: number;
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
  base: null;
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
}

/** Final states of an attempt. */
export type OutcomeStatus = 'succeeded' | 'failed' | 'cancelled' | 'interrupted';

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
  | 'usage-limit'
  | 'rate-limit'
  | 'auth'
  | 'network'
  | 'model-error'
  | 'spawn'
  | 'dispatch-dead'
  | 'disk';

/** Who wrote the text in the result file. `last-message` and `tail` are FALLBACKs of dispatch-task. */
export type ResultOrigin = 'worker' | 'last-message' | 'tail';

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
  tokens: { input: number; cachedInput: number; output: number; reasoningOutput: number } | null;
  startedAt: string;
  endedAt: string;
  durationMs: number;
  lastEvidence: LastEvidence | null;
  reaped: NamedProcess[];
  survivors: NamedProcess[];
  delta: null;
  /** Who wrote this record. */
  supervisor: 'dispatch-task' | 'guardian';
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
