import { appendFileSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { monotonicMs } from '../../scripts-src/platform/clock.ts';
import { currentHost } from '../../scripts-src/process/host.ts';
import { stateFile } from '../../scripts-src/unit/state-dir.ts';
import {
  canRunUnwatched,
  fallbackText,
  isWatching,
  leaveClaim,
  openStage,
  type Stage,
  supervisedDir,
  until,
  writeOutcome,
} from '../helpers/state-dir-fixture.ts';

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.clear());

const at = (name: string) => path.join(stage.dir, name);
const setAge = (file: string, agoSeconds: number) => {
  const seconds = Date.now() / 1000 - agoSeconds;
  utimesSync(file, seconds, seconds);
};
const writeOld = (name: string, text: string, agoSeconds = 60) => {
  writeFileSync(at(name), text);
  setAge(at(name), agoSeconds);
  return at(name);
};

/** A unit with a live dispatcher that has claimed its result path. */
async function claimedUnit(unit: string, holder?: string) {
  const supervisor = holder ?? (await stage.sleeper()).identity;
  const resultFile = at(`${unit}.md`);
  const stateDir = supervisedDir(stage, unit, { supervisor, resultFile });
  leaveClaim(stage, { stateDir, holder: supervisor, resultFile });
  return { stateDir, resultFile };
}

describe('gather, files without a supervisor', () => {
  it('names each file once as it lands', async () => {
    writeOld('a.md', 'text');
    writeOld('b b.md', 'text');
    const end = await stage.start('gather', ['a.md', './a.md', at('b b.md'), at('a.md')]).ended;
    expect(end).toMatchObject({
      code: 0,
      stdout: `GATHER-START count=2 timeout=3600s\nDONE ${at('a.md')}\nDONE ${at('b b.md')}\n`,
      stderr: '',
    });
  });

  it('waits until a file was quiet for the window, from its last burst on', async () => {
    const run = stage.start('gather', ['a.md', '--stable-window', '2', '--poll', '600']);
    await run.said('GATHER-START');
    await until(() => isWatching(run.child.pid));
    writeFileSync(at('a.md'), 'first burst\n');
    const firstMs = monotonicMs();
    await until(() => monotonicMs() - firstMs > 1200);
    appendFileSync(at('a.md'), 'second burst\n');
    const lastMs = monotonicMs();
    const end = await run.ended;
    expect(end.stdout).toContain(`DONE ${at('a.md')}\n`);
    expect(end.atMs - lastMs).toBeGreaterThanOrEqual(1950);
    expect(end.atMs - lastMs).toBeLessThan(4000);
  });

  it('sees a file appear at once, also in a folder that is made later', async () => {
    const run = stage.start('gather', ['a.md', 'later/b.md', '--stable-window', '0']);
    await run.said('GATHER-START');
    await until(() => isWatching(run.child.pid));
    writeFileSync(at('a.md'), 'text');
    const atMs = monotonicMs();
    await run.said(`DONE ${at('a.md')}`);
    expect(monotonicMs() - atMs).toBeLessThan(500);
    mkdirSync(at('later'));
    writeFileSync(at('later/b.md'), 'text');
    expect((await run.ended).code).toBe(0);
  });

  it.each([
    ['is missing', () => {}],
    ['is empty', () => writeOld('a.md', '')],
    ['is white space', () => writeOld('a.md', '\n')],
    ['is a folder', () => mkdirSync(at('a.md'))],
    ['is a link to nothing', () => symlinkSync(at('nothing'), at('a.md'))],
    ['has a time in the future', () => writeOld('a.md', 'text', -5000)],
  ])('does not land what %s', async (title, make) => {
    make();
    const end = await stage.start('gather', ['a.md', '--timeout', '1']).ended;
    expect(end).toMatchObject({
      code: 2,
      stdout: 'GATHER-START count=1 timeout=1s\nTIMEOUT remaining=1\n',
    });
    const folder = title === 'is a folder';
    const said = folder ? `gather: ${at('a.md')} is a folder: give the path of a result file\n` : '';
    expect(end.stderr).toBe(`${said}gather: ${at('a.md')} has not landed\n`);
  });

  it('lands a link to a file, and a time in the future after the window', async () => {
    writeOld('real.md', 'text');
    symlinkSync('real.md', at('link.md'));
    writeOld('future.md', 'text', -5000);
    const end = await stage.start('gather', ['link.md', 'future.md', '--stable-window', '1']).ended;
    expect(end.stdout).toContain(`DONE ${at('link.md')}\nDONE ${at('future.md')}\n`);
  });

  it('counts what is missing and names a few of them', async () => {
    writeOld('a.md', 'text');
    const files = Array.from({ length: 8 }, (_, index) => `m${index}.md`);
    const end = await stage.start('gather', ['a.md', ...files, '--timeout', '1']).ended;
    expect(end.stdout).toBe(`GATHER-START count=9 timeout=1s\nDONE ${at('a.md')}\nTIMEOUT remaining=8\n`);
    expect(end.stderr.split('\n')).toHaveLength(7);
    expect(end.stderr).toContain('gather: 3 more have not landed');
  });

  it('prints a path that would break the line as a JSON string', async () => {
    const name = 'a\nDONE b.md';
    writeOld(name, 'text');
    const end = await stage.start('gather', [name]).ended;
    expect(end.stdout).toBe(`GATHER-START count=1 timeout=3600s\nDONE ${JSON.stringify(at(name))}\n`);
  });
});

