import type { ExecutorKind, FailureReason, WorkerOptions } from '../executor/types.ts';
import type { OutcomeReason, OutcomeStatus, TokenCounts } from '../unit/records.ts';

/** Newest schema of the files of a run. */
export const RUN_SCHEMA = 1;

/** Kinds of workers that a unit can ask for. `session`: a subagent of the coordinator's session, recorded only. */
export type ExecutorName = ExecutorKind | 'session';

/** Where a unit works (DESIGN.md §1). */
export type WorkspaceMode = 'scratch' | 'clone' | 'worktree' | 'inplace';

/** How a run starts its units. `null`: by what the machine offers, or no such limit. */
export interface ScheduleSettings {
  /** Units that run at once. */
  jobs: number | null;
  /** Seconds between two starts. */
  delaySeconds: number;
  /** Bytes of memory that must be available for another start. */
  memfreeBytes: number | null;
  /** Load average of one minute above which nothing is started. */
  load: number | null;
  /** Seconds of the first pause before what may be over soon is tried again; it doubles. Left out: 10. */
  backoffSeconds?: number | undefined;
  /** How often a unit is tried again after a failure that may be over soon. Left out: 4. */
  transientRetries?: number | undefined;
  /** Tokens of all units together after which nothing new starts. */
  tokenLimit?: number | undefined;
}

/** `run.json`: what a run is. Written once, when the run is made. Paths are absolute. */
export interface RunRecord {
  schema: number;
  id: string;
  createdAt: string;
  /** Where the run was made: a folder that lies elsewhere was moved or copied, and is only read. */
  folder: string;
  /** The top of the tree that units start from, null for a run without a repository. */
  repository: string | null;
  /** What `prun init` made, null for a run without an integration worktree. */
  integration: {
    /** The primary checkout. */
    repository: string;
    worktree: string;
    branch: string;
    /** What the branch was started from: a ref's name and its commit. */
    baseRef: string;
    baseCommit: string;
  } | null;
  schedule: ScheduleSettings;
  /** How many units may hold a resource of that name at once, for names that units use. */
  resources: Record<string, number>;
  /** Marker of the unit that this run was started in, null outside of any. */
  outerMarker: string | null;
}

/** A line of `units.jsonl`: what was asked of one unit. Never changed; the first line of an id counts. */
export interface UnitSpec {
  schema: number;
  id: string;
  /** Tells who was first where two processes added the same id. */
  token: string;
  addedAt: string;
  executor: ExecutorName;
  mode: WorkspaceMode;
  /** The text as it was given, without what prun adds. */
  prompt: string;
  /** Globs of what it may touch, empty when nobody said. */
  owns: string[];
  /** Units whose results it builds on. */
  after: string[];
  model: string | null;
  reasoningEffort: string | null;
  sandbox: 'read-only' | 'workspace-write' | 'danger-full-access' | null;
  /** Network of a workspace-write sandbox, null for the mode's default. */
  network: boolean | null;
  isolateMcp: boolean;
  codexBin: string | null;
  /** argv of a `command` unit, with its placeholders. */
  argv: string[];
  limits: {
    stallThresholdSeconds: number;
    timeoutSeconds: number;
    maxOutputBytes: number;
    /** Seconds without evidence of progress after which the coordinator is told, 0 = never. */
    stallNoticeSeconds: number;
  };
  /** Names of the run's resources, and of the machine's slots, that it holds while it runs. */
  resources: string[];
  /** Names of the machine's slots that its check holds. */
  verifyResources?: string[] | undefined;
  /** Ignored paths to bring along, as `prun clone --warm`. */
  warm: string[];
  /** Shell command that runs in a fresh workspace before the worker, null for none. */
  setup: string | null;
  /** Shell command that runs in the workspace after the worker, null for none. */
  verify: string | null;
  /** Further attempts after one that failed. */
  retries: number;
  passEnv: string[];
  /** Whether its good end wakes the coordinator, too. */
  wakeOnFinish: boolean;
  /**
   * A workspace that was made when the unit was added, null where one is made at its start; for a unit in place the folder
   * where it works, null for the run's repository.
   */
  workspace: string | null;
  /** Whether it works in the user's own tree beside others that do: without it they go one at a time. */
  sharesTree?: boolean | undefined;
  /** Whether its clone starts from the tree as it is at its start, and not from the base of the run. */
  startsFromNow?: boolean | undefined;
  /** Where its result belongs; null: `agent-io/results/<unit>.md` of the run. */
  resultFile: string | null;
  /** Variables that its worker finds in its environment, beside those of its workspace. */
  told?: Record<string, string> | undefined;
  options?: WorkerOptions | undefined;
}

