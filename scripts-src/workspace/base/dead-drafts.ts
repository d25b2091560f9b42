import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../../platform/errors.ts';

/**
 * Removes drafts in a folder whose maker was killed: their names hold its pid. One that somebody else has by now only
 * keeps a draft longer.
 */
export function removeDeadDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^\..*-(\d+)-[0-9a-f]{8}\.draft$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      rmSync(path.join(folder, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}
