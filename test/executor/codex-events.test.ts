import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codexEventReader } from '../../scripts-src/executor/codex-events.ts';
import type { WorkerEvent, WorkerFacts } from '../../scripts-src/executor/types.ts';

const streams = join(import.meta.dirname, '..', 'fixtures', 'codex-streams');
const stream = (name: string): string => readFileSync(join(streams, `${name}.jsonl`), 'utf8');

function readAll(lines: string[]): { events: (WorkerEvent | undefined)[]; facts: WorkerFacts } {
  const reader = codexEventReader();
  const events = lines.map((line) => reader.read(line));
  return { events, facts: reader.facts() };
}

const linesOf = (name: string): string[] => stream(name).split('\n').filter(Boolean);
const started = '{"type":"thread.started","thread_id":"t-1"}';
const item = (phase: string, fields: object): string =>
  JSON.stringify({ type: `item.${phase}`, item: fields });
const command = { id: 'item_0', type: 'command_execution', command: "/bin/bash -lc 'npm test'" };

describe('one line', () => {
  it.each<[string, Partial<WorkerEvent>]>([
    [started, { kind: 'session', progress: true, text: 'session t-1' }],
    ['{"type":"turn.started"}', { kind: 'turn', progress: true }],
    [item('started', command), { kind: 'command-started', progress: true, text: '$ npm test' }],
    [
      item('completed', { ...command, exit_code: 3 }),
      { kind: 'command-ended', progress: true, text: 'exit 3: npm test' },
    ],
    [
      item('completed', { ...command, status: 'failed' }),
      { kind: 'command-ended', text: 'failed: npm test' },
    ],
    [
      item('completed', { type: 'agent_message', text: '\x1b[1mHi\x1b[0m\nyou' }),
      { kind: 'message', text: 'Hi you' },
    ],
    [item('completed', { type: 'reasoning', text: '**Plan**' }), { kind: 'reasoning', progress: true }],
    [
      item('completed', {
        type: 'file_change',
        changes: [{ path: 'a' }, { path: 'b' }],
        status: 'completed',
      }),
      { kind: 'file-change', progress: true, text: 'edited a, b' },
    ],
    [
      item('started', { type: 'mcp_tool_call', server: 's', tool: 't' }),
      { kind: 'tool-call', text: 'tool s.t' },
    ],
    [item('started', { type: 'web_search', query: 'q' }), { kind: 'tool-call', text: 'search: q' }],
    [
      item('completed', { type: 'error', message: 'ignored' }),
      { kind: 'error', progress: false, text: 'ignored' },
    ],
    [item('completed', { type: 'brand_new' }), { kind: 'other', progress: true }],
    [item('completed', {}), { kind: 'other', progress: true }],
    ['{"type":"error","message":"Reconnecting... 1/5 (cut)"}', { kind: 'retry', progress: false }],
    ['{"type":"error","message":"cut"}', { kind: 'error', progress: false, text: 'cut' }],
    [
      '{"type":"turn.failed","error":{"message":"cut"}}',
      { kind: 'end', progress: false, text: 'failed: cut' },
    ],
    ['{"type":"turn.completed","usage":null}', { kind: 'end', progress: true, text: 'done' }],
    ['{"type":"turn.completed","usage":{}}', { kind: 'end', progress: true, text: 'done' }],
    [
      '{"type":"turn.completed","usage":{"input_tokens":-5,"output_tokens":2}}',
      { kind: 'end', progress: true, text: 'done' },
    ],
    [
      '{"type":"turn.completed","usage":{"input_tokens":1e999,"output_tokens":2}}',
      { kind: 'end', progress: true, text: 'done' },
    ],
    [
      '{"type":"turn.completed","usage":{"input_tokens":"7","output_tokens":2}}',
      { kind: 'end', progress: true, text: 'done' },
    ],
    ['{"type":"turn.something_new"}', { kind: 'other', progress: false }],
  ])('%s', (line, expected) => {
    const { events, facts } = readAll([line]);
    expect(events[0]).toMatchObject(expected);
    expect(facts.structured).toBe(true);
  });

  it.each([
    '',
    'plain text',
    '{"a":1}',
    '{"type":"test","name":"x"}',
    '{"type":"error"}',
    '{"type":7,"item":{}}',
    '{"type":"item.completed"',
    '{"type":"item.completed","item":null,"x":',
    '[1,2]',
    'null',
    '"thread.started"',
    '{',
    `{${'x'.repeat(400_000)}`,
  ])('%.60s is no event of codex', (line) => {
    const { events, facts } = readAll([line]);
    expect(events[0]).toBeUndefined();
    expect(facts).toEqual({ structured: false, openCommands: 0 });
  });

  it('that was torn counts for nothing once the worker is known to speak in events', () => {
    const { events } = readAll([
      started,
      item('completed', command).slice(0, 40),
      '{"type":"new"}',
      'panicked',
    ]);
    expect(events.slice(1)).toEqual([
      { kind: 'other', progress: false },
      { kind: 'other', progress: false },
      undefined,
    ]);
  });

  it('is shown with at most 200 characters', () => {
    const { events } = readAll([item('completed', { type: 'agent_message', text: 'word '.repeat(9999) })]);
    expect(events[0]?.text?.length).toBeLessThanOrEqual(200);
  });
});

