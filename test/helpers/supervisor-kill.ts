import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readProcess } from './process-table.ts';
import type { RunRoom, StartedRun } from './run-room.ts';
import { waitFor } from './wait-for.ts';

/** What `prun status --json` says, as far as tests look at it. */
export interface StatusFacts {
  state: string;
  supervisor: { pid: number; identity: string; alive: boolean } | null;
  units: { id: string; status: string; reason: string | null; attempt: number; result: string | null }[];
}

/** Asks for a run's status; `prun status` sees to it that somebody supervises it. */
export async function statusOf(room: RunRoom, run: StartedRun): Promise<StatusFacts> {
  const { stdout } = await room.cli.run(['status', '--run', run.id, '--json']);
  return JSON.parse(stdout) as StatusFacts;
}

/**
 * Kills a run's supervisor together with the guardian that stands behind it, so that nobody is left. The supervisor is
 * stopped first: it would replace its guardian. Returns the supervisor's pid.
 */
export async function killSupervisors(run: StartedRun): Promise<number> {
  const guardianFile = path.join(run.folder, 'guardian/.guardian-pid');
  const guardian = await waitFor('the guardian', () => existsSync(guardianFile) && pidIn(guardianFile));
  const supervisor = run.supervisorPid();
  process.kill(supervisor, 'SIGSTOP');
  process.kill(guardian, 'SIGKILL');
  process.kill(supervisor, 'SIGKILL');
  await waitFor('the end of both', () => [guardian, supervisor].every((pid) => !isAlive(pid)));
  return supervisor;
}

/** Never 0: a signal to it would go to this test's own group. */
function pidIn(file: string): number | undefined {
  return Number(readFileSync(file, 'utf8')) || undefined;
}

/** Makes somebody else the holder of a run's newest claim, as a pid that was given out again would. */
export function forgeSupervisor(run: StartedRun, pid: number, start?: string): void {
  const [boot, , ownStart] = claimOf(run).identity.split(':');
  writeFileSync(claimOf(run).file, `${boot}:${pid}:${start ?? ownStart}\n`);
}

function claimOf(run: StartedRun): { file: string; identity: string } {
  const claims = path.join(run.folder, 'supervisors');
  const newest = Math.max(...readdirSync(claims).map(Number).filter(Number.isFinite));
  const file = path.join(claims, String(newest));
  return { file, identity: readFileSync(file, 'utf8').trim() };
}

/** Whether a process is there and not dead; a zombie is. */
export function isAlive(pid: number): boolean {
  const seen = readProcess(pid);
  return seen !== undefined && seen.state !== 'Z' && seen.state !== 'X';
}