describe('gather, files with a supervisor', () => {
  it('does not land a quiet result of a worker that still runs, and lands it with the outcome (PEERS.md 17)', async () => {
    const { stateDir, resultFile } = await claimedUnit('u1');
    writeOld('u1.md', 'first burst\n', 500);
    const early = await stage.start('gather', [resultFile, '--timeout', '1', '--stable-window', '0']).ended;
    expect(early.stdout).toContain('TIMEOUT remaining=1');
    const run = stage.start('gather', [resultFile]);
    await run.said('GATHER-START');
    await until(() => isWatching(run.child.pid));
    appendFileSync(resultFile, 'second burst\n');
    const atMs = writeOutcome(stateDir);
    const end = await run.ended;
    console.log(`outcome to exit of gather, ms: ${end.atMs - atMs}`);
    expect(end).toMatchObject({ code: 0, stderr: '' });
    expect(end.stdout).toBe(`GATHER-START count=1 timeout=3600s\nDONE ${resultFile}\n`);
    expect(end.atMs - atMs).toBeLessThan(1000);
  });

  it('knows the claim through a link to the folder', async () => {
    const { resultFile } = await claimedUnit('u1');
    writeOld('u1.md', 'text', 500);
    symlinkSync(stage.dir, at('link'));
    const linked = path.join(stage.dir, 'link', path.basename(resultFile));
    const end = await stage.start('gather', [linked, '--timeout', '1', '--stable-window', '0']).ended;
    expect(end.stdout).toContain('TIMEOUT remaining=1');
  });

  it.runIf(canRunUnwatched())('sees the outcome within a round where no watch is to be had', async () => {
    const { stateDir, resultFile } = await claimedUnit('u1');
    writeOld('u1.md', 'text', 500);
    const run = stage.startUnwatched('gather', [resultFile]);
    await run.said('GATHER-START');
    const atMs = writeOutcome(stateDir);
    const end = await run.ended;
    expect(end).toMatchObject({ code: 0, stderr: '' });
    expect(end.atMs - atMs).toBeLessThan(3000);
  });

  it('lands a result that has its outcome without a window', async () => {
    const { stateDir, resultFile } = await claimedUnit('u1');
    writeFileSync(resultFile, 'text');
    writeOutcome(stateDir);
    const fromMs = monotonicMs();
    const end = await stage.start('gather', [resultFile]).ended;
    expect(end.code).toBe(0);
    expect(end.atMs - fromMs).toBeLessThan(3000);
  });

  it('waits for the window of a file that was written after the outcome', async () => {
    const { stateDir, resultFile } = await claimedUnit('u1');
    writeFileSync(resultFile, 'text');
    writeOutcome(stateDir);
    setAge(stateFile(stateDir, 'outcome'), 30);
    const fromMs = monotonicMs();
    const end = await stage.start('gather', [resultFile, '--stable-window', '2']).ended;
    expect(end.code).toBe(0);
    expect(end.atMs - fromMs).toBeGreaterThanOrEqual(1500);
  });

  it('waits for the newest claim where there are several', async () => {
    const first = await claimedUnit('u1', await stage.deadIdentity());
    writeFileSync(first.resultFile, 'text');
    writeOutcome(first.stateDir);
    const { identity } = await stage.sleeper();
    const stateDir = supervisedDir(stage, 'u1-again', { supervisor: identity, resultFile: first.resultFile });
    leaveClaim(stage, { stateDir, holder: identity, resultFile: first.resultFile });
    const flags = ['--timeout', '1', '--stable-window', '0'];
    const early = await stage.start('gather', [first.resultFile, ...flags]).ended;
    expect(early.stdout).toContain('TIMEOUT remaining=1');
    writeOutcome(stateDir);
    expect((await stage.start('gather', [first.resultFile]).ended).code).toBe(0);
  });

  it('lands a FALLBACK with a warning that names it', async () => {
    const { stateDir, resultFile } = await claimedUnit('u1');
    writeFileSync(resultFile, fallbackText('u1'));
    writeOutcome(stateDir, {
      status: 'failed',
      reason: 'no-result',
      result: { path: resultFile, origin: 'tail', bytes: 9 },
    });
    const end = await stage.start('gather', [resultFile]).ended;
    expect(end).toMatchObject({
      code: 0,
      stderr: `gather: ${resultFile} is a FALLBACK: the worker wrote no result file\n`,
    });
  });

  it('says once that no result could be written, and waits for the next attempt', async () => {
    const { stateDir, resultFile } = await claimedUnit('u1');
    const run = stage.start('gather', [resultFile, '--stable-window', '0']);
    await run.said('GATHER-START');
    writeOutcome(stateDir, {
      status: 'failed',
      reason: 'disk',
      result: null,
      resultError: 'ENOSPC: no\nspace left',
    });
    await until(() => run.output.stderr.includes('\n'));
    writeFileSync(resultFile, 'text by another hand');
    const end = await run.ended;
    expect(end).toMatchObject({
      code: 0,
      stdout: `GATHER-START count=1 timeout=3600s\nDONE ${resultFile}\n`,
    });
    expect(end.stderr).toBe(
      `gather: ${resultFile}: no result was written (failed, disk): ENOSPC: no space left: see ${stateDir}\n`,
    );
  });

  it('falls back to the window where the dispatcher died and left no outcome', async () => {
    const dispatcher = await stage.sleeper();
    const { resultFile, stateDir } = await claimedUnit('u1', dispatcher.identity);
    const run = stage.start('gather', [resultFile, '--stable-window', '1']);
    await run.said('GATHER-START');
    await until(() => isWatching(run.child.pid));
    writeFileSync(resultFile, 'text');
    await dispatcher.end();
    const warning = `gather: ${resultFile}: its dispatcher died without an outcome: see ${stateDir}\n`;
    expect(await run.ended).toMatchObject({ code: 0, stderr: warning });
    rmSync(resultFile);
    const missing = await stage.start('gather', [resultFile, '--timeout', '1']).ended;
    expect(missing.stderr).toContain(warning);
  });
});

