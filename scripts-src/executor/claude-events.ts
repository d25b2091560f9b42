import { answerEvent, callEvent, calledTool, isShell, type OpenTool } from './claude-blocks.ts';
import { claudeFailure, refusedTools, resultText, type Trouble } from './claude-failure.ts';
import { timeFromEpoch } from './claude-reset-time.ts';
import { type MessageCounts, messageId, sumOf, takeCounts } from './claude-tokens.ts';
import { type Fields, fieldsOf, parsedFields, textField, workerEvent } from './codex-items.ts';
import type { EventReader, WorkerEvent, WorkerFacts, WorkerFailure } from './types.ts';

/** Lines about a trouble that are kept. */
const KEPT_LINES = 5;
const KEPT_CHARS = 500;

interface State {
  structured: boolean;
  sessionId?: string;
  lastMessage?: string;
  ended?: 'completed' | 'failed';
  /** What went wrong since something moved. */
  trouble?: Trouble;
  /** What the end of the turn says of it. */
  failure?: WorkerFailure;
  /** When the account's limit ends, once it was said that it is reached. */
  limit?: { resetAt: string | undefined };
  lines: string[];
  open: Map<string, OpenTool>;
  counts: MessageCounts;
  /** The message that is streaming. */
  streaming: string;
  refusals: string[];
  saidAt: () => number;
}

/** Something moved after it: the trouble was overcome. */
function moved(state: State): void {
  delete state.trouble;
  state.lines = [];
}

function keepLine(state: State, line: string): void {
  state.lines = [...state.lines, line.slice(0, KEPT_CHARS)].slice(-KEPT_LINES);
}

function troubleOf(state: State, told: Pick<Trouble, 'kind' | 'status' | 'text'>): Trouble {
  const { limit, lines } = state;
  return { ...told, isLimitReached: limit !== undefined, limitResetAt: limit?.resetAt, lines };
}

/** `init` comes at the start, and once more for each turn that a background command's end begins. */
function onInit(state: State, fields: Fields): WorkerEvent {
  const id = textField(fields, 'session_id');
  const isFirst = state.sessionId === undefined;
  if (id !== undefined) state.sessionId = id;
  delete state.ended;
  delete state.failure;
  moved(state);
  if (!isFirst || id === undefined) return workerEvent('turn', true);
  return workerEvent('session', true, `session ${id}`);
}

function onRetry(state: State, fields: Fields, line: string): WorkerEvent {
  keepLine(state, line);
  const status = typeof fields.error_status === 'number' ? fields.error_status : undefined;
  const kind = textField(fields, 'error');
  const seconds = typeof fields.retry_delay_ms === 'number' ? Math.round(fields.retry_delay_ms / 1000) : 0;
  const cause = [status, kind].filter((part) => part !== undefined).join(' ');
  const text = `retry ${String(fields.attempt)}/${String(fields.max_retries)} in ${seconds} s: ${cause}`;
  state.trouble = troubleOf(state, { kind, status, text });
  return workerEvent('retry', false, text);
}

function onSystem(state: State, fields: Fields, line: string): WorkerEvent {
  const subtype = textField(fields, 'subtype') ?? '';
  switch (subtype) {
    case 'init':
      return onInit(state, fields);
    case 'api_retry':
      return onRetry(state, fields, line);
    case 'thinking_tokens':
      return workerEvent('reasoning', true);
    case 'task_started':
    case 'task_progress':
    case 'task_updated':
    case 'compact_boundary':
      return workerEvent('other', true);
    case 'task_notification':
      return workerEvent('other', true, textField(fields, 'summary'));
    default:
      return workerEvent('other', false, textField(fields, 'content'));
  }
}

function onRateLimit(state: State, fields: Fields, line: string): WorkerEvent {
  const info = fieldsOf(fields.rate_limit_info);
  const status = textField(info, 'status');
  if (status === 'allowed') delete state.limit;
  if (status !== 'rejected') return workerEvent('other', false);
  keepLine(state, line);
  state.limit = { resetAt: timeFromEpoch(info.resetsAt) };
  return workerEvent('error', false, `limit reached (${textField(info, 'rateLimitType') ?? 'unknown'})`);
}

/** A piece of an answer that streams; comments and a begun message are no work yet, since each retry has them. */
function onStream(state: State, fields: Fields): WorkerEvent {
  const event = fieldsOf(fields.event);
  const type = textField(event, 'type') ?? '';
  if (type === 'message_start') {
    const message = fieldsOf(event.message);
    state.streaming = messageId(message);
    takeCounts(state.counts, state.streaming, message.usage);
  }
  if (type === 'message_delta') takeCounts(state.counts, state.streaming, event.usage);
  const isPiece = type.startsWith('content_block_');
  if (isPiece) moved(state);
  return workerEvent('other', isPiece);
}

/** A message that claude wrote itself in place of the model's: why there is none. */
function onOwnMessage(state: State, fields: Fields, text: string, line: string): WorkerEvent {
  keepLine(state, line);
  const { status } = state.trouble ?? {};
  state.trouble = troubleOf(state, { kind: textField(fields, 'error'), status, text });
  return workerEvent('error', false, text);
}

