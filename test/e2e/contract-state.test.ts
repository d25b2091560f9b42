import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectEnd, openRoom, textOf } from '../helpers/room.ts';
import { program, USERS } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// DESIGN.md §4: a unit on disk.

const room = openRoom();
const OK = { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 } as const;
const IDENTITY = /^[0-9a-f-]{36}:\d+:\d+$/;

function value(stateDir: string, file: string): string {
  return readFileSync(path.join(stateDir, file), 'utf8');
}

for (const { user, ...as } of USERS) {
  describe.concurrent(`as ${user}`, () => {
    it('a state dir holds every file of the contract, private', async () => {
      const before = Math.floor(Date.now() / 1000);
      const unit = room.dispatch({
        ...as,
        unit: 'api-1_x',
        prompt: 'Do it.\n',
        worker: 'until [ -e "$RESULT.go" ]; do sleep 0.05; done; echo out; echo err >&2; pwd >"$RESULT"',
      });
      const stateDir = await unit.stateDir();
      expect(path.basename(stateDir)).toMatch(
        new RegExp(`^prun-task-[0-9a-f]{8}-api-1_x-${unit.child.pid}-[0-9a-f]{16}$`),
      );
      expect(path.dirname(stateDir)).toBe(path.join(unit.folder, 'state'));
      expect(value(stateDir, 'pre-mtime')).toBe('0\n');
      expect(Number(value(stateDir, 'timestamp'))).toBeGreaterThanOrEqual(before);
      expect(value(stateDir, 'timestamp')).toMatch(/^\d+\n$/);
      expect(value(stateDir, 'result-file')).toBe(`${unit.resultFile}\n`);
      expect(value(stateDir, 'dispatch-pid')).toBe(`${unit.child.pid}\n`);
      // It is written down while the worker starts already.
      const guardian = () => /^(.+)\n$/.exec(textOf(path.join(stateDir, 'guardian')) ?? '')?.[1];
      expect(await waitFor('the guardian', guardian)).toMatch(IDENTITY);
      expect(value(stateDir, 'prompt')).toBe('Do it.\n');
      const early = await unit.unitRecord();
      expect(early).toMatchObject({
        schema: 1,
        unit: 'api-1_x',
        attempt: 1,
        executor: 'codex',
        cwd: path.join(stateDir, 'work'),
        promptFile: path.join(unit.folder, 'prompt.md'),
        resultFile: unit.resultFile,
        base: null,
        limits: { stallThresholdSeconds: 600, timeoutSeconds: 0, maxOutputBytes: 1024 ** 3 },
      });
      expect(early.argv[0]).toBe(path.join(unit.folder, 'codex'));
      expect(early.argv.slice(1, 3)).toEqual(['exec', '--json']);
      expect(early.argv.at(-1)).toBe('-');
      expect(early.supervisor).toMatch(IDENTITY);
      expect(early.supervisor.split(':')[1]).toBe(String(unit.child.pid));
      expect(early.marker).toMatch(/^api-1_x-[0-9a-f]{16}$/);
      const late = await waitFor('the identity of the worker', async () => (await unit.unitRecord()).worker);
      expect(await late).toMatch(IDENTITY);
      expect(existsSync(path.join(stateDir, 'outcome.json'))).toBe(false);
      writeFileSync(`${unit.resultFile}.go`, '');
      const end = await unit.end();
      expectEnd(end, OK);
      expect(end.result).toBe(`${stateDir}/work\n`);
      expect(value(stateDir, 'tail').split('\n').sort()).toEqual(['', 'err', 'out']);
      const { outcome } = end;
      expect(Object.keys(outcome).sort()).toEqual(
        [
          'attempt',
          'claims',
          'delta',
          'detail',
          'durationMs',
          'endedAt',
          'executor',
          'exitCode',
          'failure',
          'lastEvidence',
          'reaped',
          'reason',
          'result',
          'resultError',
          'schema',
          'sessionId',
          'signal',
          'signalInferred',
          'startedAt',
          'stateDir',
          'status',
          'structured',
          'supervisor',
          'survivors',
          'threadTokens',
          'tokens',
          'tripwire',
          'unit',
          'verify',
        ].sort(),
      );
      expect(outcome).toMatchObject({
        schema: 1,
        unit: 'api-1_x',
        attempt: 1,
        executor: 'codex',
        exitCode: 0,
        signal: null,
        signalInferred: false,
        resultError: null,
        sessionId: null,
        tokens: null,
        reaped: [],
        survivors: [],
        delta: null,
        claims: null,
        tripwire: null,
        verify: null,
        supervisor: 'dispatch-task',
        stateDir,
        result: { path: unit.resultFile, bytes: end.result?.length },
      });
      expect(Date.parse(outcome.endedAt) - Date.parse(outcome.startedAt)).toBeLessThan(
        outcome.durationMs + 1000,
      );
      for (const name of readdirSync(stateDir)) {
        const { mode } = lstatSync(path.join(stateDir, name));
        const isFolder = name === 'work';
        expect(`${name} ${(mode & 0o777).toString(8)}`).toBe(`${name} ${isFolder ? '700' : '600'}`);
      }
      expect(statSync(stateDir).mode & 0o777).toBe(0o700);
      expect(readdirSync(path.join(unit.folder, 'state')).filter((name) => name.startsWith('.'))).toEqual([]);
    });

    it('the outcome comes last, in one piece, and then the quiet file is touched', async () => {
      const unit = room.dispatch({
        ...as,
        worker: 'until [ -e "$RESULT.go" ]; do sleep 0.05; done; echo done >"$RESULT"',
      });
      const stateDir = await unit.stateDir();
      const wakeBefore = statSync(path.join(stateDir, 'wake'), { bigint: true }).mtimeNs;
      writeFileSync(`${unit.resultFile}.go`, '');
      const end = await unit.end();
      expectEnd(end, OK);
      const outcome = statSync(path.join(stateDir, 'outcome.json'), { bigint: true });
      const wake = statSync(path.join(stateDir, 'wake'), { bigint: true });
      expect(wake.mtimeNs).toBeGreaterThan(wakeBefore);
      // utimes has the resolution of the caller's clock, milliseconds.
      expect(wake.mtimeNs + 2_000_000n).toBeGreaterThan(outcome.mtimeNs);
      expect(wake.size).toBe(0n);
      expect(outcome.nlink).toBe(1n);
    });

    it('a previous result that is a symbolic link is moved as a link, and its target is not touched', async () => {
      const folder = room.folder();
      const target = path.join(folder, 'somebody-elses.md');
      writeFileSync(target, 'precious\n', { mode: 0o644 });
      symlinkSync(target, path.join(folder, 'result.md'));
      const end = await room.dispatch({ ...as, folder, worker: 'echo new >"$RESULT"' }).end();
      expectEnd(end, OK);
      const moved = path.join(end.stateDir, 'previous-result');
      expect(lstatSync(moved).isSymbolicLink()).toBe(true);
      expect(readlinkSync(moved)).toBe(target);
      expect(readFileSync(target, 'utf8')).toBe('precious\n');
      expect(lstatSync(path.join(folder, 'result.md')).isFile()).toBe(true);
    });

    it('a symbolic link to nowhere at the result path does not swallow the result', async () => {
      const folder = room.folder();
      symlinkSync(path.join(folder, 'no', 'where.md'), path.join(folder, 'result.md'));
      const end = await room.dispatch({ ...as, folder, worker: 'echo forgot' }).end();
      expectEnd(end, { status: 'failed', reason: 'no-result', origin: 'tail', code: 0 });
      expect(lstatSync(path.join(end.stateDir, 'previous-result')).isSymbolicLink()).toBe(true);
    });

    it('a link to nowhere or to a folder that the worker leaves is no result', async () => {
      const ends = ['no-where', '.'].map((target) =>
        room.dispatch({ ...as, worker: `ln -s ${target} "$RESULT"` }).end(),
      );
      for (const end of await Promise.all(ends)) {
        expectEnd(end, { status: 'failed', reason: 'no-result', origin: null, code: 74 });
        expect(end.outcome.resultError).toContain('is not a regular file');
      }
    });

    it('pre-mtime tells of the older result', async () => {
      const folder = room.folder();
      writeFileSync(path.join(folder, 'result.md'), 'older\n');
      const mtime = Math.floor(statSync(path.join(folder, 'result.md')).mtimeMs / 1000);
      const unit = room.dispatch({ ...as, folder, worker: 'echo new >"$RESULT"' });
      const end = await unit.end();
      expectEnd(end, OK);
      expect(value(end.stateDir, 'pre-mtime')).toBe(`${mtime}\n`);
      expect(value(end.stateDir, 'previous-result')).toBe('older\n');
    });

    it('a second live dispatch to the same result path is refused, by whatever name it comes', async () => {
      const folder = room.folder();
      writeFileSync(path.join(folder, 'result.md'), 'older\n', { mode: 0o644 });
      const first = room.dispatch({
        ...as,
        folder,
        worker: 'until [ -e "$RESULT.go" ]; do sleep 0.05; done; echo 1 >"$RESULT"',
      });
      const stateDir = await first.stateDir();
      symlinkSync(folder, path.join(folder, 'link'));
      const names = [first.resultFile, 'result.md', path.join(folder, 'link', 'result.md')];
      // Several at once: a draft is given up while its guardian is still on its way.
      const others = [...names, ...names, ...names].map((resultFile) =>
        room.dispatch({ ...as, folder, resultFile, codexBin: 'codex', unit: 'second' }),
      );
      for (const second of others) {
        expect(await second.exitCode, second.stderr()).toBe(2);
        expect(second.stdout()).toBe('');
        expect(second.stderr()).toContain('another live dispatch writes to');
        expect(second.stderr()).toContain(stateDir);
        expect(second.stderr().trim().split('\n')).toHaveLength(1);
      }
      const left = readdirSync(path.join(folder, 'state')).filter((name) => name.includes('prun-task'));
      expect(left).toEqual([path.basename(stateDir)]);
      writeFileSync(`${first.resultFile}.go`, '');
      expectEnd(await first.end(), OK);
      const third = room.dispatch({ ...as, folder, worker: 'echo 3 >"$RESULT"', unit: 'third' });
      const end = await third.end();
      expectEnd(end, OK);
      expect(value(end.stateDir, 'previous-result')).toBe('1\n');
    });

    it('of five starts at once on one result path exactly one runs', async () => {
      const folder = room.folder();
      // One program for all, written before: a script that is being written cannot be run (ETXTBSY).
      const codexBin = program(folder, 'codex', 'sleep 2; echo "$PRUN_UNIT" >"$RESULT"');
      const units = [1, 2, 3, 4, 5].map((number) =>
        room.dispatch({ ...as, folder, unit: `u${number}`, codexBin }),
      );
      const codes = await Promise.all(units.map((unit) => unit.exitCode));
      expect(codes.sort()).toEqual([0, 2, 2, 2, 2]);
      const winner = units.find((unit) => unit.stdout() !== '');
      if (winner) expectEnd(await winner.end(), OK);
    });

    it('a dispatch is allowed after the one before was killed, and its guardian has cleaned up', async () => {
      const folder = room.folder();
      const first = room.dispatch({ ...as, folder, worker: 'touch "$RESULT.ready"; exec sleep 313' });
      await waitFor('the worker', () => existsSync(`${first.resultFile}.ready`));
      first.child.kill('SIGKILL');
      const dead = await first.end();
      expectEnd(dead, { status: 'interrupted', reason: 'dispatch-dead', origin: 'tail', code: 137 });
      const second = room.dispatch({ ...as, folder, worker: 'echo 2 >"$RESULT"' });
      const end = await second.end();
      expectEnd(end, OK);
      expect(value(end.stateDir, 'previous-result')).toBe(dead.result);
    });
  });
}
