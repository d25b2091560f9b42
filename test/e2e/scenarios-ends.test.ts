import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectEnd, openRoom, openToAll } from '../helpers/room.ts';
import { USERS } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// PEERS.md, scenarios that are about how a unit ends: 1, 3, 4, 6, 13, 14, 15, 16, 20, 22.

const room = openRoom();
const FALLBACK = '# unit result (FALLBACK, worker wrote no result file)\n';

for (const { user, ...as } of USERS) {
  describe.concurrent(`as ${user}`, () => {
    it.each([
      ['SIGTERM', 143],
      ['SIGINT', 130],
      ['SIGHUP', 129],
    ] as const)('%s to the dispatcher ends the worker and saves what it said (1)', async (signal, code) => {
      const unit = room.dispatch({
        ...as,
        worker: `trap '' TERM INT HUP; echo thinking; (sleep 301 & sleep 301) & touch "$RESULT.ready"; sleep 301`,
      });
      await waitFor('the worker', () => existsSync(`${unit.resultFile}.ready`));
      unit.child.kill(signal);
      const end = await unit.end();
      expectEnd(end, { status: 'interrupted', reason: 'signal', origin: 'tail', code });
      expect(end.outcome).toMatchObject({ supervisor: 'dispatch-task', exitCode: null });
      expect(end.outcome.detail).toContain(signal);
      expect(end.result).toContain('thinking');
    });

    it('an older result is not the result of a worker that exits with 9 (3)', async () => {
      const folder = room.folder();
      const older = Buffer.from('# unit result\nConclusion: of an earlier run \u00e4\r\n\0end');
      writeFileSync(path.join(folder, 'result.md'), older, { mode: 0o644 });
      const unit = room.dispatch({ ...as, folder, worker: 'echo not today; exit 9' });
      const end = await unit.end();
      expectEnd(end, { status: 'failed', reason: 'exit', origin: 'tail', code: 9 });
      expect(end.outcome).toMatchObject({ exitCode: 9, signal: null });
      expect(readFileSync(path.join(end.stateDir, 'previous-result'))).toEqual(older);
      expect(end.result?.startsWith(FALLBACK)).toBe(true);
      expect(end.result).toContain('exit code 9');
      expect(end.result).toContain('not today');
      const seen = await room.run('monitor', [end.stateDir], { folder, ...as });
      expect(seen.code).toBe(3);
      expect(seen.stdout).toContain(`UNIT ${path.basename(end.stateDir)} failed(fallback)\n`);
    });

    it('a result of one newline is an empty one (4)', async () => {
      const unit = room.dispatch({ ...as, worker: 'echo >"$RESULT"; exit 3' });
      const end = await unit.end();
      expectEnd(end, { status: 'failed', reason: 'exit', origin: 'tail', code: 3 });
      expect(readFileSync(path.join(end.stateDir, 'empty-result'), 'utf8')).toBe('\n');
      expect(end.result).toContain('(it printed nothing)');
      const seen = await room.run('monitor', [end.stateDir], { folder: unit.folder, ...as });
      expect(seen.stdout).toContain('failed(fallback)\n');
    });

    it('an empty result and exit 0 is a failure with exit 0 (4)', async () => {
      const end = await room.dispatch({ ...as, worker: 'printf " \\n\\t\\n" >"$RESULT"' }).end();
      expectEnd(end, { status: 'failed', reason: 'empty-result', origin: 'tail', code: 0 });
      expect(readFileSync(path.join(end.stateDir, 'empty-result'), 'utf8')).toBe(' \n\t\n');
    });

    it('a relative result path means one place for dispatcher, monitor and gather (6)', async () => {
      const folder = room.folder();
      const cwd = path.join(folder, 'where the caller stands');
      const workdir = path.join(folder, 'where the worker works');
      for (const place of [cwd, workdir]) mkdirSync(place, { mode: 0o777 });
      const relative = path.join('..', 'out', 'r.md');
      const absolute = path.join(folder, 'out', 'r.md');
      const unit = room.dispatch({
        ...as,
        folder,
        cwd,
        resultFile: relative,
        environment: { RESULT: absolute },
        flags: ['--workdir', path.join('..', path.basename(workdir))],
        worker: 'pwd >"$RESULT"',
      });
      const { outcome, alive } = await unit.outcome();
      const stateDir = await unit.stateDir();
      expect(await unit.exitCode).toBe(0);
      expect(alive).toEqual([]);
      expect(outcome).toMatchObject({
        status: 'succeeded',
        reason: 'ok',
        result: { path: absolute, origin: 'worker' },
      });
      expect(readFileSync(absolute, 'utf8')).toBe(`${workdir}\n`);
      expect(readFileSync(path.join(stateDir, 'result-file'), 'utf8')).toBe(`${absolute}\n`);
      const seen = await room.run('monitor', [path.relative(cwd, stateDir)], { folder, cwd, ...as });
      expect(seen).toMatchObject({ code: 0, stderr: '' });
      const landed = await room.run('gather', [relative], { folder, cwd, ...as });
      expect(landed.stdout).toContain(`DONE ${absolute}\n`);
      expect(landed).toMatchObject({ code: 0, stderr: '' });
    });

    it('a tail of 50 MB makes a result that can be read, and the tail stays whole (13)', async () => {
      const unit = room.dispatch({
        ...as,
        worker: 'head -c 52428800 /dev/zero | tr "\\0" x | fold -w 99; echo the last line; exit 4',
      });
      const end = await unit.end(40_000);
      expectEnd(end, { status: 'failed', reason: 'exit', origin: 'tail', code: 4 });
      expect(end.outcome.result?.bytes).toBeLessThan(64 * 1024);
      expect(end.result).toContain('the last line');
      const tail = readFileSync(path.join(end.stateDir, 'tail'));
      expect(tail.length).toBeGreaterThan(52_428_800);
      expect(end.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
    });

    it.each([
      ['--workdir', { flags: ['--workdir', 'mistyped'] }],
      ['PRUN_SCRATCH_CWD', { environment: { PRUN_SCRATCH_CWD: 'mistyped' } }],
    ])('a mistyped workspace in %s is refused and not created (15)', async (name, wish) => {
      const unit = room.dispatch({ ...as, ...wish, worker: 'touch "$RESULT.ran"' });
      expect(await unit.exitCode).toBe(2);
      expect(unit.stdout()).toBe('');
      expect(unit.stderr()).toContain(`dispatch-task: ${name} ${path.join(unit.folder, 'mistyped')}`);
      expect(existsSync(path.join(unit.folder, 'mistyped'))).toBe(false);
      expect(existsSync(`${unit.resultFile}.ran`)).toBe(false);
    });

    it('0 is off, for the dispatcher and for the monitor (16)', async () => {
      const unit = room.dispatch({
        ...as,
        flags: ['--stall-threshold', '0', '--timeout', '0', '--max-output', '0'],
        worker: 'sleep 2.5; echo done >"$RESULT"',
      });
      const watch = room.run('monitor', ['--stall-threshold', '0', '--timeout', '0', await unit.stateDir()], {
        folder: unit.folder,
        ...as,
      });
      expectEnd(await unit.end(), { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 });
      expect(await watch).toMatchObject({ code: 0, stderr: '' });
    });

    it('10m is a usage error that names its flag or variable in all three scripts (16)', async () => {
      const folder = room.folder();
      const unit = room.dispatch({ ...as, folder, environment: { PRUN_STALL_THRESHOLD: '10m' } });
      expect(await unit.exitCode).toBe(2);
      expect(unit.stderr()).toMatch(
        /^dispatch-task: PRUN_STALL_THRESHOLD is "10m", not a whole number of seconds: .+\n$/,
      );
      const calls = [
        room.run('monitor', ['--stall-threshold=10m', folder], { folder, ...as }),
        room.run('gather', ['--timeout', '10m', 'r.md'], { folder, ...as }),
      ];
      for (const { code, stderr } of await Promise.all(calls)) {
        expect(code).toBe(2);
        expect(stderr).toMatch(/^\w+: --[a-z-]+ is "10m", not a whole number of seconds: .+\n$/);
      }
    });

    it('a prompt of 200 KB arrives byte for byte, and never in argv (20)', async () => {
      const prompt = `${'prompt \u00e4 '.repeat(25_000)}the end`;
      const unit = room.dispatch({
        ...as,
        prompt,
        worker: 'cat >"$RESULT"; cat /proc/$$/cmdline >"$RESULT.argv"',
      });
      const end = await unit.end();
      expectEnd(end, { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 });
      expect(end.result).toBe(prompt);
      expect(readFileSync(`${unit.resultFile}.argv`, 'utf8')).not.toContain('prompt \u00e4');
    });

    it('a workspace whose .git breaks, and one that goes altogether, harm nobody (22)', async () => {
      const ends = ['rm -rf .git; echo broken >.git', 'rm -rf "$PWD"'].map((breakIt) => {
        const folder = room.folder();
        const workdir = path.join(folder, 'repository');
        mkdirSync(path.join(workdir, '.git', 'refs'), { recursive: true });
        writeFileSync(path.join(workdir, '.git', 'HEAD'), 'ref: refs/heads/main\n');
        openToAll(workdir);
        return room
          .dispatch({
            ...as,
            folder,
            flags: ['--workdir', workdir, '--stall-threshold', '1'],
            worker: `${breakIt}; echo broke it; setsid sleep 302 & exec sleep 302`,
          })
          .end();
      });
      for (const end of await Promise.all(ends)) {
        expectEnd(end, { status: 'failed', reason: 'idle-stall', origin: 'tail', code: 124 });
        expect(end.result).toContain('broke it');
      }
    });
  });
}

// Alone, because load makes everything late; again, because other files run beside this one.
it.each(USERS)(
  'a stop is over before the host sends SIGKILL, as $user (1)',
  { retry: 4 },
  async ({ user: _, ...as }) => {
    const unit = room.dispatch({
      ...as,
      worker: `trap '' TERM INT HUP; (setsid sleep 301 & sleep 301) & touch "$RESULT.ready"; sleep 301`,
    });
    await waitFor('the worker', () => existsSync(`${unit.resultFile}.ready`));
    const sent = Date.now();
    unit.child.kill('SIGTERM');
    const end = await unit.end();
    expectEnd(end, { status: 'interrupted', reason: 'signal', origin: 'tail', code: 143 });
    // 1.4 s after SIGTERM (FACTS-claude-code.md).
    expect(Date.parse(end.outcome.endedAt) - sent).toBeLessThan(1400);
  },
);

describe('no state dir is left', () => {
  it('by a call that was refused', async () => {
    const unit = room.dispatch({ flags: ['--workdir', 'mistyped'] });
    expect(await unit.exitCode).toBe(2);
    expect(readdirSync(path.join(unit.folder, 'state'))).toEqual([]);
  });
});