describe('gather, how it is called and how it ends', () => {
  it.each([
    [[], 'no result file given'],
    [['a', '--poll', '5s'], '--poll is "5s"'],
    [['a', '--bogus'], '--bogus'],
  ])('%j is a usage error in one line', async (args, named) => {
    const end = await stage.start('gather', args).ended;
    expect(end).toMatchObject({ code: 2, stdout: '' });
    expect(end.stderr).toMatch(/^gather: [^\n]+\n$/);
    expect(end.stderr).toContain(named);
  });

  it('names a variable with a wrong value', async () => {
    const end = await stage.start('gather', ['a'], { AGENT_CONFIG_GATHER_TIMEOUT: '1h' }).ended;
    expect(end.stderr).toContain('AGENT_CONFIG_GATHER_TIMEOUT is "1h"');
  });

  it('helps on stdout', async () => {
    const end = await stage.start('gather', ['-h']).ended;
    expect(end).toMatchObject({ code: 0, stderr: '' });
    expect(end.stdout).toContain('AGENT_CONFIG_GATHER_TIMEOUT');
  });

  it('says so when an outcome is of a newer schema', async () => {
    const { stateDir, resultFile } = await claimedUnit('u1');
    writeFileSync(stateFile(stateDir, 'outcome'), '{"schema": 99}');
    const end = await stage.start('gather', [resultFile]).ended;
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(/^gather: .* has schema 99, [^\n]+\n$/);
  });

  it('ends on SIGTERM with 143 and harms nobody', async () => {
    const dispatcher = await stage.sleeper();
    const { resultFile } = await claimedUnit('u1', dispatcher.identity);
    const run = stage.start('gather', [resultFile]);
    await run.said('GATHER-START');
    run.child.kill('SIGTERM');
    expect(await run.ended).toMatchObject({ code: 143, stderr: '' });
    expect((await currentHost()).entry(dispatcher.pid)?.state).toBe('alive');
  });
});
