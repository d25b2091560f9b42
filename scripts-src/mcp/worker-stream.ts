import path from 'node:path';
import type { EventReader, Executor } from '../executor/types.ts';
import { followOutput, type OutputFollower } from '../run/views/follow-output.ts';
import { LIMITS } from './tool-schemas.ts';

/** What a task's worker says while it works, over all of its attempts in one call. */
export interface WorkerStream {
  /** Reads on in the attempt with this state dir. */
  advance(stateDir: string): void;
  /** How many events have come. */
  events(): number;
  /** What the worker does, one short line; undefined before it has said anything. */
  now(): string | undefined;
  lastMessage(): string | undefined;
  sessionId(): string | undefined;
  /** What it printed beside its events, the end of it. */
  plainTail(): string;
  close(): void;
}

/** Follows a worker. `onFile` hears of each file that it says it edits: an absolute path. */
export function workerStream(
  executor: Executor,
  workdir: string,
  onFile: (file: string) => void,
): WorkerStream {
  let followed: { stateDir: string; output: OutputFollower; reader: EventReader } | undefined;
  let count = 0;
  let now: string | undefined;
  let plain = '';

  function take(reader: EventReader, line: string): void {
    const event = reader.read(line);
    if (!event) {
      if (line.trim() !== '') plain = `${plain}${line}\n`.slice(-LIMITS.stderrTail);
      return;
    }
    count += 1;
    if (event.text) now = event.text;
    for (const file of event.files ?? []) onFile(path.resolve(workdir, file));
  }

  function follow(stateDir: string): NonNullable<typeof followed> {
    if (followed?.stateDir === stateDir) return followed;
    followed?.output.close();
    const reader = executor.events();
    const output = followOutput(stateDir, executor, (line) => take(reader, line));
    followed = { stateDir, output, reader };
    return followed;
  }

  return {
    advance(stateDir) {
      follow(stateDir).output.advance();
    },
    events: () => count,
    now: () => now,
    lastMessage: () => followed?.reader.facts().lastMessage,
    sessionId: () => followed?.reader.facts().sessionId,
    plainTail: () => plain,
    close: () => followed?.output.close(),
  };
}
