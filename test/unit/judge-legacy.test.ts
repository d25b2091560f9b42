import { mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessEntry, ProcessHost } from '../../scripts-src/process/types.ts';
import { judgeLegacy, type LegacyFacts } from '../../scripts-src/unit/judge-legacy.ts';
import { createLegacyUnit, processAgeMs } from '../../scripts-src/unit/legacy-unit.ts';
import { createQuietFile } from '../../scripts-src/unit/quiet-file.ts';

const forever = Number.POSITIVE_INFINITY;
const now = 5_000_000;

describe('judgeLegacy', () => {
  const growing: LegacyFacts = {
    dispatcher: 'alive',
    result: 'none',
    isFallback: false,
    resultQuietMs: 0,
    quietMs: 0,
    hasOutput: true,
    torn: false,
  };
  it.each<[string, Partial<LegacyFacts>, string, number]>([
    ['output grows', {}, 'growing', now + 600_000],
    ['no output yet', { hasOutput: false }, 'pending', now + 600_000],
    ['fresh result, window running', { result: 'fresh', resultQuietMs: 4000 }, 'finishing', now + 6000],
    ['fresh quiet result', { result: 'fresh', resultQuietMs: 10_000 }, 'done', forever],
    [
      'fresh quiet result of a dead dispatcher',
      { result: 'fresh', resultQuietMs: 10_000, dispatcher: 'dead' },
      'done',
      forever,
    ],
    ['a FALLBACK', { result: 'fresh', resultQuietMs: 10_000, isFallback: true }, 'failed(fallback)', forever],
    ['an old result only', { result: 'stale', resultQuietMs: 99_999 }, 'growing', now + 600_000],
    [
      'an old result of a dead dispatcher',
      { result: 'stale', dispatcher: 'dead' },
      'failed(dispatch-dead)',
      forever,
    ],
    ['a dead dispatcher', { dispatcher: 'dead' }, 'failed(dispatch-dead)', forever],
    ['quiet', { quietMs: 600_500 }, 'stalled(600s)', forever],
    ['quiet, dispatcher unknown', { quietMs: 600_500, dispatcher: 'unknown' }, 'stalled(600s)', forever],
    // A unit.json that cannot be read yet announces an outcome: nothing but that makes it done.
    ['torn unit.json', { torn: true }, 'pending', now + 600_000],
    [
      'torn unit.json with a result',
      { torn: true, result: 'fresh', resultQuietMs: 99_999 },
      'pending',
      now + 600_000,
    ],
    [
      'torn unit.json of a dead dispatcher',
      { torn: true, dispatcher: 'dead' },
      'failed(dispatch-dead)',
      forever,
    ],
  ])('%s', (_title, facts, status, dueMs) => {
    const limits = { stallThresholdSeconds: 600, stableWindowSeconds: 10 };
    expect(judgeLegacy({ ...growing, ...facts }, limits, now)).toMatchObject({ status, dueMs });
  });

  it('never says stalled with the threshold off', () => {
    const limits = { stallThresholdSeconds: 0, stableWindowSeconds: 10 };
    expect(judgeLegacy({ ...growing, quietMs: 9e9 }, limits, now).status).toBe('growing');
  });

  it('waits for no window of 0', () => {
    const limits = { stallThresholdSeconds: 600, stableWindowSeconds: 0 };
    expect(judgeLegacy({ ...growing, result: 'fresh' }, limits, now).status).toBe('done');
  });
});

