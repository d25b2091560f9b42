import type { CommandRequest, Executor, WorkerCommand } from '../executor/types.ts';
import type { ResolvedProgram } from '../platform/resolve-program.ts';
import type { ProcessHost } from '../process/types.ts';
import type { Tripwire } from '../workspace/tripwire/tripwire.ts';
import type { WorkspacePlace } from '../workspace/workspace-of.ts';
import type { AttemptRequest, PreparedAttempt } from './attempt.ts';
import type { Interruption } from './interruption.ts';
import type { Lifeline } from './lifeline.ts';

/** One unit as `dispatch-task` was asked to run it. */
export interface DispatchRequest extends AttemptRequest {
  executor: Executor;
  program: ResolvedProgram;
  command: Omit<CommandRequest, 'binary' | 'marker' | 'lastMessageFile' | 'resultFile'>;
  /** argv that stands by for this process: node, reap-watch; the state dir is added. */
  guardian: string[];
  /** The compiled `prun`, which collects the delta of a workspace. */
  prun: string;
  contain: boolean;
}

/** A unit under way, as its supervisor holds it. */
export interface RunningUnit {
  request: DispatchRequest;
  host: ProcessHost;
  interruption: Interruption;
  attempt: PreparedAttempt;
  command: WorkerCommand;
  lifeline: Lifeline;
  /** The workspace that the worker works in, if it is one. */
  workspace: WorkspacePlace | undefined;
  /** Fingerprint of the user's repository, taken before the worker could change anything. Never rejects. */
  before: Promise<Tripwire | undefined>;
}
