import { existsSync } from 'node:fs';
import { createFileWatch } from '../../unit/watch-files.ts';
import { stuckIn } from '../breaker-of-unit.ts';
import type { RunEvent } from '../records.ts';
import { openRequests } from '../requests.ts';
import { type Run, runFile } from '../run-folder.ts';
import type { RunView } from '../run-view.ts';
import { createBell } from './bell.ts';
import { type Cause, canWake, causesAmong, haveAllEnded, type Wish } from './causes.ts';
import { isAnyUnderWay, isUnderWay, wasStarted } from './counts.ts';
import { type Delivered, eventTimes, NOTHING_DELIVERED, readDelivered } from './delivered.ts';
import { followRun } from './follow-run.ts';
import type { Supervision } from './supervision.ts';

/** What is waited for, and how long. */
export interface Awaited {
  run: Run;
  wish: Wish;
  /** The caller knows all events up to this number; undefined: by what was told before. */
  after: number | undefined;
  /** 0 = without end. */
  timeoutMs: number;
  supervisionOf(run: Run, news: () => number): Supervision;
  nowMs(): number;
}

/**
 * How a wait ended. `causes` are all that were not told before; `over`: nothing more comes of it by itself; `parked`: nothing
 * more comes before somebody does something about an open breaker.
 */
export interface WaitEnd {
  kind: 'woken' | 'over' | 'parked' | 'timeout' | 'lost' | 'not-started';
  causes: Cause[];
  view: RunView;
  /** The last event that the view holds, null for an empty log. */
  last: Pick<RunEvent, 'n' | 'at'> | null;
  /** Why the supervisor cannot be replaced, one line; empty unless `lost`. */
  why: string;
}

/** Looks are at least this far apart: a thousand units write in streams. */
const PAUSE_MS = 20;
/** A look without a ring: watches are lost, and some file systems tell nothing (promise P7: a quarter of a second). */
const WATCHED_MS = 250;
const UNWATCHED_MS = 100;
/** The end of the last unit and `all-done` belong together: this long the second is waited for, ms. */
const SETTLE_MS = 60;
/** What a supervisor that only dies again and again does not bring about. */
const NEWS: readonly RunEvent['type'][] = ['running', 'ended', 'blocked', 'all-done'];

/**
 * Sleeps until something of a run needs somebody. Nothing is missed: the log is watched before it is read, and looked
 * at now and then anyway. Reads only what is appended, so that it costs next to nothing however many units run.
 */
