import { describe, expect, it } from 'vitest';
import { reconcileReport } from '../../scripts-src/commands/reconcile-report.ts';
import { isRetriedUnnamed, whyNotRetried } from '../../scripts-src/run/retryable.ts';
import { type DoubtKind, doubtsOf } from '../../scripts-src/run/unit-doubts.ts';
import type { ResultFacts, UnitFacts } from '../../scripts-src/run/unit-facts.ts';
import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';

const OUTCOME: OutcomeRecord = {
  schema: 1,
  unit: 'api',
  attempt: 1,
  executor: 'codex',
  status: 'succeeded',
  reason: 'ok',
  detail: 'the worker ended well and left a result',
  exitCode: 0,
  signal: null,
  signalInferred: false,
  result: { path: '/r/api.md', origin: 'worker', bytes: 90 },
  resultError: null,
  sessionId: null,
  tokens: null,
  startedAt: '2026-11-30T10:00:00.000Z',
  endedAt: '2026-11-30T10:01:00.000Z',
  durationMs: 60_000,
  lastEvidence: null,
  reaped: [],
  survivors: [],
  delta: null,
  claims: null,
  tripwire: null,
  verify: null,
  supervisor: 'run',
  stateDir: '/s/api',
};
const RESULT: ResultFacts = { path: '/r/api.md', state: 'text', bytes: 90, isFallback: false, missing: [] };
const FACTS: UnitFacts = {
  id: 'api',
  executor: 'codex',
  mode: 'clone',
  state: 'succeeded',
  reason: 'ok',
  detail: OUTCOME.detail,
  attempt: 1,
  stateDir: '/s/api',
  stalled: null,
  staleParents: [],
  parents: [],
  outcome: OUTCOME,
  outcomeTrouble: null,
  result: RESULT,
  delta: { state: 'collected', detail: '', lost: [], files: 3, isGone: false },
};
const command = (name: string, ...words: readonly string[]) => ['prun', name, '--run x', ...words].join(' ');
const doubts = (more: Partial<UnitFacts>) => doubtsOf({ ...FACTS, ...more }, command);
const outcome = (more: Partial<OutcomeRecord>): Pick<UnitFacts, 'outcome'> => ({
  outcome: { ...OUTCOME, ...more },
});
const result = (more: Partial<ResultFacts>): Pick<UnitFacts, 'result'> => ({
  result: { ...RESULT, ...more },
});
const failed: Partial<UnitFacts> = {
  state: 'failed',
  detail: 'the worker exited with 9',
  ...outcome({ status: 'failed', reason: 'exit' }),
};
const RETRY = 'prun retry --run x --unit api';

type DoubtCase = [string, Partial<UnitFacts>, DoubtKind, RegExp, string];

function blockedBy(state: UnitFacts['state'], next: string): DoubtCase[] {
  const facts: Partial<UnitFacts> = {
    state: 'blocked',
    detail: 'it comes after db',
    parents: [
      { id: 'ok', state: 'running' },
      { id: 'db', state },
    ],
  };
  if (state === 'succeeded') facts.parents = [{ id: 'db', state }];
  return [[`blocked by a parent that is ${state}`, facts, 'blocked', /after db/, next]];
}

