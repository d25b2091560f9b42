import { existsSync } from 'node:fs';
import type { Executor } from '../../executor/types.ts';
import { readValue, sizeOf } from '../../platform/files.ts';
import { followLines, type LineFollower } from '../../supervise/line-follower.ts';
import { stateFile } from '../../unit/state-dir.ts';

/** Follows what a worker prints, as it comes. */
export interface OutputFollower {
  /** Reads on; true when the attempt has its outcome and everything was read. */
  advance(): boolean;
  close(): void;
}

/**
 * Calls `onLine` with each new line of an attempt's output, without its newline. Where stdout is the worker's answer,
 * stderr lies beside it while it runs, and follows in the tail at the end: it is given once.
 */
export function followOutput(
  stateDir: string,
  executor: Executor,
  onLine: (line: string) => void,
): OutputFollower {
  const tailFile = stateFile(stateDir, 'tail');
  const tail = followLines(tailFile, onLine);
  let stderr: LineFollower | undefined;
  if (executor.answersOnStdout) stderr = followLines(stateFile(stateDir, 'stderr'), onLine);

  function advanceTail(): void {
    // Measured before it is asked where stdout ends: what is added after that note was in stderr before.
    const size = sizeOf(tailFile);
    const noted = stderr ? Number(readValue(stateFile(stateDir, 'stdoutBytes')) ?? Number.NaN) : Number.NaN;
    const end = Number.isInteger(noted) ? Math.min(noted, size) : size;
    if (tail.offset() < end) tail.advance(end - tail.offset());
  }

  return {
    advance() {
      const hasEnded = existsSync(stateFile(stateDir, 'outcome'));
      advanceTail();
      stderr?.advance();
      if (hasEnded) for (const one of [tail, stderr]) one?.finish();
      return hasEnded;
    },
    close() {
      tail.close();
      stderr?.close();
    },
  };
}
