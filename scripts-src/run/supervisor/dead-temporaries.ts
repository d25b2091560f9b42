import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isTemporaryOf, readValue } from '../../platform/files.ts';
import { parseIdentity } from '../../process/identity.ts';
import { type Run, runFile } from '../run-folder.ts';

/**
 * Removes files that supervisors who are dead were about to give their final names: in the run's folder, where results
 * are written, and in these state dirs. Temporaries of commands that may be at work are left alone.
 */
export function removeTemporaries(run: Run, stateDirs: readonly string[]): void {
  const dead = deadSupervisors(run);
  if (dead.length === 0) return;
  const io = runFile(run, 'agentIo');
  const own = (['answers', 'supervisors'] as const).map((name) => runFile(run, name));
  for (const folder of [
    run.folder,
    ...own,
    io,
    ...['prompts', 'results'].map((name) => path.join(io, name)),
    ...stateDirs,
  ]) {
    for (const name of namesIn(folder)) {
      if (dead.some((pid) => isTemporaryOf(name, pid))) rmSync(path.join(folder, name), { force: true });
    }
  }
}

/** Pids of all that were elected before this process. */
function deadSupervisors(run: Run): number[] {
  const folder = runFile(run, 'supervisors');
  return namesIn(folder)
    .filter((name) => /^\d+$/.test(name))
    .map((name) => parseIdentity(readValue(path.join(folder, name)) ?? '')?.pid)
    .filter((pid): pid is number => pid !== undefined && pid !== process.pid);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It has gone: then so has what was in it.
    return [];
  }
}
