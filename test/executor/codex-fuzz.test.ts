import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codexEventReader } from '../../scripts-src/executor/codex-events.ts';
import { codexFailureAtEnd } from '../../scripts-src/executor/codex-failure-at-end.ts';
import { FAILURE_REASONS } from '../../scripts-src/executor/failure-kinds.ts';
import type { WorkerFacts, WorkerFailure } from '../../scripts-src/executor/types.ts';
import { classifyEnd } from '../../scripts-src/supervise/classify.ts';
import { type Seeded, seeded } from '../helpers/seeded.ts';

// Damaged streams of the real codex, and of other versions. PRUN_FUZZ_SEED=n repeats what a failure names.

const SEED = Number(process.env.PRUN_FUZZ_SEED ?? 20261130);
const CASES = 24_000;

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'codex-streams');
const names = readdirSync(FOLDER);
const streams = names
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));
const stderrs = names
  .filter((name) => name.endsWith('.stderr'))
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'));
const recorded = streams.flatMap(({ text }) => text.split('\n').filter(Boolean));

/** What other versions say, and what nobody says yet. */
const FOREIGN = [
  '{"id":"0","msg":{"type":"task_started","model_context_window":272000}}',
  '{"id":"0","msg":{"type":"stream_error","message":"stream error: cut; retrying 1/5 in 180ms…"}}',
  '{"type":"session.created","session_id":"s-1"}',
  '{"type":"error","message":"stream error: unexpected status 401 Unauthorized: ; retrying 1/5 in 200ms…"}',
  '{"type":"item.completed","item":{"id":"i","type":"todo_list","items":[{"text":"a","completed":true}]}}',
  '{"type":"item.completed","item":{"id":"i","item_type":"assistant_message","text":"old"}}',
  '{"type":"item.completed","item":[]}',
  '{"type":"item.completed","item":{"type":"file_change","changes":[{"path":7},null,"x",{"path":"/w/a"}]}}',
  '{"type":"turn.completed"}',
  '{"type":"turn.completed","usage":{"input_tokens":"many","output_tokens":-1}}',
  '{"type":"turn.completed","usage":[]}',
  '{"type":"turn.failed"}',
  '{"type":"turn.failed","error":null}',
  '{"type":"turn.failed","error":{"message":""}}',
  '{"type":"turn.failed","error":{"message":{"text":"deep"}}}',
  '{"type":"turn.failed","error":{"message":"{\\"error\\":{\\"message\\":[1]}}"}}',
  '{"type":"turn.aborted","reason":"interrupted"}',
  '{"type":"thread.started","thread_id":9}',
];

/** Lines that are no event, or nearly one. */
const NOISE: readonly [() => string, ...(() => string)[]] = [
  () => 'plain text in between',
  () => '',
  () => '{"type":"turn.completed","usage":{"input_tokens":1',
  () => '{"type":"turn.completed"}}',
  () => '{"type":"turn.completed"} trailing',
  () => 'warning: {"type":"turn.completed"}',
  () => '["turn.completed"]',
  () => '{"type":["turn.completed"]}',
  () => '{"message":"turn.completed","type":"x"}',
  () => '{"type":"turn.completed","type":"item.completed","item":{}}',
  () => '{"type":"item.completed","type":"turn.completed"}',
  () => '{"item":{"type":"turn.completed"},"type":"item.completed"}',
  () => '\u0000\u0000\u0000',
  () => '{"type":"turn.\u0000completed"}',
  () => '{"type":"error","message":"\\ud800 half"}',
  () => '{"type":"item.completed","item":{"type":"agent_message","text":"\ud83d"}}',
  () => '{"__proto__":{"type":"turn.completed"}}',
  () => '{"type":"__proto__"}',
  () => '{"type":"constructor","item":{"type":"toString"}}',
  () => '\ufeff{"type":"turn.completed"}',
  () => `{"type":"item.completed","item":{"id":"h","type":"agent_message","text":"${'é'.repeat(300_000)}"}}`,
  () =>
    `{"type":"item.completed","item":{"id":"h","type":"command_execution","command":"x","aggregated_output":"${'y'.repeat(1_200_000)}`,
  () => `{"type":"turn.failed","error":{"message":"${'z'.repeat(300_000)}"}}`,
  () => 'w'.repeat(1_500_000),
  () => `{"a":${'['.repeat(5000)}`,
];
/** The last ones are long: seldom. */
const SHORT = NOISE.slice(0, -5) as unknown as typeof NOISE;

function spoilt(random: Seeded, line: string): string {
  const at = random.upTo(line.length + 1);
  const other = random.pick(recorded as [string, ...string[]]);
  const ways: readonly [() => string, ...(() => string)[]] = [
    () => line.slice(0, at),
    () => line.slice(at),
    () => line.slice(0, at) + other,
    () => `${line.slice(0, at)}${String.fromCharCode(random.upTo(0x10000))}${line.slice(at + 1)}`,
    () => `${line}\r`,
    () => `${line.slice(0, at)}\u0000${line.slice(at)}`,
    () => line.replace('{', `{"type":${JSON.stringify(random.pick(['turn.completed', 'x', 'error']))},`),
    () => line.replace(/\}$/, ',"id":"again","type":"item.updated"}'),
    () => Buffer.from(line).subarray(0, at).toString('utf8'),
  ];
  return random.pick(ways)();
}

