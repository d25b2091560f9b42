import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  BUSY_CPU_SHARE,
  BUSY_READ_BYTES_PER_SECOND,
  BUSY_WRITTEN_BYTES,
} from '../../scripts-src/supervise/stall-verdict.ts';
import { type EvidenceStream, SESSION, simulate } from '../helpers/simulated-unit.ts';

// The verdict that each recorded stream of evidence must get, with the default threshold, in simulated time.

const THRESHOLD = 600;
const root = mkdtempSync(path.join(os.tmpdir(), 'prun-streams-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const folder = () => path.join(root, String(++folders));

const every = (seconds: number, line: string) => (from: number, to: number) => {
  const count = Math.floor((to - 1) / seconds) - Math.floor((from - 1) / seconds);
  return Array.from({ length: count }, () => line);
};
const fixture = (name: string) =>
  readFileSync(path.join(import.meta.dirname, '../fixtures/codex-streams', name), 'utf8')
    .split('\n')
    .filter(Boolean);
/** All lines at the start, and what `then` says. */
const first =
  (lines: string[], then: (from: number, to: number) => string[] = () => []) =>
  (from: number, to: number) => [...(from === 0 ? lines : []), ...then(from, to)];
/** A recorded stream, its lines spread over so many seconds. */
const spread = (lines: string[], seconds: number) => (from: number, to: number) =>
  lines.filter((_, index) => {
    const when = (index / lines.length) * seconds;
    return when >= from && when < to;
  });

const THREAD = [`{"type":"thread.started","thread_id":"${SESSION}"}`, '{"type":"turn.started"}'];
const COMMAND =
  '{"type":"item.started","item":{"id":"item_0","type":"command_execution","command":"make","status":"in_progress"}}';
const trace = (rest: string) => `2026-11-30T02:54:39.543197Z ${rest}`;
const DELTA = trace(
  'TRACE codex_app_server::outgoing_message: app-server event: item/agentMessage/delta targeted_connections=1',
);
const OUTPUT_DELTA = trace(
  'TRACE codex_app_server::outgoing_message: app-server event: item/commandExecution/outputDelta targeted_connections=1',
);
const NOISE = trace(
  'TRACE codex_app_server::outgoing_message: app-server event: error targeted_connections=1',
);
const LIMITS = trace(
  'TRACE codex_app_server::outgoing_message: app-server event: account/rateLimits/updated targeted_connections=1',
);
const RETRY =
  '{"type":"error","message":"Reconnecting... waiting for network (Connection failed: error sending request)"}';
const RETRY_TIMES = [4, 12, 25, 48, 91, ...Array.from({ length: 60 }, (_, index) => 154 + index * 63)];
const refused = (line: string) => (from: number, to: number) =>
  RETRY_TIMES.filter((time) => time >= from && time < to).map(() => line);
const CODEX = [{ role: 'wrapper' as const }, { role: 'codex' as const }];
const IDLE_COMMAND = { role: 'command' as const };

interface Row {
  title: string;
  stream: EvidenceStream;
  /** Kind of the last evidence. */
  last?: string;
}

const ALIVE: Row[] = [
  {
    title: 'a compiler that prints nothing for half an hour',
    stream: { stdout: first([...THREAD, COMMAND]), processes: [...CODEX, { role: 'command', cpu: 0.97 }] },
    last: 'command-cpu',
  },
  {
    title: 'an answer that streams for half an hour, a piece every 20 s',
    stream: { stdout: first(THREAD), stderr: every(20, DELTA), processes: CODEX },
    last: 'stream',
  },
  {
    title: 'a running command that prints every five minutes',
    stream: {
      stdout: first([...THREAD, COMMAND]),
      stderr: every(300, OUTPUT_DELTA),
      processes: [...CODEX, IDLE_COMMAND],
    },
  },
  {
    title: 'a full core in silence, in a worker that prints no events',
    stream: { stdout: first(['begin']), processes: [{ role: 'wrapper', cpu: 1 }] },
    last: 'command-cpu',
  },
  {
    title: `a command above ${BUSY_CPU_SHARE} of a core`,
    stream: {
      stdout: first([...THREAD, COMMAND]),
      processes: [...CODEX, { role: 'command', cpu: BUSY_CPU_SHARE + 0.01 }],
    },
  },
  {
    title: 'short bursts of work every nine minutes',
    stream: {
      stdout: first([...THREAD, COMMAND]),
      processes: [
        ...CODEX,
        ...Array.from({ length: 7 }, (_, index) => ({
          role: 'command' as const,
          cpu: 0.9,
          from: 540 * (index + 1),
          until: 540 * (index + 1) + 15,
        })),
      ],
    },
  },
  {
    title: `a download that reads ${BUSY_READ_BYTES_PER_SECOND} bytes a second`,
    stream: {
      stdout: first([...THREAD, COMMAND]),
      processes: [...CODEX, { role: 'command', readPerSecond: BUSY_READ_BYTES_PER_SECOND * 1.01 }],
    },
    last: 'command-io',
  },
  {
    title: `a command that writes, ${BUSY_WRITTEN_BYTES} byte a second`,
    stream: {
      stdout: first([...THREAD, COMMAND]),
      processes: [...CODEX, { role: 'command', writtenPerSecond: BUSY_WRITTEN_BYTES }],
    },
    last: 'command-io',
  },
  {
    title: 'edits to one file again and again, where there are no I/O counters',
    stream: {
      stdout: first(THREAD),
      processes: CODEX,
      blind: true,
      workspaceWrites: (when) => when % 100 === 0,
    },
    last: 'workspace',
  },
  {
    title: 'a result file that grows every eight minutes',
    stream: { stdout: first(THREAD), processes: CODEX, resultWrites: (when) => when % 480 === 0 },
    last: 'result-file',
  },
  {
    title: 'polls that only the session log shows',
    stream: { stdout: first(THREAD), processes: CODEX, logWrites: (when) => when % 450 === 0 },
    last: 'session-log',
  },
  {
    title: 'a message every nine minutes',
    stream: {
      stdout: first(
        THREAD,
        every(540, '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"still here"}}'),
      ),
      processes: CODEX,
    },
    last: 'event',
  },
  {
    title: 'plain lines every nine minutes',
    stream: { stdout: every(540, 'compiling the next one'), processes: [{ role: 'wrapper' }] },
    last: 'output',
  },
  {
    title: 'silence of eight minutes with a suspend of eight hours in it, again a line, and so on',
    stream: {
      stdout: every(480, 'a line'),
      processes: [{ role: 'wrapper' }],
      suspend: { at: 700, seconds: 8 * 3600 },
    },
  },
  {
    title: 'a wall clock that steps 700 s ahead',
    stream: {
      stdout: every(480, 'a line'),
      processes: [{ role: 'wrapper' }],
      step: { at: 240, seconds: 700 },
    },
  },
  {
    title: 'a wall clock that steps a day back',
    stream: {
      stdout: every(480, 'a line'),
      processes: [{ role: 'wrapper' }],
      step: { at: 240, seconds: -86_400 },
    },
  },
];

const STALLED: Row[] = [
  { title: 'nothing at all', stream: {}, last: 'start' },
  {
    title: 'a frozen worker',
    stream: { stdout: first(THREAD), processes: CODEX.map((one) => ({ ...one, stopped: true })) },
    last: 'event',
  },
  {
    title: 'a busy-wait of 3% of a core, as a loop with sleep 0.1 is',
    stream: { stdout: first([...THREAD, COMMAND]), processes: [...CODEX, { role: 'command', cpu: 0.03 }] },
    last: 'event',
  },
  {
    title: 'a polling loop that reads a few KiB a second',
    stream: {
      stdout: first([...THREAD, COMMAND]),
      processes: [...CODEX, { role: 'command', cpu: 0.02, readPerSecond: 20_000 }],
    },
  },
  {
    title: 'a refused connection, as codex shows it',
    stream: {
      stdout: first(fixture('refused.jsonl').slice(0, 2), refused(RETRY)),
      stderr: first(
        fixture('refused.stderr').filter((line) => !line.includes('event: error')),
        refused(NOISE),
      ),
      processes: CODEX,
    },
  },
  {
    title: 'a retry event every second',
    stream: { stdout: first(THREAD, every(1, RETRY)), stderr: every(1, NOISE), processes: CODEX },
    last: 'event',
  },
  {
    title: 'a retry line every second, with the writes that print it',
    stream: {
      stdout: first(['begin'], every(1, 'Retrying in 1s...')),
      processes: [{ role: 'wrapper', cpu: 0.01, writtenPerSecond: 36 }],
    },
    last: 'output',
  },
  {
    title: 'no headers (recorded)',
    stream: { stdout: first(fixture('hang.jsonl')), stderr: first(fixture('hang.stderr')), processes: CODEX },
  },
  {
    title: 'headers and nothing (recorded)',
    stream: {
      stdout: first(fixture('hanghdr.jsonl')),
      stderr: first(fixture('hanghdr.stderr')),
      processes: CODEX,
    },
  },
  {
    title: 'one event and nothing (recorded)',
    stream: {
      stdout: first(fixture('hangmid.jsonl')),
      stderr: first(fixture('hangmid.stderr')),
      processes: CODEX,
    },
  },
  {
    title: 'comments only (recorded)',
    stream: {
      stdout: first(fixture('keepalive.jsonl')),
      stderr: first(fixture('keepalive.stderr'), every(10, LIMITS)),
      processes: CODEX,
    },
  },
  {
    title: "codex's own CPU, as of a spinner or a reconnect loop",
    stream: {
      stdout: first(THREAD),
      processes: [
        { role: 'wrapper', cpu: 0.5 },
        { role: 'codex', cpu: 0.9, writtenPerSecond: 5000 },
      ],
    },
  },
  {
    title: 'a command that sleeps',
    stream: { stdout: first([...THREAD, COMMAND]), processes: [...CODEX, IDLE_COMMAND] },
  },
];

describe('a healthy unit is let work', () => {
  it.each(ALIVE)('$title', async ({ stream, last }) => {
    const verdict = await simulate(folder(), stream, { stallThresholdSeconds: THRESHOLD }, 1800);
    expect(verdict.reason, `reaped at ${verdict.atSeconds} s, ${verdict.lastEvidence.kind}`).toBeUndefined();
    if (last) expect(verdict.lastEvidence.kind).toBe(last);
  });

  it('for ever where the threshold is 0', async () => {
    expect((await simulate(folder(), {}, { stallThresholdSeconds: 0 }, 7200)).reason).toBeUndefined();
  });
});

describe('a hung unit is reaped', () => {
  it.each(STALLED)('$title', async ({ stream, last }) => {
    const verdict = await simulate(folder(), stream, { stallThresholdSeconds: THRESHOLD }, 3600);
    expect(verdict.reason, verdict.lastEvidence.kind).toBe('idle-stall');
    // In time: the first evidence is of the first seconds.
    expect(verdict.atSeconds).toBeGreaterThanOrEqual(THRESHOLD);
    expect(verdict.atSeconds).toBeLessThanOrEqual(THRESHOLD + 25);
    expect(verdict.lastEvidence.quietSeconds).toBeGreaterThanOrEqual(THRESHOLD);
    if (last) expect(verdict.lastEvidence.kind).toBe(last);
  });

  it('once its work is over: silence counts from the last evidence', async () => {
    const stream = { stdout: spread(fixture('ticker.jsonl'), 1000), processes: CODEX };
    const verdict = await simulate(folder(), stream, { stallThresholdSeconds: THRESHOLD }, 3600);
    expect(verdict.reason).toBe('idle-stall');
    expect(verdict.atSeconds).toBeGreaterThan(1000 * (5 / 6) + THRESHOLD - 10);
    expect(verdict.atSeconds).toBeLessThan(1000 + THRESHOLD + 10);
  });

  it('after a suspend, at its threshold of waking hours', async () => {
    const stream = { stdout: first(['begin']), suspend: { at: 300, seconds: 7200 } };
    const verdict = await simulate(folder(), stream, { stallThresholdSeconds: THRESHOLD }, 3600);
    expect(verdict.reason).toBe('idle-stall');
    expect(verdict.atSeconds).toBeGreaterThan(THRESHOLD - 20);
    expect(verdict.atSeconds).toBeLessThan(THRESHOLD + 25);
  });

  it('at its hard timeout, however well it works, and a suspend does not count', async () => {
    const stream = { stdout: every(10, 'a line'), suspend: { at: 500, seconds: 7200 } };
    const verdict = await simulate(
      folder(),
      stream,
      { stallThresholdSeconds: THRESHOLD, timeoutSeconds: 1000 },
      3600,
    );
    expect(verdict.reason).toBe('hard-timeout');
    expect(verdict.atSeconds).toBeGreaterThan(980);
    expect(verdict.atSeconds).toBeLessThan(1020);
  });

  it('at its output limit', async () => {
    const stream = { stdout: every(1, 'x'.repeat(999)) };
    const verdict = await simulate(
      folder(),
      stream,
      { stallThresholdSeconds: THRESHOLD, maxOutputBytes: 1_000_000 },
      3600,
    );
    expect(verdict.reason).toBe('output-limit');
    expect(verdict.atSeconds).toBeGreaterThanOrEqual(1000);
    expect(verdict.atSeconds).toBeLessThan(1030);
  });
});
