import * as z from 'zod/mini';
import { wallTime } from '../platform/clock.ts';
import { appendLines, readLines } from './json-lines.ts';
import { RUN_SCHEMA } from './records.ts';
import { type Run, refuseNewerRun, runFile } from './run-folder.ts';
import type { RunView } from './run-view.ts';

/** What somebody can decide about a unit; `none` takes an earlier decision back. */
export type DecisionWord = 'accept' | 'without' | 'none';

/** A line of `decisions.jsonl` before it has its time. */
export interface Decision {
  unit: string;
  /** The attempt that it was made for: a later one is another thing. */
  attempt: number;
  decision: DecisionWord;
  /** Of `accept`: kinds of the doubts that were looked at. Others that come up later are not accepted by it. */
  doubts?: string[] | undefined;
}

/** What holds of the units of a run by now. */
export interface Decisions {
  /** Their doubts were looked at: they count as they are. */
  accept: ReadonlySet<string>;
  /** Kinds of the doubts that were looked at, for an accepted unit of which they are known. */
  seen?: ReadonlyMap<string, readonly string[]>;
  /** They were taken out: they are no part of the set. */
  without: ReadonlySet<string>;
}

/** Writes decisions, each a line, in one write. Throws the system's error, as on a full disk. */
export function recordDecisions(run: Pick<Run, 'folder'>, decisions: readonly Decision[]): void {
  const at = wallTime();
  appendLines(
    runFile(run, 'decisions'),
    decisions.map((decision) => ({ schema: RUN_SCHEMA, at, ...decision })),
  );
}

/** The last decision about each unit, where it was made for the unit's newest attempt. Torn lines are passed over. */
export function readDecisions({ run, units }: Pick<RunView, 'run' | 'units'>): Decisions {
  const file = runFile(run, 'decisions');
  const last = new Map<string, Decision>();
  readLines(file, 0, ({ json }) => {
    refuseNewerRun(json, file);
    const parsed = decisionLine.safeParse(json);
    if (parsed.success) last.set(parsed.data.unit, parsed.data);
  });
  const accept = new Set<string>();
  const seen = new Map<string, readonly string[]>();
  const without = new Set<string>();
  for (const { unit, attempt, decision, doubts } of last.values()) {
    if (units.get(unit)?.attempt !== attempt) continue;
    if (decision === 'accept') accept.add(unit);
    if (decision === 'accept' && doubts) seen.set(unit, doubts);
    if (decision === 'without') without.add(unit);
  }
  return { accept, seen, without };
}

const decisionLine = z.object({
  schema: z.number(),
  at: z.string(),
  unit: z.string(),
  attempt: z.number(),
  decision: z.enum(['accept', 'without', 'none']),
  doubts: z.optional(z.array(z.string())),
});
