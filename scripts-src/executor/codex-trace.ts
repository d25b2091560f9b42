import { withoutEscapes } from './readable-line.ts';
import type { StderrLine } from './types.ts';

/**
 * What is asked of codex's log, most specific last. Measured with 0.171.0 against a loopback server:
 * - `outgoing_message=trace` prints the bare name of each event of the thread (`item/agentMessage/delta`,
 *   `item/commandExecution/outputDelta`), over HTTP and WebSocket alike, sub-agents included, contents never.
 * - `log_only[{event.kind}]` picks the per-event lines of an HTTP stream (tool arguments as they stream, too).
 *   Without the field filter `codex.tool_result` is in it: whole commands and their output, over many lines.
 *   Over WebSocket there is only one such line a response, so that it alone is not enough.
 * - `error` keeps what codex prints by default: without it a refused `rm` and a failed patch leave no line.
 */
const TRACE = [
  'codex_otel=off',
  'codex_otel.log_only[{event.kind}]=info',
  'codex_app_server::outgoing_message=trace',
];

/** Directives of the user's that are surely well-formed and about codex: one bad directive voids all of them. */
const ABOUT_CODEX = /^codex(?!_otel)\w*(?:::\w+)*(?:=(?:off|error|warn|info|debug|trace))?$/;

/**
 * RUST_LOG for codex. Of the user's own value only directives about codex stay: the rest is meant for their own
 * programs, and a `debug` for everything would bury the tail.
 */
export function traceFilter(userValue: string | undefined): string {
  const own = (userValue ?? '').split(',').map((part) => part.trim());
  return ['error', ...own.filter((part) => ABOUT_CODEX.test(part)), ...TRACE].join(',');
}

const LOG_LINE = /^\d{4}-\d\d-\d\dT[\d:.]+Z +([A-Z]+) (.*)$/s;
const THREAD_EVENT = /(?:^|[: ])codex_app_server::outgoing_message: app-server event: (\S+)/;
const STREAM_EVENT = /(?:^|[: ])codex_otel\.log_only: event\.name="codex\.sse_event" event\.kind=(\S+)/;
/** Items, their deltas and outputs, token counts of an ended response. Not `error`, and no rate limit updates. */
const MOVED = /^(?:item\/|thread\/tokenUsage\/|turn\/(?:plan|diff)\/)/;
/** Not `response.created` and `in_progress` (each failed attempt has one), nor `keepalive`. */
const STREAMED = /^response\.(?:completed|[a-z_.]+\.(?:delta|added|done)|[a-z_]+_call\.[a-z_]+)$/;
const CONNECTING =
  /(?:^|[: ])codex_(?:api|client|http_client|login)[\w:]*: .*(?:connect|websocket|request|retry)/i;

/**
 * What a line of codex's stderr says. Progress is a streamed piece of an answer, of a tool call or of a command's
 * output. Noise is the rest of the trace: errors, retries, connects, rate limits. Everything else is text for
 * people: panics, refused commands, failed patches, warnings.
 *
 * Measured (0.171.0): 20 of 20 deltas and each second's output of a running command are progress. A refused
 * connection (150 s), comments only (150 s), headers only, one event only, and no answer at all give none after
 * the start. The retries of a cut stream give progress only for what was streamed before the cut.
 */
export function classifyStderr(line: string): StderrLine {
  const log = LOG_LINE.exec(withoutEscapes(line.slice(0, 2000)));
  if (!log) return 'text';
  const [, level, rest = ''] = log;
  const event = THREAD_EVENT.exec(rest)?.[1];
  if (event !== undefined) return MOVED.test(event) ? 'trace-progress' : 'trace-noise';
  const streamed = STREAM_EVENT.exec(rest)?.[1];
  if (streamed !== undefined) {
    const good = STREAMED.test(streamed) && !rest.includes(' error.message=');
    return good ? 'trace-progress' : 'trace-noise';
  }
  if (/(?:^|[: ])codex_otel\b/.test(rest)) return 'trace-noise';
  // A failed connect of the built-in provider's WebSocket: an ERROR line for each try.
  return level === 'ERROR' && CONNECTING.test(rest) ? 'trace-noise' : 'text';
}
