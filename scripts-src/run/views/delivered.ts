import * as z from 'zod/mini';
import { wallTime } from '../../platform/clock.ts';
import { appendLines, readLines } from '../json-lines.ts';
import { RUN_SCHEMA, type RunEvent } from '../records.ts';
import { type Run, refuseNewerRun, runFile } from '../run-folder.ts';

// Lines that are only appended: two waits at once need no lock, and none takes back what the other has told.

/** What `prun wait` has told of a run's events. */
export interface Delivered {
  /** All up to this number. */
  upTo: number;
  /** These, too. */
  single: ReadonlySet<number>;
}

/** Nothing was told. */
export const NOTHING_DELIVERED: Delivered = { upTo: 0, single: new Set() };

/** Numbers of events with their times: together they tell whether the log is the one that they were told from. */
interface ToldEvent {
  n: number;
  at: string;
}

/** What one wait has told: all events up to one (a plain wait), or some events (a wait for some units). */
export type Told = { upTo: ToldEvent } | { single: ToldEvent[] };

/** Notes what was told. Throws the system's error, as on a full disk: then it is told once more. */
export function noteDelivered(run: Pick<Run, 'folder'>, told: Told): void {
  appendLines(runFile(run, 'delivered'), [{ schema: RUN_SCHEMA, toldAt: wallTime(), ...told }]);
}

/**
 * What was told of the events of a log. A line counts only if the log holds its event with the same time, or goes on
 * behind its number without it (a damaged line): of a log that was cut or replaced, everything is told again rather
 * than nothing.
 */
export function readDelivered(run: Pick<Run, 'folder'>, events: EventTimes): Delivered {
  const file = runFile(run, 'delivered');
  const single = new Set<number>();
  let upTo = 0;
  readLines(file, 0, ({ json }) => {
    refuseNewerRun(json, file);
    const parsed = deliveredLine.safeParse(json);
    if (!parsed.success) return;
    const { upTo: last, single: some } = parsed.data;
    if (last && events.has(last)) upTo = Math.max(upTo, last.n);
    for (const one of some ?? []) if (events.has(one)) single.add(one.n);
  });
  return { upTo, single };
}

/** Whether an event was told. */
export function isDelivered({ upTo, single }: Delivered, n: number): boolean {
  return n <= upTo || single.has(n);
}

/** Times of a log's events by their numbers. */
export interface EventTimes {
  add(events: readonly Pick<RunEvent, 'n' | 'at'>[]): void;
  has(event: ToldEvent): boolean;
}

/** An empty table of times. */
export function eventTimes(): EventTimes {
  const times = new Map<number, string>();
  let last = 0;
  return {
    add(events) {
      for (const { n, at } of events) {
        times.set(n, at);
        last = Math.max(last, n);
      }
    },
    has({ n, at }) {
      const found = times.get(n);
      return found === undefined ? n < last : found === at;
    },
  };
}

const toldEvent = z.object({ n: z.number(), at: z.string() });
const deliveredLine = z.object({
  upTo: z.optional(toldEvent),
  single: z.optional(z.array(toldEvent)),
});
