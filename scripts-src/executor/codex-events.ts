import { failureReason, plainMessage } from './codex-failure.ts';
import { type Fields, fieldsOf, type ItemPhase, itemEvent, textField, workerEvent } from './codex-items.ts';
import { LONG_LINE, longItem } from './codex-long-line.ts';
import { withoutEscapes } from './readable-line.ts';
import type { EventReader, TokenUse, WorkerEvent, WorkerFacts } from './types.ts';

/** Longest message of a failure that is kept. */
const MESSAGE_CHARS = 2000;

/** The header line that codex prints without `--json`, with colours around the words. */
const HEADER = /^\s*session id:\s*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*$/i;

interface State {
  structured: boolean;
  sessionId?: string;
  lastMessage?: string;
  tokens?: TokenUse;
  ended?: 'completed' | 'failed';
  /** The message of the failed turn, or of the last error after which nothing moved. */
  lastError?: string;
  open: Set<string>;
}

function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}

function count(fields: Fields, name: string): number {
  const value = fields[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function tokenUse(usage: Fields): TokenUse {
  return {
    input: count(usage, 'input_tokens'),
    cachedInput: count(usage, 'cached_input_tokens'),
    output: count(usage, 'output_tokens'),
    reasoningOutput: count(usage, 'reasoning_output_tokens'),
  };
}

function onItem(state: State, phase: ItemPhase, item: Fields): WorkerEvent {
  const event = itemEvent(phase, item);
  state.structured = true;
  // Something moved after it: the error was overcome.
  if (event.progress) delete state.lastError;
  const id = textField(item, 'id') ?? '';
  if (event.kind === 'command-started') state.open.add(id);
  if (event.kind === 'command-ended') state.open.delete(id);
  const text = textField(item, 'text');
  if (event.kind === 'message' && phase === 'completed' && text !== undefined) state.lastMessage = text;
  return event;
}

function onTurnStarted(state: State): WorkerEvent {
  delete state.ended;
  delete state.lastError;
  return workerEvent('turn', true);
}

function onTurnCompleted(state: State, fields: Fields): WorkerEvent {
  state.ended = 'completed';
  delete state.lastError;
  if (fields.usage === undefined || fields.usage === null) return workerEvent('end', true, 'done');
  state.tokens = tokenUse(fieldsOf(fields.usage));
  return workerEvent('end', true, `done: ${state.tokens.input} tokens in, ${state.tokens.output} out`);
}

function onTurnFailed(state: State, fields: Fields): WorkerEvent {
  state.ended = 'failed';
  const message = textField(fieldsOf(fields.error), 'message') ?? state.lastError ?? 'the turn failed';
  state.lastError = message;
  return workerEvent('end', false, `failed: ${plainMessage(message)}`);
}

/** Not terminal: `Reconnecting... 1/5 (…)` comes as this, and so does an error that a `turn.failed` repeats. */
function onError(state: State, message: string): WorkerEvent {
  if (state.ended === undefined) state.lastError = message;
  return workerEvent(/^Reconnecting\b/.test(message) ? 'retry' : 'error', false, message);
}

function onThreadStarted(state: State, fields: Fields): WorkerEvent {
  const id = textField(fields, 'thread_id');
  if (id !== undefined) state.sessionId = id;
  return workerEvent('session', true, id === undefined ? '' : `session ${id}`);
}

/** The event of a parsed line; undefined for JSON that is none of codex's. */
function onFields(state: State, fields: Fields): WorkerEvent | undefined {
  const type = textField(fields, 'type') ?? '';
  const phase = /^item\.(started|updated|completed)$/.exec(type)?.[1];
  if (phase !== undefined && typeof fields.item === 'object') {
    return onItem(state, phase as ItemPhase, fieldsOf(fields.item));
  }
  const message = textField(fields, 'message');
  if (type === 'error' && message !== undefined) {
    state.structured = true;
    return onError(state, message);
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
      return onTurnFailed(state, fields);
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
    if (long && long.item.type !== 'agent_message') return onItem(state, long.phase, long.item);
    if (!long) return undefined;
  }
  const fields = parsed(line);
  if (fields) return onFields(state, fields);
  // Torn by the worker's end, or by another line in between.
  const torn = state.structured && /^\{"type":"(?:thread|turn|item|error)\b/.test(line);
  return torn ? workerEvent('other', false) : undefined;
}

function factsOf(state: State): WorkerFacts {
  const { open, lastError, ...known } = state;
  const facts: WorkerFacts = { ...known, openCommands: open.size };
  if (lastError === undefined || state.ended === 'completed') return facts;
  const message = plainMessage(lastError);
  return { ...facts, failure: { reason: failureReason(message), message: message.slice(0, MESSAGE_CHARS) } };
}

/**
 * A reader for the stdout of one `codex exec --json` (FACTS-codex.md, Events). It never throws. Plain output gives
 * no event; a `session id:` header in it (also when a line of stderr is given to it) still names the session.
 */
export function codexEventReader(): EventReader {
  const state: State = { structured: false, open: new Set() };
  return {
    read: (line) => onLine(state, line),
    facts: () => factsOf(state),
  };
}
