import type { ServerResponse } from 'node:http';

/** The parts of a Messages request that the stand-in looks at. */
export interface MessagesBody {
  model?: string;
  stream?: boolean;
  messages?: { role?: string; content?: string | ContentBlock[] }[];
  tools?: { name?: string; input_schema?: { properties?: Record<string, unknown> } }[];
}

/** A block of a message as it arrives; what a tool said is nested in `content`. */
export interface ContentBlock {
  type?: string;
  text?: string;
  is_error?: boolean;
  content?: string | ContentBlock[];
}

/** A block of an answer. */
export type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> };

/** A request that is to be answered. */
export interface Call {
  body: MessagesBody;
  params: Record<string, string>;
  response: ServerResponse;
  /** How often the model was answered by a tool since the user spoke: how far this conversation is. */
  step: number;
  /** How many requests this address had before. */
  earlier: number;
}

let ids = 0;
const newId = (prefix: string): string => `${prefix}_standin${(++ids).toString(16).padStart(8, '0')}`;
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Tokens of every answer: 160 in (of which 40 read from the cache and 20 written to it), 20 out. */
const USAGE = {
  input_tokens: 100,
  cache_creation_input_tokens: 20,
  cache_read_input_tokens: 40,
  output_tokens: 20,
};

export const text = (said: string): Block => ({ type: 'text', text: said });
export const thought = (said: string): Block => ({ type: 'thinking', thinking: said, signature: 'c2ln' });

/** A call of one of the worker's tools. */
export function use(name: string, input: Record<string, unknown>): Block {
  return { type: 'tool_use', id: newId('toolu'), name, input };
}

/** A shell command, waited for until it ends. */
export function bash(command: string, more: Record<string, unknown> = {}): Block {
  return use('Bash', { command, description: 'Runs a command of the test', ...more });
}

function send(response: ServerResponse, type: string, fields: Record<string, unknown>): void {
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
}

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
}

function messageHead(call: Call): Record<string, unknown> {
  const base = { id: newId('msg'), type: 'message', role: 'assistant', model: call.body.model, content: [] };
  return { ...base, stop_reason: null, stop_sequence: null, usage: { ...USAGE, output_tokens: 1 } };
}

/** Opens the stream and announces a message. */
export function begin(call: Call): void {
  openStream(call.response);
  send(call.response, 'message_start', { message: messageHead(call) });
}

function finish(call: Call, stopReason: string): void {
  const { output_tokens } = USAGE;
  const delta = { stop_reason: stopReason, stop_sequence: null };
  send(call.response, 'message_delta', { delta, usage: { output_tokens } });
  send(call.response, 'message_stop', {});
  call.response.end();
}

function sendBlock(response: ServerResponse, block: Block, index: number): void {
  const delta = (fields: Record<string, unknown>): void =>
    send(response, 'content_block_delta', { index, delta: fields });
  switch (block.type) {
    case 'text':
      send(response, 'content_block_start', { index, content_block: { type: 'text', text: '' } });
      delta({ type: 'text_delta', text: block.text });
      break;
    case 'thinking':
      send(response, 'content_block_start', {
        index,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      });
      delta({ type: 'thinking_delta', thinking: block.thinking });
      delta({ type: 'signature_delta', signature: block.signature });
      break;
    case 'tool_use':
      send(response, 'content_block_start', { index, content_block: { ...block, input: {} } });
      delta({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) });
  }
  send(response, 'content_block_stop', { index });
}

/** A whole answer that consists of these blocks. */
export function respond(call: Call, ...blocks: Block[]): void {
  answer(call, blocks, blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn');
}

/** A whole answer that ends for the reason given. */
export function answer(call: Call, blocks: readonly Block[], stopReason: string): void {
  if (call.body.stream === true) {
    begin(call);
    blocks.forEach((block, index) => {
      sendBlock(call.response, block, index);
    });
    finish(call, stopReason);
    return;
  }
  const whole = { ...messageHead(call), content: blocks, stop_reason: stopReason, usage: USAGE };
  call.response.writeHead(200, { 'content-type': 'application/json' });
  call.response.end(JSON.stringify(whole));
}

/** One message as a stream of deltas; `cut` breaks the connection before the end. */
export async function streamText(
  call: Call,
  said: string,
  n: number,
  delay: number,
  cut: boolean,
): Promise<void> {
  const { response } = call;
  begin(call);
  send(response, 'content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
  const size = Math.max(1, Math.ceil(said.length / n));
  for (let at = 0; at < said.length && !response.destroyed; at += size) {
    send(response, 'content_block_delta', {
      index: 0,
      delta: { type: 'text_delta', text: said.slice(at, at + size) },
    });
    await pause(delay);
  }
  if (cut) response.destroy();
  if (response.destroyed) return;
  send(response, 'content_block_stop', { index: 0 });
  finish(call, 'end_turn');
}

/** A refused request. */
export function refuse(
  call: Call,
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
): void {
  call.response.writeHead(status, { 'content-type': 'application/json', ...headers });
  call.response.end(JSON.stringify({ type: 'error', error: { type, message }, request_id: newId('req') }));
}

/** A failure that arrives inside a stream that began well. */
export function failInStream(call: Call, type: string, message: string): void {
  begin(call);
  send(call.response, 'error', { error: { type, message } });
  call.response.end();
}

/** Pings and nothing else, for as long as the caller listens. */
export function onlyPings(call: Call, every: number): void {
  begin(call);
  const timer = setInterval(() => send(call.response, 'ping', {}), every);
  call.response.on('close', () => clearInterval(timer));
}
