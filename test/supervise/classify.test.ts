import { describe, expect, it } from 'vitest';
import type { WorkerFacts, WorkerFailure } from '../../scripts-src/executor/types.ts';
import {
  classifyEnd,
  type EndCause,
  type Evidence,
  exitFromShellCode,
  type WorkerExit,
} from '../../scripts-src/supervise/classify.ts';
import { signalName } from '../../scripts-src/supervise/conclude.ts';
import type { ResultState } from '../../scripts-src/unit/result-file.ts';
import type { ClaimCheck } from '../../scripts-src/workspace/claims/claims.ts';

const ENDED: EndCause = { kind: 'worker-ended' };
const code = (number: number): WorkerExit => ({ kind: 'code', code: number });
const killed: WorkerExit = { kind: 'signal', signal: 'SIGKILL', inferred: false };
const lost: WorkerExit = { kind: 'lost' };
const failure = { reason: 'usage-limit' as const, message: 'You have hit your usage limit.' };
const facts = (change: Partial<WorkerFacts> = {}): WorkerFacts => ({
  structured: true,
  openCommands: 0,
  ...change,
});
const failed = facts({ ended: 'failed', failure });
const panic = { reason: 'panic' as const, message: 'codex itself broke\nat x.rs' };
const refused = { reason: 'sandbox-refusal' as const, message: 'its rules refused: rm -rf x' };

const claims = (change: Partial<ClaimCheck> = {}): ClaimCheck => ({
  claimed: [],
  unclaimed: [],
  ignored: [],
  saysNone: false,
  isEmpty: false,
  hasConclusion: true,
  ...change,
});
const untouched = { isEmpty: true, saysNone: true };

interface Row {
  title: string;
  cause?: EndCause;
  exit?: WorkerExit;
  facts?: WorkerFacts;
  /** What stderr tells; what the events tell where this is left out. */
  failure?: WorkerFailure;
  result?: ResultState;
  claims?: ClaimCheck;
  mayChangeNothing?: boolean;
  /** Exit code of the check that ran after the worker. */
  verify?: number;
  is: string;
}

