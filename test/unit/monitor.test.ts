import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { monotonicMs } from '../../scripts-src/platform/clock.ts';
import { writeAtomic } from '../../scripts-src/platform/files.ts';
import { currentHost } from '../../scripts-src/process/host.ts';
import { stateFile } from '../../scripts-src/unit/state-dir.ts';
import {
  canRunUnwatched,
  fallbackText,
  isWatching,
  legacyDir,
  noteProgress,
  openStage,
  type ScriptEnd,
  type Stage,
  supervisedDir,
  until,
  writeOutcome,
} from '../helpers/state-dir-fixture.ts';

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
const zombieParents: ChildProcess[] = [];
afterEach(async () => {
  for (const parent of zombieParents.splice(0)) parent.kill('SIGKILL');
  await stage.clear();
});

const START = 'MONITOR-START units=1 stall-threshold=600s timeout=3600s';
const told = (end: ScriptEnd) => ({
  code: end.code,
  lines: roundedDown(end.stdout).split('\n'),
  stderr: end.stderr,
});
/** Silences of a test in whole seconds: on a busy machine one is seen a few seconds later than it is due. */
const SILENCES = [700, 650, 602, 4, 2];
const roundedDown = (stdout: string) =>
  stdout.replace(/stalled\((\d+)s\)/g, (whole, text) => {
    const silence = SILENCES.find((one) => Number(text) >= one && Number(text) < one + 30);
    return silence === undefined ? whole : `stalled(${silence}s)`;
  });
const says = (code: number, start: string, event: string, ...units: string[]) => ({
  code,
  lines: [start, `MONITOR-EVENT ${event}`, ...units.map((unit) => `UNIT ${unit}`), ''],
  stderr: '',
});
/** Epoch seconds `ago` seconds back. */
const epoch = (ago = 0) => Math.floor(Date.now() / 1000) - ago;
const setAge = (file: string, agoSeconds: number) => utimesSync(file, epoch(agoSeconds), epoch(agoSeconds));

