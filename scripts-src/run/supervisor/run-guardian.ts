import path from 'node:path';
import type { ProcessHost } from '../../process/types.ts';
import { type StandingGuard, standBehind } from '../../supervise/stand-behind.ts';
import type { Run } from '../run-folder.ts';

/**
 * Puts a guardian behind this supervisor: when this process dies without a word, a successor is started, and adopts the
 * workers. Shims wait for the file with its pid.
 */
export function standBehindRun(host: ProcessHost, run: Run, prun: string): StandingGuard {
  const command = [process.execPath, prun, 'supervise', '--run-dir', run.folder];
  return standBehind(host, path.join(run.folder, 'guardian'), command);
}
