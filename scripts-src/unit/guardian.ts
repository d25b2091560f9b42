import { readValue } from '../platform/files.ts';
import { identityOf, isAlive, type ProcessId, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { stateFile } from './state-dir.ts';

/** Whether somebody stands behind this attempt's dispatcher, or is at work in its place. */
export function isGuarded(stateDir: string, host: ProcessHost): boolean {
  const guardian = guardianOf(stateDir, host);
  return guardian !== undefined && isAlive(host, guardian);
}

/**
 * Its recorded identity. In the first moments there is only the pid that the guardian's starter wrote; then the
 * process must at least be the sh that guardians are (Windows records the identity at once).
 */
function guardianOf(stateDir: string, host: ProcessHost): ProcessId | undefined {
  const recorded = readValue(stateFile(stateDir, 'guardian'));
  if (recorded !== undefined) return parseIdentity(recorded);
  const pid = Number(readValue(stateFile(stateDir, 'guardianPid')));
  const entry = Number.isInteger(pid) && pid > 1 ? host.entry(pid) : undefined;
  return entry && /^(?:.*\/)?(?:sh|dash|bash|busybox|ash)$/.test(entry.command)
    ? identityOf(host, entry)
    : undefined;
}
