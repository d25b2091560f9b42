import * as z from 'zod/mini';
import { pathFromJson, shownPath } from '../platform/byte-path.ts';
import type { DeltaSummary } from '../unit/records.ts';
import type { DeltaFacts } from '../workspace/claims/claims.ts';

// Only what an outcome and the check of claims need of a DeltaRecord (workspace/records.ts).

const jsonPath = z.union([z.string(), z.object({ base64: z.string() })]);

const deltaRecord = z.object({
  base: z.string(),
  result: z.string(),
  files: z.array(
    z.object({ status: z.enum(['added', 'modified', 'deleted', 'type-changed']), path: jsonPath }),
  ),
  moves: z.array(z.object({ path: jsonPath })),
  commits: z.array(z.unknown()),
  problems: z.array(z.object({ path: jsonPath, what: z.string(), lost: z.boolean() })),
  ignored: z.array(jsonPath),
  outside: z.array(jsonPath),
  patch: z.object({ path: z.string() }),
});

/** A collected delta, in short for the outcome and in full for the check of claims. */
export interface CollectedDelta {
  summary: Extract<DeltaSummary, { state: 'collected' }>;
  facts: DeltaFacts;
}

const LOST_SHOWN = 10;
const MAX_TEXT = 200;

/** Reads what `prun collect --json` printed; undefined where it is no record of a delta. */
export function readDelta(text: string, workspace: string, patch: string): CollectedDelta | undefined {
  const parsed = deltaRecord.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const record = parsed.data;
  const count = (...kinds: string[]) => record.files.filter(({ status }) => kinds.includes(status)).length;
  const lost = record.problems.filter((problem) => problem.lost);
  const summary: CollectedDelta['summary'] = {
    state: 'collected',
    workspace,
    base: record.base,
    result: record.result,
    files: record.files.length,
    added: count('added'),
    modified: count('modified', 'type-changed'),
    deleted: count('deleted'),
    commits: record.commits.length,
    moves: record.moves.length,
    outside: record.outside.length,
    problems: record.problems.length,
    lost: lost
      .slice(0, LOST_SHOWN)
      .map(({ path, what }) => bounded(`${shownPath(pathFromJson(path))}: ${what}`)),
    patch,
  };
  const paths = (list: readonly { path: z.infer<typeof jsonPath> }[]) =>
    list.map(({ path }) => pathFromJson(path));
  const facts = {
    changed: [...paths(record.files), ...paths(record.moves)],
    ignored: record.ignored.map(pathFromJson),
    lost: paths(lost),
  };
  return { summary, facts };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Rubbish is said as such by the caller.
    return undefined;
  }
}

/** One line of at most 200 characters. */
export function bounded(text: string): string {
  const line = text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}
