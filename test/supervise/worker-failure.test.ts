import { describe, expect, it } from 'vitest';
import { codex } from '../../scripts-src/executor/codex.ts';
import type { Executor, WorkerFacts, WorkerFailure } from '../../scripts-src/executor/types.ts';
import type { EndCause, Verdict, WorkerExit } from '../../scripts-src/supervise/classify.ts';
import { failureOfOutcome, workerFailure } from '../../scripts-src/supervise/worker-failure.ts';

const ENDED: EndCause = { kind: 'worker-ended' };
const REAPED: EndCause = { kind: 'reaped', reason: 'idle-stall' };
const told: WorkerFailure = { reason: 'usage-limit', message: 'limit', resetAt: '2026-11-30T19:24:00.000Z' };
const network: WorkerFailure = { reason: 'network', message: 'Connection failed' };
const unknown: WorkerFailure = { reason: 'model-error', message: 'boom' };
const PANIC = "thread 'main' panicked at x.rs:1:1:";
const code = (number: number): WorkerExit => ({ kind: 'code', code: number });
const facts = (change: Partial<WorkerFacts>): WorkerFacts => ({
  structured: true,
  openCommands: 0,
  ...change,
});

function found(wish: {
  cause?: EndCause;
  exit: WorkerExit;
  facts: WorkerFacts;
  stderr?: string;
  executor?: Executor;
}) {
  return workerFailure({
    executor: wish.executor ?? codex,
    cause: wish.cause ?? ENDED,
    exit: wish.exit,
    facts: wish.facts,
    stderr: wish.stderr ?? '',
    startedAt: '2026-11-30T19:00:00.000Z',
    environment: {},
  });
}

describe('the failure of a worker', () => {
  it('holds no key of its environment', () => {
    const failure: WorkerFailure = {
      reason: 'auth',
      message: 'bad my key 0815',
      evidence: ['{my key 0815}'],
    };
    const sources = {
      executor: codex,
      cause: ENDED,
      exit: code(1),
      stderr: '',
      startedAt: '2026-11-30T19:00:00.000Z',
    };
    const environment = { ANTHROPIC_API_KEY: 'my key 0815' };
    expect(workerFailure({ ...sources, facts: facts({ ended: 'failed', failure }), environment })).toEqual({
      reason: 'auth',
      message: 'bad …(ANTHROPIC_API_KEY)',
      evidence: ['{…(ANTHROPIC_API_KEY)}'],
    });
  });

  it.each<[string, Parameters<typeof found>[0], string | undefined]>([
    [
      'what ended the turn',
      { exit: code(1), facts: facts({ ended: 'failed', failure: told }) },
      'usage-limit',
    ],
    [
      'what ended the turn, before what stderr says',
      { exit: code(101), facts: facts({ ended: 'failed', failure: told }), stderr: PANIC },
      'usage-limit',
    ],
    [
      'what stderr says, where the turn ended for a reason without a name',
      { exit: code(101), facts: facts({ ended: 'failed', failure: unknown }), stderr: PANIC },
      'panic',
    ],
    [
      'what stderr says, before an error after which it went on',
      { exit: code(101), facts: facts({ failure: network }), stderr: PANIC },
      'panic',
    ],
    [
      'the last error, where stderr says nothing',
      { exit: code(1), facts: facts({ failure: network }) },
      'network',
    ],
    [
      'the last error of a worker that was killed',
      { exit: { kind: 'lost' }, facts: facts({ failure: network }) },
      'network',
    ],
    [
      'the last error of a worker that prun ended, whatever stderr says',
      { cause: REAPED, exit: code(101), facts: facts({ failure: network }), stderr: PANIC },
      'network',
    ],
    ['none where nothing was said', { exit: code(0), facts: facts({ ended: 'completed' }) }, undefined],
  ])('is %s', (_, wish, reason) => {
    expect(found(wish)?.reason).toBe(reason);
  });

  it('has the end of a limit by the session log, where that knows it', () => {
    const executor: Executor = {
      ...codex,
      sessionLog: (id) => `/log-of-${id}`,
      resetInLog: (file) => (file === '/log-of-s-1' ? '2026-11-30T19:24:42.000Z' : undefined),
    };
    const failed = facts({ ended: 'failed', failure: told, sessionId: 's-1' });
    expect(found({ executor, exit: code(1), facts: failed })?.resetAt).toBe('2026-11-30T19:24:42.000Z');
    const other = { ...failed, sessionId: 's-2' };
    expect(found({ executor, exit: code(1), facts: other })?.resetAt).toBe(told.resetAt);
  });
});

describe('the failure in an outcome', () => {
  const verdict = (status: Verdict['status'], reason: Verdict['reason']): Verdict => ({
    status,
    reason,
    detail: 'what happened',
  });
  const kept = {
    reason: 'network',
    message: 'Connection failed',
    evidence: [],
    resetAt: null,
    retryAfterSeconds: null,
  };

  it.each<[string, Verdict, EndCause, WorkerFailure | undefined, object | null]>([
    ['what it failed by', verdict('failed', 'network'), ENDED, network, kept],
    [
      'what it last complained of, where it was reaped',
      verdict('failed', 'idle-stall'),
      REAPED,
      network,
      kept,
    ],
    [
      'what it last complained of, where its dispatcher died',
      verdict('interrupted', 'dispatch-dead'),
      { kind: 'dispatcher-dead' },
      network,
      kept,
    ],
    ['none where it succeeded', verdict('succeeded', 'ok'), ENDED, network, null],
    ['none where it failed by what it left', verdict('failed', 'claim-mismatch'), ENDED, network, null],
    ['none where it was reaped without a word', verdict('failed', 'idle-stall'), REAPED, undefined, null],
    [
      'its detail, where nobody else told it',
      verdict('failed', 'session-lost'),
      { kind: 'other-session' },
      undefined,
      { ...kept, reason: 'session-lost', message: 'what happened' },
    ],
    [
      'its detail, where something else was complained of',
      verdict('failed', 'session-lost'),
      { kind: 'other-session' },
      network,
      { ...kept, reason: 'session-lost', message: 'what happened' },
    ],
  ])('is %s', (_, ended, cause, failure, expected) => {
    expect(failureOfOutcome(ended, cause, failure)).toEqual(expected);
  });
});
