import type { NamedProcess } from '../unit/records.ts';

/** Newest schema of `result.json`. */
export const VALIDATION_SCHEMA = 1;

/** What a job can have a command for. */
export const STAGES = ['build', 'verify', 'health', 'smoke', 'test', 'collect', 'recover'] as const;
/** One of them. */
export type Stage = (typeof STAGES)[number];

/** How a validation ended (PEERS.md, Validation resources), and the exit code of each; `cancelled` is 128+signal. */
export const STATUS_CODES = {
  passed: 0,
  'passed-after-recovery': 0,
  'build-failed': 1,
  'artifact-verification-failed': 1,
  'test-failed': 1,
  'infrastructure-failed': 2,
  'invalid-evidence': 3,
} as const;

/** Name of an end. */
export type ValidationStatus = keyof typeof STATUS_CODES | 'cancelled';

/** All names of ends. */
export const STATUSES = [...Object.keys(STATUS_CODES), 'cancelled'] as readonly ValidationStatus[];

/** Whether an end says that the tree is good. */
export function isPassed(status: string): boolean {
  return status === 'passed' || status === 'passed-after-recovery';
}

/** Whether an end says that the tree is at fault, so that the same tree would end so again. */
export function isTreesFault(status: string): boolean {
  return Object.entries(STATUS_CODES).some(([name, code]) => name === status && code === 1);
}

/** An end and the one line that explains it. */
export interface ValidationVerdict {
  status: ValidationStatus;
  reason: string;
  /** For `cancelled`. */
  signal?: NodeJS.Signals;
}

/** One step as it was run. */
export interface StepRecord {
  /** From 1. */
  sequence: number;
  stage: Stage;
  argv: string[];
  outcome: 'ok' | 'failed' | 'timeout' | 'cancelled';
  /** Its own, 128+n for a signal, 124 when its time was up, 126 or 127 when it could not be started. */
  exitCode: number;
  signal: string | null;
  startedAt: string;
  seconds: number;
  /** Relative to the folder of `result.json`. */
  log: string;
  logBytes: number;
  logSha256: string;
  /** What it had left running, ended before the next step began; at most 20. */
  leftovers: NamedProcess[];
  /** What could not be ended. */
  survivors: NamedProcess[];
}

/** `result.json`. Paths are absolute unless something else is said. Values of the environment are in no field. */
export interface ValidationResult {
  schema: number;
  status: ValidationStatus;
  /** One line. */
  reason: string;
  exitCode: number;
  signal: string | null;
  startedAt: string;
  endedAt: string;
  seconds: number;
  worktree: string;
  /** As the job names it, or in full once it was compared with HEAD. */
  commit: string;
  /** Id of the commit's tree, null where the check at the beginning did not get so far. */
  tree: string | null;
  job: { file: string; sha256: string };
  commands: Partial<Record<Stage, string[]>>;
  stepTimeoutSeconds: number;
  /** Names of the variables that every step saw. */
  environment: string[];
  fingerprints: Fingerprints;
  /** The earlier result whose build was taken over. */
  reused: { result: string; sha256: string } | null;
  /** Whether the environment was recovered once. */
  recovered: boolean;
  /** How often the tree was compared. */
  checks: number;
  steps: StepRecord[];
  /** SHA-256 of this record without this field. */
  checksum: string;
}

/** SHA-256 of what a build and its evidence depend on. */
export interface Fingerprints {
  /** Commit, tree, build, verify and environment together. */
  build: string;
  /** Names and values of all variables that the steps see. */
  environment: string;
}

/** Files of the output folder. */
export const VALIDATION_FILES = {
  result: 'result.json',
  /** There while the validation runs, and after one that was killed. */
  progress: 'progress.json',
  logs: 'logs',
  /** What the validator needs while it runs. */
  own: '.validator',
} as const;
