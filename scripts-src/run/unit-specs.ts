import path from 'node:path';
import * as z from 'zod/mini';
import { usageError } from '../platform/errors.ts';
import { appendLines, readLineAt, readLines } from './json-lines.ts';
import type { UnitSpec } from './records.ts';
import { RUN_FILES, type Run, refuseNewerRun, runFile } from './run-folder.ts';

/** A unit as a supervisor or a view holds it: prompts stay on disk (20 KB a queued unit at most). */
export interface KnownUnit {
  spec: Omit<UnitSpec, 'prompt'>;
  /** Where its line lies in `units.jsonl`, bytes. */
  offset: number;
  length: number;
}

/** Units of a run in the order in which they were added, and how far the file was read. */
export interface KnownUnits {
  units: Map<string, KnownUnit>;
  offset: number;
}

/** Writes the first units of a run into its draft. */
export function writeSpecs(draft: string, specs: readonly UnitSpec[]): void {
  appendLines(path.join(draft, RUN_FILES.units), specs);
}

/**
 * Adds a unit to a run. Of two processes that add the same id the first counts; the other gets a usage error.
 */
export function addSpec(run: Run, spec: UnitSpec): void {
  const taken = usageError(
    `unit ${spec.id} is in run ${run.record.id} already`,
    `give another --unit, or see prun status --run ${run.record.id}`,
  );
  if (readUnits(run).units.has(spec.id)) throw taken;
  appendLines(runFile(run, 'units'), [spec]);
  if (readUnits(run).units.get(spec.id)?.spec.token !== spec.token) throw taken;
}

/** Units of the run; with `known` only what was added since is read, into the same map. */
export function readUnits(run: Pick<Run, 'folder'>, known: KnownUnits = noUnits()): KnownUnits {
  const file = runFile(run, 'units');
  known.offset = readLines(file, known.offset, ({ json, offset, length }) => {
    refuseNewerRun(json, file);
    const parsed = unitSpec.safeParse(json);
    if (!parsed.success || known.units.has(parsed.data.id)) return;
    const { prompt: _, ...spec } = parsed.data;
    known.units.set(spec.id, { spec, offset, length });
  });
  return known;
}

/** The text that the unit was given. Throws a usage error where the file has been changed since. */
export function promptOf(run: Pick<Run, 'folder'>, { spec, offset, length }: KnownUnit): string {
  const parsed = unitSpec.safeParse(readLineAt(runFile(run, 'units'), offset, length));
  if (parsed.success && parsed.data.id === spec.id) return parsed.data.prompt;
  throw usageError(
    `${runFile(run, 'units')} was changed while the run goes on`,
    'nobody but prun writes there: add the unit to a new run',
  );
}

function noUnits(): KnownUnits {
  return { units: new Map(), offset: 0 };
}

const unitSpec = z.object({
  schema: z.number(),
  id: z.string(),
  token: z.string(),
  addedAt: z.string(),
  executor: z.enum(['codex', 'claude', 'omp', 'command', 'session']),
  mode: z.enum(['scratch', 'clone', 'worktree', 'inplace']),
  prompt: z.string(),
  owns: z.array(z.string()),
  after: z.array(z.string()),
  model: z.nullable(z.string()),
  reasoningEffort: z.nullable(z.string()),
  sandbox: z.nullable(z.enum(['read-only', 'workspace-write', 'danger-full-access'])),
  network: z.nullable(z.boolean()),
  isolateMcp: z.boolean(),
  codexBin: z.nullable(z.string()),
  argv: z.array(z.string()),
  limits: z.object({
    stallThresholdSeconds: z.number(),
    timeoutSeconds: z.number(),
    maxOutputBytes: z.number(),
    stallNoticeSeconds: z.number(),
  }),
  resources: z.array(z.string()),
  verifyResources: z.optional(z.array(z.string())),
  warm: z.array(z.string()),
  setup: z.nullable(z.string()),
  verify: z.nullable(z.string()),
  retries: z.number(),
  passEnv: z.array(z.string()),
  wakeOnFinish: z.boolean(),
  workspace: z.nullable(z.string()),
  sharesTree: z.optional(z.boolean()),
  startsFromNow: z.optional(z.boolean()),
  resultFile: z.nullable(z.string()),
  told: z.optional(z.record(z.string(), z.string())),
  options: z.optional(
    z.object({
      bin: z.optional(z.string()),
      config: z.optional(z.array(z.string())),
      images: z.optional(z.array(z.string())),
      outputSchema: z.optional(z.string()),
      structured: z.optional(z.boolean()),
      ephemeral: z.optional(z.boolean()),
      pnpmStore: z.optional(z.string()),
      permissionMode: z.optional(z.string()),
      tokenLimit: z.optional(z.number()),
    }),
  ),
});
