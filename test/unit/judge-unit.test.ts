import { describe, expect, it } from 'vitest';
import {
  isSaved,
  judgeOutcome,
  judgeSupervised,
  type SupervisedFacts,
} from '../../scripts-src/unit/judge-unit.ts';
import type { OutcomeReason, ResultOrigin } from '../../scripts-src/unit/records.ts';
import { eventOf } from '../../scripts-src/unit/watch-units.ts';

const result = (origin: 'worker' | 'last-message' | 'tail') => ({ path: '/r.md', origin, bytes: 5 });

describe('judgeOutcome', () => {
  it.each([
    ['succeeded', 'ok', result('worker'), 'done', 'done'],
    // A run's contract: a last message that satisfies it is the result.
    ['succeeded', 'ok', result('last-message'), 'done', 'done'],
    ['failed', 'no-result', result('last-message'), 'failed(fallback)', 'fail'],
    ['failed', 'idle-stall', result('tail'), 'failed(fallback)', 'fail'],
    ['interrupted', 'dispatch-dead', result('tail'), 'failed(fallback)', 'fail'],
    ['interrupted', 'dispatch-dead', null, 'failed(dispatch-dead)', 'fail'],
    ['failed', 'idle-stall', result('worker'), 'failed(idle-stall)', 'fail'],
    ['failed', 'exit', result('worker'), 'failed(exit)', 'fail'],
    ['failed', 'disk', null, 'failed(disk)', 'fail'],
    ['cancelled', 'signal', null, 'failed(signal)', 'fail'],
  ] as const)('%s, %s, %o is %s', (status, reason, found, text, event) => {
    expect(judgeOutcome({ status, reason, result: found })).toEqual({
      status: text,
      event,
      dueMs: Number.POSITIVE_INFINITY,
    });
  });
});

describe('judgeSupervised', () => {
  const now = 1_000_000;
  const alive: SupervisedFacts = {
    outcome: undefined,
    dispatcherAlive: true,
    guardianAlive: false,
    deadSinceMs: now,
    lastProgressMs: now,
    ownThresholdSeconds: 0,
    reaping: false,
    started: true,
  };
  const quiet = (ms: number, more: Partial<SupervisedFacts> = {}) => ({
    ...alive,
    lastProgressMs: now - ms,
    ...more,
  });
  const dead = (more: Partial<SupervisedFacts> = {}) => ({ ...alive, dispatcherAlive: false, ...more });
  const forever = Number.POSITIVE_INFINITY;

  it.each<[string, SupervisedFacts, number, string, number]>([
    ['at work', quiet(1000), 600, 'growing', now + 599_000],
    ['not started yet', quiet(1000, { started: false }), 600, 'pending', now + 599_000],
    ['quiet just below the threshold', quiet(599_999), 600, 'growing', now + 1],
    ['quiet for the threshold', quiet(600_000), 600, 'stalled(600s)', forever],
    ['quiet for longer: whole seconds are shown', quiet(725_999), 600, 'stalled(725s)', forever],
    ['quiet with the threshold off', quiet(9e9), 0, 'growing', forever],
    // The unit's dispatcher reaps at the same moment: its outcome gets two seconds to come first.
    ['own reaper due now', quiet(600_000, { ownThresholdSeconds: 600 }), 600, 'growing', now + 2000],
    ['own reaper late', quiet(602_000, { ownThresholdSeconds: 600 }), 600, 'stalled(602s)', forever],
    ['own reaper due later', quiet(600_000, { ownThresholdSeconds: 601 }), 600, 'stalled(600s)', forever],
    ['own reaper at work', quiet(604_000, { reaping: true }), 600, 'growing', now + 4000],
    ['own reaper hangs', quiet(608_000, { reaping: true }), 600, 'stalled(608s)', forever],
    ['evidence from the future', quiet(-5000), 600, 'growing', now + 600_000],
    ['dispatcher and guardian dead', dead(), 600, 'failed(dispatch-dead)', forever],
    ['dispatcher dead, guardian at work', dead({ guardianAlive: true }), 600, 'growing', now + 2000],
    [
      'dispatcher dead, guardian hangs',
      dead({ guardianAlive: true, deadSinceMs: now - 2000 }),
      600,
      'failed(dispatch-dead)',
      forever,
    ],
    [
      'dead long ago and quiet: fail, not stall',
      dead({ lastProgressMs: 0 }),
      1,
      'failed(dispatch-dead)',
      forever,
    ],
  ])('%s', (_title, facts, threshold, status, dueMs) => {
    expect(judgeSupervised(facts, threshold, now)).toMatchObject({ status, dueMs });
  });
});

describe('eventOf', () => {
  it.each([
    [['done', 'done'], 'all-done'],
    [['done', 'none'], undefined],
    [['done', 'stall', 'none'], 'stall'],
    [['stall', 'fail', 'done'], 'fail'],
  ] as const)('%j makes %s', (events, event) => {
    expect(eventOf(events.map((one) => ({ status: '', event: one, dueMs: 0 })))).toBe(event);
  });
});

describe('isSaved', () => {
  it.each<[OutcomeReason, ResultOrigin, boolean]>([
    ['no-result', 'tail', true],
    ['no-result', 'last-message', true],
    ['schema', 'last-message', true],
    ['schema', 'worker', false],
    ['worker-blocked', 'last-message', false],
    ['needs-context', 'last-message', false],
    ['claim-mismatch', 'last-message', false],
    ['verify', 'stdout', false],
  ])('%s with a result from %s: %s', (reason, origin, expected) => {
    const result = { path: '/r.md', origin, bytes: 9 };
    expect(isSaved({ reason, result })).toBe(expected);
    const { status } = judgeOutcome({ status: 'failed', reason, result });
    expect(status).toBe(expected ? 'failed(fallback)' : `failed(${reason})`);
  });
});