describe('doubts about a unit', () => {
  it('shorten what is said of a failure, and never the path or the command', () => {
    const file = `/${'long folder/'.repeat(40)}api.md`;
    const facts = { ...failed, detail: 'wrong '.repeat(80), ...result({ path: file, isFallback: true }) };
    const [first] = doubts({ ...facts, afterFailure: 'prun resume --run x --unit api' });
    expect(first).toMatchObject({ place: file, next: 'prun resume --run x --unit api' });
    expect(first?.what).toMatch(/^(wrong )+.*…; a FALLBACK is in \/long /);
    const line = reconcileReport(
      {
        ...{ run: 'x', reconciled: false, leftOut: [], neverStarted: [], workspaces: null, validation: null },
        units: [
          {
            ...{ id: 'api', state: 'failed', reason: 'schema', attempt: 1, result: file, stateDir: null },
            ...{ deltaFiles: null, doubts: first ? [first] : [], acceptable: true, accepted: false },
          },
        ],
      },
      [],
      command,
      RETRY,
    ).split('\n')[1];
    expect(line?.endsWith(`; a FALLBACK is in ${file}: prun resume --run x --unit api`)).toBe(true);
  });

  it('are none about one that succeeded, with its whole result and delta', () => {
    expect(doubts({})).toEqual([]);
  });

  it('are none about one without a workspace', () => {
    expect(doubts({ mode: 'scratch', delta: null })).toEqual([]);
  });

  it.each<DoubtCase>([
    ['running', { state: 'running', outcome: undefined }, 'running', /^still running$/, 'prun wait --run x'],
    ['queued', { state: 'queued', outcome: undefined }, 'running', /^still queued$/, 'prun wait --run x'],
    [
      'stalled',
      { state: 'running', outcome: undefined, stalled: { quietSeconds: 300, evidence: 'event', since: '' } },
      'running',
      /without progress for 300s \(event\)/,
      'prun cancel --run x --unit api',
    ],
    ...blockedBy('failed', 'prun retry --run x --unit db'),
    ...blockedBy('created', 'prun start --run x --unit db'),
    ...blockedBy('succeeded', 'prun conflicts --run x --unit db'),
    ...blockedBy('blocked', 'prun status --run x'),
    ['failed', failed, 'failed', /exited with 9; a text of its own is in \/r\/api\.md/, RETRY],
    [
      'failed with a FALLBACK',
      { ...failed, ...result({ isFallback: true }) },
      'failed',
      /a FALLBACK is in/,
      RETRY,
    ],
    [
      'failed before it had a state dir',
      {
        state: 'failed',
        detail: 'no clone',
        stateDir: null,
        outcome: undefined,
        outcomeTrouble: 'it has no state dir',
        result: null,
      },
      'failed',
      /^no clone$/,
      RETRY,
    ],
    [
      'succeeded by the log, without an outcome',
      { outcome: undefined, outcomeTrouble: '/s/api/outcome.json is missing' },
      'outcome',
      /is missing/,
      RETRY,
    ],
    [
      'an outcome that says otherwise',
      outcome({ status: 'failed' }),
      'outcome',
      /says failed, the log succeeded/,
      RETRY,
    ],
    ["another unit's outcome", outcome({ unit: 'ui' }), 'outcome', /that of ui/, RETRY],
    [
      'no result',
      outcome({ result: null, resultError: 'disk full' }),
      'no-result',
      /no result: disk full/,
      RETRY,
    ],
    ['a result that has gone', result({ state: 'missing' }), 'no-result', /has gone/, RETRY],
    ['an empty result', result({ state: 'empty' }), 'no-result', /is empty/, RETRY],
    ['a folder in its place', result({ state: 'not-a-file' }), 'no-result', /cannot be read/, RETRY],
    ['a FALLBACK', result({ isFallback: true }), 'fallback', /FALLBACK/, RETRY],
    [
      'a result of another size',
      result({ bytes: 91 }),
      'changed-result',
      /91 bytes, its outcome says 90/,
      RETRY,
    ],
    [
      'missing fields',
      result({ missing: ['Files', 'Verification'] }),
      'contract',
      /lacks Files, Verification/,
      RETRY,
    ],
    [
      'a delta that was not collected',
      { delta: { state: 'failed', detail: 'git failed', lost: [], files: 0, isGone: false } },
      'delta',
      /no delta: git failed/,
      'prun collect --run x --unit api',
    ],
    [
      'a workspace that has gone before its delta was collected',
      { delta: { state: 'failed', detail: 'it has gone', lost: [], files: 0, isGone: true } },
      'delta',
      /no delta: it has gone/,
      'prun retry --run x --unit api --force',
    ],
    [
      'a delta that lacks something',
      {
        delta: {
          state: 'collected',
          detail: '',
          lost: ['a is a pipe', 'b', 'c', 'd', 'e'],
          files: 1,
          isGone: false,
        },
      },
      'lost',
      /a is a pipe, b, c and 2 more/,
      'prun collect --run x --unit api --include PATH',
    ],
    ['a parent with a new result', { staleParents: ['db'] }, 'stale', /older result of db/, RETRY],
    [
      'a changed repository',
      outcome({
        tripwire: {
          since: 'A',
          seenAt: 'B',
          changes: [{ what: 'ref', name: 'refs/heads/main', change: 'changed' }],
          more: 0,
          unread: [],
        },
      }),
      'tripwire',
      /refs\/heads\/main/,
      'prun debug --run x --unit api',
    ],
    [
      'a survivor',
      outcome({ survivors: [{ pid: 7, command: 'vim' }] }),
      'survivors',
      /still alive when it ended: 7 vim/,
      'prun debug --run x --unit api',
    ],
  ])('%s', (_, more, kind, what, next) => {
    const [first, ...others] = doubts(more);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ kind, next });
    expect(first?.what).toMatch(what);
  });

  it('come all at once, the weightiest first', () => {
    const all = doubts({
      ...result({ missing: ['Files'] }),
      staleParents: ['db'],
      delta: { state: 'not-collected', detail: 'no time', lost: [], files: 0, isGone: false },
    });
    expect(all.map(({ kind }) => kind)).toEqual(['contract', 'delta', 'stale']);
  });
});

