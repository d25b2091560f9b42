import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_DIR } from '../platform/files.ts';
import type { ProcessHost } from '../process/types.ts';
import { STATE_FILES } from '../unit/state-dir.ts';
import { type Lifeline, startLifeline } from './lifeline.ts';

/** A guardian that is killed again and again is replaced no faster than this, ms. */
const REPLACE_GUARDIAN_MS = 100;

/** A guardian that stands behind this process, and another one when that is killed. */
export interface StandingGuard {
  /** File with the guardian's pid. */
  pidFile: string;
  /** Sends it home: there is nothing to do when this process ends. */
  release(): void;
}

/** Puts a guardian behind this process: when it dies without a word, `command` runs. Its files are in `folder`. */
export function standBehind(host: ProcessHost, folder: string, command: string[]): StandingGuard {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_DIR });
  const pidFile = path.join(folder, STATE_FILES.guardianPid);
  // An earlier owner's: nobody must take it for this one's.
  rmSync(pidFile, { force: true });
  let isReleased = false;
  let lifeline: Lifeline;
  const begin = (): void => {
    lifeline = startLifeline(host, { draft: folder, stateDir: folder }, command);
    lifeline.begin();
    const { settled, lost, record } = lifeline;
    void settled.then(() => record(folder));
    void lost
      .then(() => new Promise((resolve) => setTimeout(resolve, REPLACE_GUARDIAN_MS)))
      .then(() => {
        if (!isReleased) begin();
      });
  };
  begin();
  return {
    pidFile,
    release() {
      isReleased = true;
      lifeline.release();
    },
  };
}