describe('monitor, units with an outcome', () => {
  it.each([
    [{}, 0, 'all-done', 'done'],
    [
      { status: 'failed', reason: 'no-result', result: { path: '/r', origin: 'tail', bytes: 1 } },
      3,
      'fail',
      'failed(fallback)',
    ],
    [
      { status: 'failed', reason: 'no-result', result: { path: '/r', origin: 'last-message', bytes: 1 } },
      3,
      'fail',
      'failed(fallback)',
    ],
    [{ status: 'failed', reason: 'exit', exitCode: 9 }, 3, 'fail', 'failed(exit)'],
    [{ status: 'failed', reason: 'idle-stall', result: null }, 3, 'fail', 'failed(idle-stall)'],
    [{ status: 'interrupted', reason: 'dispatch-dead', result: null }, 3, 'fail', 'failed(dispatch-dead)'],
    [{ status: 'failed', reason: 'a-reason-of-tomorrow' }, 3, 'fail', 'failed(a-reason-of-tomorrow)'],
  ] as const)('%o: %d %s %s', async (outcome, code, event, status) => {
    const dir = supervisedDir(stage, 'u1', { supervisor: await stage.deadIdentity() });
    writeOutcome(dir, outcome as Record<string, unknown>);
    expect(told(await stage.start('monitor', [dir]).ended)).toEqual(says(code, START, event, `u1 ${status}`));
  });

  it('judges by the outcome alone where every other file is missing', async () => {
    const dir = path.join(stage.dir, 'bare');
    mkdirSync(dir);
    writeOutcome(dir);
    expect(told(await stage.start('monitor', [dir]).ended)).toEqual(says(0, START, 'all-done', 'bare done'));
  });

  // The bound is the contract's; a machine that the other suites keep busy may miss it once.
  it('waits for no stable window, and wakes on the outcome at default settings', { retry: 2 }, async () => {
    const { identity } = await stage.sleeper();
    const waits: number[] = [];
    for (let i = 0; i < 5; i++) {
      const dir = supervisedDir(stage, `u${i}`, { supervisor: identity });
      const run = stage.start('monitor', [dir]);
      await run.said('MONITOR-START');
      // Waiting shows in nothing but an open file: the inotify instance with a watch.
      await until(() => isWatching(run.child.pid));
      writeFileSync(path.join(stage.dir, `u${i}.md`), 'text');
      const atMs = writeOutcome(dir);
      const end = await run.ended;
      expect(told(end)).toEqual(says(0, START, 'all-done', `u${i} done`));
      waits.push(end.atMs - atMs);
    }
    waits.sort((a, b) => a - b);
    console.log(`outcome to exit of monitor, ms: ${waits.join(' ')}`);
    expect(waits[2]).toBeLessThan(250);
  });

  it.each(['missing', 'unreadable'])('is nearly as prompt where the wake file is %s', async (how) => {
    const { identity } = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', { supervisor: identity, noWake: true });
    // A link to itself cannot be watched by anybody, not even by root.
    if (how === 'unreadable') symlinkSync('wake', stateFile(dir, 'wake'));
    const run = stage.start('monitor', [dir]);
    await run.said('MONITOR-START');
    const atMs = writeOutcome(dir);
    const end = await run.ended;
    expect(told(end)).toEqual(says(0, START, 'all-done', 'u1 done'));
    expect(end.atMs - atMs).toBeLessThan(2000);
  });

  it.runIf(canRunUnwatched())('is prompt where no watch is to be had', async () => {
    const { identity } = await stage.sleeper();
    const dirs = ['u1', 'u2'].map((unit) =>
      supervisedDir(stage, unit, { supervisor: identity, quietForMs: 0 }),
    );
    const run = stage.startUnwatched('monitor', dirs);
    await run.said('MONITOR-START');
    writeOutcome(dirs[0] ?? '');
    const fromMs = monotonicMs();
    await until(() => monotonicMs() - fromMs > 500);
    expect(isWatching(run.child.pid)).toBe(false);
    const atMs = writeOutcome(dirs[1] ?? '');
    const end = await run.ended;
    expect(end).toMatchObject({ code: 0, stderr: '' });
    console.log(`outcome to exit of monitor without a watch, ms: ${end.atMs - atMs}`);
    expect(end.atMs - atMs).toBeLessThan(1000);
  });

  it('names all units with the event, in the order given, each once, the fail before the rest', async () => {
    const { identity } = await stage.sleeper();
    const work = supervisedDir(stage, 'work', { supervisor: identity, quietForMs: 100 });
    const late = supervisedDir(stage, 'late', { supervisor: identity, notStarted: true });
    const quiet = supervisedDir(stage, 'quiet', {
      supervisor: identity,
      startedAgoMs: 90e4,
      quietForMs: 65e4,
    });
    const done = supervisedDir(stage, 'done', { supervisor: identity });
    const fail = supervisedDir(stage, 'fail', { supervisor: identity });
    writeOutcome(done);
    writeOutcome(fail, { status: 'failed', reason: 'auth', result: null });
    const run = stage.start('monitor', [work, late, quiet, done, fail, done, path.join(work, '..', 'work')]);
    const end = await run.ended;
    expect(told(end)).toEqual(
      says(
        3,
        'MONITOR-START units=5 stall-threshold=600s timeout=3600s',
        'fail',
        'work growing',
        'late pending',
        'quiet stalled(650s)',
        'done done',
        'fail failed(auth)',
      ),
    );
  });

  it('says stall before all is done, and all-done only of all', async () => {
    const { identity } = await stage.sleeper();
    const done = supervisedDir(stage, 'done', { supervisor: identity });
    writeOutcome(done);
    const quiet = supervisedDir(stage, 'quiet', {
      supervisor: identity,
      startedAgoMs: 90e4,
      quietForMs: 65e4,
    });
    const both = stage.start('monitor', [done, quiet]);
    const start = 'MONITOR-START units=2 stall-threshold=600s timeout=3600s';
    expect(told(await both.ended)).toEqual(says(3, start, 'stall', 'done done', 'quiet stalled(650s)'));
    writeOutcome(quiet);
    expect(told(await stage.start('monitor', [done, quiet]).ended)).toEqual(
      says(0, start, 'all-done', 'done done', 'quiet done'),
    );
  });

  it('prints a name that would break the line as a JSON string', async () => {
    const dir = legacyDir(stage, 'a\nUNIT b done', {});
    writeOutcome(dir);
    expect(told(await stage.start('monitor', [dir]).ended)).toEqual(
      says(0, START, 'all-done', '"a\\nUNIT b done" done'),
    );
  });
});

