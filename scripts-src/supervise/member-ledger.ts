import { readValue, writeAtomic } from '../platform/files.ts';
import type { Family } from '../process/family.ts';
import { formatIdentity, identityOf, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { stateFile } from '../unit/state-dir.ts';

/**
 * Writes down who belongs to a unit, one identity a line, for a guardian on a system without marks: a daemon's parents
 * are known only as long as they live. Writes nothing when nothing has changed since `before`; returns the text.
 */
export function noteMembers(host: ProcessHost, stateDir: string, family: Family, before: string): string {
  const lines = [...family.members.values()].map((member) => formatIdentity(identityOf(host, member)));
  const text = lines.sort().join('\n');
  if (text === before) return before;
  try {
    writeAtomic(stateFile(stateDir, 'members'), `${text}\n`, { sync: false });
  } catch {
    // A full disk must not end the supervisor; the guardian then finds fewer by itself.
  }
  return text;
}

/** Puts those of the noted members that still are the same processes into the family. */
export function recallMembers(host: ProcessHost, stateDir: string, family: Family): void {
  for (const line of (readValue(stateFile(stateDir, 'members')) ?? '').split('\n')) {
    const id = parseIdentity(line);
    const entry = id && id.boot === host.bootId() ? host.entry(id.pid) : undefined;
    if (entry && entry.start === id?.start) family.members.set(entry.pid, entry);
  }
}
