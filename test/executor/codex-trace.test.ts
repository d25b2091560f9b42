import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classifyStderr, traceFilter } from '../../scripts-src/executor/codex-trace.ts';

const streams = join(import.meta.dirname, '..', 'fixtures', 'codex-streams');

function linesOf(name: string): string[] {
  return readFileSync(join(streams, `${name}.stderr`), 'utf8')
    .split('\n')
    .filter(Boolean);
}

function counts(name: string): Record<string, number> {
  const result: Record<string, number> = { 'trace-progress': 0, 'trace-noise': 0, text: 0 };
  for (const line of linesOf(name)) result[classifyStderr(line)] = (result[classifyStderr(line)] ?? 0) + 1;
  return result;
}

const AT = '2026-11-30T02:41:02.100000Z ';
const event = (name: string): string =>
  `${AT}TRACE codex_app_server::outgoing_message: app-server event: ${name} targeted_connections=1`;
const sse = (rest: string): string =>
  `${AT} INFO codex_otel.log_only: event.name="codex.sse_event" event.kind=${rest} event.timestamp=x`;

describe('a line of stderr', () => {
  it.each([
    ['trace-progress', event('item/agentMessage/delta')],
    ['trace-progress', event('item/reasoning/summaryTextDelta')],
    ['trace-progress', event('item/commandExecution/outputDelta')],
    ['trace-progress', event('item/started')],
    ['trace-progress', event('thread/tokenUsage/updated')],
    ['trace-progress', event('turn/plan/updated')],
    ['trace-noise', event('error')],
    ['trace-noise', event('account/rateLimits/updated')],
    ['trace-noise', event('thread/status/changed')],
    ['trace-noise', event('turn/completed')],
    ['trace-noise', event('something/new')],
    ['trace-progress', sse('response.output_text.delta duration_ms=2')],
    ['trace-progress', sse('response.reasoning_summary_text.delta duration_ms=2')],
    ['trace-progress', sse('response.custom_tool_call_input.delta duration_ms=2')],
    ['trace-progress', sse('response.web_search_call.searching duration_ms=2')],
    ['trace-progress', sse('response.output_item.done duration_ms=2')],
    ['trace-progress', sse('response.completed duration_ms=2')],
    ['trace-noise', sse('response.created duration_ms=2')],
    ['trace-noise', sse('response.in_progress duration_ms=2')],
    ['trace-noise', sse('keepalive duration_ms=2')],
    ['trace-noise', sse('response.failed duration_ms=2 error.message={"type":"x"}')],
    ['trace-noise', sse('response.completed error.message=stream disconnected')],
    ['trace-noise', `${AT} INFO codex_otel.log_only: event.name="codex.api_request" attempt=3`],
    ['trace-noise', `${AT} INFO codex_otel.trace_safe: event.name="codex.turn_profile"`],
    [
      'trace-noise',
      `${AT}ERROR codex_api::endpoint::responses_websocket: failed to connect to Responses WebSocket`,
    ],
    ['text', `${AT}ERROR codex_core::tools::router: error=apply_patch verification failed`],
    ['text', `${AT}ERROR codex_core::session: failed to record rollout items`],
    ['text', "thread 'codex-main' panicked at library/std/src/io/stdio.rs:1168:9:"],
    ['text', 'WARNING: proceeding, even though we could not create PATH aliases'],
    ['text', 'app-server event: item/started'],
    ['text', ''],
  ])('is %s: %s', (kind, line) => {
    expect(classifyStderr(line)).toBe(kind);
  });

  it('is found behind the spans that a filter of the user turns on', () => {
    const line = event('item/started').replace('codex_app', 'session_loop{thread_id=1}: codex_app');
    expect(classifyStderr(line)).toBe('trace-progress');
  });
});

describe('recorded traces', () => {
  it('show each delta of an answer', () => {
    expect(
      linesOf('slow5').filter((line) => line.includes('app-server event: item/agentMessage/delta')),
    ).toHaveLength(5);
    expect(counts('slow5')['trace-progress']).toBeGreaterThanOrEqual(10);
  });

  it('show each delta of an answer that comes over a WebSocket, and none of its keepalives', () => {
    const lines = linesOf('websocket');
    expect(lines.filter((line) => line.includes('item/agentMessage/delta'))).toHaveLength(4);
    expect(lines.join('\n')).not.toContain('keepalive');
  });

  it('show the output of a running command as it comes', () => {
    expect(linesOf('ticker').filter((line) => line.includes('outputDelta'))).toHaveLength(8);
  });

  it.each(['refused', 'keepalive', 'hang', 'hanghdr', 'hangmid', 'websocket-refused'])(
    'of %s have no progress but the prompt in more than a minute',
    (name) => {
      const moved = linesOf(name).filter((line) => classifyStderr(line) === 'trace-progress');
      expect(moved.map((line) => /event: (\S+)/.exec(line)?.[1])).toEqual(['item/started', 'item/completed']);
    },
  );

  it.each(['h401', 'h429', 'h500', 'h503', 'usage', 'quota', 'h400', 'rlsse'])(
    'of %s have no progress but the prompt',
    (name) => {
      expect(counts(name)['trace-progress']).toBe(2);
    },
  );

  it.each(['badpatch', 'refusedrm'])('leave the error of %s to people', (name) => {
    expect(
      linesOf(name).filter((line) => classifyStderr(line) === 'text' && line.includes('router')),
    ).toHaveLength(1);
  });

  it('hold no prompt, no command and no output', () => {
    for (const name of ['shell', 'shellfail', 'steps', 'spawn', 'patch']) {
      const trace = linesOf(name).filter((line) => classifyStderr(line) !== 'text');
      expect(trace.join('\n')).not.toMatch(/do it|echo|wrote|oops|Begin Patch/);
    }
  });
});

describe('the log filter', () => {
  const TRACE =
    'codex_otel=off,codex_otel.log_only[{event.kind}]=info,codex_app_server::outgoing_message=trace';
  it.each([
    [undefined, `error,${TRACE}`],
    ['', `error,${TRACE}`],
    ['debug', `error,${TRACE}`],
    ['my_app=trace,codex_core=debug', `error,codex_core=debug,${TRACE}`],
    ['codex_core::session=info, codex', `error,codex_core::session=info,codex,${TRACE}`],
    ['codex_otel=trace,codex_otel.log_only=info', `error,${TRACE}`],
    ['codex_core=nonsense,codex[{=info,%%', `error,${TRACE}`],
  ])('made from %j', (own, expected) => {
    expect(traceFilter(own)).toBe(expected);
  });
});
