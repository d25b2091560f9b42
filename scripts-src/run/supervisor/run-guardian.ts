import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_DIR } from '../../platform/files.ts';
import type { ProcessHost } from '../../process/types.ts';
import { type Lifeline, startLifeline } from '../../supervise/lifeline.ts';
import { STATE_FILES } from '../../unit/state-dir.ts';
import type { Run } from '../run-folder.ts';

/** A guardian that is killed again and again is replaced no faster than this, ms. */
const REPLACE_GUARDIAN_MS = 100;

/** The guardian of a run: when this process dies without a word, a successor is started, and adopts the workers. */
export interface RunGuard {
  /** File with the guardian's pid: shims wait for it. */
  pidFile: string;
  release(): void;
}

/** Puts a guardian behind this supervisor, and another one when that is killed. */
export function standBehindRun(host: ProcessHost, run: Run, prun: string): RunGuard {
  const folder = path.join(run.folder, 'guardian');
  mkdirSync(folder, { recursive: true, mode: PRIVATE_DIR });
  const pidFile = path.join(folder, STATE_FILES.guardianPid);
  // An earlier supervisor's: the shims must not take it for this one's.
  rmSync(pidFile, { force: true });
  const command = [process.execPath, prun, 'supervise', '--run-dir', run.folder];
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
