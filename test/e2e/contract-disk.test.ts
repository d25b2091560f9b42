import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { expectEnd, openRoom } from '../helpers/room.ts';
import { isRoot, USERS } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// DESIGN.md P3: a full disk. A small file system of its own is mounted for each test, where that is allowed.

const room = openRoom();
const mounted: string[] = [];
afterAll(() => {
  for (const place of mounted) execFileSync('umount', ['-l', place]);
});

/** Mounts an empty file system of `kib` KiB that every user may write, and returns whether that is allowed here. */
function mountSmall(place: string, kib: number): boolean {
  mkdirSync(place, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k,mode=777`, 'tmpfs', place], { stdio: 'pipe' });
  } catch {
    return false;
  }
  mounted.push(place);
  chmodSync(place, 0o777);
  return true;
}

function canMount(): boolean {
  if (!isRoot || process.platform !== 'linux') return false;
  const probe = path.join('/tmp', `prun-mount-probe-${process.pid}`);
  const works = mountSmall(probe, 64);
  if (works) execFileSync('umount', [mounted.pop() ?? probe]);
  rmSync(probe, { recursive: true, force: true });
  return works;
}

describe.runIf(canMount())('a full disk', () => {
  for (const { user, ...as } of USERS) {
    describe.concurrent(`as ${user}`, () => {
      it('under the state home: the outcome is there all the same', async (context) => {
        const folder = room.folder();
        const home = path.join(folder, 'small');
        if (!mountSmall(home, 512)) context.skip('mount failed');
        const unit = room.dispatch({
          ...as,
          folder,
          flags: ['--state-home', home],
          worker:
            'echo said this; head -c 2000000 /dev/zero | tr "\\0" x | fold -w 99; echo "full $?"; exit 3',
        });
        const end = await unit.end();
        expectEnd(end, { status: 'failed', reason: 'exit', origin: 'tail', code: 3 });
        expect(end.stateDir.startsWith(home)).toBe(true);
        expect(readFileSync(path.join(end.stateDir, 'tail'), 'utf8')).toContain('said this');
      });

      it('under the state home of a unit that hangs: it is reaped, with its outcome', async (context) => {
        const folder = room.folder();
        const home = path.join(folder, 'small');
        if (!mountSmall(home, 512)) context.skip('mount failed');
        const unit = room.dispatch({
          ...as,
          folder,
          flags: ['--state-home', home, '--stall-threshold', '2'],
          worker: `dd if=/dev/zero of="$(dirname "$PWD")/filler" bs=1k 2>/dev/null; trap '' INT; setsid sleep 315 & sleep 315`,
        });
        const end = await unit.end();
        expectEnd(end, { status: 'failed', reason: 'idle-stall', origin: 'tail', code: 124 });
      });

      it('under the result: the exit code is 74, the reason disk, and the output is kept', async (context) => {
        const folder = room.folder();
        const out = path.join(folder, 'out');
        if (!mountSmall(out, 64)) context.skip('mount failed');
        const unit = room.dispatch({
          ...as,
          folder,
          resultFile: path.join(out, 'r.md'),
          worker: 'dd if=/dev/zero of="$(dirname "$RESULT")/filler" bs=1k 2>/dev/null; echo what I found',
        });
        const end = await unit.end();
        expectEnd(end, { status: 'failed', reason: 'disk', origin: null, code: 74 });
        expect(end.outcome.resultError).toContain('ENOSPC');
        expect(end.stderr).toContain('no result could be written');
        expect(readFileSync(path.join(end.stateDir, 'tail'), 'utf8')).toBe('what I found\n');
      });

      it('under everything, when the dispatcher is killed: its guardian still writes the outcome', async (context) => {
        const folder = room.folder();
        const home = path.join(folder, 'small');
        if (!mountSmall(home, 512)) context.skip('mount failed');
        const unit = room.dispatch({
          ...as,
          folder,
          resultFile: path.join(home, 'r.md'),
          environment: { READY: path.join(folder, 'ready') },
          flags: ['--state-home', home],
          worker:
            'echo thinking; dd if=/dev/zero of="$(dirname "$RESULT")/filler" bs=1k 2>/dev/null; touch "$READY"; sleep 316',
        });
        await waitFor('a full disk', () => existsSync(path.join(folder, 'ready')));
        unit.child.kill('SIGKILL');
        const end = await unit.end();
        expectEnd(end, { status: 'interrupted', reason: 'dispatch-dead', origin: null, code: 137 });
        expect(end.outcome.resultError).toContain('ENOSPC');
      });

      it('before the start is said in one line, and the older result stays where it is', async (context) => {
        const folder = room.folder();
        const home = path.join(folder, 'small');
        if (!mountSmall(home, 64)) context.skip('mount failed');
        execFileSync('sh', ['-c', `dd if=/dev/zero of='${home}/filler' bs=1k 2>/dev/null || true`]);
        writeFileSync(path.join(folder, 'result.md'), 'precious\n', { mode: 0o644 });
        const unit = room.dispatch({
          ...as,
          folder,
          flags: ['--state-home', home],
          worker: 'touch "$RESULT.ran"',
        });
        const code = await unit.exitCode;
        expect(unit.stdout()).toBe('');
        expect(unit.stderr()).toMatch(/^dispatch-task: [^\n]*ENOSPC[^\n]*\n$/);
        expect(code).toBe(74);
        expect(readFileSync(path.join(folder, 'result.md'), 'utf8')).toBe('precious\n');
        expect(existsSync(path.join(folder, 'result.md.ran'))).toBe(false);
      });
    });
  }
});
