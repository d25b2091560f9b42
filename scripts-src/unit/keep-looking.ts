/** What is waited for: `count` subjects, each looked at when something woke it, when it is due, and in turn. */
export interface Waiting<T> {
  count: number;
  /** Each subject is looked at once in this time at the least. */
  pollMs: number;
  /** Longest pause between two rounds: how fast a change that wakes nobody is seen among few subjects. */
  roundMs: number;
  /** 0 = never. */
  timeoutMs: number;
  nowMs(): number;
  /** Looks at these subjects and returns the answer that ends the wait, if there is one. */
  look(indexes: readonly number[]): T | undefined;
  /** Monotonic ms at which a subject has to be looked at by its own clock; Infinity for never. */
  dueMs(index: number): number;
  /** The answer when the time is over. */
  timedOut(): T;
}

/** A wait in progress. */
export interface Wait<T> {
  /** Something happened to this subject: it is looked at at once. */
  wake(index: number): void;
  /** Resolves with the answer, rejects with what a look threw. */
  ended: Promise<T>;
}

/** Subjects looked at in one round of the turn: at about 0.1 ms a look, half a percent of a core at the most. */
const TURN = 50;

/** Looks are at least this far apart: a file that is written in a stream wakes its watcher with every line. */
const PAUSE_MS = 20;

/**
 * Waits for an answer with one timer and no busy polling: subjects are looked at when they are woken, when they are
 * due, and a slice of them in turn once a round, so that a missed event costs one poll interval and no more.
 */
export function keepLooking<T>(waiting: Waiting<T>): Wait<T> {
  const { count, nowMs } = waiting;
  // Poll 0 means "no wait" and yet must not turn in a circle.
  const roundMs = Math.max(50, Math.min(waiting.roundMs, waiting.pollMs));
  const turn = Math.max(TURN, Math.ceil((count * roundMs) / Math.max(roundMs, waiting.pollMs)));
  const woken = new Set<number>(Array(count).keys());
  const deadlineMs = waiting.timeoutMs > 0 ? nowMs() + waiting.timeoutMs : Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  let roundAtMs = nowMs() + roundMs;
  let next = 0;
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  let settle: { resolve(answer: T): void; reject(error: unknown): void } | undefined;

  const ended = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  arm();
  return { wake, ended };

  function wake(index: number): void {
    woken.add(index);
    if (!over) arm();
  }

  function arm(): void {
    let atMs = Math.min(roundAtMs, deadlineMs);
    if (woken.size > 0) atMs = lastMs + PAUSE_MS;
    else for (let index = 0; index < count; index++) atMs = Math.min(atMs, waiting.dueMs(index));
    clearTimeout(timer);
    timer = setTimeout(run, Math.max(0, Math.max(atMs, lastMs + PAUSE_MS) - nowMs()));
  }

  function run(): void {
    try {
      const answer = lookNow();
      over = answer !== undefined;
      if (answer === undefined) arm();
      else settle?.resolve(answer);
    } catch (error) {
      over = true;
      settle?.reject(error);
    }
  }

  function lookNow(): T | undefined {
    lastMs = nowMs();
    if (lastMs >= deadlineMs) return waiting.look([...Array(count).keys()]) ?? waiting.timedOut();
    if (lastMs >= roundAtMs) takeTurn();
    for (let index = 0; index < count; index++) if (waiting.dueMs(index) <= lastMs) woken.add(index);
    const indexes = [...woken];
    woken.clear();
    return indexes.length > 0 ? waiting.look(indexes) : undefined;
  }

  function takeTurn(): void {
    roundAtMs = lastMs + roundMs;
    for (let i = 0; i < Math.min(turn, count); i++) {
      woken.add(next);
      next = (next + 1) % count;
    }
  }
}
