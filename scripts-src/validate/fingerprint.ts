import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type { Stage } from './validation-records.ts';

/** SHA-256 in hex. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** SHA-256 of a file's content and its size, read piece by piece: logs may be large. Throws the system's error. */
export function sha256OfFile(file: string): { sha256: string; bytes: number } {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(256 * 1024);
  const fd = openSync(file, 'r');
  try {
    let bytes = 0;
    for (let count = readSync(fd, piece); count > 0; count = readSync(fd, piece)) {
      hash.update(piece.subarray(0, count));
      bytes += count;
    }
    return { sha256: hash.digest('hex'), bytes };
  } finally {
    closeSync(fd);
  }
}

/** What a build depends on. */
export interface BuildInputs {
  commit: string;
  tree: string;
  commands: Partial<Record<Stage, readonly string[]>>;
  /** Fingerprint of the environment. */
  environment: string;
}

/** One hash over all that a build depends on, and what it checks of it. */
export function buildFingerprint({ commit, tree, commands, environment }: BuildInputs): string {
  return sha256(JSON.stringify([commit, tree, commands.build ?? null, commands.verify ?? null, environment]));
}

/**
 * One hash over all names and values: a hash for each value would give away short ones to whoever tries them. An
 * inherited name that the caller does not have counts as well.
 */
export function environmentFingerprint(environment: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify(sorted));
}
