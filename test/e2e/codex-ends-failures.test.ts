import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { adviceFor } from '../../scripts-src/executor/failure-advice.ts';
import type { FailureReason } from '../../scripts-src/executor/types.ts';
import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';
import { codexHome } from '../helpers/codex-bin.ts';
import { type CodexWish, openCodexRoom } from '../helpers/codex-room.ts';
import type { CodexCase } from '../helpers/codex-server.ts';
import { type ExpectedEnd, expectEnd, type UnitEnd } from '../helpers/room.ts';
import { program } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// The real codex binary against a loopback stand-in: what went wrong, as the outcome tells it to a coordinator.

const room = openCodexRoom();
type Failure = NonNullable<OutcomeRecord['failure']>;

/** One try instead of several with growing pauses: the last message is the same. */
const ONCE = ['request', 'stream'].flatMap((what) => ['-c', `model_providers.mock.${what}_max_retries=0`]);
const SHORT_SILENCE = [...ONCE, '-c', 'model_providers.mock.stream_idle_timeout_ms=1500'];
const NO_MORE_TRIES = ['--disable', 'unbounded_connection_retries'];

const IN_90_MINUTES = Math.floor(Date.now() / 1000) + 5400;
const IN_5_DAYS = Math.floor(Date.now() / 1000) + 5 * 86_400;
const IN_20_DAYS = Math.floor(Date.now() / 1000) + 20 * 86_400;
const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
/** codex leaves the seconds out. */
const minuteOf = (seconds: number): string => isoOf(seconds - (seconds % 60));
const refusal = (error: object): string => JSON.stringify({ error });

interface Row {
  title: string;
  name: CodexCase;
  wish?: CodexWish;
  reason: FailureReason;
  detail: RegExp;
  failure?: Partial<Failure>;
  /** Exit code of dispatch-task (1), and where the FALLBACK's text comes from (tail). */
  code?: number;
  origin?: ExpectedEnd['origin'];
}

