import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesOf } from '../helpers/process-table.ts';
import { expectEnd, openRoom, textOf } from '../helpers/room.ts';
import { isRoot, USERS } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// DESIGN.md §5: what dispatch-task prints, and its exit codes.

const room = openRoom();
const OK = { status: 'succeeded', reason: 'ok', origin: 'worker' } as const;
const FAILED = { status: 'failed', origin: 'tail' } as const;

for (const { user, ...as } of USERS) {
  describe.concurrent(`as ${user}`, () => {
    it('stdout is exactly one line, and stderr ends with the last 80 lines of the tail', async () => {
      const end = await room
        .dispatch({ ...as, worker: 'seq 1 500; seq 501 505 >&2; echo done >"$RESULT"' })
        .end();
      expectEnd(end, { ...OK, code: 0 });
      expect(end.stdout).toBe(`STATE-DIR ${end.stateDir}\n`);
      expect(path.isAbsolute(end.stateDir)).toBe(true);
      const lines = end.stderr.trimEnd().split('\n');
      expect(lines).toHaveLength(80);
      expect(lines.at(-1)).toBe('505');
      expect(lines[0]).toBe('426');
    });

    it.each([1, 2, 42, 74, 124, 126, 127, 255])("exit code %d is the worker's own", async (code) => {
      const end = await room.dispatch({ ...as, worker: `echo said; exit ${code}` }).end();
      // Numbers above 128 may stand for a signal; 127 and 126 are the worker's own here, because it ran.
      expect(end.code).toBe(code);
      expect(end.alive).toEqual([]);
      expect(end.outcome).toMatchObject({ status: 'failed', result: { origin: 'tail' } });
      expect(end.outcome.reason).toBe('exit');
    });

    it('keeps exit code and result of a worker that failed after it had written its result', async () => {
      const end = await room.dispatch({ ...as, worker: 'echo mine >"$RESULT"; exit 5' }).end();
      expectEnd(end, { status: 'failed', reason: 'exit', origin: 'worker', code: 5 });
      expect(end.result).toBe('mine\n');
    });

    it('0 stays 0 when a FALLBACK had to be written', async () => {
      const end = await room.dispatch({ ...as, worker: 'echo forgot it' }).end();
      expectEnd(end, { ...FAILED, reason: 'no-result', code: 0 });
      expect(end.result).toBe(
        [
          '# unit result (FALLBACK, worker wrote no result file)',
          'Conclusion: none from the worker; prun saved what it left (no-result, exit code 0).',
          'Files: unknown; look at the workspace before you use them',
          `Open items: review this or dispatch the unit again; all output is in ${end.stateDir}/tail`,
          'Verification: none',
          '',
          'Trigger: no-result, exit code 0',
          `the worker exited with 0 and left no result; its prompt does not name ${end.outcome.result?.path}`,
          '',
          "The end of the worker's output:",
          '',
          'forgot it',
          '',
        ].join('\n'),
      );
    });

    it('a worker that a signal ends is a failure with 128+n', async () => {
      const end = await room.dispatch({ ...as, worker: 'kill -SEGV $$' }).end();
      expectEnd(end, { ...FAILED, reason: 'signal', code: 139 });
      expect(end.outcome).toMatchObject({ exitCode: null, signal: 'SIGSEGV', signalInferred: true });
    });

    it('a worker whose shim is killed with it is a failure, too', async () => {
      const end = await room.dispatch({ ...as, worker: 'kill -KILL $PPID $$' }).end();
      expectEnd(end, { ...FAILED, reason: 'signal', code: 137 });
      expect(end.outcome).toMatchObject({ exitCode: null, signal: 'SIGKILL', signalInferred: false });
    });

    it('127 for a worker that is not there, 126 for one that cannot be run', async () => {
      const folder = room.folder();
      const plain = path.join(folder, 'plain');
      writeFileSync(plain, 'no program\n', { mode: 0o644 });
      const bad = path.join(folder, 'bad');
      writeFileSync(bad, '#!/no/such/interpreter\n', { mode: 0o755 });
      const ends = await Promise.all(
        [path.join(folder, 'absent'), 'no-such-codex-in-path', plain, folder, bad].map((codexBin) =>
          room.dispatch({ ...as, codexBin }).end(),
        ),
      );
      const codes = [127, 127, 126, 126, 127];
      for (const [index, end] of ends.entries()) {
        // The shell calls a missing interpreter 126 or 127, whichever it is.
        const code = index === 4 ? end.code : codes[index];
        expectEnd(end, { ...FAILED, reason: 'spawn', code: code ?? -1 });
        expect([126, 127]).toContain(end.code);
        expect(end.stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
      }
      expect(ends[0]?.outcome.detail).toContain(path.join(folder, 'absent'));
    });

    it('124 and the FALLBACK of a unit that was reaped', async () => {
      const end = await room
        .dispatch({ ...as, flags: ['--timeout', '1'], worker: "trap '' INT TERM; sleep 310" })
        .end();
      expectEnd(end, { ...FAILED, reason: 'hard-timeout', code: 124 });
    });

    it('74 when a folder is in the place of the result, and the output is still there', async () => {
      const end = await room.dispatch({ ...as, worker: 'mkdir "$RESULT"; echo a long story' }).end();
      expectEnd(end, { status: 'failed', reason: 'no-result', origin: null, code: 74 });
      expect(end.outcome.resultError).toMatch(/result\.md is not a regular file$/);
      expect(end.stderr).toContain('no result could be written');
      expect(end.stderr).toContain('is not a regular file');
      expect(readFileSync(path.join(end.stateDir, 'tail'), 'utf8')).toBe('a long story\n');
    });

    it('74 when a folder stands in the way of a worker that is reaped', async () => {
      const end = await room
        .dispatch({ ...as, flags: ['--timeout', '1'], worker: 'mkdir "$RESULT"; sleep 311' })
        .end();
      expectEnd(end, { status: 'failed', reason: 'hard-timeout', origin: null, code: 74 });
    });

    it('a folder of the result that is removed is made again', async () => {
      const folder = room.folder();
      const place = path.join(folder, 'out');
      mkdirSync(place);
      chmodSync(place, 0o777);
      const resultFile = path.join(place, 'r.md');
      const end = await room
        .dispatch({ ...as, folder, resultFile, worker: 'rmdir "$(dirname "$RESULT")"; echo said' })
        .end();
      expectEnd(end, { ...FAILED, reason: 'no-result', code: 0 });
      expect(end.result).toContain('said');
    });

    it('128+n when a signal ends the dispatcher before its worker has started', async () => {
      const unit = room.dispatch({ ...as, worker: 'touch "$RESULT.ran"; sleep 312' });
      // Earlier than anything is there; whatever the instant, it ends in an outcome or has left nothing.
      const started = await Promise.race([unit.stateDir().then(() => true), unit.exitCode.then(() => false)]);
      unit.child.kill('SIGTERM');
      unit.child.kill('SIGTERM');
      expect(await unit.exitCode).toBe(143);
      if (started)
        expectEnd(await unit.end(), { status: 'interrupted', reason: 'signal', origin: 'tail', code: 143 });
    });

    it('a worker that closes its output or moves it elsewhere is watched all the same', async () => {
      const end = await room
        .dispatch({
          ...as,
          flags: ['--stall-threshold', '2'],
          worker: 'exec >&- 2>&- <&-; for i in $(seq 30); do echo $i >"$RESULT"; sleep 0.1; done',
        })
        .end();
      expectEnd(end, { ...OK, code: 0 });
      expect(end.result).toBe('30\n');
    });

    it.each(['stdout', 'stderr'] as const)('a reader of %s that goes away harms nothing', async (name) => {
      const unit = room.dispatch({ ...as, worker: 'sleep 0.5; seq 1000; echo done >"$RESULT"' });
      await unit.stateDir();
      unit.child[name]?.destroy();
      expectEnd(await unit.end(), { ...OK, code: 0 });
    });

    it('a reader that goes away before the first line harms nothing', async () => {
      const folder = room.folder();
      const gone = path.join(folder, 'no-readers.sh');
      writeFileSync(gone, '#!/bin/bash\n"$@" 2> >(exec true) > >(exec true)\n', { mode: 0o755 });
      const unit = room.dispatch({ ...as, folder, wrapper: gone, worker: 'sleep 0.5; echo done >"$RESULT"' });
      const outcome = await waitFor('the outcome', () => outcomeBelow(path.join(folder, 'state')));
      expect(outcome).toMatchObject({ status: 'succeeded', reason: 'ok', result: { origin: 'worker' } });
      expect(processesOf({ word: `${path.join(folder, 'codex')} exec` })).toEqual([]);
      expect(await unit.exitCode).toBe(0);
    });

    it('--contain changes nothing but who may live: a daemon in a session of its own is gone', async () => {
      const done = room
        .dispatch({ ...as, flags: ['--contain'], worker: 'echo "pid $$"; echo done >"$RESULT"; exit 0' })
        .end();
      const hung = room
        .dispatch({
          ...as,
          flags: ['--contain', '--stall-threshold', '1'],
          worker: "trap '' INT TERM; (env -i setsid sleep 317 &); sleep 317",
        })
        .end();
      const ended = await done;
      expectEnd(ended, { ...OK, code: 0 });
      expectEnd(await hung, { ...FAILED, reason: 'idle-stall', code: 124 });
      // In a namespace of its own the worker is process 1; where there is none, that was said.
      const said = ended.stderr.includes('--contain: pid namespaces do not work here');
      expect(textOf(path.join(ended.stateDir, 'tail'))).toMatch(said ? /^pid \d{2,}$/m : /^pid 1$/m);
    });

    it('an output limit reaps a flood, and memory stays flat', async () => {
      const unit = room.dispatch({
        ...as,
        flags: ['--max-output', '5M', '--stall-threshold', '0'],
        worker: 'while :; do head -c 1048576 /dev/zero | tr "\\0" x | fold -w 99; done',
      });
      let peakKib = 0;
      const measure = setInterval(() => {
        const status = readFileSync(`/proc/${unit.child.pid}/status`, 'utf8');
        peakKib = Math.max(peakKib, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
      }, 20);
      const { outcome } = await unit.outcome().finally(() => clearInterval(measure));
      const end = await unit.end();
      expectEnd(end, { ...FAILED, reason: 'output-limit', code: 124 });
      expect(outcome.detail).toContain('5242880');
      expect(peakKib).toBeGreaterThan(30_000);
      expect(peakKib).toBeLessThan(200_000);
      expect(end.outcome.result?.bytes).toBeLessThan(64 * 1024);
    });

    it('one line of 100 MB without an end keeps memory flat, too', async () => {
      const unit = room.dispatch({
        ...as,
        worker: 'head -c 104857600 /dev/zero | tr "\\0" y; sleep 1; exit 6',
      });
      let peakKib = 0;
      const measure = setInterval(() => {
        const status = existsSync(`/proc/${unit.child.pid}/status`)
          ? readFileSync(`/proc/${unit.child.pid}/status`, 'utf8')
          : '';
        peakKib = Math.max(peakKib, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
      }, 20);
      const end = await unit.end(40_000).finally(() => clearInterval(measure));
      expectEnd(end, { ...FAILED, reason: 'exit', code: 6 });
      expect(peakKib).toBeLessThan(250_000);
      expect(end.stderr.length).toBeLessThan(64 * 1024);
      expect(end.outcome.result?.bytes).toBeLessThan(64 * 1024);
    });
  });
}

function outcomeBelow(stateHome: string): unknown {
  const [name] = readdirSync(stateHome).filter((found) => found.startsWith('prun-task-'));
  const text = name && textOf(path.join(stateHome, name, 'outcome.json'));
  return text ? JSON.parse(text) : undefined;
}

describe.runIf(isRoot)('where a result cannot be written', () => {
  it('74 for an ordinary user whose worker closes the folder', async () => {
    const folder = room.folder();
    const place = path.join(folder, 'out');
    mkdirSync(place);
    chmodSync(place, 0o777);
    const unit = room.dispatch({
      folder,
      uid: 65534,
      resultFile: path.join(place, 'r.md'),
      worker: 'touch "$RESULT.ready"; until [ -e "$RESULT.go" ]; do sleep 0.05; done; echo said',
    });
    await waitFor('the worker', () => existsSync(`${unit.resultFile}.ready`));
    writeFileSync(`${unit.resultFile}.go`, '');
    chmodSync(place, 0o555);
    const end = await unit.end();
    expectEnd(end, { status: 'failed', reason: 'no-result', origin: null, code: 74 });
    expect(end.outcome.resultError).toContain('EACCES');
  });
});
