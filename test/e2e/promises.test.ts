import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processesOf } from '../helpers/process-table.ts';
import { expectEnd, openRoom, openToAll } from '../helpers/room.ts';
import { isRoot, ORDINARY_UID, USERS } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// Attempts to break the promises of DESIGN.md §2 by what a worker does to its result and its state dir.

const room = openRoom();
/** The worker finds its state dir in its own command line: exec --json -o <state-dir>/last-message. */
const STATE = 'S=$(dirname "$4")';

for (const { user, ...as } of USERS) {
  describe.concurrent(`as ${user}`, () => {
    it('a pipe at the result path stops nobody (P1)', async () => {
      const unit = room.dispatch({ ...as, worker: 'mkfifo "$RESULT"' });
      expect(await unit.exitCode).toBe(74);
      expect(lstatSync(unit.resultFile).isFIFO()).toBe(true);
      // The test itself would wait for a writer.
      rmSync(unit.resultFile);
      expectEnd(await unit.end(), { status: 'failed', reason: 'no-result', origin: null, code: 74 });
    });

    it('a pipe in the place of the tail stops nobody (P1)', async () => {
      const worker = `${STATE}; rm "$S/tail"; mkfifo "$S/tail"; echo fine >"$RESULT"`;
      const end = await room.dispatch({ ...as, worker }).end();
      expectEnd(end, { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 });
    });

    it.each([
      ['NULs', 'head -c 300 /dev/zero'],
      ['zero-width characters', String.raw`printf '\xef\xbb\xbf\xe2\x80\x8b\xe2\x81\xa0\n'`],
    ])('a result of %s is empty (P4)', async (_, command) => {
      const end = await room.dispatch({ ...as, worker: `${command} >"$RESULT"` }).end();
      expectEnd(end, { status: 'failed', reason: 'empty-result', origin: 'tail', code: 0 });
    });

    it.each([
      ['moved', 'mv "$S/previous-result" "$RESULT"'],
      ['linked', 'ln "$S/previous-result" "$RESULT"'],
      ['copied with its time', 'cp -p "$S/previous-result" "$RESULT"'],
    ])('an older result that is %s back is no fresh one (P3, P4)', async (_, command) => {
      const folder = room.folder();
      const older = path.join(folder, 'result.md');
      writeFileSync(older, '# of an earlier run\n');
      openToAll(older);
      // What describes the attempt is written beside the worker's start.
      const worker = `${STATE}; until [ -e "$S/dispatch-pid" ]; do sleep 0.05; done; ${command}`;
      const end = await room.dispatch({ ...as, folder, worker }).end();
      expectEnd(end, { status: 'failed', reason: 'no-result', origin: 'tail', code: 0 });
      expect(readFileSync(path.join(end.stateDir, 'previous-result'), 'utf8')).toBe('# of an earlier run\n');
    });

    it.each([
      ['a folder', 'mkdir "$S/outcome.json"'],
      ['a success', 'echo \'{"schema":1,"status":"succeeded"}\' >"$S/outcome.json"'],
    ])('a worker that writes %s as its outcome does not end so (P1, P4)', async (_, command) => {
      const unit = room.dispatch({ ...as, worker: `${STATE}; ${command}; exit 5` });
      expect(await unit.exitCode).toBe(5);
      const end = await unit.end();
      expectEnd(end, { status: 'failed', reason: 'exit', origin: 'tail', code: 5 });
      expect(existsSync(path.join(end.stateDir, 'foreign-outcome'))).toBe(true);
    });

    it("a link in the state dir leads no note into a user's file", async () => {
      const folder = room.folder();
      const precious = path.join(folder, 'precious');
      writeFileSync(precious, 'precious\n');
      openToAll(precious);
      const worker = `${STATE}; ln -s '${precious}' "$S/reap-reason"; exec sleep 301`;
      const end = await room.dispatch({ ...as, folder, worker, flags: ['--timeout', '1'] }).end();
      expectEnd(end, { status: 'failed', reason: 'hard-timeout', origin: 'tail', code: 124 });
      expect(readFileSync(precious, 'utf8')).toBe('precious\n');
    });

    it("a session id in a plain worker's output makes nobody kin (P2)", async () => {
      const id = '01234567-89ab-4cde-8f01-23456789abcd';
      const worker = `echo 'session id: ${id}'; touch "$RESULT.ready"; until [ -e "$RESULT.go" ]; do sleep 0.05; done; echo fine >"$RESULT"`;
      const unit = room.dispatch({ ...as, worker });
      await waitFor('the worker', () => existsSync(`${unit.resultFile}.ready`));
      // Younger than the unit, and not of it.
      const stranger = spawn('sleep', ['302'], {
        detached: true,
        stdio: 'ignore',
        env: { PATH: process.env.PATH, CODEX_THREAD_ID: id },
        ...(as.uid === undefined ? {} : { uid: as.uid }),
      });
      onTestFinished(() => void stranger.kill('SIGKILL'));
      writeFileSync(`${unit.resultFile}.go`, '');
      const end = await unit.end();
      expectEnd(end, { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 });
      expect(end.outcome.reaped).toEqual([]);
      expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
    });

    it('a guardian stands by, and the start waits for it, where PATH has no system folder (P2)', async () => {
      const folder = room.folder();
      const bare = path.join(folder, 'bare');
      mkdirSync(bare);
      symlinkSync(process.execPath, path.join(bare, 'node'));
      const worker = 'trap "" TERM INT; /bin/sleep 301 & : >"$RESULT.ready"; /bin/sleep 301';
      const unit = room.dispatch({ ...as, folder, worker, environment: { PATH: bare } });
      await waitFor('the worker', () => existsSync(`${unit.resultFile}.ready`));
      // Printed just after the worker's start, which can be quicker.
      await unit.stateDir();
      unit.child.kill('SIGKILL');
      const end = await unit.end();
      expectEnd(end, { status: 'interrupted', reason: 'dispatch-dead', origin: 'tail' });
      expect(end.outcome.supervisor).toBe('guardian');
    });

    it('a worker ends with its dispatcher also when unit.json cannot be read (P2)', async () => {
      const unit = room.dispatch({ ...as, worker: 'setsid sleep 301 & exec sleep 301' });
      const stateDir = await unit.stateDir();
      await waitFor('the guardian', () => existsSync(path.join(stateDir, 'guardian')));
      const { marker } = await unit.unitRecord();
      await waitFor('the worker', () => processesOf({ marker }).length >= 2);
      writeFileSync(path.join(stateDir, 'unit.json'), '');
      unit.child.kill('SIGKILL');
      await waitFor('its end', () => processesOf({ marker }).length === 0);
    });

    it('monitor wakes also when the quiet file was replaced (P7)', async () => {
      const worker = `${STATE}; sleep 1; rm "$S/wake"; : >"$S/wake"; sleep 1.3; echo fine >"$RESULT"`;
      const unit = room.dispatch({ ...as, worker });
      const stateDir = await unit.stateDir();
      const said = await room.run('monitor', [stateDir], { folder: unit.folder });
      const lateMs = Date.now() - lstatSync(path.join(stateDir, 'outcome.json')).mtimeMs;
      expect(said.stdout).toContain('MONITOR-EVENT all-done');
      // By the event, not by the poll of 15 s; the figure itself is the bench's.
      expect(lateMs).toBeLessThan(5000);
    });
  });
}

it.runIf(isRoot)('a result that may not be read is left alone, and said (P3)', async () => {
  const worker = 'echo "# my own text" >"$RESULT"; chmod 000 "$RESULT"';
  const end = await room.dispatch({ uid: ORDINARY_UID, worker }).end();
  expectEnd(end, { status: 'failed', reason: 'no-result', origin: null, code: 74 });
  expect(end.outcome.resultError).toMatch(/result\.md cannot be read$/);
  expect(end.result).toBe('# my own text\n');
});
