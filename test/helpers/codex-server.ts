import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * The behaviours that a test can ask the stand-in for. Every command-running case takes `cmd` (any shell text)
 * and every answering case takes `text`, the last message. All take `wait`, milliseconds before the first byte.
 */
export type CodexCase =
  /** One message. */
  | 'plain'
  /** `n` deltas (20), one each `delay` ms (1000), then the message. */
  | 'slow'
  /** A command (`cmd`), then a message. */
  | 'shell'
  /** `n` commands (3) one after the other: `cmd`, in which `{i}` is the step's number. */
  | 'steps'
  /**
   * A thread of several turns, told apart by `mark` (worker of unit) in what the user says: in the n-th a command (`cmdn`)
   * if there is one, then a message (`textn`), or silence with `aftern=hang`.
   */
  | 'turns'
  /** A command that exits 3, then a message. */
  | 'shellfail'
  /** A patch: `file` (added.txt) is added with `body` (added). */
  | 'patch'
  /** A patch that does not apply. */
  | 'badpatch'
  /** A command whose output is `bytes` long (3000000), then a message. */
  | 'big'
  /** A command that is waited for until it ends. */
  | 'long'
  /** A command that is left running: the message comes a second after it was started. */
  | 'leave'
  /** A command that leaves daemons behind, then a message, or silence with `after=hang`. */
  | 'daemon'
  /** A sub-agent is started (which runs `cmd`, if given) and waited for. */
  | 'spawn'
  /** A tool that codex does not have. */
  | 'badtool'
  /** A completed response without any message. */
  | 'empty'
  /** Commentary, a command, then the answer. */
  | 'commentary'
  /** Reasoning, then a message. */
  | 'reasoning'
  /**
   * Account and server failures, named after what FACTS-codex.md (Failures) lists. `usage` takes `resets`, the moment of
   * its reset in seconds since 1970 (an hour from now) or none, `plan` (pro), and `headers=off`.
   */
  | 'usage'
  /** Any answer in place of a stream: `status` (400), `body` (JSON or text), `after` (a retry-after header). */
  | 'answer'
  | 'quota'
  | 'h400'
  | 'h401'
  | 'h429'
  | 'h500'
  | 'h503'
  | 'rlsse'
  | 'ctxsse'
  | 'overloaded'
  /** The stream is cut, each time or the first time only. */
  | 'drop'
  | 'droponce'
  /** No headers; headers and nothing; one event and nothing; comments only. */
  | 'hang'
  | 'hanghdr'
  | 'hangmid'
  | 'keepalive';

/** One request that the stand-in received. */
export interface CodexRequest {
  /** Milliseconds since the server started. */
  at: number;
  method: string;
  url: string;
  case: string;
  /** The decoded body, or undefined for one that is no JSON. */
  body: RequestBody | undefined;
}

/** Another case, also with parameters of its own. */
export type Instead = CodexCase | { case: CodexCase; params: Record<string, string> };

/** A running stand-in. */
export interface CodexServer {
  port: number;
  /** Every request so far, in order of arrival. */
  requests: CodexRequest[];
  /**
   * From now on each request is answered as `pick` says, or as its own case says where that gives undefined: an account
   * that meets its limit, and has it lifted. `undefined` takes it away.
   */
  instead(pick: ((request: CodexRequest) => Instead | undefined) | undefined): void;
  /** Stops listening and cuts every open connection. */
  close(): Promise<void>;
}

/** The parts of a Responses request that the stand-in looks at. */
export interface RequestBody {
  model?: string;
  reasoning?: { effort?: string };
  input?: InputItem[];
  tools?: Tool[];
}

interface InputItem {
  type?: string;
  role?: string;
  content?: { text?: string }[];
  output?: string | { text?: string }[];
  tools?: Tool[];
}

interface Tool {
  type?: string;
  name?: string;
  tools?: Tool[];
}

type Item = Record<string, unknown> & { type: string };

interface Call {
  body: RequestBody;
  params: Record<string, string>;
  response: ServerResponse;
  /** Tool outputs that came after the prompt: how far this conversation is. */
  outputs: InputItem[];
  /** How many requests this exact address had before. */
  earlier: number;
}

/** The base_url of a case. Parameters may hold any text, shell commands included. */
export function codexBaseUrl(port: number, name: CodexCase, params: Record<string, string> = {}): string {
  const tail = Object.entries(params).map(([key, value]) => `;${encoded(key)}=${encoded(value)}`);
  return `http://127.0.0.1:${port}/c/${name}${tail.join('')}/v1`;
}

