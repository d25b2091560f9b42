import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../../platform/errors.ts';

/**
 * Removes drafts in a folder whose maker was killed: their names hold its pid. One that somebody else has by now only
 * keeps a draft longer.
 */
export function removeDeadDrafts(folder: string): void {
  for (const { file, isDead } of draftsIn(folder)) if (isDead) rmSync(file, { recursive: true, force: true });
}

/** A draft, by its name `.<what>-<pid>-<8 hexadecimal digits>.draft`. */
export interface Draft {
  file: string;
  /** What it is to become. */
  what: string;
  pid: number;
  /** Whether its maker has ended. */
  isDead: boolean;
}

/** All drafts in a folder. */
export function draftsIn(folder: string): Draft[] {
  return readdirSync(folder).flatMap((name): Draft[] => {
    const [, what, digits] = /^\.(.*)-(\d+)-[0-9a-f]{8}\.draft$/.exec(name) ?? [];
    if (what === undefined || digits === undefined) return [];
    const pid = Number(digits);
    return [{ file: path.join(folder, name), what, pid, isDead: !isRunning(pid) }];
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}
