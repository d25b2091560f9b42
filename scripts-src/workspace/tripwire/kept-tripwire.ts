import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { writeAtomic } from '../../platform/files.ts';
import type { RepositoryChange } from './repository-change.ts';
import { compareTripwire, TRIPWIRE_SCHEMA, type Tripwire, takeTripwire } from './tripwire.ts';

const texts = z.record(z.string(), z.string());

const tripwire = z.object({
  schema: z.number().check(z.lte(TRIPWIRE_SCHEMA)),
  at: z.string(),
  source: z.object({ gitDir: z.string(), commonDir: z.string() }),
  head: z.nullable(z.string()),
  refs: texts,
  config: texts,
  hooks: texts,
  worktrees: z.record(z.string(), z.object({ path: z.string(), own: z.boolean() })),
  unread: z.array(z.object({ where: z.string(), why: z.string() })),
});

/** Keeps a fingerprint in a private file. Throws the system's error when it cannot be written. */
export function keepTripwire(file: string, kept: Tripwire): void {
  writeAtomic(file, `${JSON.stringify(kept)}\n`, { sync: false });
}

/** A fingerprint that was kept; undefined where there is none that this version can read. */
export function readTripwire(file: string): Tripwire | undefined {
  try {
    return tripwire.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Missing, torn or by a newer version: then there is nothing to compare with, which the caller says.
    return undefined;
  }
}

/** The repository now against a fingerprint in a file; undefined where there is none that can be read. */
export function compareWithKept(
  file: string,
): { before: Tripwire; after: Tripwire; changes: RepositoryChange[] } | undefined {
  const before = readTripwire(file);
  if (!before) return undefined;
  const after = takeTripwire(before.source);
  return { before, after, changes: compareTripwire(before, after) };
}
