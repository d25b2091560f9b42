import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import type { EventReader, Executor } from '../executor/types.ts';
import { PRIVATE_FILE, readRange, sizeOf } from '../platform/files.ts';
import { stateFile } from '../unit/state-dir.ts';
import { followLines } from './line-follower.ts';
import type { EvidenceKind } from './stall-verdict.ts';
import { joinStderr } from './stdout-part.ts';

/** The trace file is cut when it has been read to its end and is larger than this, bytes. */
const TRACE_LIMIT_BYTES = 4 * 1024 * 1024;
/** Lines that are kept in memory at most while the tail cannot be written. */
const WAITING_LINES = 1000;
/** The end of stderr that is kept in memory: what a program says of its own end. Characters, and of one line. */
const SAID_CHARS = 64 * 1024;
const SAID_LINE_CHARS = 4096;

/** What a worker printed, followed while it runs and read to its end afterwards. */
export interface WorkerOutput {
  /** Reads what is new; returns the strongest evidence in it, if any. */
  advance(): EvidenceKind | undefined;
  /** Reads everything to the end; call once, when no process of the worker is left. */
  finish(): void;
  /** Bytes of output so far, the trace that was cut included; asks the file system. */
  bytes(): number;
  /** The end of stderr as far as it was read, without the executor's trace; '' where it shares the tail. */
  stderrEnd(): string;
  events: EventReader;
}

/**
 * Follows the tail and, where the executor's trace shares stderr, the stderr file: all but the trace is moved to
 * the tail, and the trace is cut from time to time so that it cannot fill the disk. Where stdout is the worker's answer,
 * stderr is only followed, and joins the tail at the end.
 */
export function followOutput(stateDir: string, executor: Executor): WorkerOutput {
  const events = executor.events(() => writtenAt(stateDir));
  let seen: EvidenceKind | undefined;
  const tail = followLines(stateFile(stateDir, 'tail'), (line) => {
    const event = events.read(line);
    if (event) seen = event.progress ? 'event' : seen;
    // Before a worker has shown that it speaks in events, its plain lines are all that there is.
    else if (!events.facts().structured && line.trim() !== '' && !executor.isRetryNotice(line))
      seen ??= 'output';
  });
  const follow = executor.answersOnStdout ? followApart : followStderr;
  const stderr = follow(stateDir, executor, (kind) => {
    seen ??= kind;
  });
  return {
    advance() {
      seen = undefined;
      tail.advance();
      stderr?.advance();
      return seen;
    },
    finish() {
      stderr?.finish();
      tail.advance();
      tail.finish();
      tail.close();
    },
    bytes: () => sizeOf(stateFile(stateDir, 'tail')) + (stderr?.bytes() ?? 0),
    stderrEnd: () => stderr?.end() ?? '',
    events,
  };
}

/**
 * About when the worker printed what is being read: what a supervisor reads that took over hours later was said then.
 * Epoch ms.
 */
function writtenAt(stateDir: string): number {
  const written = statSync(stateFile(stateDir, 'tail'), { throwIfNoEntry: false })?.mtimeMs;
  return Math.min(Date.now(), written ?? Number.POSITIVE_INFINITY);
}

interface StderrFollower {
  advance(): void;
  finish(): void;
  bytes(): number;
  end(): string;
}

/** Keeps the end of a text that comes line by line. */
function keepEnd(): { add: (line: string) => void; text: () => string } {
  const lines: string[] = [];
  let chars = 0;
  function dropOldest(): void {
    let count = 0;
    for (; chars > SAID_CHARS; count++) chars -= (lines[count]?.length ?? 0) + 1;
    lines.splice(0, count);
  }
  return {
    add(line) {
      lines.push(line.slice(0, SAID_LINE_CHARS));
      chars += Math.min(line.length, SAID_LINE_CHARS) + 1;
      // In portions: to take one line at a time out of a long list, for each line of a flood, takes minutes.
      if (chars > 2 * SAID_CHARS) dropOldest();
    },
    text: () => lines.join('\n').slice(-SAID_CHARS),
  };
}

/** stderr of a worker whose stdout is its answer: a line there is as much progress as one on stdout. */
function followApart(
  stateDir: string,
  executor: Executor,
  onEvidence: (kind: EvidenceKind) => void,
): StderrFollower {
  const said = keepEnd();
  const lines = followLines(stateFile(stateDir, 'stderr'), (line) => {
    said.add(line);
    if (line.trim() !== '' && !executor.isRetryNotice(line)) onEvidence('output');
  });
  return {
    advance: () => {
      lines.advance();
    },
    finish() {
      lines.advance();
      lines.finish();
      lines.close();
      joinStderr(stateDir);
    },
    bytes: () => sizeOf(stateFile(stateDir, 'stderr')),
    end: said.text,
  };
}

function followStderr(
  stateDir: string,
  executor: Executor,
  onEvidence: (kind: EvidenceKind) => void,
): StderrFollower | undefined {
  const file = stateFile(stateDir, 'stderr');
  // Only executors with a trace have the file.
  if (!existsSync(file)) return undefined;
  let cutBytes = 0;
  const text: string[] = [];
  const said = keepEnd();
  const lines = followLines(file, (line) => {
    const kind = executor.classifyStderr(line);
    if (kind === 'trace-progress') onEvidence('stream');
    if (kind !== 'text') return;
    text.push(line);
    said.add(line);
  });

  function moveText(atEnd: boolean): void {
    if (text.length === 0) return;
    try {
      if (!appendToTail(stateFile(stateDir, 'tail'), `${text.join('\n')}\n`, atEnd)) return;
      text.length = 0;
    } catch {
      // A full disk: a supervisor must go on. The text waits here, its end at least, and stands in `stderr`.
      text.splice(0, Math.max(0, text.length - WAITING_LINES));
    }
  }

  /** Everything was read at this instant: what is cut is trace, or text that stands in the tail. */
  function cut(): void {
    if (lines.size() < TRACE_LIMIT_BYTES || lines.offset() !== lines.size()) return;
    const fd = openSync(file, 'r+');
    try {
      if (fstatSync(fd).size !== lines.offset()) return;
      ftruncateSync(fd, 0);
    } finally {
      closeSync(fd);
    }
    cutBytes += lines.offset();
    lines.rewind();
  }

  return {
    advance() {
      lines.advance();
      moveText(false);
      if (text.length === 0) cut();
    },
    finish() {
      lines.advance();
      lines.finish();
      moveText(true);
      lines.close();
    },
    bytes: () => cutBytes + sizeOf(file),
    end: said.text,
  };
}

/**
 * Appends whole lines. Where the worker is in the middle of a line it waits (false), because a torn event would be
 * lost; at the end it starts a line of its own.
 */
function appendToTail(tail: string, text: string, atEnd: boolean): boolean {
  const fd = openSync(tail, 'a+', PRIVATE_FILE);
  try {
    const size = fstatSync(fd).size;
    const torn = size > 0 && readRange(fd, size - 1, 1)[0] !== 10;
    if (torn && !atEnd) return false;
    writeSync(fd, torn ? `\n${text}` : text);
    return true;
  } finally {
    closeSync(fd);
  }
}
