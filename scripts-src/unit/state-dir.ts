import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_FILE } from '../platform/files.ts';

/** Files of one attempt's state dir (DESIGN.md §4). Relative names, one meaning each. */
export const STATE_FILES = {
  /** Epoch seconds of an older result, or 0. */
  preMtime: 'pre-mtime',
  /** Epoch seconds of the start. */
  timestamp: 'timestamp',
  /** Absolute path of the result. */
  resultFile: 'result-file',
  dispatchPid: 'dispatch-pid',
  /** All of the worker's stdout and stderr, the executor's trace left out. */
  tail: 'tail',
  /** stderr of a worker whose trace shares it, or whose stdout is its answer; in the end the tail has it, too. */
  stderr: 'stderr',
  /** Bytes of the tail that are stdout, noted before stderr follows; only where stdout is the worker's answer. */
  stdoutBytes: 'stdout-bytes',
  scratch: 'work',
  /** First line the reason, then the evidence. Only when the unit was reaped; `dispatch-dead` by a guardian. */
  reapReason: 'reap-reason',
  /** Signal that asked the dispatcher to end, as its guardian must know when it does not get that far. */
  stopSignal: 'stop-signal',
  unit: 'unit.json',
  outcome: 'outcome.json',
  /** What stood at the outcome's name before its supervisor wrote it: a worker's own doing. */
  foreignOutcome: 'foreign-outcome',
  /** Space kept for the outcome, so that a full disk cannot prevent it. */
  outcomeReserve: '.outcome-reserve',
  progress: 'progress',
  /** Quiet file: touched once, after the outcome. Watchers watch it and nothing else. */
  wake: 'wake',
  prompt: 'prompt',
  lastMessage: 'last-message',
  /** The JSON schema that the last message is to hold, and the JSON of one that does; only where one was asked for. */
  outputSchema: 'output-schema.json',
  structured: 'structured.json',
  previousResult: 'previous-result',
  emptyResult: 'empty-result',
  /** Origin of a result that prun wrote from the worker's own answer, noted before it is written. */
  answered: 'answered',
  /** Start fence: whoever creates it may start the worker, or may declare that it never started. */
  started: 'started',
  /** Exit code of the worker, written by the shim. */
  exit: 'exit',
  /** Identities of the unit's processes, where the system shows no marks (macOS). */
  members: 'members',
  /** Fingerprint of the user's repository when the worker was started; only for a unit in a workspace. */
  repository: 'repository',
  /** Its delta and the patch that exports it, archived at the end; only for a unit in a workspace. */
  delta: 'delta.json',
  patch: 'delta.patch',
  /** What the unit's own check printed. */
  verifyLog: 'verify.log',
  /** Pid of the guardian, written by its starter: the worker's shim waits for it. */
  guardianPid: '.guardian-pid',
  /** Identity of the guardian. */
  guardian: 'guardian',
} as const;

/** Name of one of a state dir's files. */
export type StateFile = keyof typeof STATE_FILES;

/** Absolute path of one file of a state dir. */
export function stateFile(stateDir: string, file: StateFile): string {
  return path.join(stateDir, STATE_FILES[file]);
}

/** Where a state dir is filled before it gets its name: beside it, under a name that nobody looks at. */
export function draftOf(stateDir: string): string {
  return path.join(path.dirname(stateDir), `.${path.basename(stateDir)}.draft`);
}

/** Writes one plain value with a newline, for people and shell scripts. */
export function writeValue(stateDir: string, file: StateFile, value: string | number): void {
  writeFileSync(stateFile(stateDir, file), `${value}\n`, { mode: PRIVATE_FILE });
}
