import * as z from 'zod/mini';
import { wallTime } from '../platform/clock.ts';
import { tokenCounts } from '../unit/read-records.ts';
import { appendLines, readLines } from './json-lines.ts';
import type { RunEvent, RunEventBody } from './records.ts';
import { type Run, refuseNewerRun, runFile } from './run-folder.ts';

/** Events of a run from some place on. */
export interface ReadEvents {
  events: RunEvent[];
  /** Where reading goes on, bytes. */
  offset: number;
}

/**
 * Events from `offset` (bytes) on, in order. A torn line, a kind of event that a newer prun knows, and an event whose
 * number is not greater than the one before are passed over.
 */
export function readEvents(run: Pick<Run, 'folder'>, offset = 0, after = 0): ReadEvents {
  const file = runFile(run, 'events');
  const events: RunEvent[] = [];
  let last = after;
  const end = readLines(file, offset, ({ json }) => {
    refuseNewerRun(json, file);
    const parsed = runEvent.safeParse(json);
    if (!parsed.success || parsed.data.n <= last) return;
    last = parsed.data.n;
    events.push(parsed.data as RunEvent);
  });
  return { events, offset: end };
}

/** Writes events. One for each run: the supervisor's. */
export interface EventWriter {
  /** Appends events in one write; what could not be written (a full disk) is tried again with the next. */
  write(...bodies: RunEventBody[]): RunEvent[];
  /** Number of the last event. */
  last(): number;
  /** Whether events wait that could not be written. */
  isBehind(): boolean;
}

/** A writer that goes on after the last event of the log. `onTrouble` hears why an event has to wait. */
export function eventWriter(
  run: Pick<Run, 'folder'>,
  last: number,
  onTrouble: (error: unknown) => void,
): EventWriter {
  const file = runFile(run, 'events');
  let n = last;
  let waiting: RunEvent[] = [];
  return {
    write(...bodies) {
      const events = bodies.map((body) => ({ n: ++n, at: wallTime(), ...body }) as RunEvent);
      waiting.push(...events);
      try {
        appendLines(file, waiting);
        waiting = [];
      } catch (error) {
        onTrouble(error);
      }
      return events;
    },
    last: () => n,
    isBehind: () => waiting.length > 0,
  };
}

const head = { n: z.number(), at: z.string() };
const ofUnit = { ...head, unit: z.string() };
const ofAttempt = { ...ofUnit, attempt: z.number() };

const resumption = z.object({
  sessionId: z.string(),
  stateDir: z.string(),
  promptFile: z.nullable(z.string()),
  timeoutSeconds: z.optional(z.number()),
});

const runEvent = z.discriminatedUnion('type', [
  z.object({
    ...head,
    type: z.literal('supervisor'),
    identity: z.string(),
    adopted: z.number(),
    isFirst: z.boolean(),
  }),
  z.object({
    ...ofAttempt,
    type: z.literal('queued'),
    why: z.string(),
    environment: z.nullable(z.string()),
    resume: z.optional(z.nullable(resumption)),
    notBefore: z.optional(z.nullable(z.string())),
  }),
  z.object({ ...ofAttempt, type: z.literal('dispatching') }),
  z.object({ ...ofAttempt, type: z.literal('running'), stateDir: z.string(), resultFile: z.string() }),
  z.object({ ...ofAttempt, type: z.literal('stalled'), quietSeconds: z.number(), evidence: z.string() }),
  z.object({ ...ofAttempt, type: z.literal('moving') }),
  z.object({ ...ofAttempt, type: z.literal('cancelling'), graceSeconds: z.number() }),
  z.object({
    ...ofAttempt,
    type: z.literal('ended'),
    status: z.enum(['succeeded', 'failed', 'cancelled', 'interrupted']),
    reason: z.string(),
    detail: z.string(),
    stateDir: z.nullable(z.string()),
    resultFile: z.nullable(z.string()),
    origin: z.nullable(z.string()),
    durationMs: z.number(),
    tokens: z.nullable(z.number()),
    tokenCounts: z.optional(z.nullable(tokenCounts)),
    sessionId: z.nullable(z.string()),
    isFinal: z.boolean(),
    wakes: z.boolean(),
  }),
  z.object({
    ...head,
    type: z.literal('breaker'),
    state: z.enum(['open', 'closed']),
    executor: z.string(),
    account: z.string(),
    reason: z.nullable(z.string()),
    detail: z.string(),
    until: z.nullable(z.string()),
    byUnit: z.nullable(z.string()),
    wakes: z.boolean(),
  }),
  z.object({ ...ofUnit, type: z.literal('blocked'), detail: z.string() }),
  z.object({ ...ofUnit, type: z.literal('stale'), parent: z.string() }),
  z.object({
    ...head,
    type: z.literal('all-done'),
    succeeded: z.number(),
    failed: z.number(),
    cancelled: z.number(),
    interrupted: z.number(),
    blocked: z.number(),
  }),
  z.object({ ...head, type: z.literal('note'), text: z.string(), wakes: z.boolean() }),
]);