const ROWS: Row[] = [
  { title: 'exit 0 and a result', is: 'succeeded ok' },
  {
    title: 'exit 0, the stream completed, and a result',
    facts: facts({ ended: 'completed' }),
    is: 'succeeded ok',
  },
  { title: 'exit 0 without a result', result: 'missing', is: 'failed no-result' },
  { title: 'exit 0 with an empty result', result: 'empty', is: 'failed empty-result' },
  { title: 'exit 0 with a folder in its place', result: 'not-a-file', is: 'failed no-result' },
  { title: 'exit 9 and a result', exit: code(9), is: 'failed exit' },
  { title: 'exit 9 without a result', exit: code(9), result: 'missing', is: 'failed exit' },
  { title: 'killed, with a result', exit: killed, is: 'failed signal' },
  { title: 'a lost end, with a result', exit: lost, is: 'interrupted dispatch-dead' },
  { title: 'a failed turn and exit 1', exit: code(1), facts: failed, is: 'failed usage-limit' },
  { title: 'a failed turn and exit 0', facts: failed, is: 'failed usage-limit' },
  {
    title: 'a failed turn, exit 0 and no result',
    facts: failed,
    result: 'missing',
    is: 'failed usage-limit',
  },
  {
    title: 'an error that was the last word, and exit 1',
    exit: code(1),
    facts: facts({ failure }),
    is: 'failed usage-limit',
  },
  { title: 'an error that was overcome: exit 0 and a result', facts: facts({ failure }), is: 'succeeded ok' },
  {
    title: 'an error as the last word before a kill',
    exit: killed,
    facts: facts({ failure }),
    is: 'failed usage-limit',
  },
  { title: 'a panic', exit: code(101), failure: panic, is: 'failed panic' },
  {
    title: 'a turn without a message and without a result',
    facts: facts({ ended: 'completed' }),
    result: 'missing',
    is: 'failed empty-answer',
  },
  {
    title: 'a turn with a blank message and an empty result',
    facts: facts({ ended: 'completed', lastMessage: ' \n' }),
    result: 'empty',
    is: 'failed empty-answer',
  },
  {
    title: 'a turn without a message, and a result',
    facts: facts({ ended: 'completed' }),
    is: 'succeeded ok',
  },
  {
    title: 'a turn with a message and no result',
    facts: facts({ ended: 'completed', lastMessage: 'Done.' }),
    result: 'missing',
    is: 'failed no-result',
  },
  {
    title: 'a turn without a message, and a folder at the result path',
    facts: facts({ ended: 'completed' }),
    result: 'not-a-file',
    is: 'failed no-result',
  },
  {
    title: 'nothing printed by a worker that speaks in no events',
    facts: facts({ structured: false }),
    result: 'missing',
    is: 'failed no-result',
  },
  {
    title: 'something refused, and no result',
    facts: facts({ ended: 'completed', lastMessage: 'I could not.' }),
    failure: refused,
    result: 'missing',
    is: 'failed sandbox-refusal',
  },
  { title: 'something refused, and a result', failure: refused, is: 'succeeded ok' },
  {
    title: 'something refused, and nothing done',
    failure: refused,
    claims: claims({ ...untouched, saysNone: false }),
    is: 'failed sandbox-refusal',
  },
  {
    title: 'something refused, and a false claim',
    failure: refused,
    claims: claims({ claimed: ['a.ts'] }),
    is: 'failed claim-mismatch',
  },
  {
    title: 'reaped, whatever it left',
    cause: { kind: 'reaped', reason: 'idle-stall' },
    exit: code(0),
    is: 'failed idle-stall',
  },
  {
    title: 'reaped after it had said why',
    cause: { kind: 'reaped', reason: 'hard-timeout' },
    exit: code(1),
    facts: failed,
    is: 'failed hard-timeout',
  },
  {
    title: 'a flood',
    cause: { kind: 'reaped', reason: 'output-limit' },
    exit: killed,
    is: 'failed output-limit',
  },
  {
    title: 'the dispatcher was stopped, with a result',
    cause: { kind: 'dispatcher-signalled', signal: 'SIGTERM' },
    exit: code(0),
    is: 'interrupted signal',
  },
  {
    title: 'the dispatcher died, with a result',
    cause: { kind: 'dispatcher-dead' },
    exit: lost,
    is: 'interrupted dispatch-dead',
  },
  {
    title: 'not started',
    cause: { kind: 'spawn-failed', message: 'codex was not found', exitCode: 127 },
    exit: lost,
    is: 'failed spawn',
  },
  {
    title: 'cancelled, whatever it left',
    cause: { kind: 'cancelled', by: 'prun cancel' },
    exit: code(0),
    is: 'cancelled cancelled',
  },
  {
    title: 'cancelled after it had said why it fails',
    cause: { kind: 'cancelled', by: 'prun cancel' },
    exit: code(1),
    facts: failed,
    is: 'cancelled cancelled',
  },
  { title: 'a check that passes', verify: 0, is: 'succeeded ok' },
  { title: 'a check that fails', verify: 1, is: 'failed verify' },
  { title: 'a check whose time was up', verify: 124, is: 'failed verify' },
  { title: 'a check that fails, without a result', verify: 1, result: 'missing', is: 'failed no-result' },
  {
    title: 'a check that fails, and a false claim',
    verify: 1,
    claims: claims({ claimed: ['a.ts'] }),
    is: 'failed claim-mismatch',
  },
  { title: 'a check that passes after exit 9', verify: 0, exit: code(9), is: 'failed exit' },
  { title: 'claims that hold', claims: claims(), is: 'succeeded ok' },
  {
    title: 'four claims too many',
    claims: claims({ claimed: ['a.ts', 'b.ts', 'c.ts', 'd.ts'] }),
    is: 'failed claim-mismatch',
  },
  { title: 'more in the delta than claimed', claims: claims({ unclaimed: ['x.ts'] }), is: 'succeeded ok' },
  {
    title: 'a delta although nothing is claimed',
    claims: claims({ unclaimed: ['x.ts'], saysNone: true }),
    is: 'failed claim-mismatch',
  },
  { title: 'nothing done, and said so', claims: claims(untouched), is: 'succeeded ok' },
  {
    title: 'nothing done, and only the field says so',
    claims: claims({ ...untouched, hasConclusion: false }),
    is: 'failed nothing-done',
  },
  {
    title: 'nothing done without a word',
    claims: claims({ ...untouched, saysNone: false }),
    is: 'failed nothing-done',
  },
  {
    title: 'nothing done without a word, by a command',
    mayChangeNothing: true,
    claims: claims({ ...untouched, saysNone: false }),
    is: 'succeeded ok',
  },
  {
    title: 'a claim too many, by a command',
    mayChangeNothing: true,
    claims: claims({ isEmpty: true, claimed: ['a.ts'] }),
    is: 'failed claim-mismatch',
  },
  {
    title: 'work at ignored paths only',
    claims: claims({ isEmpty: true, ignored: ['dist/x.js'] }),
    is: 'succeeded ok',
  },
  {
    title: 'a claim too many, and exit 9',
    exit: code(9),
    claims: claims({ claimed: ['a.ts'] }),
    is: 'failed exit',
  },
  {
    title: 'a claim too many, and no result',
    result: 'missing',
    claims: claims({ claimed: ['a.ts'] }),
    is: 'failed no-result',
  },
];

