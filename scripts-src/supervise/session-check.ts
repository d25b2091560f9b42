import type { EventReader, Executor, WorkerFacts } from '../executor/types.ts';
import { stateFile } from '../unit/state-dir.ts';
import { followLines } from './line-follower.ts';

/** How often it is looked for which session began, ms. A worker that begins the wrong one is ended before it works. */
const LOOK_MS = 50;

/** Watches which session a worker begins that was to go on with one. */
export interface SessionCheck {
  /** When to look again, ms. */
  nextMs(): number;
  /** Looks once; true when another session has begun. */
  isOther(): boolean;
  close(): void;
}

/**
 * Whether a worker that was to go on with a session has begun another one: its work would start anew, without what it
 * was told and has done (FACTS-codex.md, Resume). `asked`: the session, undefined where any will do. Plain output that
 * looks like a session's name proves nothing.
 */
export function isOtherSession(
  asked: string | undefined,
  { structured, sessionId }: Pick<WorkerFacts, 'structured' | 'sessionId'>,
): boolean {
  return structured && asked !== undefined && sessionId !== undefined && !isSame(asked, sessionId);
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** A check for one attempt; it follows the tail by itself until the session has begun. */
export function checkSession(stateDir: string, executor: Executor, asked: string | undefined): SessionCheck {
  const events: EventReader = executor.events();
  const tail =
    asked === undefined
      ? undefined
      : followLines(stateFile(stateDir, 'tail'), (line) => {
          if (!isKnown()) events.read(line);
        });
  const isKnown = (): boolean => {
    const { structured, sessionId } = events.facts();
    return structured && sessionId !== undefined;
  };
  return {
    nextMs: () => (tail === undefined || isKnown() ? Number.POSITIVE_INFINITY : LOOK_MS),
    isOther() {
      if (tail !== undefined && !isKnown()) tail.advance();
      return isOtherSession(asked, events.facts());
    },
    close: () => tail?.close(),
  };
}
