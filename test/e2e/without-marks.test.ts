import { existsSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { processesOf } from '../helpers/process-table.ts';
import { dispatchTask, program, ROOT, scratch } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// The code for macOS, told that it is there and run on Linux: `ps` knows the same columns, and nothing shows marks.
const scripts = path.join(ROOT, '.tmp/without-marks');

beforeAll(async () => {
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['scripts-src/dispatch-task.ts', 'scripts-src/reap-watch.ts'],
    outdir: scripts,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    define: { 'process.platform': '"darwin"' },
    logLevel: 'error',
  });
});

function dispatch(worker: string, flags: string[] = []) {
  const folder = scratch();
  const word = path.join(folder, 'part');
  program(folder, 'part', '#!/bin/sh\nsleep 120\n');
  const codexBin = program(folder, 'codex', worker.replaceAll('PART', `'${word}'`));
  return dispatchTask({ folder, codexBin, word, flags, script: path.join(scripts, 'dispatch-task.cjs') });
}

describe.skipIf(process.platform !== 'linux' || !existsSync('/bin/ps'))('without marks', () => {
  it('orphans in the group of a worker that ended are gone when its outcome appears', async () => {
    const run = dispatch('PART & (PART &)\necho done >"$RESULT"; exit 0');
    const { outcome, alive } = await run.outcome();
    expect(alive).toEqual([]);
    expect(outcome).toMatchObject({ status: 'succeeded', reason: 'ok', survivors: [] });
    expect(outcome.reaped.length).toBeGreaterThanOrEqual(2);
    expect(await run.exitCode).toBe(0);
  });

  it('a hung worker goes with a child in a session of its own, and both are named', async () => {
    const run = dispatch("trap '' TERM INT\nsetsid PART &\nwhile :; do sleep 0.5; done", [
      '--stall-threshold',
      '2',
    ]);
    const { outcome, alive } = await run.outcome();
    expect(alive).toEqual([]);
    expect(outcome).toMatchObject({ status: 'failed', reason: 'idle-stall', survivors: [] });
    expect(outcome.reaped.length).toBeGreaterThanOrEqual(3);
    expect(await run.exitCode).toBe(124);
  });

  it('a guardian finds a daemon whose parents are dead by what its dispatcher noted', async () => {
    const run = dispatch("trap '' TERM INT\n( setsid PART & sleep 3 ) &\nwhile :; do sleep 0.5; done", [
      '--stall-threshold',
      '0',
      '--timeout',
      '60',
    ]);
    const stateDir = await run.stateDir();
    await waitFor('the ledger', () => existsSync(path.join(stateDir, 'members')));
    await waitFor('the daemon to be an orphan', () =>
      processesOf({ word: path.join(path.dirname(run.resultFile), 'part') }).some(({ ppid }) => ppid === 1),
    );
    run.child.kill('SIGKILL');
    const { outcome, alive } = await run.outcome();
    expect(alive).toEqual([]);
    expect(outcome).toMatchObject({ status: 'interrupted', reason: 'dispatch-dead', survivors: [] });
  });
});