describe('a fresh attempt', () => {
  it.each<[string, Partial<UnitFacts>, boolean, RegExp | undefined, boolean]>([
    ['of one that failed', failed, false, undefined, true],
    ['of one that was interrupted', { ...failed, state: 'interrupted' }, false, undefined, true],
    ['of one that was cancelled: by name only', { ...failed, state: 'cancelled' }, false, undefined, false],
    ['of one with an empty result', result({ state: 'empty' }), false, undefined, true],
    ['of one with a result against its contract', result({ missing: ['Files'] }), false, undefined, true],
    ['of a stale one: by name only', { staleParents: ['db'] }, false, undefined, false],
    ['of one whose result was edited: by name only', result({ bytes: 1 }), false, undefined, false],
    ['not of one that succeeded', {}, false, /has succeeded: --force/, false],
    ['of one that succeeded, with force', {}, true, undefined, false],
    [
      'not of one whose delta was not collected',
      { delta: { state: 'failed', detail: '', lost: [], files: 0, isGone: false } },
      false,
      /has succeeded/,
      false,
    ],
    [
      'not of one that was never started, with force neither',
      { state: 'created' },
      true,
      /prun start/,
      false,
    ],
    ['not of one that runs', { state: 'running' }, true, /cancel it first/, false],
    ['not of one that is queued', { state: 'queued' }, false, /cancel it first/, false],
    ['not of a blocked one', { state: 'blocked', detail: 'after db' }, true, /retry its parent/, false],
  ])('%s', (_, more, force, refusal, isUnnamed) => {
    const facts = { ...FACTS, ...more };
    const found = doubtsOf(facts, command);
    const why = whyNotRetried(facts, found, force);
    if (refusal === undefined) expect(why).toBeUndefined();
    else expect(why).toMatch(refusal);
    expect(isRetriedUnnamed(facts, found)).toBe(isUnnamed);
  });

  it('is what every doubt asks for that names retry', () => {
    const cases = [
      failed,
      result({ state: 'empty' }),
      result({ bytes: 1 }),
      outcome({ unit: 'ui' }),
      { staleParents: ['db'] },
    ];
    for (const more of cases) {
      const facts = { ...FACTS, ...more };
      const found = doubtsOf(facts, command);
      expect(found[0]?.next).toBe(RETRY);
      expect(whyNotRetried(facts, found, false)).toBeUndefined();
    }
  });
});

it('what a fetch moves is no doubt, anything beside it is', () => {
  const changed = (...names: string[]) =>
    doubts(
      outcome({
        tripwire: {
          since: '2026-11-30T10:00:00.000Z',
          seenAt: '2026-11-30T10:01:00.000Z',
          changes: names.map((name) => ({ what: 'ref' as const, name, change: 'changed' as const })),
          more: 0,
          unread: [],
        },
      }),
    ).map(({ kind }) => kind);
  expect(changed('refs/remotes/origin/main')).toEqual([]);
  expect(changed('refs/remotes/origin/main', 'refs/heads/main')).toEqual(['tripwire']);
});
