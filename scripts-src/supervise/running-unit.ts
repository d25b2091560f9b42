import type { CommandRequest, Executor, WorkerCommand } from '../executor/types.ts';
import type { ResolvedProgram } from '../platform/resolve-program.ts';
import type { Family } from '../process/family.ts';
import type { ProcessHost } from '../process/types.ts';
import type { UnitRecord } from '../unit/records.ts';
import type { Tripwire } from '../workspace/tripwire/tripwire.ts';
import type { WorkspacePlace } from '../workspace/workspace-of.ts';
import type { AttemptRequest, PreparedAttempt } from './attempt.ts';
import type { Interruption } from './interruption.ts';
import type { Lifeline } from './lifeline.ts';

/** One unit as `dispatch-task` was asked to run it. */
export interface DispatchRequest extends AttemptRequest {
  executor: Executor;
  program: ResolvedProgram;
  command: Omit<
    CommandRequest,
    'binary' | 'marker' | 'lastMessageFile' | 'resultFile' | 'unit' | 'workdir' | 'promptFile'
  >;
  /** argv that stands by for this process: node, reap-watch; the state dir is added. */
  guardian: string[];
  /** The compiled `prun`, which collects the delta of a workspace. */
  prun: string;
  contain: boolean;
}

/** A unit under way, as whoever supervises it holds it: started here, or adopted from a supervisor that died. */
export interface SupervisedUnit {
  host: ProcessHost;
  executor: Executor;
  /** The compiled `prun`, which collects the delta of a workspace. */
  prun: string;
  stateDir: string;
  record: UnitRecord;
  /** The caller's, where the executor looks for its session log. */
  environment: NodeJS.ProcessEnv;
  interruption: Interruption;
  /** The workspace that the worker works in, if it is one. */
  workspace: WorkspacePlace | undefined;
  /** Fingerprint of the user's repository, taken before the worker could change anything. Never rejects. */
  before: Promise<Tripwire | undefined>;
  by: 'dispatch-task' | 'run';
  /** Looks whether a process of the family is left, at the price of a share of a look where many units end at once. */
  anybodyLeft?: (family: Family) => Promise<boolean>;
  /** Runs in the workspace after a worker that ended well; its failure is the unit's. */
  verify?: VerifyWish | undefined;
}

/** A unit's own check. */
export interface VerifyWish {
  command: string;
  timeoutSeconds: number;
  /** Variables that it sees although they are hidden, as the worker did. */
  passEnv: readonly string[];
  /** What prun told the worker. */
  told: Readonly<Record<string, string>>;
  /** Slots of the machine that it needs, undefined where it needs none. */
  slots?: CheckSlots | undefined;
}

/** Slots that a unit's check holds while it runs. */
export interface CheckSlots {
  /** Resolves when they are held; with false where `stop` came first. */
  hold(stop: Promise<unknown> | undefined): Promise<boolean>;
  /** Notes that the check runs as this process: it keeps the slots, whatever becomes of its supervisor. Never throws. */
  keptBy(pid: number): void;
  /** What the check is told of them. */
  told(): Readonly<Record<string, string>>;
  giveBack(): void;
}

/** A unit of `dispatch-task` under way. */
export interface RunningUnit extends SupervisedUnit {
  request: DispatchRequest;
  attempt: PreparedAttempt;
  command: WorkerCommand;
  lifeline: Lifeline;
}
