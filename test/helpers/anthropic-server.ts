import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  answer,
  bash,
  begin,
  type Call,
  failInStream,
  type MessagesBody,
  onlyPings,
  openStream,
  pause,
  refuse,
  respond,
  streamText,
  text,
  thought,
  use,
} from './anthropic-reply.ts';

/**
 * The behaviours that a test can ask the stand-in for. Every command-running case takes `cmd` (any shell text)
 * and every answering case takes `text`, the last message. All take `wait`, milliseconds before the first byte.
 */
export type AnthropicCase =
  /** One message. */
  | 'plain'
  /** `n` deltas (20), one each `delay` ms (1000), in one message. */
  | 'slow'
  /** A command (`cmd`), then a message. */
  | 'shell'
  /** `n` commands (3) one after the other: `cmd`, in which `{i}` is the step's number. */
  | 'steps'
  /** A command, then no answer. */
  | 'shellhang'
  /** A command that is left running in the background; then a message. */
  | 'leave'
  /** A file (`file`, absolute) is written with `body`, then changed (`body` becomes `edited`), then a message. */
  | 'write'
  /** Text, then a command, then the answer. */
  | 'commentary'
  /** Thinking, then a message. */
  | 'thinking'
  /** A command whose output is `bytes` long (3000000), then a message. */
  | 'big'
  /** `calls`, a JSON array of `{name, input}`: one of the tools after the other, then a message. */
  | 'script'
  /** A sub-agent is started, which runs `cmd`. */
  | 'agent'
  /** `answer` (JSON) through the tool for structured output, where it is there, then a message. */
  | 'schema'
  /** A message without any text. */
  | 'empty'
  /** The message ends for the reason in `stop` (refusal, max_tokens). */
  | 'stopped'
  /** Account and server failures: see their texts. */
  | 'usage'
  | 'credit'
  | 'h400'
  | 'h401'
  | 'h403'
  | 'h429'
  | 'h500'
  | 'h529'
  | 'toolong'
  | 'nomodel'
  | 'overloaded'
  /** The stream is cut, each time or the first time only. */
  | 'drop'
  | 'droponce'
  /** No headers; headers and nothing; a message that begins and nothing; pings only. */
  | 'hang'
  | 'hanghdr'
  | 'hangmid'
  | 'pings';

/** One request that the stand-in received. */
export interface AnthropicRequest {
  /** Milliseconds since the server started. */
  at: number;
  method: string;
  url: string;
  case: string;
  headers: IncomingMessage['headers'];
  /** The decoded body, or undefined for one that is no JSON. */
  body: MessagesBody | undefined;
}

/** A running stand-in. */
export interface AnthropicServer {
  port: number;
  /** Every request so far, in order of arrival. */
  requests: AnthropicRequest[];
  /** Stops listening and cuts every open connection. */
  close(): Promise<void>;
}

/** The ANTHROPIC_BASE_URL of a case. Parameters may hold any text, shell commands included. */
export function anthropicBaseUrl(
  port: number,
  name: AnthropicCase,
  params: Record<string, string> = {},
): string {
  const tail = Object.entries(params).map(([key, value]) => `;${encoded(key)}=${encoded(value)}`);
  return `http://127.0.0.1:${port}/c/${name}${tail.join('')}`;
}

/** encodeURIComponent leaves quotes, which a wrapper script would have to escape again. */
function encoded(word: string): string {
  return encodeURIComponent(word).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}

const said = (call: Call, fallback: string) => text(call.params.text ?? fallback);

/** A command first, then what `then` says. */
function afterCommand(call: Call, cmd: string, fallback: string): void {
  if (call.step === 0) respond(call, bash(cmd));
  else respond(call, said(call, fallback));
}

function writeThenEdit(call: Call): void {
  const { file = 'added.txt', body = 'added' } = call.params;
  if (call.step === 0) respond(call, use('Write', { file_path: file, content: `${body}\n` }));
  else if (call.step > 1) respond(call, said(call, 'Written.'));
  else respond(call, use('Edit', { file_path: file, old_string: body, new_string: 'edited' }));
}

const SUB_TASK = 'prun-test-sub-agent';

