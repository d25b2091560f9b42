import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isTemporary, isTemporaryOf, readValue } from '../../platform/files.ts';
import { parseIdentity } from '../../process/identity.ts';
import { type Run, runFile } from '../run-folder.ts';

/**
 * Removes files in the run's folder that supervisors who are dead were about to give their final names. Those of commands
 * that may be at work are left alone.
 */
export function removeTemporaries(run: Run): void {
  const dead = deadSupervisors(run);
  if (dead.length === 0) return;
  const io = runFile(run, 'agentIo');
  const own = (['answers', 'supervisors'] as const).map((name) => runFile(run, name));
  const ofIo = [io, path.join(io, 'prompts'), path.join(io, 'results')];
  for (const folder of [run.folder, path.join(run.folder, 'guardian'), ...own, ...ofIo]) {
    removeWhere(folder, (name) => dead.some((pid) => isTemporaryOf(name, pid)));
  }
}

/** The same for the state dir of an attempt that has its outcome: nobody writes there any more, so all are left over. */
export function clearStateDir(stateDir: string): void {
  removeWhere(stateDir, isTemporary);
}

function removeWhere(folder: string, isLeft: (name: string) => boolean): void {
  for (const name of namesIn(folder)) {
    if (isLeft(name)) rmSync(path.join(folder, name), { force: true });
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
