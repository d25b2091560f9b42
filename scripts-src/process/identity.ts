import type { ProcessEntry, ProcessHost, ProcessId } from './types.ts';

export type { ProcessId } from './types.ts';

/** The written form of an identity, as it stands in `unit.json` and in claims. */
export function formatIdentity(id: ProcessId): string {
  return `${id.boot}:${id.pid}:${id.start}`;
}

/** Reads `boot:pid:start`; undefined for anything else. */
export function parseIdentity(text: string): ProcessId | undefined {
  const match = /^([^:]+):(\d+):([^:]+)$/.exec(text.trim());
  if (!match?.[1] || !match[2] || !match[3]) return undefined;
  return { boot: match[1], pid: Number(match[2]), start: match[3] };
}

/** Identity of an entry of a look on this boot. */
export function identityOf(host: ProcessHost, entry: ProcessEntry): ProcessId {
  return { boot: host.bootId(), pid: entry.pid, start: entry.start };
}

/** Identity of a running pid, or undefined when there is none. A zombie still has one. */
export function identify(host: ProcessHost, pid: number): ProcessId | undefined {
  const entry = host.entry(pid);
  return entry && identityOf(host, entry);
}

/**
 * Whether exactly this process runs now. `kill(pid, 0)` would say yes for zombies and for strangers that were
 * given the same number (FACTS-processes.md, Identity).
 */
export function isAlive(host: ProcessHost, id: ProcessId): boolean {
  if (id.boot !== host.bootId()) return false;
  const entry = host.entry(id.pid);
  return entry !== undefined && entry.start === id.start && entry.state !== 'zombie';
}

/** Signals exactly this process: the identity is compared at the moment of the signal. */
export function signalIfSame(host: ProcessHost, id: ProcessId, signal: NodeJS.Signals): boolean {
  return isAlive(host, id) && host.signal(id.pid, signal);
}