function subAgent(call: Call): void {
  // The first message of a sub-agent is its task; the parent has said it in a call.
  const first = JSON.stringify(call.body.messages?.[0] ?? '');
  const task = { description: 'Test', prompt: SUB_TASK, subagent_type: 'general-purpose' };
  if (first.includes(SUB_TASK)) afterCommand(call, call.params.cmd ?? 'echo sub', 'The sub-agent is done.');
  else if (call.step > 0) respond(call, said(call, 'The parent is done.'));
  else respond(call, use('Agent', { ...task, run_in_background: false }));
}

/** How often a tool has answered in this conversation, whoever spoke in between. */
function toolAnswers({ messages = [] }: MessagesBody): number {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return blocks.filter(({ type }) => type === 'tool_result').length;
}

function scripted(call: Call): void {
  const calls: { name: string; input: Record<string, unknown> }[] = JSON.parse(call.params.calls ?? '[]');
  // A request without tools is about something else, such as the session's title.
  const next = call.body.tools?.length ? calls[toolAnswers(call.body)] : undefined;
  if (next) respond(call, use(next.name, next.input));
  else respond(call, said(call, 'Did all of it.'));
}

function structured(call: Call): void {
  const tool = call.body.tools?.find(({ name }) => name === 'StructuredOutput');
  if (!tool || call.step > 0) respond(call, said(call, 'Said.'));
  else respond(call, use('StructuredOutput', JSON.parse(call.params.answer ?? '{}')));
}

/** What a subscription's limit looks like: the headers tell it, and the text is the same as for any 429. */
function usageLimit(call: Call): void {
  const reset = call.params.reset ?? String(Math.floor(Date.now() / 1000) + 3600);
  refuse(call, 429, 'rate_limit_error', 'This request would exceed your account\u2019s rate limit.', {
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': reset,
    'anthropic-ratelimit-unified-representative-claim': call.params.claim ?? 'five_hour',
    'anthropic-ratelimit-unified-5h-status': 'rejected',
    'anthropic-ratelimit-unified-5h-reset': reset,
    'anthropic-ratelimit-unified-5h-utilization': '1.0',
    'retry-after': '3600',
    'x-should-retry': 'false',
  });
}

const CASES: Record<AnthropicCase, (call: Call) => void | Promise<void>> = {
  plain: (call) => respond(call, said(call, 'Hello from the stand-in.')),
  slow: (call) => {
    const n = Number(call.params.n ?? 20);
    return streamText(
      call,
      call.params.text ?? 'slow '.repeat(n),
      n,
      Number(call.params.delay ?? 1000),
      false,
    );
  },
  shell: (call) => afterCommand(call, call.params.cmd ?? 'echo wrote > result.txt; echo wrote', 'Wrote it.'),
  steps: (call) => {
    if (call.step >= Number(call.params.n ?? 3)) respond(call, said(call, `Did ${call.step} steps.`));
    else respond(call, bash((call.params.cmd ?? 'echo step {i}').replaceAll('{i}', String(call.step))));
  },
  shellhang: (call) => {
    if (call.step === 0) respond(call, bash(call.params.cmd ?? 'echo started'));
  },
  leave: (call) => {
    const cmd = call.params.cmd ?? 'echo started; sleep 600';
    // Its end begins another turn, which is answered as the first was.
    const isLeft = JSON.stringify(call.body.messages ?? []).includes('"tool_result"');
    if (!isLeft) respond(call, bash(cmd, { run_in_background: true }));
    else respond(call, said(call, 'Left it running.'));
  },
  write: writeThenEdit,
  commentary: (call) => {
    if (call.step > 0) respond(call, said(call, 'The answer.'));
    else respond(call, text('I will look first.'), bash(call.params.cmd ?? 'echo looked'));
  },
  thinking: (call) => respond(call, thought('I will answer.'), said(call, 'Thought about it.')),
  big: (call) => {
    const bytes = Number(call.params.bytes ?? 3_000_000);
    afterCommand(call, `head -c ${bytes} /dev/zero | tr '\\0' x | fold -w 100`, 'Saw it.');
  },
  script: scripted,
  agent: subAgent,
  schema: structured,
  empty: (call) => respond(call),
  stopped: (call) => answer(call, [said(call, 'Half of it')], call.params.stop ?? 'refusal'),
  usage: usageLimit,
  credit: (call) =>
    refuse(
      call,
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ),
  h400: (call) => refuse(call, 400, 'invalid_request_error', 'messages.0.content: Field required'),
  h401: (call) => refuse(call, 401, 'authentication_error', 'invalid x-api-key'),
  h403: (call) =>
    refuse(call, 403, 'permission_error', 'Your account does not have permission to use this resource.'),
  h429: (call) => {
    const headers = { 'retry-after': call.params.after ?? '1' };
    refuse(call, 429, 'rate_limit_error', 'Number of requests has exceeded your rate limit.', headers);
  },
  h500: (call) => refuse(call, 500, 'api_error', 'Internal server error'),
  h529: (call) => refuse(call, 529, 'overloaded_error', 'Overloaded'),
  toolong: (call) =>
    refuse(call, 400, 'invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum'),
  nomodel: (call) => refuse(call, 404, 'not_found_error', `model: ${call.body.model ?? ''}`),
  overloaded: (call) => failInStream(call, 'overloaded_error', 'Overloaded'),
  drop: (call) => streamText(call, 'half of a message that is cut', 4, 50, true),
  droponce: (call) => {
    if (call.earlier === 0) return streamText(call, 'half of a message that is cut', 4, 50, true);
    respond(call, said(call, 'Recovered after a drop.'));
  },
  hang: () => {},
  hanghdr: (call) => openStream(call.response),
  hangmid: begin,
  pings: (call) => onlyPings(call, Number(call.params.delay ?? 1000)),
};