const ROWS: Row[] = [
  {
    title: 'a usage limit, whose end the headers tell to the second',
    name: 'usage',
    wish: { params: { resets: String(IN_90_MINUTES) } },
    reason: 'usage-limit',
    detail: /^You\u2019ve hit your usage limit\. .*try again at \d{1,2}:\d\d [AP]M\.$/,
    failure: { resetAt: isoOf(IN_90_MINUTES), retryAfterSeconds: null },
  },
  {
    title: 'a usage limit, whose end only the text tells',
    name: 'usage',
    wish: { params: { resets: String(IN_90_MINUTES), headers: 'off', plan: 'team' } },
    reason: 'usage-limit',
    detail: /send a request to your admin or try again at/,
    failure: { resetAt: minuteOf(IN_90_MINUTES) },
  },
  {
    title: 'a usage limit that ends on another day',
    name: 'usage',
    wish: { params: { resets: String(IN_5_DAYS), headers: 'off', plan: 'plus' } },
    reason: 'usage-limit',
    detail: /try again at [A-Z][a-z]{2} \d{1,2}(?:st|nd|rd|th), \d{4} \d{1,2}:\d\d [AP]M\.$/,
    failure: { resetAt: minuteOf(IN_5_DAYS) },
  },
  {
    title: 'a usage limit whose end is too far away to be believed',
    name: 'usage',
    wish: { params: { resets: String(IN_20_DAYS) } },
    reason: 'usage-limit',
    detail: /usage limit/,
    failure: { resetAt: null },
  },
  {
    title: 'a usage limit without an end',
    name: 'usage',
    wish: { params: { resets: 'none' } },
    reason: 'usage-limit',
    detail: /try again later\.$/,
    failure: { resetAt: null },
  },
  {
    title: 'a quota',
    name: 'quota',
    reason: 'quota',
    detail: /^Quota exceeded\. Check your plan and billing details\.$/,
    failure: { resetAt: null },
  },
  {
    title: 'a plan without codex',
    name: 'answer',
    wish: { params: { status: '429', body: refusal({ type: 'usage_not_included' }) } },
    reason: 'quota',
    detail: /upgrade to Plus/,
  },
  {
    title: 'a rate limit',
    name: 'h429',
    wish: { extraArgs: ONCE },
    reason: 'rate-limit',
    detail: /^exceeded retry limit, last status: 429 Too Many Requests$/,
    failure: { retryAfterSeconds: null, resetAt: null },
  },
  {
    title: 'a rate limit in the stream, with the time to wait',
    name: 'rlsse',
    wish: { extraArgs: ONCE },
    reason: 'rate-limit',
    detail: /^rate limit exceeded: /,
    failure: { retryAfterSeconds: 1.5 },
  },
  {
    title: 'a server error (500)',
    name: 'h500',
    wish: { extraArgs: ONCE },
    reason: 'overloaded',
    detail: /high demand/,
  },
  {
    title: 'a server that is not available (503)',
    name: 'h503',
    wish: { extraArgs: ONCE },
    reason: 'overloaded',
    detail: /^unexpected status 503 Service Unavailable: upstream unavailable/,
  },
  { title: 'an overloaded model', name: 'overloaded', reason: 'overloaded', detail: /at capacity/ },
  {
    title: 'an account that is refused (401), without its key',
    name: 'answer',
    wish: {
      extraArgs: ONCE,
      params: { status: '401', body: refusal({ message: 'Incorrect API key provided: sk-test-abcd1234.' }) },
    },
    reason: 'auth',
    detail: /^unexpected status 401 Unauthorized: Incorrect API key provided: sk-\u2026/,
  },
  {
    title: 'an account that may not (403)',
    name: 'answer',
    wish: { extraArgs: ONCE, params: { status: '403', body: 'no access' } },
    reason: 'auth',
    detail: /403 Forbidden/,
  },
  {
    title: 'a key that is not in the environment',
    name: 'plain',
    wish: { extraArgs: ['-c', 'model_providers.mock.env_key="NO_SUCH_KEY"'] },
    reason: 'auth',
    detail: /^Missing environment variable: `NO_SUCH_KEY`/,
  },
  {
    title: 'nobody who is logged in',
    name: 'answer',
    wish: {
      isBuiltIn: true,
      isSignedIn: false,
      params: {
        status: '401',
        body: refusal({ message: 'Missing bearer or basic authentication in header' }),
      },
    },
    reason: 'login',
    detail: /^unexpected status 401 Unauthorized: Missing bearer/,
  },
  {
    title: 'a full context, told in the stream',
    name: 'ctxsse',
    reason: 'context',
    detail: /^Codex ran out of room in the model's context window\./,
  },
  {
    title: 'a full context, told as a bad request',
    name: 'answer',
    wish: { params: { body: refusal({ message: 'x', code: 'context_length_exceeded' }) } },
    reason: 'context',
    detail: /context window/,
  },
  {
    title: 'a bad request (400)',
    name: 'h400',
    reason: 'bad-request',
    detail: /^Invalid value: 'xhigh'\. Supported values are/,
  },
  {
    title: 'a request that is too large (413)',
    name: 'answer',
    wish: { extraArgs: ONCE, params: { status: '413', body: 'too large' } },
    reason: 'bad-request',
    detail: /413 Payload Too Large/,
  },
  {
    title: 'a model that does not exist (404)',
    name: 'answer',
    wish: {
      extraArgs: ONCE,
      params: {
        status: '404',
        body: refusal({
          message: 'The model `gpt-0.5` does not exist or you do not have access to it.',
          code: 'model_not_found',
        }),
      },
    },
    reason: 'model-gone',
    detail: /^The model `gpt-0\.5` does not exist/,
  },
  {
    title: 'a model that the account does not have (400)',
    name: 'answer',
    wish: {
      params: {
        body: `{"detail":"The 'gpt-0.5' model is not supported when using Codex with a ChatGPT account."}`,
      },
    },
    reason: 'model-gone',
    detail: /^The 'gpt-0\.5' model is not supported/,
  },
  {
    title: 'a stream that is cut',
    name: 'drop',
    wish: { extraArgs: ONCE },
    reason: 'stream-cut',
    detail: /^stream disconnected before completion: Transport error/,
  },
  {
    title: 'silence after the headers',
    name: 'hanghdr',
    wish: { extraArgs: SHORT_SILENCE },
    reason: 'stream-cut',
    detail: /idle timeout waiting for SSE$/,
  },
  {
    title: 'a connection that is refused',
    name: 'plain',
    wish: { refused: true, extraArgs: [...NO_MORE_TRIES, ...ONCE] },
    reason: 'network',
    detail: /^Connection failed: error sending request$/,
  },
  {
    title: 'a flag that this codex does not know',
    name: 'plain',
    wish: { extraArgs: ['--full-auto'] },
    reason: 'bad-flags',
    detail: /does not take the flag --full-auto: it is older or newer than/,
    code: 2,
  },
  {
    title: 'a feature that this codex does not know',
    name: 'plain',
    wish: { extraArgs: ['--enable', 'no_such_feature'] },
    reason: 'bad-flags',
    detail: /does not take the feature no_such_feature/,
  },
  {
    title: 'a setting that this codex does not take',
    name: 'plain',
    wish: { extraArgs: ['-c', 'approval_policy=7'] },
    reason: 'bad-flags',
    detail: /^Error loading config/,
  },
  {
    title: 'a session that is not there',
    name: 'plain',
    wish: { flags: ['--workdir', '/tmp', '--resume', '01a22a53-3f55-7eb0-9823-c6f268b039f1'] },
    reason: 'session-lost',
    detail: /no rollout found for thread id 01a22a53/,
  },
  {
    title: 'a completed turn without a message',
    name: 'empty',
    reason: 'empty-answer',
    detail: /without a message and without a result/,
    failure: { evidence: [] },
    code: 0,
  },
  {
    title: 'a command that its rules refuse',
    name: 'shell',
    wish: { params: { cmd: 'rm -rf x; echo r > "$RESULT"', text: 'I could not.' } },
    reason: 'sandbox-refusal',
    detail: /left no result: .*rm -rf x.* rejected: rm -f style commands are not permitted/,
    code: 0,
    origin: 'last-message',
  },
  {
    title: 'a write that its sandbox refuses',
    name: 'shell',
    wish: { flags: ['--sandbox', 'read-only'], params: { cmd: 'sleep 0.5; echo r > "$RESULT"' } },
    reason: 'sandbox-refusal',
    detail: /left no result: .*result\.md: Read-only file system/,
    code: 0,
    origin: 'last-message',
  },
  {
    title: 'a patch that its sandbox refuses',
    name: 'patch',
    wish: { flags: ['--sandbox', 'read-only'] },
    reason: 'sandbox-refusal',
    detail: /patch rejected: writing is blocked by read-only sandbox/,
    code: 0,
    origin: 'last-message',
  },
];

