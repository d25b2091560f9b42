import type { ProcessHost } from '../process/types.ts';
import type { Interruption } from '../supervise/interruption.ts';
import type { OwnedCommands } from '../supervise/owned-commands.ts';
import type { Job } from './job.ts';
import type { ReusedBuild } from './reused-build.ts';
import type { Fingerprints, Stage, StepRecord } from './validation-records.ts';
import type { TreeWatch } from './watch-tree.ts';

/** Who follows a validation. */
export interface ValidationListener {
  started(facts: { output: string; commit: string }): void;
  stepStarted(step: { sequence: number; stage: Stage; argv: string[]; log: string }): void;
  stepEnded(step: StepRecord, log: string): void;
}

/** What a validation begins with. Paths are absolute. */
export interface ValidationRequest {
  job: Job;
  output: string;
  reused: ReusedBuild | undefined;
  /** The caller's environment. */
  environment: NodeJS.ProcessEnv;
  host: ProcessHost;
  interruption: Interruption;
  listener: ValidationListener;
  /** The compiled validate-run, for the guardian. */
  script: string;
}

/** What is known of one validation while it runs. */
export interface Validation extends ValidationRequest {
  commands: OwnedCommands;
  worktree: string;
  commit: string;
  tree: string | null;
  fingerprints: Fingerprints;
  stepVariables: Record<string, string>;
  startedAt: string;
  watch: TreeWatch | undefined;
  steps: StepRecord[];
  checks: number;
}