describe('monitor, units without an outcome', () => {
  it('takes a quiet result for growing while its worker lives (PEERS.md 5)', async () => {
    const { identity } = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', { supervisor: identity, quietForMs: 0 });
    writeFileSync(path.join(stage.dir, 'u1.md'), 'Conclusion: early\n');
    setAge(path.join(stage.dir, 'u1.md'), 500);
    const end = await stage.start('monitor', [dir, '--timeout', '1', '--stable-window', '0']).ended;
    const start = 'MONITOR-START units=1 stall-threshold=600s timeout=1s';
    expect(told(end)).toEqual(says(2, start, 'timeout', 'u1 growing'));
  });

  it('sees a dispatcher that is dead at once (PEERS.md 11)', async () => {
    const dir = supervisedDir(stage, 'u1', { supervisor: await stage.deadIdentity() });
    const end = await stage.start('monitor', [dir]).ended;
    expect(told(end)).toEqual(says(3, START, 'fail', 'u1 failed(dispatch-dead)'));
  });

  it('sees a dispatcher die without waiting for a poll', async () => {
    const dispatcher = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', { supervisor: dispatcher.identity });
    const run = stage.start('monitor', [dir, '--poll', '600']);
    await run.said('MONITOR-START');
    await until(() => isWatching(run.child.pid));
    await dispatcher.end();
    const atMs = monotonicMs();
    const end = await run.ended;
    expect(told(end)).toEqual(says(3, START, 'fail', 'u1 failed(dispatch-dead)'));
    expect(end.atMs - atMs).toBeLessThan(3000);
  });

  it('takes a zombie and a stranger on its pid for dead (PEERS.md 12)', async () => {
    const { identity } = await stage.sleeper();
    const [boot, pid] = identity.split(':');
    const stranger = supervisedDir(stage, 'stranger', { supervisor: `${boot}:${pid}:1` });
    expect((await stage.start('monitor', [stranger]).ended).stdout).toContain(
      'stranger failed(dispatch-dead)',
    );
    const zombie = await makeZombie();
    const dead = supervisedDir(stage, 'zombie', { supervisor: zombie.identity });
    expect((await stage.start('monitor', [dead]).ended).stdout).toContain('zombie failed(dispatch-dead)');
  });

  it('takes every dispatcher of another boot for dead', async () => {
    const { identity } = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', {
      supervisor: identity.replace(/^[^:]+/, 'another-boot'),
      boot: 'another-boot',
    });
    expect((await stage.start('monitor', [dir]).ended).stdout).toContain('u1 failed(dispatch-dead)');
  });

  it('gives the guardian of a dead dispatcher time for the outcome, so that one death is one event', async () => {
    const guardian = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', {
      supervisor: await stage.deadIdentity(),
      guardian: guardian.identity,
    });
    const run = stage.start('monitor', [dir]);
    await run.said('MONITOR-START');
    await until(() => isWatching(run.child.pid));
    writeOutcome(dir, {
      status: 'interrupted',
      reason: 'dispatch-dead',
      result: { path: '/r', origin: 'tail', bytes: 1 },
    });
    expect(told(await run.ended)).toEqual(says(3, START, 'fail', 'u1 failed(fallback)'));
  });

  it('does not wait for ever for a guardian that hangs', async () => {
    const guardian = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', {
      supervisor: await stage.deadIdentity(),
      guardian: guardian.identity,
    });
    const fromMs = monotonicMs();
    const end = await stage.start('monitor', [dir]).ended;
    expect(told(end)).toEqual(says(3, START, 'fail', 'u1 failed(dispatch-dead)'));
    expect(end.atMs - fromMs).toBeGreaterThanOrEqual(2000);
    expect(end.atMs - fromMs).toBeLessThan(5000);
  });

  it('keeps the stall clock of the unit when it is launched again (PEERS.md 10)', async () => {
    const { identity } = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', { supervisor: identity, startedAgoMs: 8000, quietForMs: 1000 });
    const fromMs = monotonicMs();
    const flags = ['--stall-threshold', '4', '--timeout', '1'];
    const ends: ScriptEnd[] = [];
    do ends.push(await stage.start('monitor', [dir, ...flags]).ended);
    while (ends.at(-1)?.code === 2 && ends.length < 8);
    expect(ends[0]?.stdout).toContain('UNIT u1 growing');
    expect(roundedDown(ends.at(-1)?.stdout ?? '')).toContain('MONITOR-EVENT stall\nUNIT u1 stalled(4s)');
    expect(monotonicMs() - fromMs).toBeLessThan(15_000);
  });

  it('says stalled at the moment it is due, not at the next poll, and not while there is progress', async () => {
    const { identity } = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', { supervisor: identity, startedAgoMs: 90e4, quietForMs: 0 });
    const run = stage.start('monitor', [dir, '--stall-threshold', '2', '--poll', '600']);
    await run.said('MONITOR-START');
    const beats = setInterval(() => noteProgress(dir), 100);
    const fromMs = monotonicMs();
    await until(() => monotonicMs() - fromMs > 3000);
    clearInterval(beats);
    const lastMs = monotonicMs();
    expect(run.output.stdout).not.toContain('EVENT');
    const end = await run.ended;
    expect(roundedDown(end.stdout)).toContain('MONITOR-EVENT stall\nUNIT u1 stalled(2s)\n');
    expect(end.code).toBe(3);
    expect(end.atMs - lastMs).toBeLessThan(3000);
  });

  it('counts from the start where there is no evidence yet', async () => {
    const { identity } = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', { supervisor: identity, startedAgoMs: 700_500 });
    const end = await stage.start('monitor', [dir]).ended;
    expect(roundedDown(end.stdout)).toContain('UNIT u1 stalled(700s)');
  });

  it('makes one hang one event: the reaper of the unit goes first', async () => {
    const { identity } = await stage.sleeper();
    const wish = {
      supervisor: identity,
      startedAgoMs: 900_000,
      quietForMs: 598_500,
      stallThresholdSeconds: 600,
    };
    const fromMs = monotonicMs();
    const reaped = supervisedDir(stage, 'reaped', wish);
    const run = stage.start('monitor', [reaped]);
    await run.said('MONITOR-START');
    await until(() => monotonicMs() - fromMs > 1700);
    writeOutcome(reaped, {
      status: 'failed',
      reason: 'idle-stall',
      result: { path: '/r', origin: 'tail', bytes: 1 },
    });
    expect(told(await run.ended)).toEqual(says(3, START, 'fail', 'reaped failed(fallback)'));
    const hung = supervisedDir(stage, 'hung', { ...wish, quietForMs: 600_500 });
    expect(told(await stage.start('monitor', [hung]).ended)).toEqual(
      says(3, START, 'stall', 'hung stalled(602s)'),
    );
  });

  it('never says stalled with a threshold of 0 (PEERS.md 16)', async () => {
    const { identity } = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', { supervisor: identity, startedAgoMs: 9e8, quietForMs: 8e8 });
    const end = await stage.start('monitor', [dir, '--stall-threshold=0', '--timeout=1']).ended;
    expect(told(end)).toEqual(
      says(2, 'MONITOR-START units=1 stall-threshold=0s timeout=1s', 'timeout', 'u1 growing'),
    );
  });

  it('takes a unit.json that is being written for pending, and its unit for supervised afterwards', async () => {
    const dispatcher = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', { supervisor: dispatcher.identity });
    const whole = readFileSync(stateFile(dir, 'unit'), 'utf8');
    writeFileSync(stateFile(dir, 'unit'), whole.slice(0, 100));
    const torn = await stage.start('monitor', [dir, '--timeout', '1']).ended;
    expect(torn.stdout).toContain('MONITOR-EVENT timeout\nUNIT u1 pending\n');
    const run = stage.start('monitor', [dir]);
    await run.said('MONITOR-START');
    writeAtomic(stateFile(dir, 'unit'), whole);
    writeFileSync(path.join(stage.dir, 'u1.md'), 'text');
    setAge(path.join(stage.dir, 'u1.md'), 100);
    await dispatcher.end();
    expect(told(await run.ended)).toEqual(says(3, START, 'fail', 'u1 failed(dispatch-dead)'));
  });
});

