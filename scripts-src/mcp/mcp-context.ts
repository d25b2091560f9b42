import type { ProcessHost } from '../process/types.ts';
import type { ServerRecord } from './server-record.ts';
import type { ServerRuns } from './server-runs.ts';
import type { InPlaceTasks } from './tasks-in-place.ts';

/** What the calls of one server share. Paths are absolute. */
export interface McpContext {
  host: ProcessHost;
  stateHome: string;
  /** The codex that the server was told to use; undefined: by the environment and PATH. */
  codexBin: string | undefined;
  environment: NodeJS.ProcessEnv;
  cwd: string;
  /** The compiled prun beside this script. */
  prun: string;
  runs: ServerRuns;
  record: ServerRecord;
  inPlace: InPlaceTasks;
  /** Throws PrunError where codex is missing, or cannot work for want of a login or a home. */
  requireCodex(): Promise<void>;
  /** Calls that are being worked on. */
  calls: Set<Promise<unknown>>;
  /** Tasks that run now, by folder and name. */
  live: Set<string>;
  /** Aborted when the client has gone or the server is asked to end. */
  closing: AbortSignal;
  /** Says something on stderr, one line. */
  say(text: string): void;
}

/** One call of a tool. */
export interface ToolCall {
  /** Aborted when the client cancels the call or the server ends. */
  signal: AbortSignal;
  /** Tells the client what is done; undefined where it did not ask for that. `count` grows with each call. */
  progress: ((count: number, message: string) => void) | undefined;
}
