import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readProcess } from '../helpers/process-table.ts';
import { isRoot, ORDINARY_UID } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { outcomeIn } from './faults.ts';
import { TREES } from './trees.ts';
import { makePlace, type Place, plainWorker, standingTree, startDispatch } from './unit-case.ts';

/** A process of root that carries an ordinary user's mark, as a set-uid program of the worker would. */
async function startRootOwned(place: Place, rssMark: string): Promise<number> {
  const script = `ulimit -S -m ${BigInt(rssMark) / 1024n}; exec cat '${place.fifo}'`;
  const child = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore', env: {} });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const pid = child.pid ?? -1;
  await waitFor('the process of root', () => readProcess(pid)?.command === 'cat');
  return pid;
}

// A stop has 1.2 s, also beside two other test workers on two cores: tried again where those were in the way.
describe('a process that may not be signalled', { retry: 2 }, () => {
  it.runIf(isRoot).each([
    ['TERM', 'interrupted signal'],
    ['KILL', 'interrupted dispatch-dead'],
  ] as const)('is named in the outcome after %s, and holds up nothing', async (signal, verdict) => {
    const [tree] = TREES;
    if (!tree) throw new Error('no tree');
    const place = makePlace(ORDINARY_UID);
    const run = startDispatch(place, plainWorker(place, tree, false, true), { uid: ORDINARY_UID });
    await waitFor(`the tree; ${run.stderr()}`, () => standingTree(place, tree));
    const { rssMark } = await run.unitRecord();
    const pid = await startRootOwned(place, rssMark ?? '');
    const at = performance.now();
    run.child.kill(`SIG${signal}`);
    const { outcome, alive } = await outcomeIn(await run.stateDir(), place.word);
    if (signal === 'TERM') expect(performance.now() - at).toBeLessThan(1200);
    expect(`${outcome.status} ${outcome.reason}`).toBe(verdict);
    expect(outcome.survivors).toEqual([{ pid, command: 'cat' }]);
    expect(outcome.reaped.map((process) => process.pid)).not.toContain(pid);
    expect(alive.map((seen) => seen.pid)).toEqual([pid]);
    await run.exitCode;
    if (signal === 'TERM') expect(run.stderr()).toContain(`process ${pid} (cat) could not be killed`);
  });
});
