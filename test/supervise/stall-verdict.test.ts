import { describe, expect, it } from 'vitest';
import {
  type ActivityDelta,
  advanceClock,
  BUSY_CPU_FLOOR_MS,
  BUSY_CPU_SHARE,
  BUSY_READ_BYTES_PER_SECOND,
  BUSY_WRITTEN_BYTES,
  evidenceOfActivity,
  type VerdictInput,
  verdictOn,
} from '../../scripts-src/supervise/stall-verdict.ts';
import { lookIntervalMs } from '../../scripts-src/supervise/watch-worker.ts';

const LOOK = 5000;
const delta = (change: Partial<ActivityDelta>): ActivityDelta => ({
  elapsedMs: LOOK,
  cpuMs: 0,
  readBytes: 0,
  writtenBytes: 0,
  ...change,
});

describe('what a command did between two looks', () => {
  it('has the thresholds of the contract', () => {
    // A loop with sleep 0.1 stays near 3% of a core; a compiler is far above.
    expect(BUSY_CPU_SHARE).toBeGreaterThan(0.03);
    expect(BUSY_CPU_SHARE).toBeLessThanOrEqual(0.1);
    expect(BUSY_WRITTEN_BYTES).toBe(1);
  });

  it.each<[string, Partial<ActivityDelta>, ReturnType<typeof evidenceOfActivity>]>([
    ['nothing', {}, undefined],
    ['3% of a core', { cpuMs: LOOK * 0.03 }, undefined],
    ['just below the share', { cpuMs: LOOK * BUSY_CPU_SHARE - 1 }, undefined],
    ['the share', { cpuMs: LOOK * BUSY_CPU_SHARE }, 'command-cpu'],
    ['a whole core', { cpuMs: LOOK }, 'command-cpu'],
    ['one tick in a short look', { elapsedMs: 100, cpuMs: BUSY_CPU_FLOOR_MS - 10 }, undefined],
    ['two ticks in a short look', { elapsedMs: 100, cpuMs: BUSY_CPU_FLOOR_MS }, 'command-cpu'],
    ['one byte written', { writtenBytes: BUSY_WRITTEN_BYTES }, 'command-io'],
    ['what it printed, subtracted', { writtenBytes: -500 }, undefined],
    ['a slow read', { readBytes: (BUSY_READ_BYTES_PER_SECOND * LOOK) / 1000 - 1 }, undefined],
    ['a fast read', { readBytes: (BUSY_READ_BYTES_PER_SECOND * LOOK) / 1000 }, 'command-io'],
    ['CPU before I/O', { cpuMs: LOOK, writtenBytes: 5 }, 'command-cpu'],
  ])('%s', (_, change, evidence) => expect(evidenceOfActivity(delta(change))).toBe(evidence));
});

describe('awake time', () => {
  it.each([
    ['a look in time counts whole', 5000, 5000],
    ['a look that is late by load counts whole', 14_000, 14_000],
    ['three intervals are the most that one look can count', 15_000, 15_000],
    ['the rest of a suspend is left out', 8 * 3_600_000, 15_000],
    ['a clock that went back counts nothing', -700_000, 0],
  ])('%s', (_, elapsed, counted) => {
    const clock = advanceClock({ awakeMs: 1000, lastLookMs: 50_000 }, 50_000 + elapsed, 5000);
    expect(clock).toEqual({ awakeMs: 1000 + counted, lastLookMs: 50_000 + elapsed });
  });
});

describe('the verdict on a running unit', () => {
  const input = (change: Partial<VerdictInput>): VerdictInput => ({
    awakeMs: 100_000,
    lastEvidenceAwakeMs: 100_000,
    outputBytes: 10,
    stallThresholdMs: 600_000,
    timeoutMs: 0,
    maxOutputBytes: 1000,
    ...change,
  });

  it.each<[string, Partial<VerdictInput>, ReturnType<typeof verdictOn>]>([
    ['at work', {}, undefined],
    ['quiet for less than the threshold', { awakeMs: 699_999 }, undefined],
    ['quiet for the threshold', { awakeMs: 700_000 }, 'idle-stall'],
    ['quiet for ever, threshold off', { awakeMs: 9e9, stallThresholdMs: 0 }, undefined],
    ['at its timeout', { timeoutMs: 100_000 }, 'hard-timeout'],
    ['before its timeout', { timeoutMs: 100_001 }, undefined],
    ['timeout off', { awakeMs: 100_000, timeoutMs: 0 }, undefined],
    ['at its output limit', { outputBytes: 1000 }, undefined],
    ['above it', { outputBytes: 1001 }, 'output-limit'],
    ['output limit off', { outputBytes: 9e12, maxOutputBytes: 0 }, undefined],
    ['a flood before a timeout', { outputBytes: 1001, timeoutMs: 1 }, 'output-limit'],
    ['a timeout before a stall', { awakeMs: 9e9, timeoutMs: 1 }, 'hard-timeout'],
  ])('%s', (_, change, verdict) => expect(verdictOn(input(change))).toBe(verdict));
});

describe('the time between two looks', () => {
  it.each([
    [{ stallThresholdSeconds: 600, timeoutSeconds: 0 }, 5000],
    [{ stallThresholdSeconds: 0, timeoutSeconds: 0 }, 5000],
    [{ stallThresholdSeconds: 20, timeoutSeconds: 0 }, 2000],
    [{ stallThresholdSeconds: 600, timeoutSeconds: 10 }, 1000],
    [{ stallThresholdSeconds: 1, timeoutSeconds: 0 }, 250],
  ])('for %j is %d ms', (limits, ms) =>
    expect(lookIntervalMs({ maxOutputBytes: 0, ...limits }, 'linux')).toBe(ms),
  );
});
