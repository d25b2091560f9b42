import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeEventReader } from '../../scripts-src/executor/claude-events.ts';
import { claudeFailureAtEnd } from '../../scripts-src/executor/claude-failure.ts';
import type { WorkerEvent, WorkerFacts } from '../../scripts-src/executor/types.ts';

const FOLDER = path.resolve(import.meta.dirname, '../fixtures/claude-streams');
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

function linesOf(name: string): string[] {
  return readFileSync(path.join(FOLDER, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean);
}

function read(lines: readonly string[]): { facts: WorkerFacts; events: WorkerEvent[] } {
  const reader = claudeEventReader();
  const events = lines.map((line) => reader.read(line)).filter((event) => event !== undefined);
  return { facts: reader.facts(), events };
}

const told = (events: WorkerEvent[]): string[] =>
  events.filter(({ text }) => text !== undefined).map(({ kind, text }) => `${kind}: ${text}`);

describe('what a stream of claude says', () => {
  it('a command that fails', () => {
    const { facts, events } = read(linesOf('command'));
    expect(told(events)).toEqual([
      expect.stringMatching(/^session: session [0-9a-f-]{36}$/),
      'command-started: $ echo one; exit 3',
      'command-ended: exit 3: echo one; exit 3',
      'message: Wrote it.',
      'end: done: 320 tokens in, 40 out',
    ]);
    expect(facts).toMatchObject({ ended: 'completed', lastMessage: 'Wrote it.', openCommands: 0 });
  });

  it('an open command, until its answer comes', () => {
    const lines = linesOf('command');
    const answer = lines.findIndex((line) => line.startsWith('{"type":"user"'));
    expect(read(lines.slice(0, answer)).facts.openCommands).toBe(1);
    expect(read(lines.slice(0, answer + 1)).facts.openCommands).toBe(0);
  });

  it('a file that is written and changed', () => {
    const changes = read(linesOf('edit')).events.filter(({ kind }) => kind === 'file-change');
    expect(changes.map(({ files }) => files)).toEqual([
      ['/home/user/repo/added.txt'],
      ['/home/user/repo/added.txt'],
    ]);
  });

  it('a sub-agent: its words are not the answer, its tokens are the unit\u2019s', () => {
    const { facts } = read(linesOf('sub-agent'));
    expect(facts.lastMessage).toBe('The parent is done.');
    // Four messages of 160 in, of which claude tells three: the last one of the sub-agent comes in its hand-back.
    expect(facts.tokens).toMatchObject({ input: 480, cachedInput: 120 });
  });

  it('a limit with its end, told as a failure of the account', () => {
    const { facts, events } = read(linesOf('limit'));
    expect(facts).toMatchObject({
      ended: 'failed',
      failure: { reason: 'usage-limit', resetAt: new Date(1796072302_000).toISOString() },
    });
    expect(facts.failure?.message).toMatch(/^You've hit your 5-hour limit · resets /);
    expect(facts.failure?.evidence?.every((line) => line.length <= 500)).toBe(true);
    expect(facts.lastMessage).toBeUndefined();
    expect(events.filter(({ progress }) => progress).map(({ kind }) => kind)).toEqual(['session']);
  });

  it('a retry is no progress, and what comes after it makes it good', () => {
    const { facts, events } = read(linesOf('recovered'));
    expect(events.find(({ kind }) => kind === 'retry')).toMatchObject({ progress: false });
    expect(facts).toMatchObject({ ended: 'completed', lastMessage: 'Recovered after a drop.' });
    expect(facts.failure).toBeUndefined();
  });

  it('an end while it was trying again keeps what it was told', () => {
    const lines = linesOf('overloaded');
    const retry = lines.findIndex((line) => line.includes('"api_retry"'));
    const { facts } = read(lines.slice(0, retry + 1));
    expect(facts.ended).toBeUndefined();
    expect(facts.failure).toMatchObject({
      reason: 'overloaded',
      message: expect.stringMatching(/^retry 1\/1 .*529/),
    });
  });

  it('several turns in one process: the last decides, and the tokens are all of them', () => {
    const lines = linesOf('background');
    const { facts, events } = read(lines);
    expect(
      events.filter(({ kind }) => kind === 'session' || kind === 'turn').map(({ kind }) => kind),
    ).toEqual(['session', 'turn']);
    expect(facts.ended).toBe('completed');
    expect(facts.tokens?.input).toBe(640);
    const second = lines.findLastIndex((line) => line.includes('"subtype":"init"'));
    expect(read(lines.slice(0, second + 1)).facts.ended).toBeUndefined();
  });

  it('refused tools are named', () => {
    const { facts } = read(linesOf('denied'));
    expect(facts).toMatchObject({ ended: 'completed', refusals: ['Bash: echo no > x'] });
    expect(facts.failure).toBeUndefined();
    expect(claudeFailureAtEnd({ exitCode: 0, stderr: '', facts })).toMatchObject({
      reason: 'sandbox-refusal',
      message: 'its permission mode refused: Bash: echo no > x',
    });
  });

  it.each([
    ['plain words', 'Hello.'],
    ['JSON of somebody else', '{"type":"result","subtype":"success","result":"done"}'],
    ['codex', '{"type":"turn.completed","usage":{"input_tokens":1}}'],
    ['a list', '[1,2]'],
    ['nothing', ''],
  ])('%s is no event', (_title, line) => {
    const { facts, events } = read([line]);
    expect(events).toEqual([]);
    expect(facts).toEqual({ structured: false, openCommands: 0 });
  });

  it('fields of any kind in any place are read without a throw', () => {
    const values = [null, true, 1, 'x', [], {}, [null], { type: 'text' }];
    const types = ['system', 'assistant', 'user', 'result', 'stream_event', 'rate_limit_event', 'new_one'];
    const keys = [
      'subtype',
      'message',
      'event',
      'rate_limit_info',
      'usage',
      'errors',
      'permission_denials',
      'result',
      'is_error',
    ];
    const reader = claudeEventReader();
    for (const type of types) {
      for (const key of keys) {
        for (const value of values) {
          for (const inner of [value, { content: value, usage: value, model: value }, { content: [value] }]) {
            reader.read(JSON.stringify({ type, session_id: 's', [key]: inner }));
            expect(() => reader.facts()).not.toThrow();
          }
        }
      }
    }
  });
});

// A stream that was cut, torn or mixed must never look like a better end than the whole one.
describe('spoiled streams', () => {
  /** A small generator, so that a failure can be repeated. */
  function numbers(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }
  const NOISE = [
    '',
    '{',
    '}',
    'warning: x',
    '{"type":"result"',
    '\u0000',
    '{"type":"system"}',
    'null',
    '"result"',
  ];

  it.each(NAMES)('%s, cut at any byte', (file) => {
    const text = readFileSync(path.join(FOLDER, file), 'utf8');
    const results = [...text.matchAll(/"type":"result"/g)].map(({ index }) => index);
    for (let cut = 0; cut < text.length; cut += 7) {
      const { facts } = read(text.slice(0, cut).split('\n'));
      if (facts.ended !== undefined) expect(results.some((at) => at < cut)).toBe(true);
    }
  });

  it.each(NAMES)('%s, with noise, doubled, lost and changed lines', (file) => {
    const lines = linesOf(file.replace('.jsonl', ''));
    const whole = read(lines).facts;
    for (let seed = 1; seed <= 300; seed++) {
      const next = numbers(seed);
      const spoiled = lines.flatMap((line) => {
        switch (next(12)) {
          case 0:
            return [NOISE[next(NOISE.length)] ?? '', line];
          case 1:
            return [line, line];
          case 2:
            return [line.slice(0, next(line.length))];
          case 3:
            return [];
          default:
            return [line];
        }
      });
      const { facts } = read(spoiled);
      if (whole.ended === 'failed') expect(facts.ended, `${file} ${seed}`).not.toBe('completed');
      expect(facts.openCommands).toBeGreaterThanOrEqual(0);
    }
  });
});
