import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findLeftovers, proofLine } from '../../scripts-src/commands/proof.ts';
import { scratch } from '../helpers/unit-run.ts';

/** A state dir with as much of a unit.json as a look needs to be valid. */
function stateDir(folder: string, marker: string): string {
  const dir = path.join(folder, marker);
  mkdirSync(dir);
  const record = {
    schema: 1,
    unit: 'u',
    attempt: 1,
    executor: 'codex',
    argv: [],
    cwd: folder,
    promptFile: '/p',
    resultFile: '/r',
    base: null,
    limits: { stallThresholdSeconds: 0, timeoutSeconds: 0, maxOutputBytes: 0 },
    marker,
    rssMark: null,
    since: 0,
    supervisor: 'another-boot:1:1',
    worker: null,
    startedAt: '2026-11-30T10:00:00.000Z',
    startedMonotonicMs: 0,
    boot: 'another-boot',
  };
  writeFileSync(path.join(dir, 'unit.json'), JSON.stringify(record));
  return dir;
}

it('finds a process that carries the mark of a unit, and says so', async () => {
  const folder = scratch();
  const marker = `proof-${process.pid}`;
  const child = spawn('sleep', ['60'], { env: { PRUN_UNIT: `${marker}/inner` }, detached: true });
  onTestFinished(() => void child.kill('SIGKILL'));
  const dirs = [stateDir(folder, marker), stateDir(folder, `${marker}-other`)];
  const found = await findLeftovers(dirs);
  expect(found).toMatchObject({ units: 2, left: [{ pid: child.pid, command: 'sleep' }] });
  expect(proofLine(found)).toBe(`1 LEFT of 2 units: ${child.pid} (sleep)`);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  const after = await findLeftovers(dirs);
  expect(proofLine(after)).toBe(
    `no process left: looked for 2 units' marks, dispatchers and guardians in ${after.lookedThrough} processes, found 0`,
  );
});

it('does not count a unit whose marks it could not read', async () => {
  expect(await findLeftovers([scratch()])).toMatchObject({ units: 0, left: [] });
});
