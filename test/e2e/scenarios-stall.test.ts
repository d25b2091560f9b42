import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectEnd, openRoom } from '../helpers/room.ts';
import { program, USERS } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// PEERS.md, scenarios that are about silence, noise and who is left: 2, 7, 8, 9, 21, 23.

const room = openRoom();
const STALLED = { status: 'failed', reason: 'idle-stall', code: 124 } as const;
const DONE = { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 } as const;

/** Moves the wall clock of every Node process that requires it 700 s ahead, a second after its start. */
const CLOCK_STEP = `#!/usr/bin/env node
const real = Date.now;
const from = real();
Date.now = () => real() + (real() - from > 1000 ? 700_000 : 0);
`;

for (const { user, ...as } of USERS) {
  describe.concurrent(`as ${user}`, () => {
    it.each([
      ['in a session of its own', 'setsid sleep 777.WORD & sleep 777.WORD'],
      ['behind a double fork', '( setsid sh -c "sleep 777.WORD & sleep 777.WORD &" & ); sleep 777.WORD'],
      ['with an empty environment', 'env -i setsid sleep 777.WORD & sleep 777.WORD'],
      [
        'that no parent, group, session or variable betrays',
        '(env -i setsid sleep 777.WORD &); sleep 777.WORD',
      ],
      ['stopped', 'setsid sleep 777.WORD & kill -STOP $!; sleep 777.WORD'],
    ])('a command %s is gone when its hung worker is reaped (2)', async (_, command) => {
      // A number of seconds that nobody else sleeps, so that processes can be found by their command line.
      const folder = room.folder();
      const word = `777.${path.basename(folder).replace(/\D/g, '')}${process.pid}`;
      const unit = room.dispatch({
        ...as,
        folder,
        word,
        flags: ['--stall-threshold', '1'],
        worker: `echo at work; ${command.replaceAll('777.WORD', word)}`,
      });
      const end = await unit.end();
      expectEnd(end, { ...STALLED, origin: 'tail' });
      // The worker itself may have ended when it was asked.
      expect(end.outcome.reaped.length).toBeGreaterThanOrEqual(1);
      expect(end.result).toContain('Trigger: idle-stall, exit code 124');
      expect(end.outcome.lastEvidence?.kind).toBe('output');
      expect(readFileSync(path.join(end.stateDir, 'reap-reason'), 'utf8')).toMatch(
        /^idle-stall\nlast evidence: output at \d{4}-.+, [\d.]+ s before\n$/,
      );
    });

    it('a TERM-ignoring grandchild that was given to init is gone, without setsid in PATH (7)', async () => {
      const folder = room.folder();
      const word = `778.${path.basename(folder).replace(/\D/g, '')}${process.pid}`;
      const unit = room.dispatch({
        ...as,
        folder,
        word,
        flags: ['--stall-threshold', '1'],
        worker: `setsid() { return 127; }; sh -c "trap '' TERM INT HUP; sleep ${word} & exec sleep ${word}" & exec sleep ${word}`,
      });
      expectEnd(await unit.end(), { ...STALLED, origin: 'tail' });
    });

    it('a clock that steps 700 s ahead harms neither a working unit nor its monitor (8)', async () => {
      const folder = room.folder();
      const step = program(folder, 'clock-step.cjs', CLOCK_STEP);
      const environment = { NODE_OPTIONS: `--require "${step}"` };
      const unit = room.dispatch({
        ...as,
        folder,
        environment,
        flags: ['--stall-threshold', '3'],
        worker: 'for i in 1 2 3 4 5 6; do sleep 0.5; echo step $i; done; echo done >"$RESULT"',
      });
      const watch = room.run('monitor', ['--stall-threshold', '3', await unit.stateDir()], {
        folder,
        environment,
        ...as,
      });
      expectEnd(await unit.end(), DONE);
      expect(await watch).toMatchObject({ code: 0 });
    });

    it('a dispatcher that was suspended for longer than the threshold reaps nobody for it (8)', async () => {
      const unit = room.dispatch({
        ...as,
        flags: ['--stall-threshold', '3'],
        worker: 'touch "$RESULT.ready"; sleep 5; echo done >"$RESULT"',
      });
      await waitFor('the worker', () => existsSync(`${unit.resultFile}.ready`));
      unit.child.kill('SIGSTOP');
      // Longer than the threshold, as a closed laptop is.
      await new Promise((resolve) => setTimeout(resolve, 4000));
      unit.child.kill('SIGCONT');
      expectEnd(await unit.end(), DONE);
    });

    it.each(['Reconnecting... 2/5 (stream disconnected before completion)', 'retrying in 1s'])(
      'a line "%s" again and again is no work (9)',
      async (line) => {
        const unit = room.dispatch({
          ...as,
          flags: ['--stall-threshold', '1'],
          worker: `echo begin; while :; do echo '${line}'; sleep 0.2; done`,
        });
        const end = await unit.end();
        expectEnd(end, { ...STALLED, origin: 'tail' });
        expect(end.outcome.durationMs).toBeLessThan(6000);
      },
    );

    it('an answer that was written before the silence stays as it is (21)', async () => {
      const answer =
        '# unit result\nConclusion: all is well\nFiles: none\n\nbody \u00e4 without newline at the end';
      const unit = room.dispatch({
        ...as,
        flags: ['--stall-threshold', '1'],
        environment: { ANSWER: answer },
        worker: 'printf %s "$ANSWER" >"$RESULT"; exec sleep 303',
      });
      const end = await unit.end();
      expectEnd(end, { ...STALLED, origin: 'worker' });
      expect(end.result).toBe(answer);
      expect(end.outcome.lastEvidence?.kind).toBe('result-file');
      const seen = await room.run('monitor', [end.stateDir], { folder: unit.folder, ...as });
      expect(seen.stdout).toContain(`UNIT ${path.basename(end.stateDir)} failed(idle-stall)\n`);
    });

    it.each([
      ['a full core without a word', 'end=$((SECONDS+4)); while [ $SECONDS -lt $end ]; do :; done'],
      ['edits to one file again and again', 'for i in $(seq 18); do echo $i >one-file; sleep 0.25; done'],
      ['a slow download', 'for i in $(seq 9); do sleep 0.5; head -c 500000 /dev/zero; done >sink'],
    ])('%s is work (23)', async (_, work) => {
      const unit = room.dispatch({
        ...as,
        flags: ['--stall-threshold', '2'],
        worker: `${work}; echo done >"$RESULT"`,
      });
      const end = await unit.end(30_000);
      expectEnd(end, DONE);
      expect(end.outcome.durationMs).toBeGreaterThan(2500);
    });

    it('a loop that only looks whether something has come is no work (23)', async () => {
      const unit = room.dispatch({
        ...as,
        flags: ['--stall-threshold', '2'],
        worker: 'until [ -e never ]; do sleep 0.5; done',
      });
      expectEnd(await unit.end(), { ...STALLED, origin: 'tail' });
    });

    it('a hard timeout ends a unit that works well', async () => {
      const unit = room.dispatch({
        ...as,
        flags: ['--timeout', '1', '--stall-threshold', '0'],
        worker: 'while :; do echo working; sleep 0.1; done',
      });
      const end = await unit.end();
      expectEnd(end, { status: 'failed', reason: 'hard-timeout', origin: 'tail', code: 124 });
      expect(end.result).toContain('Trigger: hard-timeout, exit code 124');
      expect(end.outcome.durationMs).toBeGreaterThanOrEqual(1000);
    });
  });
}
