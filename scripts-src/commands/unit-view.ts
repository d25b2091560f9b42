import { existsSync } from 'node:fs';
import { readableLine } from '../executor/readable-line.ts';
import type { Executor } from '../executor/types.ts';
import { monotonicMs } from '../platform/clock.ts';
import { followLines, type LineFollower } from '../supervise/line-follower.ts';
import { readOutcome, readProgress } from '../unit/read-records.ts';
import type { OutcomeRecord } from '../unit/records.ts';
import { stateFile } from '../unit/state-dir.ts';

/** A running or ended attempt as its state dir shows it at one instant. */
export interface UnitView {
  phase: 'running' | 'reaping' | 'ended';
  /** The last event that has a readable text; empty before the first. */
  says: string;
  /** The last evidence of progress, from the record or from what was printed since. */
  evidence: { kind: string; quietMs: number } | undefined;
  outcome: OutcomeRecord | undefined;
}

/** Looks at one state dir, again and again. Reads only. */
export interface UnitWatch {
  look(): UnitView;
  close(): void;
}

/** Follows the tail of a state dir through its executor's own reader of events. */
export function watchStateDir(stateDir: string, executor: Executor): UnitWatch {
  const events = executor.events();
  let says = '';
  let movedMs: number | undefined;
  let outcome: OutcomeRecord | undefined;
  let tail: LineFollower | undefined;

  function onLine(line: string): void {
    const event = events.read(line);
    if (event?.progress) movedMs = monotonicMs();
    // The start and a good end say nothing that the state does not say.
    const isFormal = event?.kind === 'session' || (event?.kind === 'end' && event.progress);
    if (event?.text && !isFormal) says = event.text;
    // A program without events: what it prints is what it says.
    else if (!event && executor.answersOnStdout) says = readableLine(line) || says;
  }

  function evidence(): UnitView['evidence'] {
    const record = readProgress(stateDir);
    if (!record && movedMs === undefined) return undefined;
    const now = monotonicMs();
    // The dispatcher looks now and then, this follows the tail: whichever saw more lately.
    return record && record.monotonicMs >= (movedMs ?? 0)
      ? { kind: record.kind, quietMs: Math.max(0, now - record.monotonicMs) }
      : { kind: 'event', quietMs: Math.max(0, now - (movedMs ?? now)) };
  }

  function phase(): UnitView['phase'] {
    if (outcome) return 'ended';
    return existsSync(stateFile(stateDir, 'reapReason')) ? 'reaping' : 'running';
  }

  return {
    look() {
      outcome ??= readOutcome(stateDir);
      const file = stateFile(stateDir, 'tail');
      // The state dir may be seen before all of its files are there.
      if (!tail && existsSync(file)) tail = followLines(file, onLine);
      tail?.advance();
      return { phase: phase(), says, evidence: evidence(), outcome };
    },
    close() {
      tail?.close();
      tail = undefined;
    },
  };
}
