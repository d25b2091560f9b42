import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { processesOf } from '../helpers/process-table.ts';
import { dispatchTask, program, scratch } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

const WORKER = "trap '' TERM INT\nsetsid sleep 600 &\nwhile :; do sleep 0.2; done";

async function startAndRemove() {
  const folder = scratch();
  const run = dispatchTask({ folder, codexBin: program(folder, 'codex', WORKER) });
  const stateDir = await run.stateDir();
  const { marker } = await run.unitRecord();
  await waitFor('the worker and its daemon', () => processesOf({ marker }).length >= 3);
  rmSync(stateDir, { recursive: true });
  return { run, marker };
}

it('a dispatcher whose state dir was removed still ends its worker and says that there is no outcome', async () => {
  const { run, marker } = await startAndRemove();
  run.child.kill('SIGTERM');
  expect(await run.exitCode).toBe(74);
  expect(processesOf({ marker })).toEqual([]);
  expect(run.stderr()).toMatch(
    /^dispatch-task: the outcome \(interrupted, signal\) could not be written to .*\n$/m,
  );
  expect(run.stderr()).not.toMatch(/^ {4}at /m);
});

it('a guardian whose state dir was removed still ends the worker', async () => {
  const { run, marker } = await startAndRemove();
  run.child.kill('SIGKILL');
  await waitFor('the last process of the unit to be gone', () => processesOf({ marker }).length === 0);
});