describe('monitor, state dirs without unit.json', () => {
  const result = () => path.join(stage.dir, 'r.md');
  const writeResult = (text: string, agoSeconds: number) => {
    writeFileSync(result(), text);
    setAge(result(), agoSeconds);
  };

  it('takes a quiet result for done, also of a dispatcher that has ended', async () => {
    const dir = legacyDir(stage, 'old', { resultFile: result(), pid: 999_999_999 });
    writeResult('Conclusion: fine\n', 20);
    expect(told(await stage.start('monitor', [dir]).ended)).toEqual(says(0, START, 'all-done', 'old done'));
  });

  it('says finishing while the window runs, and done at its end', async () => {
    const { pid } = await stage.sleeper();
    const dir = legacyDir(stage, 'old', { resultFile: result(), pid, tail: 'work' });
    writeFileSync(result(), 'Conclusion: fine\n');
    const early = await stage.start('monitor', [dir, '--timeout', '1']).ended;
    expect(early.stdout).toContain('UNIT old finishing');
    const run = stage.start('monitor', [dir, '--stable-window', '2']);
    await run.said('MONITOR-START');
    appendFileSync(result(), 'second burst\n');
    const atMs = monotonicMs();
    const end = await run.ended;
    expect(end.stdout).toContain('MONITOR-EVENT all-done\nUNIT old done\n');
    expect(end.atMs - atMs).toBeGreaterThanOrEqual(1900);
    expect(end.atMs - atMs).toBeLessThan(6000);
  });

  it.each([
    ['a FALLBACK', fallbackText('old'), 'failed(fallback)', 3],
    ['a result that quotes one', `About fallbacks\n${fallbackText('old')}`, 'done', 0],
  ])('judges %s by its first line', async (_title, text, status, code) => {
    const dir = legacyDir(stage, 'old', { resultFile: result(), pid: 999_999_999 });
    writeResult(text, 20);
    const end = await stage.start('monitor', [dir]).ended;
    expect({ code: end.code, stdout: end.stdout }).toMatchObject({
      code,
      stdout: expect.stringContaining(`UNIT old ${status}\n`),
    });
  });

  it('does not take an old result or a newline for this unit (PEERS.md 3 and 4)', async () => {
    const stale = legacyDir(stage, 'stale', { resultFile: result(), pid: 999_999_999, preMtime: epoch(20) });
    writeResult('an old answer\n', 20);
    expect((await stage.start('monitor', [stale]).ended).stdout).toContain(
      'UNIT stale failed(dispatch-dead)',
    );
    const blank = legacyDir(stage, 'blank', { resultFile: result(), pid: 999_999_999 });
    writeResult('\n', 20);
    expect((await stage.start('monitor', [blank]).ended).stdout).toContain(
      'UNIT blank failed(dispatch-dead)',
    );
  });

  it('sees through a zombie and a stranger (PEERS.md 12)', async () => {
    const { pid } = await stage.sleeper();
    const stranger = legacyDir(stage, 'stranger', { pid, timestamp: epoch(60), tail: 'work' });
    expect((await stage.start('monitor', [stranger]).ended).stdout).toContain(
      'UNIT stranger failed(dispatch-dead)',
    );
    const zombie = await makeZombie();
    const dead = legacyDir(stage, 'dead', { pid: zombie.pid, tail: 'work' });
    expect((await stage.start('monitor', [dead]).ended).stdout).toContain('UNIT dead failed(dispatch-dead)');
  });

  it('stalls by the age of the tail, bounded by the age of the dispatcher (PEERS.md 8)', async () => {
    const { pid } = await stage.sleeper();
    // By its times this tail is 5,000 s old; the dispatcher has just started: a clock step, not a stall.
    const stepped = legacyDir(stage, 'stepped', { pid, tail: 'work' });
    setAge(stateFile(stepped, 'tail'), 5000);
    expect((await stage.start('monitor', [stepped, '--timeout', '1']).ended).stdout).toContain(
      'UNIT stepped growing',
    );
    const orphan = legacyDir(stage, 'orphan', { tail: 'work' });
    setAge(stateFile(orphan, 'tail'), 5000);
    expect((await stage.start('monitor', [orphan]).ended).stdout).toMatch(/UNIT orphan stalled\(500\ds\)\n/);
  });

  // Every single file missing, empty or garbage: no complaint about integers, no stall out of nothing (PEERS.md 19).
  const names = ['pre-mtime', 'timestamp', 'result-file', 'dispatch-pid', 'tail'];
  it('is content with any file that is missing, empty or garbage', async () => {
    const { pid } = await stage.sleeper();
    const faults = names.flatMap((name) =>
      [undefined, '', 'x\ny', '12345678901234567890'].map((text) => ({ name, text })),
    );
    const dirs = faults.map(({ name, text }, index) => {
      const dir = legacyDir(stage, `${index}-${name}`, { resultFile: result(), pid, tail: 'work' });
      if (text === undefined) unlinkSync(path.join(dir, name));
      else writeFileSync(path.join(dir, name), text);
      return dir;
    });
    const end = await stage.start('monitor', [...dirs, '--timeout', '1', '--poll', '0']).ended;
    const statuses = dirs.map((dir, index) => {
      const { name, text } = faults[index] ?? {};
      return `${path.basename(dir)} ${name === 'tail' && !text ? 'pending' : 'growing'}`;
    });
    expect(told(end)).toEqual(
      says(2, 'MONITOR-START units=20 stall-threshold=600s timeout=1s', 'timeout', ...statuses),
    );
  });

  it('is content with an empty state dir, and with folders in place of files', async () => {
    const dir = path.join(stage.dir, 'empty');
    mkdirSync(dir);
    const odd = path.join(stage.dir, 'odd');
    for (const name of [...names, 'unit.json', 'outcome.json', 'progress', 'wake', 'guardian']) {
      mkdirSync(path.join(odd, name), { recursive: true });
    }
    const end = await stage.start('monitor', [dir, odd, '--timeout', '1']).ended;
    expect(end.stderr).toBe(
      `monitor: ${dir} holds none of a state dir's files: is it a STATE-DIR of dispatch-task?\n`,
    );
    expect(end.stdout).toContain('MONITOR-EVENT timeout\nUNIT empty pending\nUNIT odd pending\n');
  });
});