function aLine(random: Seeded): string {
  const kind = random.next();
  if (kind < 0.5) return random.pick(recorded as [string, ...string[]]);
  if (kind < 0.65) return random.pick(FOREIGN as [string, ...string[]]);
  if (kind < 0.85) return spoilt(random, random.pick(recorded as [string, ...string[]]));
  return random.pick(kind > 0.9993 ? NOISE : SHORT)();
}

/** A stream as recorded and then shuffled, or put together from anything. */
function aStream(random: Seeded): string[] {
  if (random.next() < 0.4) {
    const lines = random.pick(streams as [(typeof streams)[0], ...typeof streams]).text.split('\n');
    const mixed = random.next() < 0.5 ? random.shuffled(lines) : lines;
    const at = random.upTo(mixed.length + 1);
    return [...mixed.slice(0, at), aLine(random), ...mixed.slice(at)];
  }
  return Array.from({ length: 1 + random.upTo(14) }, () => aLine(random));
}

/** The type of a turn's event that was delivered whole, by JSON alone. */
function turnEvent(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const { type } = JSON.parse(line) as { type?: unknown };
    return typeof type === 'string' && /^turn\.(?:started|completed|failed)$/.test(type) ? type : undefined;
  } catch {
    return undefined;
  }
}

/** Why what was read is wrong, or undefined. */
function fault(lines: readonly string[], facts: WorkerFacts): string | undefined {
  const last = lines.map(turnEvent).findLast((type) => type !== undefined);
  if (facts.ended === 'completed' && last !== 'turn.completed') return `done, although the last was ${last}`;
  if (last === 'turn.completed' && facts.ended !== 'completed') return `not done: ${facts.ended}`;
  if (last === 'turn.failed' && (facts.ended !== 'failed' || !facts.failure)) return 'the failure is lost';
  if (facts.ended === 'completed' && facts.failure) return 'done, with a failure';
  if (facts.openCommands < 0) return 'a number of open commands below 0';
  return facts.failure && badFailure(facts.failure);
}

function badFailure({ reason, message, evidence = [], resetAt }: WorkerFailure): string | undefined {
  if (!FAILURE_REASONS.includes(reason)) return `no such reason: ${reason}`;
  if (message.length > 2000) return 'a message without bounds';
  if (evidence.length > 5 || evidence.some((line) => line.length > 500)) return 'evidence without bounds';
  return resetAt !== undefined && Number.isNaN(Date.parse(resetAt)) ? `no time: ${resetAt}` : undefined;
}

/** Reads a stream, and then names its end as a supervisor does; the fault, with what shows it. */
function check(lines: readonly string[], random: Seeded): string | undefined {
  const reader = codexEventReader();
  for (const line of lines) {
    const event = reader.read(line);
    if ((event?.text?.length ?? 0) > 200) return 'a text without bounds';
    if ((event?.files?.length ?? 0) > 100) return 'files without bounds';
  }
  const facts = reader.facts();
  const wrong = fault(lines, facts);
  if (wrong !== undefined) return wrong;
  const code = random.pick([0, 0, 1, 2, 101]);
  const stderr = random.pick(stderrs as [string, ...string[]]).slice(random.upTo(4000));
  const atEnd = codexFailureAtEnd({ exitCode: code, stderr: stderr + lines.at(-1), facts });
  const bad = atEnd && badFailure(atEnd);
  if (bad !== undefined) return bad;
  const { status } = classifyEnd({
    ...{ cause: { kind: 'worker-ended' }, exit: { kind: 'code', code }, facts },
    failure: facts.failure ?? atEnd,
    result: random.pick(['text', 'missing', 'empty'] as const),
    ...{ resultFile: '/r.md', quiet: '' },
    limits: { stallThresholdSeconds: 0, timeoutSeconds: 0, maxOutputBytes: 0 },
  });
  const isWell = code === 0 && facts.ended !== 'failed';
  return status === 'succeeded' && !isWell ? `succeeded with ${code}, ${facts.ended}` : undefined;
}

describe('damaged streams', () => {
  it.each(streams)('$name cut at every byte is done only with its whole end', ({ text }) => {
    const bytes = Buffer.from(text);
    const random = seeded(SEED);
    for (let at = 0; at <= bytes.length; at++) {
      const lines = bytes.subarray(0, at).toString('utf8').split('\n');
      const wrong = check(lines, random);
      if (wrong !== undefined) throw new Error(`cut at ${at}: ${wrong}`);
    }
  });

  it(`${CASES} shuffled, spoilt and mixed ones (seed ${SEED}) never throw, and lie about no end`, () => {
    let done = 0;
    let failed = 0;
    for (let round = 0; round < CASES; round++) {
      const random = seeded(SEED + round);
      const lines = aStream(random);
      const wrong = check(lines, random);
      if (wrong !== undefined) {
        const shown = lines.map((line) => line.slice(0, 300)).join('\n');
        throw new Error(`PRUN_FUZZ_SEED=${SEED + round}: ${wrong}\n${shown}`);
      }
      const last = lines.map(turnEvent).findLast((type) => type !== undefined);
      if (last === 'turn.completed') done++;
      if (last === 'turn.failed') failed++;
    }
    // The generator must meet what it looks for.
    expect(done).toBeGreaterThan(CASES / 10);
    expect(failed).toBeGreaterThan(CASES / 20);
  });
});