function failureOf({ outcome }: UnitEnd): Failure {
  if (!outcome.failure) throw new Error(`no failure in the outcome (${outcome.reason}: ${outcome.detail})`);
  return outcome.failure;
}

describe.concurrent('the failure of the real codex', () => {
  it.each(ROWS)('$title: $reason', async (row) => {
    const { name, wish = {}, reason, detail, code = 1, origin = 'tail' } = row;
    const folder = room.folder();
    const environment = { CODEX_HOME: codexHome(folder) };
    const end = await room.codex(name, { ...wish, folder, environment }).end(58_000);
    expectEnd(end, { status: 'failed', reason, origin, code });
    expect(end.outcome.detail).toMatch(detail);
    expect(end.outcome.detail).not.toContain('\n');
    const failure = failureOf(end);
    expect(failure).toMatchObject({ reason, ...row.failure });
    if (!row.failure?.evidence) expect(failure.evidence.length).toBeGreaterThan(0);
    expect(JSON.stringify(end.outcome)).not.toContain('provided: sk-test');
    expect(end.result).toContain(`Trigger: ${reason}`);
    const advice = adviceFor(reason, failure);
    expect(end.result).toContain(`Open items: ${advice}; all output is in `);
    const told = end.outcome.detail.replace(/\.$/, '');
    expect(end.stderr).toContain(`dispatch-task: ${told}: ${advice}\n`);
  });

  it('is none where a command was refused and the result is there all the same', async () => {
    const params = { cmd: 'sleep 0.5; echo r > "$RESULT"; echo x > /usr/prun-test' };
    const end = await room.codex('shell', { params, flags: ['--sandbox', 'workspace-write'] }).end(58_000);
    expectEnd(end, { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 });
    expect(readFileSync(path.join(end.stateDir, 'tail'), 'utf8')).toContain('Read-only file system');
    expect(end.outcome.failure).toBeNull();
  });

  it('is its own where it panics, because nobody can read it any more', async () => {
    const folder = room.folder();
    const inner = room.codex('plain', { folder: room.folder() });
    const wrapper = program(folder, 'codex-full', `exec '${inner.folder}/codex' "$@" > /dev/full`);
    const end = await room.dispatch({ folder, codexBin: wrapper }).end(58_000);
    expectEnd(end, { status: 'failed', reason: 'panic', origin: 'tail', code: 101 });
    expect(end.outcome.detail).toMatch(
      /codex itself broke \(exit 101\): thread '.*' .*panicked at .*No space left/,
    );
    expect(failureOf(end).evidence[0]).toContain('panicked at');
    await inner.end(58_000);
  });

  it('is told, too, where the unit was reaped because of it', async () => {
    const end = await room.codex('plain', { refused: true, flags: ['--timeout', '7'] }).end(58_000);
    expectEnd(end, { status: 'failed', reason: 'hard-timeout', origin: 'tail', code: 124 });
    expect(failureOf(end)).toMatchObject({
      reason: 'network',
      message: 'Connection failed: error sending request',
    });
  });

  it('is told, too, where the dispatcher died meanwhile', async () => {
    const unit = room.codex('plain', { refused: true });
    const tail = path.join(await unit.stateDir(), 'tail');
    await waitFor('a retry notice', () => readFileSync(tail, 'utf8').includes('Reconnecting'), 30_000);
    unit.child.kill('SIGKILL');
    const { outcome } = await unit.outcome(30_000);
    expect(outcome).toMatchObject({
      status: 'interrupted',
      reason: 'dispatch-dead',
      supervisor: 'guardian',
      failure: { reason: 'network', evidence: [expect.stringContaining('Reconnecting')] },
    });
  });
});