describe('a file change', () => {
  const change = (paths: unknown[], status = 'completed') => ({
    type: 'file_change',
    changes: paths.map((path) => ({ path, kind: 'update' })),
    status,
  });

  it.each<[string, string, object, readonly string[] | undefined]>([
    ['names its files', 'completed', change(['/w/a', '/w/b']), ['/w/a', '/w/b']],
    ['names them when it begins, too', 'started', change(['/w/a'], 'in_progress'), ['/w/a']],
    ['names none that is no text', 'completed', change([7, null, '', '/w/a']), ['/w/a']],
    ['names none when it failed', 'completed', change(['/w/a'], 'failed'), undefined],
    ['names none where there is no list', 'completed', { type: 'file_change', changes: {} }, undefined],
  ])('%s', (_, phase, fields, files) => {
    expect(readAll([item(phase, fields)]).events[0]?.files).toEqual(files);
  });

  it('names at most 100, also in a line of a megabyte', () => {
    const paths = Array.from({ length: 20_000 }, (_, number) => `/w/${'d'.repeat(60)}/${number}`);
    const { events } = readAll([item('completed', { id: 'item_1', ...change(paths) })]);
    expect(events[0]?.files).toEqual(paths.slice(0, 100));
  });
});

describe('a line of more than a megabyte', () => {
  const output = 'x"\\\n'.repeat(300_000);
  it('of a command is understood from its ends', () => {
    const done = { ...command, aggregated_output: output, exit_code: 7, status: 'failed' };
    const { events, facts } = readAll([item('started', command), item('completed', done)]);
    expect(events[1]).toEqual({ kind: 'command-ended', progress: true, text: 'exit 7: npm test' });
    expect(facts.openCommands).toBe(0);
  });

  it('of the answer is kept whole', () => {
    const { events, facts } = readAll([
      item('completed', { id: 'item_1', type: 'agent_message', text: output }),
    ]);
    expect(events[0]?.kind).toBe('message');
    expect(facts.lastMessage).toBe(output);
  });

  it('takes no time to speak of', () => {
    const line = item('completed', {
      ...command,
      aggregated_output: 'y'.repeat(20_000_000),
      exit_code: 0,
      status: 'x',
    });
    const before = performance.now();
    readAll([line]);
    expect(performance.now() - before).toBeLessThan(5000);
  });
});