/** encodeURIComponent leaves quotes, which a wrapper script and a TOML string would have to escape again. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}

let ids = 0;
const newId = (prefix: string): string => `${prefix}_${(++ids).toString(16).padStart(8, '0')}`;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 120,
};

let sequence = 0;
function send(response: ServerResponse, type: string, fields: Record<string, unknown>): void {
  const data = JSON.stringify({ type, sequence_number: sequence++, ...fields });
  response.write(`event: ${type}\ndata: ${data}\n\n`);
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
}

/** Opens the stream and announces a response; returns its id. */
function begin(response: ServerResponse): string {
  const id = newId('resp');
  openStream(response);
  send(response, 'response.created', {
    response: { id, object: 'response', status: 'in_progress', output: [] },
  });
  return id;
}

function finish(response: ServerResponse, id: string): void {
  const done = { id, object: 'response', status: 'completed', output: [], usage: USAGE };
  send(response, 'response.completed', { response: done });
  response.end();
}

function announce(response: ServerResponse, item: Item, index: number): void {
  send(response, 'response.output_item.added', { output_index: index, item });
  send(response, 'response.output_item.done', { output_index: index, item });
}

/** A whole response that consists of these items. */
function respond(call: Call, ...items: Item[]): void {
  const id = begin(call.response);
  items.forEach((item, index) => {
    announce(call.response, item, index);
  });
  finish(call.response, id);
}

function refuse(call: Call, status: number, error: unknown, headers: Record<string, string> = {}): void {
  const text = typeof error === 'string' ? error : JSON.stringify({ error });
  const type = typeof error === 'string' ? 'text/plain' : 'application/json';
  call.response.writeHead(status, { 'content-type': type, ...headers });
  call.response.end(text);
}

/** A failure that arrives inside a stream that began well. */
function failInStream(call: Call, code: string, message: string): void {
  const id = begin(call.response);
  send(call.response, 'response.failed', { response: { id, status: 'failed', error: { code, message } } });
  call.response.end();
}

function message(text: string, extra: Record<string, unknown> = {}): Item {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: newId('msg'), role: 'assistant', status: 'completed', content, ...extra };
}

function functionCall(name: string, args: unknown, namespace?: string): Item {
  const base = { type: 'function_call', id: newId('fc'), call_id: newId('call'), status: 'completed' };
  return { ...base, name, arguments: JSON.stringify(args), ...(namespace ? { namespace } : {}) };
}

/** The default model's code mode: one JavaScript tool, in which the other tools are functions. */
function codeCall(input: string): Item {
  return {
    type: 'custom_tool_call',
    id: newId('ctc'),
    call_id: newId('call'),
    name: 'exec',
    input,
    status: 'completed',
  };
}

/** Names of all advertised tools; with the default model they arrive as `additional_tools` in the input. */
function toolNames(body: RequestBody): Set<string> {
  const names = new Set<string>();
  const add = (tools: Tool[] | undefined): void => {
    for (const tool of tools ?? []) {
      if (tool.type === 'namespace' && tool.name !== 'functions') continue;
      if (tool.type === 'namespace') add(tool.tools);
      else names.add(tool.name ?? tool.type ?? '');
    }
  };
  add(body.tools);
  for (const item of body.input ?? []) if (item.type === 'additional_tools') add(item.tools);
  return names;
}

/** A shell command in the form that this binary advertises. */
function shell(call: Call, cmd: string, extra: Record<string, unknown> = {}): Item {
  const names = toolNames(call.body);
  const args = { cmd, ...extra };
  if (names.has('exec_command')) return functionCall('exec_command', args);
  if (names.has('exec')) {
    return codeCall(`const r = await tools.exec_command(${JSON.stringify(args)}); text(JSON.stringify(r));`);
  }
  if (names.has('shell_command')) return functionCall('shell_command', { command: cmd });
  return functionCall('shell', { command: ['bash', '-lc', cmd] });
}

function patch(call: Call, lines: string[]): Item {
  const text = ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
  const names = toolNames(call.body);
  if (names.has('apply_patch')) return { ...codeCall(text), name: 'apply_patch' };
  return codeCall(`const r = await tools.apply_patch(${JSON.stringify(text)}); text(r);`);
}

function textOf(item: InputItem | undefined): string {
  if (typeof item?.output === 'string') return item.output;
  return (item?.output ?? item?.content ?? []).map((part) => part.text ?? '').join('\n');
}