function classify(row: Row) {
  const evidence: Evidence = {
    cause: row.cause ?? ENDED,
    exit: row.exit ?? code(0),
    facts: row.facts ?? facts(),
    failure: row.failure ?? row.facts?.failure,
    result: row.result ?? 'text',
    resultFile: '/r.md',
    quiet: 'an event at noon, 600 s before',
    limits: { stallThresholdSeconds: 600, timeoutSeconds: 60, maxOutputBytes: 5 },
    claims: row.claims,
    ...(row.mayChangeNothing ? { mayChangeNothing: true } : {}),
    ...(row.verify === undefined
      ? {}
      : { verify: { command: 'npm test', exitCode: row.verify, log: '/s/verify.log' } }),
  };
  return classifyEnd(evidence);
}

describe('the name of an end', () => {
  it.each(ROWS)('$title: $is', (row) => {
    const { status, reason, detail } = classify(row);
    expect(`${status} ${reason}`).toBe(row.is);
    expect(detail).toMatch(/^[^\n]{10,300}$/);
  });

  it('is ok only with succeeded', () => {
    for (const row of ROWS) {
      const { status, reason } = classify(row);
      expect(reason === 'ok').toBe(status === 'succeeded');
    }
  });

  it('says figures: which limit, which evidence was last, which signal, which session', () => {
    const detail = (title: string) =>
      classify(ROWS.find((row) => row.title.startsWith(title)) ?? (ROWS[0] as Row)).detail;
    expect(detail('reaped, whatever')).toBe(
      'no progress for 600 s (last evidence: an event at noon, 600 s before)',
    );
    expect(detail('reaped after')).toContain('60 s');
    expect(detail('a flood')).toContain('5 bytes');
    expect(detail('the dispatcher was stopped')).toContain('SIGTERM');
    expect(detail('exit 9 and')).toContain('9');
    const dead = classify({
      title: '',
      is: '',
      cause: { kind: 'dispatcher-dead' },
      facts: facts({ sessionId: 'abc' }),
    });
    expect(dead.detail).toContain('session abc can be resumed');
    expect(detail('four claims')).toBe(
      'the result claims 4 files that are not in the delta: a.ts, b.ts, c.ts, …',
    );
    expect(detail('a delta although')).toContain('x.ts');
    expect(detail('cancelled, whatever')).toBe('the unit was cancelled by prun cancel');
    expect(detail('a check that fails')).toBe(
      'verify exited with 1 (npm test); see verify.log in its state dir',
    );
  });
});

describe('the exit code of a shell', () => {
  it.each<[number, WorkerExit]>([
    [0, { kind: 'code', code: 0 }],
    [1, { kind: 'code', code: 1 }],
    [128, { kind: 'code', code: 128 }],
    [130, { kind: 'signal', signal: 'SIGINT', inferred: true }],
    [137, { kind: 'signal', signal: 'SIGKILL', inferred: true }],
    [143, { kind: 'signal', signal: 'SIGTERM', inferred: true }],
    [255, { kind: 'code', code: 255 }],
  ])('%d', (number, exit) => expect(exitFromShellCode(number, signalName)).toEqual(exit));
});
