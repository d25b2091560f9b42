import { claimHolder } from '../process/claim.ts';
import type { ProcessHost } from '../process/types.ts';
import { type Run, runFile } from './run-folder.ts';

/** Whether somebody supervises the run now: its identity `boot:pid:start`, or undefined. */
export function liveSupervisor(host: ProcessHost, run: Pick<Run, 'folder'>): string | undefined {
  return claimHolder(host, runFile(run, 'supervisors'))?.identity;
}
