import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { processesOf, readProcess } from '../helpers/process-table.ts';
import { expectEnd, openRoom, textOf, type Unit } from '../helpers/room.ts';
import { USERS } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// PEERS.md, scenarios that are about who watches: 5, 10, 11, 12, 17.

const room = openRoom();
const DONE = { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 } as const;
const strangers: ChildProcess[] = [];
afterAll(() => {
  for (const child of strangers) child.kill('SIGKILL');
});

/** Kills a dispatcher together with the guardian that stands behind it, so that nobody is left. */
async function killBoth(unit: Unit): Promise<void> {
  const stateDir = await unit.stateDir();
  await waitFor('the worker', () => existsSync(`${unit.resultFile}.ready`));
  const identity = await waitFor(
    'the guardian',
    () => /^(.+)\n$/.exec(textOf(path.join(stateDir, 'guardian')) ?? '')?.[1],
  );
  const guardian = Number(identity.split(':')[1]);
  process.kill(guardian, 'SIGKILL');
  unit.child.kill('SIGKILL');
  await unit.exitCode;
  await waitFor('the end of both', () => [guardian, unit.child.pid ?? 0].every((pid) => !isAlive(pid)));
}

function isAlive(pid: number): boolean {
  const seen = readProcess(pid);
  return seen !== undefined && seen.state !== 'Z' && seen.state !== 'X';
}