describe('createLegacyUnit', () => {
  let dir: string;
  let clocks: { now: number; wall: number; nowMs(): number; wallMs(): number };
  let table: Map<number, Partial<ProcessEntry>>;
  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'prun-test-legacy-'));
    clocks = {
      now: 10_000_000,
      wall: Date.now(),
      nowMs: () => clocks.now,
      wallMs: () => clocks.wall,
    };
    table = new Map();
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  // Elsewhere than on Linux startOrder is the epoch time of the start, which says in a test what is meant.
  const host = () =>
    ({
      platform: 'darwin',
      bootId: () => 'boot',
      entry: (pid: number) => table.get(pid) as ProcessEntry | undefined,
    }) as ProcessHost;
  const unit = () => createLegacyUnit(dir, host, clocks);
  const put = (name: string, text: string | number, agoMs = 0) => {
    const file = path.join(dir, name);
    writeFileSync(file, `${text}`);
    const seconds = (clocks.wall - agoMs) / 1000;
    utimesSync(file, seconds, seconds);
  };
  const started = (pid: number, agoMs: number, state: ProcessEntry['state'] = 'alive') => {
    table.set(pid, { pid, state, start: String(clocks.wall - agoMs), startOrder: clocks.wall - agoMs });
  };
  const epochSeconds = (agoMs = 0) => Math.floor((clocks.wall - agoMs) / 1000);
  const pass = (ms: number, wallMs = ms) => {
    clocks.now += ms;
    clocks.wall += wallMs;
  };

  it('knows nothing of an empty state dir and is content', () => {
    expect(unit().facts(false)).toMatchObject({ dispatcher: 'unknown', result: 'none', hasOutput: false });
  });

  it.each(['', 'nonsense', '-1', '0', '12.5', '99999999999999999999'])(
    'takes dispatch-pid %j for unknown',
    (pid) => {
      put('dispatch-pid', pid);
      expect(unit().facts(false).dispatcher).toBe('unknown');
    },
  );

  it('sees a zombie, a gone pid and a stranger as dead', () => {
    put('timestamp', epochSeconds(60_000));
    put('dispatch-pid', 100);
    expect(unit().facts(false).dispatcher).toBe('dead');
    started(100, 60_000, 'zombie');
    expect(unit().facts(false).dispatcher).toBe('dead');
    started(100, 30_000);
    expect(unit().facts(false).dispatcher).toBe('dead');
    started(100, 60_500);
    expect(unit().facts(false).dispatcher).toBe('alive');
  });

  it('judges a stranger by the file time of dispatch-pid where there is no timestamp', () => {
    put('dispatch-pid', 100, 60_000);
    started(100, 30_000);
    expect(unit().facts(false).dispatcher).toBe('dead');
    started(100, 61_000);
    expect(unit().facts(false).dispatcher).toBe('alive');
  });

  it('does not take the next owner of the pid for the dispatcher', () => {
    put('dispatch-pid', 100);
    put('timestamp', epochSeconds());
    started(100, 0);
    const watched = unit();
    expect(watched.facts(false).dispatcher).toBe('alive');
    pass(1000);
    started(100, 0);
    expect(watched.facts(false).dispatcher).toBe('dead');
  });

  it('keeps its verdict when the clock steps ahead while it watches', () => {
    put('timestamp', epochSeconds());
    put('dispatch-pid', 100);
    put('tail', 'work');
    started(100, 0);
    const watched = unit();
    watched.facts(false);
    pass(1000, 701_000);
    const facts = watched.facts(false);
    expect(facts).toMatchObject({ dispatcher: 'alive', quietMs: 1000 });
  });

  it('bounds the age of the tail by the age of the dispatcher', () => {
    // The step came before the monitor: timestamp and tail are 700 s old by the wall, the process is 5 s old.
    put('tail', 'work', 700_000);
    put('dispatch-pid', 100);
    started(100, 5000);
    expect(unit().facts(false).quietMs).toBe(5000);
  });

  it('gives a relaunched monitor the same stall clock', () => {
    put('tail', 'work', 400_000);
    put('dispatch-pid', 100, 900_000);
    started(100, 900_000);
    expect(Math.round(unit().facts(false).quietMs / 10)).toBe(40_000);
  });

  it('starts the clock anew when the tail grows, and takes a tail from the future for now', () => {
    put('tail', 'work', 400_000);
    const watched = unit();
    watched.facts(false);
    put('tail', 'more work', -3_600_000);
    expect(watched.facts(false).quietMs).toBe(0);
    expect(unit().facts(false).quietMs).toBe(0);
  });

  it.each([
    ['the older file itself', { preMtime: 0, mtime: 0 }, 'stale'],
    ['a younger file', { preMtime: 0, mtime: 5000 }, 'fresh'],
    ['another file with an older time', { preMtime: 0, mtime: -50_000 }, 'fresh'],
  ])('tells by pre-mtime: %s', (_title, { mtime }, result) => {
    put('pre-mtime', epochSeconds(100_000));
    put('result-file', path.join(dir, 'r.md'));
    put('r.md', 'text', 100_000 - mtime);
    expect(unit().facts(false).result).toBe(result);
  });

  it.each(['', 'garbage', undefined])('tells by the timestamp where pre-mtime is %j', (preMtime) => {
    if (preMtime !== undefined) put('pre-mtime', preMtime);
    put('timestamp', epochSeconds(50_000));
    put('result-file', path.join(dir, 'r.md'));
    put('r.md', 'text', 100_000);
    expect(unit().facts(false).result).toBe('stale');
    put('r.md', 'text', 10_000);
    expect(unit().facts(false).result).toBe('fresh');
    unlinkSync(path.join(dir, 'timestamp'));
    expect(unit().facts(false).result).toBe('fresh');
  });

  it('sees no result in white space, an empty file or a folder', () => {
    put('result-file', path.join(dir, 'r.md'));
    put('r.md', '\n');
    expect(unit().facts(false).result).toBe('none');
    put('r.md', '');
    expect(unit().facts(false).result).toBe('none');
    put('result-file', dir);
    expect(unit().facts(false).result).toBe('none');
  });
});

describe('processAgeMs', () => {
  it('measures on Linux against its own start, in ticks', () => {
    const host = {
      platform: 'linux',
      entry: (pid: number) => ({ pid, startOrder: 5000 }),
    } as unknown as ProcessHost;
    const age = processAgeMs(host, { startOrder: 4000 } as ProcessEntry, { nowMs: () => 0, wallMs: () => 0 });
    expect(Math.abs(age - 10_000 - process.uptime() * 1000)).toBeLessThan(100);
  });
});

describe('createQuietFile', () => {
  const stampAt = (ms: number, inode = '1') => ({
    inode,
    size: 1,
    mtimeNs: `${ms}000000`,
    ctimeNs: `${ms}000000`,
  });
  const clocks = { now: 1000, wall: 1_000_000, nowMs: () => clocks.now, wallMs: () => clocks.wall };
  beforeEach(() => {
    clocks.now = 1000;
    clocks.wall = 1_000_000;
  });

  it('believes an old mtime, not one in the future', () => {
    expect(createQuietFile(clocks).quietMs(stampAt(970_000))).toBe(30_000);
    expect(createQuietFile(clocks).quietMs(stampAt(1_500_000))).toBe(0);
  });

  it('waits for what it sees after a clock step', () => {
    const quiet = createQuietFile(clocks);
    clocks.now += 5000;
    clocks.wall += 705_000;
    expect(quiet.quietMs(stampAt(1_004_000))).toBe(0);
    clocks.now += 3000;
    expect(quiet.quietMs(stampAt(1_004_000))).toBe(3000);
  });

  it('begins again with every change', () => {
    const quiet = createQuietFile(clocks);
    quiet.quietMs(stampAt(1_000_000));
    clocks.now += 4000;
    clocks.wall += 4000;
    expect(quiet.quietMs(stampAt(1_000_000))).toBe(4000);
    expect(quiet.quietMs(stampAt(1_004_000, '2'))).toBe(0);
  });
});