function onAssistant(state: State, fields: Fields, line: string): WorkerEvent {
  const message = fieldsOf(fields.message);
  const blocks = (Array.isArray(message.content) ? message.content : []).map(fieldsOf);
  const said = blocks
    .map((block) => (block.type === 'text' ? (textField(block, 'text') ?? '') : ''))
    .join('');
  if (message.model === '<synthetic>') return onOwnMessage(state, fields, said, line);
  moved(state);
  takeCounts(state.counts, messageId(message), message.usage);
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  for (const call of calls) state.open.set(textField(call, 'id') ?? '', calledTool(call));
  // What a sub-agent says is for the worker.
  if (said.trim() !== '' && typeof fields.parent_tool_use_id !== 'string') state.lastMessage = said;
  const [call] = calls;
  if (call) return callEvent(calledTool(call));
  return workerEvent(
    said === '' ? 'reasoning' : 'message',
    true,
    said || textField(blocks[0] ?? {}, 'thinking'),
  );
}

function onUser(state: State, fields: Fields): WorkerEvent {
  const { content } = fieldsOf(fields.message);
  const blocks = (Array.isArray(content) ? content : []).map(fieldsOf);
  const answers = blocks.filter(({ type }) => type === 'tool_result');
  const [first] = answers;
  // What claude says to the model itself, or a sub-agent's task.
  if (!first) return workerEvent('other', false);
  moved(state);
  const tool = state.open.get(textField(first, 'tool_use_id') ?? '');
  for (const answer of answers) state.open.delete(textField(answer, 'tool_use_id') ?? '');
  return answerEvent(tool, first);
}

function onResult(state: State, fields: Fields): WorkerEvent {
  const isError = fields.is_error === true || fields.subtype !== 'success';
  delete state.failure;
  if (!isError) return onSuccess(state, fields);
  state.ended = 'failed';
  const status =
    typeof fields.api_error_status === 'number' ? fields.api_error_status : state.trouble?.status;
  const isLong = fields.terminal_reason === 'prompt_too_long';
  const text = resultText(fields);
  const kind = isLong ? 'invalid_request' : state.trouble?.kind;
  state.failure = claudeFailure(troubleOf(state, { kind, status, text }), state.saidAt());
  return workerEvent('end', false, `failed: ${text}`);
}

function onSuccess(state: State, fields: Fields): WorkerEvent {
  state.ended = 'completed';
  moved(state);
  const text = textField(fields, 'result') ?? '';
  if (text.trim() !== '') state.lastMessage = text;
  state.refusals = refusedTools(fields);
  const sum = sumOf(state.counts);
  return workerEvent('end', true, sum ? `done: ${sum.input} tokens in, ${sum.output} out` : 'done');
}

function onFields(state: State, fields: Fields, line: string): WorkerEvent | undefined {
  const type = textField(fields, 'type') ?? '';
  const isKnown = ['system', 'assistant', 'user', 'result', 'stream_event', 'rate_limit_event'].includes(
    type,
  );
  if (isKnown && typeof fields.session_id === 'string') state.structured = true;
  if (!state.structured || type === '') return undefined;
  switch (type) {
    case 'system':
      return onSystem(state, fields, line);
    case 'stream_event':
      return onStream(state, fields);
    case 'assistant':
      return onAssistant(state, fields, line);
    case 'user':
      return onUser(state, fields);
    case 'rate_limit_event':
      return onRateLimit(state, fields, line);
    case 'result':
      return onResult(state, fields);
    default:
      // A type of a newer claude. Whether work moved cannot be told, so it is no evidence.
      return workerEvent('other', false);
  }
}

function factsOf(state: State): WorkerFacts {
  const { structured, sessionId, lastMessage, ended, trouble } = state;
  const tokens = sumOf(state.counts);
  const failure =
    state.failure ?? (trouble && ended === undefined ? claudeFailure(trouble, state.saidAt()) : undefined);
  return {
    structured,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(lastMessage === undefined ? {} : { lastMessage }),
    ...(ended === undefined ? {} : { ended }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(failure === undefined ? {} : { failure }),
    ...(state.refusals.length === 0 ? {} : { refusals: state.refusals }),
    openCommands: [...state.open.values()].filter(isShell).length,
  };
}

/**
 * A reader for the stdout of one `claude -p --output-format stream-json --verbose --include-partial-messages` (measured,
 * 2.1.332). It never throws. Plain output gives no event. One process may have several turns, each with its `init` and
 * its `result`: a background command that ends begins one. The last decides. `saidAt`: epoch ms of about the moment when
 * the line was printed that is being read.
 */
export function claudeEventReader(saidAt: () => number = Date.now): EventReader {
  const state: State = {
    structured: false,
    lines: [],
    open: new Map(),
    counts: new Map(),
    streaming: '',
    refusals: [],
    saidAt,
  };
  return {
    read(line) {
      if (!line.startsWith('{')) return undefined;
      const fields = parsedFields(line);
      if (fields) return onFields(state, fields, line);
      return state.structured ? workerEvent('other', false) : undefined;
    },
    facts: () => factsOf(state),
  };
}