function isCase(name: string): name is AnthropicCase {
  return Object.hasOwn(CASES, name);
}

function parseBody(raw: Buffer): MessagesBody | undefined {
  try {
    return JSON.parse(raw.toString('utf8')) as MessagesBody;
  } catch {
    return undefined;
  }
}

/** Answers of the user's side that hold a tool's result, after the last one that holds none. */
function stepOf(body: MessagesBody): number {
  const answered = (body.messages ?? [])
    .filter(({ role }) => role === 'user')
    .map(({ content }) => Array.isArray(content) && content.some(({ type }) => type === 'tool_result'));
  return answered.length - 1 - answered.lastIndexOf(false);
}

function parseParams(words: string): Record<string, string> {
  const params: Record<string, string> = {};
  for (const part of words.split(';').filter(Boolean)) {
    const at = part.indexOf('=');
    params[decodeURIComponent(part.slice(0, at))] = decodeURIComponent(part.slice(at + 1));
  }
  return params;
}

function notHere(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end(
    '{"type":"error","error":{"type":"not_found_error","message":"the stand-in has no such address"}}',
  );
}

/**
 * Starts a stand-in for the Messages API on the loopback address, as far as the real claude needs one
 * (FACTS-claude-code.md). The case is part of the base URL, see `anthropicBaseUrl`, so that one server serves many
 * workers at once.
 */
export async function startAnthropicServer(): Promise<AnthropicServer> {
  const requests: AnthropicRequest[] = [];
  const seen = new Map<string, number>();
  const sockets = new Set<Socket>();
  const startedAt = performance.now();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = '', method = '', headers } = request;
    const address = /^\/c\/([a-z0-9]+)((?:;[^/]*)?)\//.exec(url);
    const name = address?.[1] ?? '';
    const body = parseBody(Buffer.concat(chunks));
    requests.push({ at: Math.round(performance.now() - startedAt), method, url, case: name, headers, body });
    if (url.includes('/v1/messages/count_tokens')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"input_tokens":100}');
      return;
    }
    if (!isCase(name) || method !== 'POST' || !/\/v1\/messages(\?|$)/.test(url)) {
      notHere(response);
      return;
    }
    const params = parseParams(address?.[2] ?? '');
    const earlier = seen.get(url) ?? 0;
    seen.set(url, earlier + 1);
    if (params.wait) await pause(Number(params.wait));
    await CASES[name]({ body: body ?? {}, params, response, step: stepOf(body ?? {}), earlier });
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A loopback port on which nobody listens: the connection is refused. */
export async function closedPort(): Promise<number> {
  const server = await startAnthropicServer();
  await server.close();
  return server.port;
}
