import { closeSync, openSync } from 'node:fs';
import path from 'node:path';

/**
 * A named place where a test can end this very process: `PRUN_FAULT=<point>` kills it there with SIGKILL,
 * `PRUN_FAULT=<point>:stop` stops it with SIGSTOP. Off by default. Each point strikes once for each folder, so
 * that a successor gets past it.
 */
export function faultPoint(point: string, folder: string): void {
  const wanted = process.env.PRUN_FAULT;
  if (!wanted) return;
  const stop = wanted === `${point}:stop`;
  if (!stop && wanted !== point) return;
  try {
    closeSync(openSync(path.join(folder, `.fault-${point.replace(/\W/g, '-')}`), 'wx'));
  } catch {
    // It struck already.
    return;
  }
  process.kill(process.pid, stop ? 'SIGSTOP' : 'SIGKILL');
}
