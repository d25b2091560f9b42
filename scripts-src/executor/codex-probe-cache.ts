import { mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_DIR, readStart, writeAtomic } from '../platform/files.ts';
import { shortHash } from '../platform/random.ts';
import type { ProgramProbe } from './types.ts';

const SCHEMA = 1;
const MAX_BYTES = 64 * 1024;

/** What makes a program file this very file. */
interface ProgramIdentity {
  /** Real path. */
  program: string;
  size: string;
  mtimeNs: string;
}

/**
 * What an earlier probe has found out about this program; undefined where nobody has asked, the file is another one by
 * now, or the record cannot be read. Cheap: two looks at the disk and a small file, no program is run.
 */
export function readProbe(stateHome: string, program: string): ProgramProbe | undefined {
  try {
    const identity = identityOf(program);
    return probeIn(JSON.parse(readStart(fileOf(stateHome, identity), MAX_BYTES)), identity);
  } catch {
    // No such program, nobody has asked, or a damaged record: the next probe writes it anew.
    return undefined;
  }
}

/** Keeps what a probe has found out. A state home that cannot be written only costs the next caller a probe. */
export function keepProbe(stateHome: string, program: string, probe: ProgramProbe): void {
  try {
    const identity = identityOf(program);
    const file = fileOf(stateHome, identity);
    mkdirSync(path.dirname(file), { recursive: true, mode: PRIVATE_DIR });
    writeAtomic(file, `${JSON.stringify({ schema: SCHEMA, ...identity, ...probe })}\n`, { sync: false });
  } catch {
    // See above.
  }
}

function fileOf(stateHome: string, { program, size, mtimeNs }: ProgramIdentity): string {
  return path.join(stateHome, 'probes', `${shortHash(`${program}\0${size}\0${mtimeNs}`)}.json`);
}

function identityOf(program: string): ProgramIdentity {
  const real = realpathSync(program);
  const { size, mtimeNs } = statSync(real, { bigint: true });
  return { program: real, size: String(size), mtimeNs: String(mtimeNs) };
}

/** By hand: `dispatch-task` reads it before its worker starts, when no zod is loaded yet. */
function probeIn(json: unknown, identity: ProgramIdentity): ProgramProbe | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const record = json as Record<string, unknown>;
  const isOurs =
    record.schema === SCHEMA &&
    record.program === identity.program &&
    record.size === identity.size &&
    record.mtimeNs === identity.mtimeNs;
  const { version, flags, resumeFlags } = record;
  if (!isOurs || typeof version !== 'string' || !isTexts(flags)) return undefined;
  if (resumeFlags !== null && !isTexts(resumeFlags)) return undefined;
  return { version, flags, resumeFlags };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