/** Asks for more output of the command that runs; undefined when the last output says that it ended. */
function pollAgain(call: Call): Item | undefined {
  const said = textOf(call.outputs.at(-1));
  const cell = /cell ID (\S+)/.exec(said)?.[1];
  if (cell && said.includes('Script running')) {
    return functionCall('wait', { cell_id: cell, yield_time_ms: 120_000 });
  }
  const inCode = /"session_id\\?":\s*(\d+)/.exec(said)?.[1];
  if (inCode && !/"exit_code\\?":\s*\d/.test(said)) {
    const args = { session_id: Number(inCode), chars: '', yield_time_ms: 300_000 };
    const script = `const r = await tools.write_stdin(${JSON.stringify(args)}); text(JSON.stringify(r));`;
    return codeCall(`// @exec: {"yield_time_ms": 120000}\n${script}`);
  }
  const direct = /session ID (\d+)/i.exec(said)?.[1];
  if (!direct) return undefined;
  return functionCall('write_stdin', { session_id: Number(direct), chars: '', yield_time_ms: 300_000 });
}

/** One message as a stream of deltas; `cut` breaks the connection before the end. */
async function streamMessage(
  call: Call,
  text: string,
  n: number,
  delay: number,
  cut: boolean,
): Promise<void> {
  const { response } = call;
  const id = begin(response);
  const whole = message(text);
  const head = { ...whole, status: 'in_progress', content: [] };
  send(response, 'response.output_item.added', { output_index: 0, item: head });
  const size = Math.max(1, Math.ceil(text.length / n));
  for (let at = 0; at < text.length && !response.destroyed; at += size) {
    const delta = text.slice(at, at + size);
    send(response, 'response.output_text.delta', {
      item_id: whole.id,
      output_index: 0,
      content_index: 0,
      delta,
    });
    await pause(delay);
  }
  if (cut) response.destroy();
  if (response.destroyed) return;
  send(response, 'response.output_item.done', { output_index: 0, item: whole });
  finish(response, id);
}

/** A command first, then what `then` says. */
function afterCommand(call: Call, cmd: string, text: string, extra: Record<string, unknown> = {}): void {
  if (call.outputs.length === 0) respond(call, shell(call, cmd, extra));
  else respond(call, message(call.params.text ?? text));
}

const SUB_TASK = 'prun-test-sub-agent';

function spawnSubAgent(call: Call): void {
  const { cmd } = call.params;
  // The sub-agent's conversation holds its task and no call of spawn_agent; the parent's holds that call.
  const inputs = call.body.input ?? [];
  const parent = inputs.some(
    (item) => JSON.stringify(item).includes('"spawn_agent"') && item.type === 'function_call',
  );
  const told = inputs.some(
    (item) => item.type !== 'additional_tools' && JSON.stringify(item).includes(SUB_TASK),
  );
  if (told && !parent) {
    const ran = inputs.some((item) => (item.type ?? '').endsWith('_output'));
    if (cmd && !ran) respond(call, shell(call, cmd));
    else respond(call, message('The sub-agent is done.'));
    return;
  }
  const step = call.outputs.length;
  const task = { task_name: 'sub1', message: SUB_TASK, fork_turns: 'none' };
  if (step === 0) respond(call, functionCall('spawn_agent', task, 'collaboration'));
  else if (step === 1) respond(call, functionCall('wait_agent', { timeout_ms: 60_000 }, 'collaboration'));
  else respond(call, message(call.params.text ?? 'The parent is done.'));
}