describe('monitor, how it is called and how it ends', () => {
  it.each([
    [[], 'no state dir given'],
    [['nowhere'], '"nowhere"'],
    [['.', '--poll', '10m'], '--poll is "10m"'],
    [['.', '--stable-window=-1'], '--stable-window is "-1"'],
    [['.', '--quiet'], '--quiet'],
    [['.', '--timeout'], '--timeout has no value'],
  ])('%j is a usage error in one line', async (args, named) => {
    const end = await stage.start('monitor', args).ended;
    expect({ code: end.code, stdout: end.stdout }).toEqual({
      code: 2,
      stdout: 'MONITOR-EVENT usage-error\n',
    });
    expect(end.stderr).toMatch(/^monitor: [^\n]+\n$/);
    expect(end.stderr).toContain(named);
  });

  it('names a variable with a wrong value, and lets the flag win over it', async () => {
    const dir = supervisedDir(stage, 'u1', { supervisor: await stage.deadIdentity() });
    const environment = { PRUN_STALL_THRESHOLD: '10m' };
    const end = await stage.start('monitor', [dir], environment).ended;
    expect(end.stderr).toContain('PRUN_STALL_THRESHOLD is "10m"');
    expect(
      (await stage.start('monitor', [dir, '--stall-threshold', '5'], environment).ended).stdout,
    ).toContain('MONITOR-START units=1 stall-threshold=5s timeout=3600s\n');
  });

  it('helps on stdout', async () => {
    const end = await stage.start('monitor', ['--help']).ended;
    expect(end).toMatchObject({ code: 0, stderr: '' });
    for (const word of ['PRUN_MONITOR_STABLE_WINDOW', '--stall-threshold', '3600', 'exit:']) {
      expect(end.stdout).toContain(word);
    }
  });

  it.each(['unit', 'outcome', 'progress'] as const)('says so when %s is of a newer schema', async (file) => {
    const { identity } = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', { supervisor: identity, startedAgoMs: 9e5 });
    writeFileSync(stateFile(dir, file), '{"schema": 99}');
    const end = await stage.start('monitor', [dir]).ended;
    expect({ code: end.code, stdout: end.stdout }).toEqual({ code: 2, stdout: `${START}\n` });
    expect(end.stderr).toMatch(/^monitor: .* has schema 99, this prun knows \d+: [^\n]+\n$/);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends on %s with %d and harms nobody', async (signal, code) => {
    const dispatcher = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', { supervisor: dispatcher.identity, quietForMs: 0 });
    const run = stage.start('monitor', [dir]);
    await run.said('MONITOR-START');
    run.child.kill(signal);
    expect(await run.ended).toMatchObject({ code, signal: null, stderr: '' });
    expect((await currentHost()).entry(dispatcher.pid)?.state).toBe('alive');
  });

  it('ends without a word when nobody reads any more', async () => {
    const { identity } = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', { supervisor: identity, quietForMs: 0 });
    const run = stage.start('monitor', [dir]);
    await run.said('MONITOR-START');
    run.child.stdout?.destroy();
    writeOutcome(dir);
    expect(await run.ended).toMatchObject({ stderr: '' });
  });

  it('survives a state dir that is cleaned away', async () => {
    const dispatcher = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', { supervisor: dispatcher.identity, quietForMs: 0 });
    const run = stage.start('monitor', [dir]);
    await run.said('MONITOR-START');
    await until(() => isWatching(run.child.pid));
    rmSync(dir, { recursive: true });
    await dispatcher.end();
    expect(told(await run.ended)).toEqual(says(3, START, 'fail', 'u1 failed(dispatch-dead)'));
  });

  it('takes timeouts that no timer of Node can hold', async () => {
    const { identity } = await stage.sleeper();
    const dir = supervisedDir(stage, 'u1', { supervisor: identity, quietForMs: 0 });
    const run = stage.start('monitor', [
      dir,
      '--timeout',
      '4000000',
      '--stall-threshold',
      '4000000',
      '--poll',
      '4000000',
    ]);
    await run.said('timeout=4000000s');
    await until(() => isWatching(run.child.pid));
    writeOutcome(dir);
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

async function makeZombie(): Promise<{ pid: number; identity: string }> {
  // exec replaces the shell that would have waited for its child.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  zombieParents.push(parent);
  const pid = await new Promise<number>((resolve) =>
    parent.stdout.once('data', (text) => resolve(Number(text))),
  );
  const host = await currentHost();
  await until(() => host.entry(pid)?.state === 'zombie');
  return {
    pid,
    identity: `${host.bootId()}:${pid}:${host.entry(pid)?.start}`,
  };
}
