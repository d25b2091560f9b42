import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { errnoOf, messageOf, usageError } from '../platform/errors.ts';
import { PRIVATE_FILE, writeAtomic, writeOnce } from '../platform/files.ts';
import { sha256 } from './fingerprint.ts';
import {
  STAGES,
  STATUSES,
  VALIDATION_FILES,
  VALIDATION_SCHEMA,
  type ValidationResult,
} from './validation-records.ts';

const namedProcess = z.object({ pid: z.number(), command: z.string() });
const commands = z.partialRecord(z.enum(STAGES), z.array(z.string()));

const resultSchema = z.object({
  schema: z.number(),
  status: z.enum(STATUSES),
  reason: z.string(),
  exitCode: z.number(),
  signal: z.nullable(z.string()),
  startedAt: z.string(),
  endedAt: z.string(),
  seconds: z.number(),
  worktree: z.string(),
  commit: z.string(),
  tree: z.nullable(z.string()),
  job: z.object({ file: z.string(), sha256: z.string() }),
  commands,
  stepTimeoutSeconds: z.number(),
  environment: z.array(z.string()),
  fingerprints: z.object({ build: z.string(), environment: z.string() }),
  reused: z.nullable(z.object({ result: z.string(), sha256: z.string() })),
  recovered: z.boolean(),
  checks: z.number(),
  steps: z.array(
    z.object({
      sequence: z.number(),
      stage: z.enum(STAGES),
      argv: z.array(z.string()),
      outcome: z.enum(['ok', 'failed', 'timeout', 'cancelled']),
      exitCode: z.number(),
      signal: z.nullable(z.string()),
      startedAt: z.string(),
      seconds: z.number(),
      log: z.string(),
      logBytes: z.number(),
      logSha256: z.string(),
      leftovers: z.array(namedProcess),
      survivors: z.array(namedProcess),
    }),
  ),
  checksum: z.string(),
});

/** A result as it was read, and the hash of the file's bytes. */
export interface ReadResult {
  result: ValidationResult;
  sha256: string;
  /** Whether the record is the one that was written: its own checksum holds. */
  isWhole: boolean;
}

/**
 * Reads a `result.json`. `name` is what the user called it by, for messages. Throws a usage error where there is none, or
 * none that this prun knows.
 */
export function readResult(file: string, name: string): ReadResult {
  let bytes: Buffer;
  let json: unknown;
  try {
    bytes = readFileSync(file);
    json = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    const why = errnoOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    throw usageError(`${name} ${file} ${why}`, 'give the result.json of a validation that has ended');
  }
  const schema = z.object({ schema: z.number() }).safeParse(json);
  if (schema.success && schema.data.schema > VALIDATION_SCHEMA) {
    throw usageError(`${name} ${file} was written by a newer prun`, 'use that one, or validate again');
  }
  const parsed = resultSchema.safeParse(json);
  if (!parsed.success) {
    throw usageError(`${name} ${file} is no result of validate-run`, 'give the result.json of a validation');
  }
  const { checksum, ...rest } = parsed.data;
  // A key that the schema does not know is in no checksum.
  const isAsRead = JSON.stringify(json) === JSON.stringify(parsed.data);
  const isWhole = isAsRead && checksum === checksumOf(rest);
  return { result: parsed.data, sha256: sha256(bytes), isWhole };
}

/** Hash of a record without its checksum. Keys are in the order of `resultSchema`, in which records are written. */
function checksumOf(rest: Omit<ValidationResult, 'checksum'>): string {
  return sha256(JSON.stringify(rest));
}

/** Space that is kept for the result, so that a full disk cannot prevent it. */
const RESERVE_BYTES = 128 * 1024;

/** Sets space aside for the result. */
export function reserveResult(output: string): void {
  writeFileSync(reserveOf(output), Buffer.alloc(RESERVE_BYTES, 32), { mode: PRIVATE_FILE });
}

function reserveOf(output: string): string {
  return path.join(output, VALIDATION_FILES.own, 'reserve');
}

/** Writes the one result of a validation with its checksum, and takes away what only a running one needs. */
export function writeResult(
  output: string,
  rest: Omit<ValidationResult, 'checksum'>,
): { file: string; result: ValidationResult } {
  // The same order of keys as a reader gets them in.
  const ordered = resultSchema.parse({ ...rest, checksum: '' });
  const { checksum: _, ...record } = ordered;
  const result = { ...record, checksum: checksumOf(record) };
  const file = path.join(output, VALIDATION_FILES.result);
  rmSync(reserveOf(output), { force: true });
  if (!writeOnce(file, `${JSON.stringify(result, null, 2)}\n`)) {
    throw usageError(`${file} is there already, and not by this validation`, 'let no step write it');
  }
  rmSync(path.join(output, VALIDATION_FILES.progress), { force: true });
  // The guardian's starter may still note who stands by.
  rmSync(path.join(output, VALIDATION_FILES.own), { recursive: true, force: true, maxRetries: 5 });
  return { file, result };
}

/** Who validates, and how far it is. */
export interface ValidationProgress {
  schema: number;
  /** `boot:pid:start`. */
  validator: string;
  startedAt: string;
  /** The step that runs; null before the first one. */
  step: { sequence: number; stage: string } | null;
}

const progressSchema = z.object({
  schema: z.number(),
  validator: z.string(),
  startedAt: z.string(),
  step: z.nullable(z.object({ sequence: z.number(), stage: z.string() })),
});

/** Notes how far a validation is, for a reader who finds no result. */
export function noteProgress(output: string, progress: ValidationProgress): void {
  const text = `${JSON.stringify(progress)}\n`;
  writeAtomic(path.join(output, VALIDATION_FILES.progress), text, { sync: false });
}

/** How far a validation without a result came; undefined where that cannot be told. */
export function readProgressNote(output: string): ValidationProgress | undefined {
  try {
    const json: unknown = JSON.parse(readFileSync(path.join(output, VALIDATION_FILES.progress), 'utf8'));
    const parsed = progressSchema.safeParse(json);
    return parsed.success ? parsed.data : undefined;
  } catch {
    // There is none.
    return undefined;
  }
}