for (const { user, ...as } of USERS) {
  describe.concurrent(`as ${user}`, () => {
    it('a result that is there while its worker works on is neither done nor landed (5)', async () => {
      const unit = room.dispatch({
        ...as,
        worker: 'echo first >"$RESULT"; until [ -e "$RESULT.go" ]; do sleep 0.05; done; echo done',
      });
      const stateDir = await unit.stateDir();
      await waitFor('the result', () => textOf(unit.resultFile));
      const early = await room.run('monitor', ['--timeout', '1', '--stable-window', '0', stateDir], {
        folder: unit.folder,
        ...as,
      });
      expect(early.code).toBe(2);
      expect(early.stdout).toMatch(/^MONITOR-EVENT timeout\nUNIT .+ growing$/m);
      const tooEarly = await room.run('gather', ['--timeout', '1', '--stable-window', '0', unit.resultFile], {
        folder: unit.folder,
        ...as,
      });
      expect(tooEarly).toMatchObject({
        code: 2,
        stdout: 'GATHER-START count=1 timeout=1s\nTIMEOUT remaining=1\n',
      });
      const watch = room.start('monitor', [stateDir], { folder: unit.folder, ...as });
      const landing = room.start('gather', [unit.resultFile], { folder: unit.folder, ...as });
      await waitFor('both', () => watch.stdout() && landing.stdout());
      writeFileSync(`${unit.resultFile}.go`, '');
      expectEnd(await unit.end(), DONE);
      const [seen, landed] = await Promise.all([watch.ended, landing.ended]);
      expect(seen.stdout).toMatch(/^MONITOR-EVENT all-done\nUNIT .+ done$/m);
      expect(landed).toMatchObject({ code: 0, stderr: '' });
    });

    it('a monitor that is launched again does not start the stall clock anew (10)', async () => {
      const unit = room.dispatch({
        ...as,
        flags: ['--stall-threshold', '0'],
        worker: 'echo begin; exec sleep 304',
      });
      const stateDir = await unit.stateDir();
      await waitFor('the first evidence', () => existsSync(path.join(stateDir, 'progress')));
      const early = await room.run('monitor', ['--stall-threshold', '10', '--timeout', '1', stateDir], {
        folder: unit.folder,
        ...as,
      });
      expect(early.stdout).toContain('MONITOR-EVENT timeout\n');
      const seen = await room.run('monitor', ['--stall-threshold', '10', stateDir], {
        folder: unit.folder,
        ...as,
      });
      expect(seen.code).toBe(3);
      expect(seen.stdout).toMatch(/^MONITOR-EVENT stall\nUNIT .+ stalled\(\d+s\)$/m);
      expect(seen.tookMs).toBeLessThan(9500);
      unit.child.kill('SIGTERM');
      expectEnd(await unit.end(), { status: 'interrupted', reason: 'signal', origin: 'tail', code: 143 });
    });

    it('a dead dispatcher is seen at once, and its guardian ends the worker (11)', async () => {
      const unit = room.dispatch({
        ...as,
        worker: `trap '' INT TERM; echo thinking; setsid sleep 305 & touch "$RESULT.ready"; sleep 305`,
      });
      const stateDir = await unit.stateDir();
      await waitFor('the worker', () => existsSync(`${unit.resultFile}.ready`));
      const watch = room.start('monitor', [stateDir], { folder: unit.folder, ...as });
      await waitFor('the monitor', () => watch.stdout());
      const at = performance.now();
      unit.child.kill('SIGKILL');
      const end = await unit.end();
      expectEnd(end, { status: 'interrupted', reason: 'dispatch-dead', origin: 'tail', code: 137 });
      expect(end.outcome.supervisor).toBe('guardian');
      expect(end.result).toContain('thinking');
      const seen = await watch.ended;
      expect(seen.stdout).toMatch(/^MONITOR-EVENT fail\nUNIT .+ failed\((?:fallback|dispatch-dead)\)$/m);
      expect(performance.now() - at).toBeLessThan(10_000);
    });

    it('where the guardian was killed, too, the monitor says so at once and reap-watch cleans up (11)', async () => {
      const unit = room.dispatch({
        ...as,
        worker: `trap '' INT TERM; echo thinking; setsid sleep 306 & touch "$RESULT.ready"; sleep 306`,
      });
      await killBoth(unit);
      const stateDir = await unit.stateDir();
      const { marker, rssMark } = await unit.unitRecord();
      expect(processesOf({ marker, rssMark }).length).toBeGreaterThanOrEqual(3);
      const seen = await room.run('monitor', [stateDir], { folder: unit.folder, ...as });
      expect(seen.stdout).toContain(`UNIT ${path.basename(stateDir)} failed(dispatch-dead)\n`);
      expect(seen.tookMs).toBeLessThan(10_000);
      const reaper = room.start('reap-watch', ['--state-dir', stateDir], { folder: unit.folder, ...as });
      expectEnd(await unit.end(), { status: 'interrupted', reason: 'dispatch-dead', origin: 'tail' });
      expect(await reaper.ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
      const again = await room.run('reap-watch', ['--state-dir', stateDir], { folder: unit.folder, ...as });
      expect(again).toMatchObject({ code: 0, stdout: '', stderr: '' });
    });

    it('a stranger who was given the pid of the dispatcher is neither taken for it nor harmed (12)', async () => {
      const unit = room.dispatch({ ...as, worker: `trap '' INT TERM; touch "$RESULT.ready"; sleep 307` });
      await killBoth(unit);
      const stateDir = await unit.stateDir();
      const stranger = spawn('sleep', ['308'], {
        detached: true,
        stdio: 'ignore',
        ...(as.uid === undefined ? {} : { uid: as.uid, gid: as.uid }),
      });
      strangers.push(stranger);
      const record = await unit.unitRecord();
      const [boot, , start] = record.supervisor.split(':');
      // As after a wrap-around of pids: the stranger's number, with the start of the dispatcher and of its worker.
      const forged = {
        ...record,
        supervisor: `${boot}:${stranger.pid}:${start}`,
        worker: `${boot}:${stranger.pid}:${start}`,
      };
      writeFileSync(path.join(stateDir, 'unit.json'), JSON.stringify(forged));
      writeFileSync(path.join(stateDir, 'dispatch-pid'), `${stranger.pid}\n`);
      writeFileSync(path.join(stateDir, 'guardian'), `${boot}:${stranger.pid}:${start}\n`);
      const seen = await room.run('monitor', [stateDir], { folder: unit.folder, ...as });
      expect(seen.stdout).toContain('failed(dispatch-dead)\n');
      expect(seen.tookMs).toBeLessThan(10_000);
      await room.run('reap-watch', ['--state-dir', stateDir], { folder: unit.folder, ...as });
      expectEnd(await unit.end(), { status: 'interrupted', reason: 'dispatch-dead', origin: 'tail' });
      expect(isAlive(stranger.pid ?? 0)).toBe(true);
    });

    it('a dispatcher that is a zombie is dead (12)', async () => {
      // Its parent becomes a program that never waits for it.
      const folder = room.folder();
      const never = path.join(folder, 'never-waits.sh');
      writeFileSync(never, '#!/bin/sh\n"$@" &\nexec sleep 309\n', { mode: 0o755 });
      const unit = room.dispatch({
        ...as,
        folder,
        wrapper: never,
        worker: `trap '' INT TERM; touch "$RESULT.ready"; sleep 307`,
      });
      const stateDir = await unit.stateDir();
      await waitFor('the worker', () => existsSync(`${unit.resultFile}.ready`));
      const dispatcher = Number(readFileSync(path.join(stateDir, 'dispatch-pid'), 'utf8'));
      process.kill(dispatcher, 'SIGKILL');
      const { outcome, alive } = await unit.outcome();
      expect(readProcess(dispatcher)?.state).toBe('Z');
      expect(outcome).toMatchObject({
        status: 'interrupted',
        reason: 'dispatch-dead',
        result: { origin: 'tail' },
      });
      expect(alive).toEqual([]);
      unit.child.kill('SIGKILL');
    });

    it('a FALLBACK lands with a warning, at once (17)', async () => {
      const unit = room.dispatch({ ...as, worker: 'sleep 0.5; exit 7' });
      await unit.stateDir();
      const landing = room.run('gather', [unit.resultFile], { folder: unit.folder, ...as });
      expectEnd(await unit.end(), { status: 'failed', reason: 'exit', origin: 'tail', code: 7 });
      const landed = await landing;
      expect(landed.code).toBe(0);
      expect(landed.stdout).toContain(`DONE ${unit.resultFile}\n`);
      expect(landed.stderr).toContain('FALLBACK');
      // The default stable window of 10 s is not waited for.
      expect(landed.tookMs).toBeLessThan(6000);
    });

    it('a result that comes in two bursts lands whole (17)', async () => {
      const unit = room.dispatch({
        ...as,
        worker: 'echo first >"$RESULT"; sleep 1.5; echo second >>"$RESULT"',
      });
      await unit.stateDir();
      const landing = room.start('gather', ['--stable-window', '0', unit.resultFile], {
        folder: unit.folder,
        ...as,
      });
      const whole = await waitFor(
        'the landing',
        () => landing.stdout().includes('DONE') && textOf(unit.resultFile),
      );
      expect(whole).toBe('first\nsecond\n');
      expectEnd(await unit.end(), DONE);
      expect(await landing.ended).toMatchObject({ code: 0, stderr: '' });
    });
  });
}