describe('the facts', () => {
  it('are those of a thread with commands and an answer', () => {
    expect(readAll(linesOf('shell')).facts).toMatchObject({
      structured: true,
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      lastMessage: 'Wrote it.',
      ended: 'completed',
      openCommands: 0,
      tokens: { input: 200, cachedInput: 80, output: 40, reasoningOutput: 10 },
    });
  });

  it.each([
    ['usage', 'usage-limit', /^You\u2019ve hit your usage limit/],
    ['quota', 'quota', /^Quota exceeded/],
    ['h429', 'rate-limit', /^exceeded retry limit/],
    ['rlsse', 'rate-limit', /^rate limit exceeded/],
    ['h401', 'auth', /^unexpected status 401/],
    ['h500', 'overloaded', /high demand/],
    ['h503', 'overloaded', /^unexpected status 503/],
    ['overloaded', 'overloaded', /at capacity/],
    ['ctxsse', 'context', /context window/],
    ['h400', 'bad-request', /^Invalid value/],
    ['drop', 'stream-cut', /^stream disconnected/],
  ])('of %s name the reason %s', (name, reason, message) => {
    const { facts } = readAll(linesOf(name));
    expect(facts.ended).toBe('failed');
    expect(facts.failure).toMatchObject({ reason, message: expect.stringMatching(message) });
    expect(facts.failure?.evidence?.at(-1)).toBe(linesOf(name).at(-1)?.slice(0, 500));
  });

  it('of a refused connection name the network, although no end was told', () => {
    const { facts, events } = readAll(linesOf('refused').filter((line) => !line.includes('turn.failed')));
    expect(facts.ended).toBeUndefined();
    expect(facts.failure).toEqual({
      reason: 'network',
      message: 'Connection failed: error sending request',
      evidence: [
        '{"type":"error","message":"Reconnecting... waiting for network (Connection failed: error sending request)"}',
      ],
    });
    expect(events.slice(2).every((event) => event?.progress === false)).toBe(true);
  });

  it.each(['droponce', 'shellfail', 'badpatch', 'empty'])('of %s hold no failure', (name) => {
    const { facts } = readAll(linesOf(name));
    expect(facts.failure).toBeUndefined();
    expect(facts.ended).toBe('completed');
  });

  it('forget an error after which work moved', () => {
    const error = '{"type":"error","message":"Reconnecting... 1/5 (cut)"}';
    expect(readAll([started, error, item('started', command)]).facts.failure).toBeUndefined();
  });

  it('keep the failure of a turn, whatever comes after it', () => {
    const late = item('completed', { type: 'agent_message', text: 'late' });
    expect(readAll([...linesOf('usage'), late]).facts).toMatchObject({
      ended: 'failed',
      failure: { reason: 'usage-limit' },
    });
  });

  it('hold when the limit ends, by the moment when it was said', () => {
    const said = new Date(2026, 10, 30, 2, 0, 0).getTime();
    const reader = codexEventReader(() => said);
    for (const line of linesOf('usage')) reader.read(line);
    expect(reader.facts().failure?.resetAt).toBe(new Date(2026, 10, 30, 3, 49).toISOString());
  });

  it('name what a sandbox refused to a command', () => {
    const output = '/bin/bash: line 1: /etc/x: Read-only file system\n';
    const done = { ...command, aggregated_output: output, exit_code: 1, status: 'failed' };
    expect(readAll([started, item('completed', done)]).facts.refusals).toEqual([
      '$ npm test: /bin/bash: line 1: /etc/x: Read-only file system',
    ]);
    const well = { ...done, exit_code: 0, status: 'completed' };
    expect(readAll([started, item('completed', well)]).facts.refusals).toBeUndefined();
  });

  it('count the commands that were left running', () => {
    expect(readAll(linesOf('leave')).facts.openCommands).toBe(1);
  });

  it('hold the last of several messages', () => {
    expect(readAll(linesOf('commentary')).facts.lastMessage).toBe('The answer.');
  });

  it('begin anew with a new turn', () => {
    const { facts } = readAll([...linesOf('usage'), '{"type":"turn.started"}']);
    expect(facts.ended).toBeUndefined();
    expect(facts.failure).toBeUndefined();
  });

  it('survive keys that are repeated in an object', () => {
    const line = '{"type":"item.started","item":{"id":"item_0","type":"web_search","id":"ws_1","query":"q"}}';
    expect(readAll([line]).events[0]).toMatchObject({ kind: 'tool-call', text: 'search: q' });
  });

  it('name the session of a codex that prints plain text', () => {
    const id = '01a22a53-3f55-7eb0-9823-c6f268b039f1';
    const { facts } = readAll([
      `\x1b[1msession id:\x1b[0m ${id}`,
      'session id: 00000000-0000-0000-0000-000000000000',
    ]);
    expect(facts).toEqual({ structured: false, sessionId: id, openCommands: 0 });
  });
});
