import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRoot } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { type AtEnd, callPrun, killSame, type RunPlace, textOf } from './run-place.ts';
import { openTortured, seeThrough } from './run-tortured.ts';
import { beginnings, release, unitThat } from './run-units.ts';
import { attemptsOf, electedOf, namesIn, supervisorsOf } from './run-victims.ts';

const LIMIT = { timeout: 170_000 };

// DESIGN.md P3 for a run: a small file system of its own below each state home, where that is allowed.

describe.runIf(canMount())('a run on a full disk', () => {
  it('is not made: one line, and nothing is left', LIMIT, async ({ onTestFinished }) => {
    const { place, manifest } = openTortured(onTestFinished, [unitThat('a', 'writes')]);
    mountSmall(onTestFinished, place.stateHome, 64);
    fill(place);
    const call = callPrun(place, ['run', manifest]);
    expect(await call.ended).not.toBe(0);
    expect(call.stdout()).toBe('');
    expect(call.stderr()).toMatch(/^prun run: [^\n]*ENOSPC[^\n]*\n$/);
    expect(namesIn(path.join(place.stateHome, 'runs'))).toEqual([]);
  });

  it('keeps its supervisor, which brings what runs to its end', LIMIT, async ({ onTestFinished }) => {
    const units = [unitThat('a', 'waits'), unitThat('b', 'waits'), unitThat('c', 'writes', { after: ['a'] })];
    const run = openTortured(onTestFinished, units);
    const { place, manifest, story } = run;
    mountSmall(onTestFinished, place.stateHome, 1024);
    await startAndFill(place, manifest);
    const supervisor = electedOf(place);
    release(place, 'a');
    await waitFor('the outcome of a', () => outcomesOf(place) === 1, 60_000);
    await callPrun(place, ['wait', '--run', place.run, '--timeout', '2']).ended;
    expect(electedOf(place)?.pid, textOf(path.join(place.runFolder, 'supervisor.log'))).toBe(supervisor?.pid);
    makeRoom(place);
    for (const { record } of attemptsOf(place)) story.struck.add(record.marker);
    release(place, 'b');
    await seeThrough(run);
    expect(story.supervisors).toBe(1);
  });

  it(
    'whose supervisor and guardian are killed: nothing is lost, and it goes on when there is room',
    LIMIT,
    async ({ onTestFinished }) => {
      const units = [unitThat('a', 'waits'), unitThat('b', 'waits'), unitThat('c', 'fails')];
      const run = openTortured(onTestFinished, units);
      const { place, manifest, story } = run;
      mountSmall(onTestFinished, place.stateHome, 1024);
      await startAndFill(place, manifest);
      await waitFor('nobody to supervise', () => {
        const left = supervisorsOf(place);
        for (const seen of left) killSame(seen);
        return left.length === 0;
      });
      const call = callPrun(place, ['wait', '--run', place.run, '--timeout', '5']);
      const code = await call.ended;
      const said = `${code}\n${call.stdout()}${call.stderr()}`;
      expect([30, 34], said).toContain(code);
      expect(`${call.stdout()}${call.stderr()}`.split('\n').length, said).toBeLessThan(8);
      story.told.push(call.stdout());
      release(place, 'a');
      makeRoom(place);
      for (const { record } of attemptsOf(place)) story.struck.add(record.marker);
      release(place, 'b');
      await seeThrough(run);
    },
  );
});

/** Starts the run, and fills its disk when the workers that wait have begun. */
async function startAndFill(place: RunPlace, manifest: string): Promise<void> {
  const call = callPrun(place, ['run', manifest]);
  if ((await call.ended) !== 0) throw new Error(call.stderr());
  const begun = (unit: string): boolean =>
    [...beginnings(place, textOf).keys()].some((marker) => marker.startsWith(`${unit}-`));
  await waitFor('a and b to begin', () => begun('a') && begun('b'), 60_000);
  await waitFor('both to be running', () => runningIn(place) >= 2, 60_000);
  fill(place);
}

function runningIn({ runFolder }: RunPlace): number {
  return textOf(path.join(runFolder, 'events.jsonl')).split('"type":"running"').length - 1;
}

function outcomesOf(place: RunPlace): number {
  return attemptsOf(place).filter(({ hasOutcome, record }) => hasOutcome && record.unit === 'a').length;
}

function fill({ stateHome }: RunPlace): void {
  execFileSync('sh', ['-c', `dd if=/dev/zero of='${stateHome}/filler' bs=1k 2>/dev/null || true`]);
}

function makeRoom({ stateHome }: RunPlace): void {
  rmSync(path.join(stateHome, 'filler'));
}

/** Mounts an empty file system of `kib` KiB. */
function mountSmall(atEnd: AtEnd, folder: string, kib: number): void {
  mkdirSync(folder, { recursive: true });
  mount(folder, kib);
  atEnd(() => {
    execFileSync('umount', ['-l', folder]);
  });
}

function mount(folder: string, kib: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k,mode=700`, 'tmpfs', folder], { stdio: 'pipe' });
}

function canMount(): boolean {
  if (!isRoot || process.platform !== 'linux') return false;
  const probe = mkdtempSync(path.join(os.tmpdir(), 'prun-mount-probe-'));
  try {
    mount(probe, 64);
    chmodSync(probe, 0o700);
    writeFileSync(path.join(probe, 'works'), '');
    execFileSync('umount', [probe]);
    return true;
  } catch {
    // A container, mostly.
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}
