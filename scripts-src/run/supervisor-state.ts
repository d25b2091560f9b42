import { claimHolder } from '../process/claim.ts';
import { parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { type Run, runFile } from './run-folder.ts';

/**
 * What is wrong with a live supervisor that does nothing: somebody stopped it (SIGSTOP, a debugger, a freezer). One line,
 * undefined where it is well.
 */
export function supervisorTrouble(host: ProcessHost, run: Pick<Run, 'folder'>): string | undefined {
  const identity = parseIdentity(liveSupervisor(host, run) ?? '');
  if (identity === undefined || host.entry(identity.pid)?.state !== 'stopped') return undefined;
  return `the supervisor, process ${identity.pid}, was stopped by a signal and does nothing: kill -CONT ${identity.pid} lets it go on`;
}

/** Whether somebody supervises the run now: its identity `boot:pid:start`, or undefined. */
export function liveSupervisor(host: ProcessHost, run: Pick<Run, 'folder'>): string | undefined {
  return claimHolder(host, runFile(run, 'supervisors'))?.identity;
}
