import { codexFailure, isRetryMessage, plainMessage } from './codex-failure.ts';
import {
  type Fields,
  fieldsOf,
  type ItemPhase,
  itemEvent,
  parsedFields,
  refusalsIn,
  textField,
  workerEvent,
} from './codex-items.ts';
import { LONG_LINE, longItem } from './codex-long-line.ts';
import { codexUsage } from './codex-usage.ts';
import { withoutEscapes } from './readable-line.ts';
import type { EventReader, TokenUse, WorkerEvent, WorkerFacts, WorkerFailure } from './types.ts';

/** Lines that told of a failure, and of what the sandbox refused, that are kept at most; how much of a line. */
const LINES_KEPT = 5;
const LINE_CHARS = 2000;

/** Items whose lines are read whole, however long they are: an answer, and the names of what was changed. */
const READ_WHOLE = /^(?:agent_message|file_change)$/;

/** The header line that codex prints without `--json`, with colours around the words. */
const HEADER = /^\s*session id:\s*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*$/i;

interface State {
  structured: boolean;
  sessionId?: string;
  lastMessage?: string;
  tokens?: TokenUse;
  ended?: 'completed' | 'failed';
  /** Of the failed turn, or of the last error after which nothing moved. */
  failure?: WorkerFailure;
  /** The message of the last error after which nothing moved, and the lines that told it. */
  lastError?: string;
  errorLines: string[];
  refusals: string[];
  open: Set<string>;
  /** Epoch ms of about the moment when the line was printed that is being read. */
  saidAt: () => number;
}

function onItem(state: State, phase: ItemPhase, item: Fields): WorkerEvent {
  const event = itemEvent(phase, item);
  state.structured = true;
  // Something moved after it: the error was overcome. What ended the turn was not.
  if (event.progress && state.ended !== 'failed') forgetError(state);
  const id = textField(item, 'id') ?? '';
  if (event.kind === 'command-started') state.open.add(id);
  if (event.kind === 'command-ended') state.open.delete(id);
  if (phase === 'completed') keepLast(state.refusals, refusalsIn(item));
  const text = textField(item, 'text');
  if (event.kind === 'message' && phase === 'completed' && text !== undefined) state.lastMessage = text;
  return event;
}

function forgetError(state: State): void {
  delete state.failure;
  delete state.lastError;
  state.errorLines.length = 0;
}

/** Adds to a list of which only the end counts; the same line twice says nothing new. */
function keepLast(list: string[], lines: readonly string[]): void {
  for (const line of lines) if (list.at(-1) !== line) list.push(line);
  list.splice(0, list.length - LINES_KEPT);
}

function onTurnStarted(state: State): WorkerEvent {
  delete state.ended;
  forgetError(state);
  return workerEvent('turn', true);
}

function onTurnCompleted(state: State, fields: Fields): WorkerEvent {
  state.ended = 'completed';
  forgetError(state);
  const tokens = codexUsage(fieldsOf(fields.usage));
  if (!tokens) return workerEvent('end', true, 'done');
  state.tokens = tokens;
  return workerEvent('end', true, `done: ${tokens.input} tokens in, ${tokens.output} out`);
}

function noteFailure(state: State, message: string, line: string): void {
  keepLast(state.errorLines, [line.slice(0, LINE_CHARS)]);
  state.lastError = message;
  state.failure = codexFailure(message, state.errorLines, state.saidAt());
}

function onTurnFailed(state: State, fields: Fields, line: string): WorkerEvent {
  state.ended = 'failed';
  const message = textField(fieldsOf(fields.error), 'message') ?? state.lastError ?? 'the turn failed';
  noteFailure(state, message, line);
  return workerEvent('end', false, `failed: ${plainMessage(message)}`);
}

/** Not terminal: `Reconnecting... 1/5 (…)` comes as this, and so does an error that a `turn.failed` repeats. */
function onError(state: State, message: string, line: string): WorkerEvent {
  if (state.ended === undefined) noteFailure(state, message, line);
  return workerEvent(isRetryMessage(message) ? 'retry' : 'error', false, message);
}

function onThreadStarted(state: State, fields: Fields): WorkerEvent {
  const id = textField(fields, 'thread_id');
  if (id !== undefined) state.sessionId = id;
  return workerEvent('session', true, id === undefined ? '' : `session ${id}`);
}

/** The event of a parsed line; undefined for JSON that is none of codex's. */
function onFields(state: State, fields: Fields, line: string): WorkerEvent | undefined {
  const type = textField(fields, 'type') ?? '';
  const phase = /^item\.(started|updated|completed)$/.exec(type)?.[1];
  if (phase !== undefined && typeof fields.item === 'object') {
    return onItem(state, phase as ItemPhase, fieldsOf(fields.item));
  }
  const message = textField(fields, 'message');
  if (type === 'error' && message !== undefined) {
    state.structured = true;
    return onError(state, message, line);
  }
  if (/^(?:thread|turn|item)\.\w+$/.test(type)) state.structured = true;
  switch (type) {
    case 'thread.started':
      return onThreadStarted(state, fields);
    case 'turn.started':
      return onTurnStarted(state);
    case 'turn.completed':
      return onTurnCompleted(state, fields);
    case 'turn.failed':
      return onTurnFailed(state, fields, line);
    default:
      // A type of a newer codex. Whether work moved cannot be told, so it is no evidence.
      return state.structured && type !== '' ? workerEvent('other', false) : undefined;
  }
}

function onLine(state: State, line: string): WorkerEvent | undefined {
  if (!line.startsWith('{')) {
    // The header stands among the first lines; a long line is none, and need not be searched.
    const id = line.length < 200 ? HEADER.exec(withoutEscapes(line))?.[1] : undefined;
    if (id !== undefined && state.sessionId === undefined) state.sessionId = id;
    return undefined;
  }
  if (line.length > LONG_LINE) {
    const long = longItem(line);
    if (long && !READ_WHOLE.test(textField(long.item, 'type') ?? '')) {
      return onItem(state, long.phase, long.item);
    }
    if (!long && !state.structured && !line.startsWith('{"type":"')) return undefined;
  }
  const fields = parsedFields(line);
  if (fields) return onFields(state, fields, line);
  // Torn by the worker's end, or by another line in between.
  const torn = state.structured && /^\{"type":"(?:thread|turn|item|error)\b/.test(line);
  return torn ? workerEvent('other', false) : undefined;
}

function factsOf(state: State): WorkerFacts {
  const { structured, sessionId, lastMessage, tokens, ended, failure, refusals, open } = state;
  return {
    structured,
    openCommands: open.size,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(lastMessage === undefined ? {} : { lastMessage }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(ended === undefined ? {} : { ended }),
    ...(failure === undefined ? {} : { failure }),
    ...(refusals.length === 0 ? {} : { refusals: [...refusals] }),
  };
}

/**
 * A reader for the stdout of one `codex exec --json` (FACTS-codex.md, Events). It never throws. Plain output gives
 * no event; a `session id:` header in it (also when a line of stderr is given to it) still names the session.
 * `saidAt`: epoch ms of about the moment when the line was printed that is being read.
 */
export function codexEventReader(saidAt: () => number = Date.now): EventReader {
  const state: State = { structured: false, open: new Set(), errorLines: [], refusals: [], saidAt };
  return {
    read: (line) => onLine(state, line),
    facts: () => factsOf(state),
  };
}
