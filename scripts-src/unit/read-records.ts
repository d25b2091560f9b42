import * as z from 'zod/mini';
import { PrunError } from '../platform/errors.ts';
import { readValue } from '../platform/files.ts';
import { type OutcomeRecord, type ProgressRecord, SCHEMA, type UnitRecord } from './records.ts';
import { stateFile } from './state-dir.ts';
import { structuredResult } from './structured-result.ts';

// Loaded with `await import` only, after a hot script's worker has started: zod costs a fifth of Node's own start.
// Unknown fields of newer versions are let through; a newer schema number is said.

const limits = z.object({
  stallThresholdSeconds: z.number(),
  timeoutSeconds: z.number(),
  maxOutputBytes: z.number(),
  maxTokens: z.optional(z.number()),
});

/** Token counts as they stand in records and events. */
export const tokenCounts = z.object({
  input: z.number(),
  cachedInput: z.number(),
  output: z.number(),
  reasoningOutput: z.number(),
});

const unitRecord = z.object({
  schema: z.number(),
  unit: z.string(),
  attempt: z.number(),
  executor: z.string(),
  argv: z.array(z.string()),
  cwd: z.string(),
  promptFile: z.string(),
  resultFile: z.string(),
  base: z.nullable(z.string()),
  limits,
  marker: z.string(),
  rssMark: z.nullable(z.string()),
  since: z.number(),
  supervisor: z.string(),
  worker: z.nullable(z.string()),
  startedAt: z.string(),
  startedMonotonicMs: z.number(),
  boot: z.string(),
  resumed: z.optional(z.object({ sessionId: z.string(), tokensBefore: z.nullable(tokenCounts) })),
  structured: z.optional(z.boolean()),
  outputSchema: z.optional(z.string()),
});

const namedProcesses = z.array(z.object({ pid: z.number(), command: z.string() }));

const deltaSummary = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('collected'),
    workspace: z.string(),
    base: z.string(),
    result: z.string(),
    files: z.number(),
    added: z.number(),
    modified: z.number(),
    deleted: z.number(),
    commits: z.number(),
    moves: z.number(),
    outside: z.number(),
    problems: z.number(),
    lost: z.array(z.string()),
    patch: z.string(),
  }),
  z.object({
    state: z.enum(['failed', 'not-collected']),
    workspace: z.string(),
    detail: z.string(),
    next: z.string(),
  }),
]);

const claimSummary = z.object({
  claimed: z.array(z.string()),
  unclaimed: z.array(z.string()),
  ignored: z.array(z.string()),
  more: z.number(),
});

const tripwireSummary = z.object({
  since: z.string(),
  seenAt: z.string(),
  changes: z.array(
    z.object({
      what: z.enum(['ref', 'HEAD', 'config', 'hook', 'worktree']),
      name: z.string(),
      change: z.enum(['added', 'removed', 'changed']),
      before: z.optional(z.string()),
      after: z.optional(z.string()),
    }),
  ),
  more: z.number(),
  unread: z.array(z.string()),
});

const verifySummary = z.object({ command: z.string(), exitCode: z.number(), log: z.string() });

/** null where an older version wrote none, or a newer one something that this one does not know. */
function orNull<T>(schema: z.ZodMiniType<T>) {
  return z.catch(z.nullable(schema), null);
}

const outcomeRecord = z.object({
  schema: z.number(),
  unit: z.string(),
  attempt: z.number(),
  executor: z.string(),
  status: z.enum(['succeeded', 'failed', 'cancelled', 'interrupted']),
  // A reason of a newer version is shown as it is written.
  reason: z.string(),
  detail: z.string(),
  exitCode: z.nullable(z.number()),
  signal: z.nullable(z.string()),
  signalInferred: z.boolean(),
  result: z.nullable(z.object({ path: z.string(), origin: z.string(), bytes: z.number() })),
  resultError: z.nullable(z.string()),
  sessionId: z.nullable(z.string()),
  tokens: z.nullable(tokenCounts),
  threadTokens: z.optional(z.nullable(tokenCounts)),
  structured: z.optional(orNull(structuredResult)),
  failure: z.optional(
    z.nullable(
      z.object({
        reason: z.string(),
        message: z.string(),
        evidence: z.array(z.string()),
        resetAt: z.nullable(z.string()),
        retryAfterSeconds: z.nullable(z.number()),
      }),
    ),
  ),
  startedAt: z.string(),
  endedAt: z.string(),
  durationMs: z.number(),
  lastEvidence: z.nullable(z.object({ kind: z.string(), at: z.string(), quietSeconds: z.number() })),
  reaped: namedProcesses,
  survivors: namedProcesses,
  delta: orNull(deltaSummary),
  claims: orNull(claimSummary),
  tripwire: orNull(tripwireSummary),
  verify: orNull(verifySummary),
  supervisor: z.string(),
  stateDir: z.string(),
});

const progressRecord = z.object({
  schema: z.number(),
  boot: z.string(),
  monotonicMs: z.number(),
  at: z.string(),
  kind: z.string(),
});

/** `unit.json` of a state dir; undefined when it is missing or torn. Throws PrunError for a newer schema. */
export function readUnitRecord(stateDir: string): UnitRecord | undefined {
  return readRecord(stateFile(stateDir, 'unit'), unitRecord);
}

/** `outcome.json`; undefined while there is none. Throws PrunError for a newer schema. */
export function readOutcome(stateDir: string): OutcomeRecord | undefined {
  return readRecord(stateFile(stateDir, 'outcome'), outcomeRecord) as OutcomeRecord | undefined;
}

/** `progress`; undefined before the first evidence. */
export function readProgress(stateDir: string): ProgressRecord | undefined {
  return readRecord(stateFile(stateDir, 'progress'), progressRecord);
}

function readRecord<T>(file: string, schema: z.ZodMiniType<T>): T | undefined {
  const text = readValue(file);
  if (!text) return undefined;
  const json = parseJson(text);
  refuseNewer(json, file);
  const parsed = schema.safeParse(json);
  return parsed.success ? parsed.data : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Torn or foreign: the caller treats it as missing.
    return undefined;
  }
}

function refuseNewer(json: unknown, file: string): void {
  if (typeof json !== 'object' || json === null || !('schema' in json)) return;
  if (typeof json.schema !== 'number' || json.schema <= SCHEMA) return;
  throw new PrunError(
    'E_NEWER_SCHEMA',
    `${file} has schema ${json.schema}, this prun knows ${SCHEMA}`,
    'use the newer prun that wrote it',
  );
}