/** A session that goes on in a further attempt. */
export interface Resumption {
  sessionId: string;
  /** State dir of the attempt that it comes from. */
  stateDir: string;
  /** What the worker is told now (absolute), null: to go on. */
  promptFile: string | null;
  /** Seconds that the attempt may take, 0 = without a limit; left out: as its unit says. */
  timeoutSeconds?: number | undefined;
}

/** States of a unit in a run (DESIGN.md §6). */
export type UnitState = 'created' | 'queued' | 'dispatching' | 'running' | OutcomeStatus | 'blocked';

/** What every event has. `n` counts from 1 without a gap. */
interface EventHead {
  n: number;
  /** Wall time, ISO 8601. */
  at: string;
}

/** A line of `events.jsonl`. Written by the run's supervisor and nobody else. */
export type RunEvent = EventHead & RunEventBody;

/** What an event says. `request` is the name of the request that it answers. */
export type RunEventBody =
  /** A supervisor took the run over; `adopted` attempts go on under it. */
  | { type: 'supervisor'; identity: string; adopted: number; isFirst: boolean }
  /** A unit will be started when there is room. */
  | {
      type: 'queued';
      unit: string;
      attempt: number;
      why: 'start' | 'retry' | 'failed' | 'not-started' | 'unblocked' | 'resume' | 'transient' | 'parked';
      /** Name of the caller's environment (run/keep-environment.ts). */
      environment: string | null;
      /** The session that goes on, where it does not begin anew. */
      resume?: Resumption | null | undefined;
      /** It is not started before then, ISO 8601. */
      notBefore?: string | null | undefined;
    }
  | { type: 'dispatching'; unit: string; attempt: number }
  | { type: 'running'; unit: string; attempt: number; stateDir: string; resultFile: string }
  | { type: 'stalled'; unit: string; attempt: number; quietSeconds: number; evidence: string }
  /** Progress after `stalled`. */
  | { type: 'moving'; unit: string; attempt: number }
  /** Somebody wants its end, which may take as long as the grace. A successor must know, too. */
  | { type: 'cancelling'; unit: string; attempt: number; graceSeconds: number }
  /** The attempt's outcome in short. `isFinal`: false when a further attempt follows by itself. */
  | {
      type: 'ended';
      unit: string;
      attempt: number;
      status: OutcomeStatus;
      reason: OutcomeReason;
      detail: string;
      stateDir: string | null;
      resultFile: string | null;
      origin: string | null;
      durationMs: number;
      /** Of this attempt, in and out together. */
      tokens: number | null;
      /** The same in its four counts. */
      tokenCounts?: TokenCounts | null | undefined;
      sessionId: string | null;
      isFinal: boolean;
      /** Whether it wakes the coordinator. */
      wakes: boolean;
    }
  /** Nothing new of this account is started, or it is again. `until`: ISO 8601, null where nobody knows. */
  | {
      type: 'breaker';
      state: 'open' | 'closed';
      /** `*`: nothing of the whole run, because its tokens are used up. */
      executor: ExecutorName | '*';
      account: string;
      /** Why it opened; null where it closes. */
      reason: FailureReason | 'token-limit' | null;
      detail: string;
      until: string | null;
      /** The unit that met the limit; null where it closes. */
      byUnit: string | null;
      /** Whether it wakes the coordinator. */
      wakes: boolean;
    }
  /** It cannot be started before a parent is well: `detail` says which and why. */
  | { type: 'blocked'; unit: string; detail: string }
  /** A parent got a new result after this unit had started from the old one. */
  | { type: 'stale'; unit: string; parent: string }
  /** Nothing is left to do. Counts of units by state. */
  | {
      type: 'all-done';
      succeeded: number;
      failed: number;
      cancelled: number;
      interrupted: number;
      blocked: number;
    }
  /** Something that the coordinator should know, one line. `wakes`: at once. */
  | { type: 'note'; text: string; wakes: boolean };

/** What a command asks of the supervisor, as it lies in the folder of requests. */
export type RunRequest =
  /** Start these units, or all that were never started (null). */
  | { type: 'start'; units: string[] | null; schedule: Partial<ScheduleSettings>; environment: string | null }
  /** A fresh attempt for units that have ended. `note`: text that is added to the prompt. */
  | { type: 'retry'; units: string[]; environment: string | null }
  /** Sessions go on; null: whatever the breaker holds, which closes. `promptFile` is absolute. */
  | {
      type: 'resume';
      units: { unit: string; promptFile: string | null; timeoutSeconds?: number | undefined }[] | null;
      environment: string | null;
    }
  /** End these units, or the whole run (null). */
  | { type: 'cancel'; units: string[] | null; graceSeconds: number };

/** What became of a request. */
export interface RequestAnswer {
  schema: number;
  /** Units that it was carried out for. */
  units: string[];
  /** Units that it was not carried out for, and why, one line each. */
  refused: { unit: string; why: string }[];
}
