import { existsSync } from 'node:fs';
import { monotonicMs } from '../platform/clock.ts';
import { EXIT, PrunError } from '../platform/errors.ts';
import type { ProcessHost } from '../process/types.ts';
import { type Run, runFile } from '../run/run-folder.ts';
import type { RunView } from '../run/run-view.ts';
import { createBell } from '../run/views/bell.ts';
import { followRun } from '../run/views/follow-run.ts';
import { supervisionOf } from '../run/views/supervision.ts';
import { createFileWatch } from '../unit/watch-files.ts';

/** Without a ring the run is looked at this often, ms. */
const POLL_MS = 200;
/** Looks are at least this far apart, ms. */
const PAUSE_MS = 20;

/** A call that waits. */
interface Waiting {
  /** True when it has what it waits for. */
  look(): boolean;
  fail(error: unknown): void;
}

/** A run that several calls follow at the same time. */
export interface RunFollower {
  /**
   * Looks at the run, at once and whenever something has happened or a moment has passed, until `look` gives something.
   * `hasEnded`: whether a unit is over, with no further attempt that comes by itself.
   */
  until<T>(look: (view: RunView, hasEnded: (unit: string) => boolean) => T | undefined): Promise<T>;
}

/**
 * Follows a run for all calls that work in it: one reader, whoever waits. While somebody waits it sees to it that the run
 * has a supervisor. A call is rejected (exit 34) where the run's folder is gone or nobody can supervise it.
 */
export function runFollower(host: ProcessHost, run: Run): RunFollower {
  const followed = followRun(run);
  const waiting = new Set<Waiting>();
  const ended = new Map<string, boolean>();
  const hasEnded = (unit: string): boolean => ended.get(unit) === true;
  let events = 0;
  let isFollowing = false;

  /** What goes wrong in the look of one call is none of the others. */
  function lookOf(one: Waiting): void {
    try {
      if (one.look()) waiting.delete(one);
    } catch (error) {
      waiting.delete(one);
      one.fail(error);
    }
  }

  async function follow(): Promise<void> {
    const bell = createBell();
    const watch = createFileWatch();
    const supervision = supervisionOf(host, run, () => events);
    let ensureAtMs = monotonicMs() + supervision.roundMs;
    try {
      while (waiting.size > 0) {
        watch.add(runFile(run, 'events'), bell.ring);
        const news = followed.advance();
        events += news.length;
        for (const event of news) {
          if (event.type === 'queued') ended.set(event.unit, false);
          if (event.type === 'ended') ended.set(event.unit, event.isFinal);
        }
        for (const one of waiting) lookOf(one);
        if (monotonicMs() >= ensureAtMs) {
          const why = await troubleOf(run, supervision);
          if (why !== undefined)
            throw new PrunError('E_LOST', why, 'start the task again', EXIT.supervisorLost);
          ensureAtMs = monotonicMs() + supervision.roundMs;
        }
        await bell.heard(POLL_MS);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    } catch (error) {
      for (const { fail } of waiting) fail(error);
      waiting.clear();
    } finally {
      watch.close();
      isFollowing = false;
    }
  }

  return {
    until: (look) =>
      new Promise((resolve, reject) => {
        const one = (): boolean => {
          const found = look(followed.view(), hasEnded);
          if (found !== undefined) resolve(found);
          return found !== undefined;
        };
        waiting.add({ look: one, fail: reject });
        if (isFollowing) return;
        isFollowing = true;
        void follow();
      }),
  };
}

async function troubleOf(
  run: Run,
  supervision: ReturnType<typeof supervisionOf>,
): Promise<string | undefined> {
  if (!existsSync(runFile(run, 'record'))) return `the run's folder ${run.folder} has gone`;
  return supervision.isAlive() ? undefined : supervision.ensure();
}
