import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { usageError } from '../platform/errors.ts';
import { lstatOrNone, readStart, writeAtomic } from '../platform/files.ts';

/** The list of what `prun install` has put into a folder, by name in that folder. */
export const MANIFEST = '.prun-manifest.json';
const MANIFEST_SCHEMA = 1;
const MOST_BYTES = 1_000_000;

const row = z.object({ file: z.string(), bytes: z.number(), sha256: z.string() });

const manifest = z.object({
  schema: z.number(),
  version: z.nullable(z.string()),
  files: z.array(row),
  /** What stood there before, while an upgrade is under way; still there: it was interrupted. */
  replaced: z.optional(z.array(row)),
});

/** One file of a prun folder: its path with `/`, its size, its SHA-256. The form of dist/manifest.json. */
export type ManifestRow = z.infer<typeof row>;
/** What `prun install` has put into a folder. */
export type InstallManifest = z.infer<typeof manifest>;

/** A manifest of these files. */
export function manifestOf(
  version: string | null,
  files: readonly ManifestRow[],
  replaced: readonly ManifestRow[] = [],
): InstallManifest {
  const rows = (list: readonly ManifestRow[]): ManifestRow[] =>
    list.map(({ file, bytes, sha256 }) => ({ file, bytes, sha256 }));
  return {
    schema: MANIFEST_SCHEMA,
    version,
    files: rows(files),
    ...(replaced.length > 0 ? { replaced: rows(replaced) } : {}),
  };
}

/** SHA-256 of a file's content, in hex. */
export function sha256Of(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Its text on disk. */
export function manifestText(content: InstallManifest): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Writes it whole or not at all, readable for all as the rest of the folder. */
export function writeManifest(folder: string, content: InstallManifest): void {
  const file = path.join(folder, MANIFEST);
  writeAtomic(file, manifestText(content));
  chmodSync(file, 0o644);
}

/**
 * The manifest of a folder, or undefined where there is none. Throws a usage error where it cannot be read: what in the
 * folder is prun's is then unknown. Its names lead nowhere else: one that is no plain path below the folder is refused.
 */
export function readManifest(folder: string): InstallManifest | undefined {
  const file = path.join(folder, MANIFEST);
  if (lstatOrNone(file) === undefined) return undefined;
  const next = 'remove that file; prun install then keeps a copy of every file that it replaces';
  let json: unknown;
  try {
    json = JSON.parse(readStart(file, MOST_BYTES));
  } catch {
    throw usageError(`${file} is no JSON`, next);
  }
  const parsed = manifest.safeParse(json);
  if (!parsed.success) throw usageError(`${file} is no list of what prun install put there`, next);
  if (parsed.data.schema > MANIFEST_SCHEMA) {
    throw usageError(
      `${file} has schema ${parsed.data.schema}, this prun knows ${MANIFEST_SCHEMA}`,
      'use the newer prun that put it there',
    );
  }
  const strange = knownRows(parsed.data).find((known) => !isPlainName(known.file));
  if (strange) throw usageError(`${file} names ${JSON.stringify(strange.file)}`, next);
  return parsed.data;
}

/** All that prun install knows to be its own in a folder: two rows for one file while an upgrade is under way. */
export function knownRows(content: InstallManifest | undefined): ManifestRow[] {
  return [...(content?.files ?? []), ...(content?.replaced ?? [])];
}

function isPlainName(name: string): boolean {
  return !/[\\:\0]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part));
}