const CASES: Record<CodexCase, (call: Call) => void | Promise<void>> = {
  plain: (call) => respond(call, message(call.params.text ?? 'Hello from the stand-in.')),
  slow: (call) => {
    const n = Number(call.params.n ?? 20);
    return streamMessage(
      call,
      call.params.text ?? 'slow '.repeat(n),
      n,
      Number(call.params.delay ?? 1000),
      false,
    );
  },
  shell: (call) => afterCommand(call, call.params.cmd ?? 'echo wrote > result.txt; echo wrote', 'Wrote it.'),
  steps: (call) => {
    const step = call.outputs.length;
    if (step >= Number(call.params.n ?? 3)) respond(call, message(call.params.text ?? `Did ${step} steps.`));
    else respond(call, shell(call, (call.params.cmd ?? 'echo step {i}').replaceAll('{i}', String(step))));
  },
  turns: (call) => {
    const n = turnsIn(call.body, call.params.mark ?? 'worker of unit');
    const { [`cmd${n}`]: cmd, [`text${n}`]: text, [`after${n}`]: after } = call.params;
    const more = call.outputs.length > 0 ? pollAgain(call) : undefined;
    if (more) respond(call, more);
    else if (cmd !== undefined && call.outputs.length === 0) respond(call, shell(call, cmd));
    else if (after !== 'hang') respond(call, message(text ?? `Turn ${n} is done.`));
  },
  shellfail: (call) => afterCommand(call, 'echo oops >&2; exit 3', 'The command failed.'),
  patch: (call) => {
    const { file = 'added.txt', body = 'added' } = call.params;
    const lines = body.split('\n').map((line) => `+${line}`);
    if (call.outputs.length === 0) respond(call, patch(call, [`*** Add File: ${file}`, ...lines]));
    else respond(call, message(call.params.text ?? 'Patched.'));
  },
  badpatch: (call) => {
    const lines = ['*** Update File: no-such-file.txt', '@@', '-a', '+b'];
    if (call.outputs.length === 0) respond(call, patch(call, lines));
    else respond(call, message(call.params.text ?? 'The patch failed.'));
  },
  big: (call) => {
    const bytes = Number(call.params.bytes ?? 3_000_000);
    afterCommand(call, `head -c ${bytes} /dev/zero | tr '\\0' x | fold -w 100`, 'Saw it.');
  },
  long: (call) => {
    const more = call.outputs.length > 0 ? pollAgain(call) : undefined;
    if (more) respond(call, more);
    else afterCommand(call, call.params.cmd ?? 'echo started; sleep 600; echo finished', 'It ended.');
  },
  leave: (call) => {
    afterCommand(call, call.params.cmd ?? 'echo started; sleep 600', 'Left it running.', {
      yield_time_ms: 1000,
    });
  },
  daemon: (call) => {
    if (call.outputs.length > 0 && call.params.after === 'hang') return;
    const cmd = 'setsid sleep 600 >/dev/null 2>&1 </dev/null & (sleep 600 >/dev/null 2>&1 &); echo started';
    afterCommand(call, call.params.cmd ?? cmd, 'Daemons run.');
  },
  spawn: spawnSubAgent,
  badtool: (call) => {
    if (call.outputs.length === 0) respond(call, functionCall('no_such_tool', { a: 1 }));
    else respond(call, message(call.params.text ?? 'There is no such tool.'));
  },
  empty: (call) => respond(call),
  commentary: (call) => {
    const first = message('I will look first.', { phase: 'commentary' });
    if (call.outputs.length > 0)
      respond(call, message(call.params.text ?? 'The answer.', { phase: 'final_answer' }));
    else respond(call, first, shell(call, call.params.cmd ?? 'echo looked'));
  },
  reasoning: (call) => {
    const summary = [{ type: 'summary_text', text: '**Planning**\n\nI will answer.' }];
    const thought = { type: 'reasoning', id: newId('rs'), summary, encrypted_content: null };
    respond(call, thought, message(call.params.text ?? 'Thought about it.'));
  },
  usage: (call) => {
    const now = Math.floor(Date.now() / 1000);
    const { resets: asked = String(now + 3600), plan = 'pro', headers } = call.params;
    const error = {
      type: 'usage_limit_reached',
      message: 'The usage limit has been reached',
      plan_type: plan,
    };
    if (asked === 'none') return refuse(call, 429, error);
    const told = { 'x-codex-primary-used-percent': '100', 'x-codex-primary-reset-at': asked };
    const resets = Number(asked);
    const when = { resets_at: resets, resets_in_seconds: Math.max(0, resets - now) };
    refuse(call, 429, { ...error, ...when }, headers === 'off' ? {} : told);
  },
  answer: (call) => {
    const { status = '400', body = '', after } = call.params;
    const type = body.startsWith('{') ? 'application/json' : 'text/plain';
    const headers = after === undefined ? {} : { 'retry-after': after };
    call.response.writeHead(Number(status), { 'content-type': type, ...headers });
    call.response.end(body);
  },
  quota: (call) =>
    refuse(call, 429, { type: 'insufficient_quota', code: 'insufficient_quota', message: 'No quota.' }),
  h400: (call) => {
    const text = "Invalid value: 'xhigh'. Supported values are: 'low', 'medium', and 'high'.";
    const error = {
      message: text,
      type: 'invalid_request_error',
      param: 'reasoning.effort',
      code: 'invalid_value',
    };
    refuse(call, 400, error);
  },
  h401: (call) => {
    refuse(call, 401, {
      message: 'Incorrect API key provided.',
      type: 'invalid_request_error',
      code: 'invalid_api_key',
    });
  },
  h429: (call) => {
    const error = {
      message: 'Rate limit reached. Please try again in 2s.',
      type: 'tokens',
      code: 'rate_limit_exceeded',
    };
    refuse(call, 429, error, { 'retry-after': call.params.after ?? '2' });
  },
  h500: (call) => refuse(call, 500, { message: 'The server had an error', type: 'server_error' }),
  h503: (call) => refuse(call, 503, 'upstream unavailable'),
  rlsse: (call) => failInStream(call, 'rate_limit_exceeded', 'Rate limit reached. Please try again in 1.5s.'),
  ctxsse: (call) => failInStream(call, 'context_length_exceeded', 'Your input exceeds the context window.'),
  overloaded: (call) => failInStream(call, 'server_is_overloaded', 'Our servers are currently overloaded.'),
  drop: (call) => streamMessage(call, 'half of a message that is cut', 4, 50, true),
  droponce: (call) => {
    if (call.earlier === 0) return streamMessage(call, 'half of a message that is cut', 4, 50, true);
    respond(call, message(call.params.text ?? 'Recovered after a drop.'));
  },
  hang: () => {},
  hanghdr: (call) => openStream(call.response),
  hangmid: (call) => {
    begin(call.response);
  },
  keepalive: (call) => {
    openStream(call.response);
    const every = Number(call.params.delay ?? 1000);
    const timer = setInterval(() => call.response.write(': keepalive\n\n'), every);
    call.response.on('close', () => clearInterval(timer));
  },
};

