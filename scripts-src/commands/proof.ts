import { readValue } from '../platform/files.ts';
import { createFamily, type Family, lookAtFamilies, observerOf } from '../process/family.ts';
import { currentHost } from '../process/host.ts';
import { isAlive, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { readOutcome, readUnitRecord } from '../unit/read-records.ts';
import type { NamedProcess } from '../unit/records.ts';
import { stateFile } from '../unit/state-dir.ts';

/** What a look for processes of ended units has found. */
export interface Leftovers {
  /** Units whose marks were known, and so looked for. */
  units: number;
  /** Processes in the table that was looked through. */
  lookedThrough: number;
  left: NamedProcess[];
}

/** A guardian needs a moment to go home after its dispatcher. */
const PATIENCE_MS = 3000;
const AGAIN_MS = 50;

/**
 * Looks through the process table for everything that belongs to these state dirs: by the marks that each unit's
 * descendants inherit, and by the identities of its dispatcher and guardian. Reads only.
 */
export async function findLeftovers(stateDirs: readonly string[]): Promise<Leftovers> {
  const host = await currentHost();
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const left = lookOnce(host, stateDirs);
    if (left.length === 0 || performance.now() >= until) {
      const units = stateDirs.filter((dir) => readUnitRecord(dir) !== undefined).length;
      return { units, lookedThrough: [...host.look(0)].length, left };
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

function lookOnce(host: ProcessHost, stateDirs: readonly string[]): NamedProcess[] {
  const left = new Map<number, NamedProcess>();
  const families = stateDirs.map(familyOf).filter((family) => family !== undefined);
  if (families.length > 0) lookAtFamilies(host, families, observerOf(host), () => {});
  for (const family of families) {
    for (const { pid, command } of family.members.values()) left.set(pid, { pid, command });
  }
  for (const dir of stateDirs) {
    for (const [name, written] of supervisorsOf(dir)) {
      const identity = parseIdentity(written ?? '');
      if (identity && isAlive(host, identity)) left.set(identity.pid, { pid: identity.pid, command: name });
    }
  }
  return [...left.values()];
}

function familyOf(stateDir: string): Family | undefined {
  const record = readUnitRecord(stateDir);
  if (!record) return undefined;
  const family = createFamily(record.marker, record.rssMark, record.since);
  const session = readOutcome(stateDir)?.sessionId;
  if (session) family.threadIds.add(session);
  return family;
}

function supervisorsOf(stateDir: string): [string, string | undefined][] {
  return [
    ['dispatch-task', readUnitRecord(stateDir)?.supervisor],
    ['guardian', readValue(stateFile(stateDir, 'guardian'))],
  ];
}

/** The proof in one line. */
export function proofLine({ units, lookedThrough, left }: Leftovers): string {
  if (left.length === 0) {
    return `no process left: looked for ${units} units' marks, dispatchers and guardians in ${lookedThrough} processes, found 0`;
  }
  const named = left.slice(0, 10).map(({ pid, command }) => `${pid} (${command})`);
  return `${left.length} LEFT of ${units} units: ${named.join(', ')}${left.length > named.length ? ' and others' : ''}`;
}