export async function awaitCauses(awaited: Awaited): Promise<WaitEnd> {
  const { run, wish, nowMs } = awaited;
  const followed = followRun(run);
  const supervision = awaited.supervisionOf(run, () => undelivered.news());
  const deadlineMs = awaited.timeoutMs > 0 ? nowMs() + awaited.timeoutMs : Number.POSITIVE_INFINITY;
  const bell = createBell();
  const watch = createFileWatch();
  const log = runFile(run, 'events');
  const undelivered = undeliveredOf(awaited, followed);
  let lookAtMs = nowMs();
  try {
    for (;;) {
      const lookedMs = nowMs();
      watch.add(log, bell.ring);
      let causes = undelivered.causes();
      if (nowMs() >= lookAtMs) {
        const why = await lookAtSupervisor();
        lookAtMs = nowMs() + supervision.roundMs;
        causes = undelivered.causes();
        if (why !== undefined) return end('lost', causes, why);
      }
      if (causes.length > 0) return end('woken', await settled(causes));
      if (looksOver()) {
        // What asks for more is looked for before the events: a request that was carried out has left some.
        const isMoreAsked = hasRequests(run);
        causes = undelivered.causes();
        if (causes.length > 0) return end('woken', await settled(causes));
        if (!isMoreAsked && looksOver()) {
          if (isStarted()) return end('over', []);
          if (!wasReadBefore()) return end('not-started', []);
          if (!supervision.isAlive()) return end('lost', [], `the event log ${log} was emptied or replaced`);
        }
      }
      if (isParked()) {
        const isMoreAsked = hasRequests(run);
        causes = undelivered.causes();
        if (causes.length > 0) return end('woken', await settled(causes));
        if (!isMoreAsked && isParked()) return end('parked', []);
      }
      if (nowMs() >= deadlineMs) return end('timeout', []);
      const pollMs = watch.isWatched(log) ? WATCHED_MS : UNWATCHED_MS;
      await bell.heard(Math.max(1, Math.min(pollMs, lookAtMs - nowMs(), deadlineMs - nowMs())));
      await pause(lookedMs + PAUSE_MS - nowMs());
    }
  } finally {
    watch.close();
  }

  function end(kind: WaitEnd['kind'], causes: Cause[], why = ''): WaitEnd {
    return { kind, causes, view: followed.view(), last: undelivered.last(), why };
  }

  /** Why nobody supervises the run although somebody must, or undefined. */
  async function lookAtSupervisor(): Promise<string | undefined> {
    if (!existsSync(runFile(run, 'record'))) return `the run's folder ${run.folder} has gone`;
    if (!run.isHome) {
      return `the run was made as ${run.record.folder}, and its folder was moved or copied to ${run.folder}: here it is only read`;
    }
    if (supervision.isAlive()) return undefined;
    return supervision.ensure();
  }

  /** Whether nothing is left that could wake: a supervisor that died before it said so leaves no `all-done`. */
  function looksOver(): boolean {
    const view = followed.view();
    if (!isStarted()) return true;
    if (wish.units.size > 0) return haveAllEnded(view, wish.units);
    return view.isAllDone || (!isAnyUnderWay(view) && !supervision.isAlive());
  }

  /** Whether all that is waited for waits for somebody itself: a breaker that nothing but a command closes. */
  function isParked(): boolean {
    const view = followed.view();
    if (![...view.breakers.values()].some(({ until }) => until === null)) return false;
    const asked = wish.units.size > 0 ? [...wish.units] : [...view.units.keys()];
    const open = asked.flatMap((id) => view.units.get(id) ?? []).filter(({ state }) => isUnderWay(state));
    if (open.length === 0 || open.some(({ state }) => state !== 'queued')) return false;
    return open.every(stuckIn(view));
  }

  /** Whether the log held something before, so that an empty one tells nothing. */
  function wasReadBefore(): boolean {
    return followed.restarts() > 0 || existsSync(runFile(run, 'delivered'));
  }

  function isStarted(): boolean {
    const view = followed.view();
    if (wish.units.size === 0) return wasStarted(view);
    return [...wish.units].some((id) => (view.units.get(id)?.state ?? 'created') !== 'created');
  }

  async function settled(causes: Cause[]): Promise<Cause[]> {
    const untilMs = nowMs() + SETTLE_MS;
    let all = causes;
    const isNear = () =>
      wish.units.size === 0 && !followed.view().isAllDone && !isAnyUnderWay(followed.view());
    while (isNear() && nowMs() < untilMs) {
      await bell.heard(PAUSE_MS);
      all = undelivered.causes();
    }
    return all;
  }
}

/** What of the log was not told. */
interface Undelivered {
  /** Reads on, and gives what wakes by now. */
  causes(): Cause[];
  last(): WaitEnd['last'];
  /** How many events tell of progress; that a supervisor began is none. */
  news(): number;
}

/** The events that may still wake, read on with each call. */
function undeliveredOf({ run, wish, after }: Awaited, followed: ReturnType<typeof followRun>): Undelivered {
  let times = eventTimes();
  let waiting: RunEvent[] = [];
  let last: WaitEnd['last'] = null;
  let news = 0;
  let delivered: Delivered | undefined;
  let restarts = 0;
  return {
    last: () => last,
    news: () => news,
    causes() {
      const events = followed.advance();
      if (followed.restarts() !== restarts) {
        restarts = followed.restarts();
        times = eventTimes();
        waiting = [];
        delivered = undefined;
        last = null;
      }
      last = events.at(-1) ?? last;
      news += events.filter(({ type }) => NEWS.includes(type)).length;
      if (delivered === undefined) {
        times.add(events);
        delivered = deliveredOf();
      }
      waiting.push(...events.filter(canWake));
      const causes = causesAmong(waiting, followed.view(), delivered, wish);
      // What does not wake now never will: it was told, nobody wished it, or it is over.
      waiting = causes.map(({ event }) => event);
      return causes;
    },
  };

  function deliveredOf(): Delivered {
    if (after === undefined) return readDelivered(run, times);
    // Nobody knows events that the log does not have: it was cut or replaced.
    return after > followed.view().lastEvent ? NOTHING_DELIVERED : { upTo: after, single: new Set() };
  }
}

function hasRequests(run: Run): boolean {
  return existsSync(runFile(run, 'requests')) && openRequests(run).length > 0;
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