function isCase(name: string): name is CodexCase {
  return Object.hasOwn(CASES, name);
}

function parseBody(raw: Buffer): RequestBody | undefined {
  try {
    return JSON.parse(raw.toString('utf8')) as RequestBody;
  } catch {
    return undefined;
  }
}

/** Tool outputs after the last thing that a user said. */
function outputsSinceUser(body: RequestBody): InputItem[] {
  const input = body.input ?? [];
  const user = input.findLastIndex((item) => item.role === 'user' && (item.type ?? 'message') === 'message');
  return input.slice(user + 1).filter((item) => (item.type ?? '').endsWith('_output'));
}

/** How many things with that mark the user has said in the thread. */
function turnsIn(body: RequestBody, mark: string): number {
  const said = (body.input ?? []).filter(({ role }) => role === 'user');
  return said.filter((item) => textOf(item).includes(mark)).length;
}

function parseParams(text: string): Record<string, string> {
  const params: Record<string, string> = {};
  for (const part of text.split(';').filter(Boolean)) {
    const at = part.indexOf('=');
    params[decodeURIComponent(part.slice(0, at))] = decodeURIComponent(part.slice(at + 1));
  }
  return params;
}

/**
 * Starts a stand-in for the Responses API on the loopback address, as far as the real codex needs one
 * (facts: FACTS-codex.md, and labs/codex for what the binary accepts). The case is part of the base_url, see
 * `codexBaseUrl`, so that one server serves many workers at once.
 */
export async function startCodexServer(): Promise<CodexServer> {
  const requests: CodexRequest[] = [];
  const seen = new Map<string, number>();
  const sockets = new Set<Socket>();
  const startedAt = performance.now();
  let pickInstead: Parameters<CodexServer['instead']>[0];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = request.url ?? '';
    const address = /^\/c\/([a-z0-9]+)((?:;[^/]*)?)\//.exec(url);
    const name = address?.[1] ?? '';
    const body = parseBody(Buffer.concat(chunks));
    const at = Math.round(performance.now() - startedAt);
    const received = { at, method: request.method ?? '', url, case: name, body };
    requests.push(received);
    if (!isCase(name) || !/\/responses(\?|$)/.test(url)) {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"the stand-in has no such address"}}');
      return;
    }
    const params = parseParams(address?.[2] ?? '');
    const earlier = seen.get(url) ?? 0;
    seen.set(url, earlier + 1);
    const picked = pickInstead?.(received) ?? name;
    const answered = typeof picked === 'string' ? { case: picked, params } : picked;
    if (answered.params.wait) await pause(Number(answered.params.wait));
    const call = { body: body ?? {}, params: answered.params, response, earlier };
    await CASES[answered.case]({ ...call, outputs: outputsSinceUser(body ?? {}) });
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  // codex tries a WebSocket first with its built-in provider only; a refusal sends it to HTTP.
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\n\r\n'));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  // The hanging cases must outlast Node's own limits.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    instead(pick) {
      pickInstead = pick;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A loopback port on which nobody listens: the connection is refused. */
export async function closedPort(): Promise<number> {
  const server = await startCodexServer();
  await server.close();
  return server.port;
}
