import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesOf, readProcess, type Seen } from '../helpers/process-table.ts';
import { isRoot, ORDINARY_UID, USERS } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { guardiansOf, outcomeIn, stopAsTheHostDoes } from './faults.ts';
import { seededRandom, tortureSeed } from './random.ts';
import { TREES, type Tree } from './trees.ts';
import {
  expectOneOutcome,
  expectResult,
  makePlace,
  type Place,
  plainWorker,
  standingTree,
  startDispatch,
} from './unit-case.ts';

const seed = tortureSeed();
const random = seededRandom(seed);
const randomTree = (): Tree => random.pick(TREES);

/** The sh that stands by. */
function standingGuardian(place: Place): Seen | undefined {
  return guardiansOf(place).find(({ argv, ppid }) => argv.includes('prun-guardian') && ppid === 1);
}

/** A unit whose tree stands and whose guardian is written down. */
async function startUnit(tree: Tree, flags: string[] = [], uid?: number) {
  const place = makePlace(uid);
  const run = startDispatch(place, plainWorker(place, tree, false, true), {
    flags,
    ...(uid === undefined ? {} : { uid }),
  });
  await waitFor(`the tree ${tree.name}; ${run.stderr()}`, () => standingTree(place, tree));
  const stateDir = await run.stateDir();
  await waitFor('the guardian to be written down', () => existsSync(path.join(stateDir, 'guardian')));
  return { place, run, stateDir, pid: run.child.pid ?? -1 };
}

describe(`the guardian (PRUN_TORTURE_SEED=${seed})`, () => {
  it.each(USERS)(
    'has no parent to be found by, in a session of its own, and ignores what a host sends ($user)',
    async ({ uid }) => {
      const { place, run } = await startUnit(randomTree(), [], uid);
      const guardian = await waitFor('the guardian', () => standingGuardian(place));
      const status = readFileSync(`/proc/${guardian.pid}/status`, 'utf8');
      const ignored = BigInt(`0x${/^SigIgn:\s+(\w+)/m.exec(status)?.[1] ?? '0'}`);
      // Bits of HUP, INT and TERM.
      for (const number of [1n, 2n, 15n]) expect((ignored >> (number - 1n)) & 1n).toBe(1n);
      const session = readFileSync(`/proc/${guardian.pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[3];
      expect(session).not.toBe(
        readFileSync(`/proc/${run.child.pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[3],
      );
      run.child.kill('SIGTERM');
      await run.exitCode;
      await waitFor('the guardian to go home', () => guardiansOf(place).length === 0);
    },
  );

  it('that was killed is replaced, and its successor does the same work', async () => {
    const { place, run, stateDir } = await startUnit(randomTree(), ['--stall-threshold', '60']);
    const first = await waitFor('the first guardian', () => standingGuardian(place));
    const written = readFileSync(path.join(stateDir, 'guardian'), 'utf8');
    process.kill(first.pid, 'SIGKILL');
    // A second at most, although looks are six seconds apart: whoever kills both is seldom that slow.
    await waitFor(
      'another guardian to be written down',
      () => {
        const now = readFileSync(path.join(stateDir, 'guardian'), 'utf8');
        return now !== '' && now !== written && standingGuardian(place)?.pid === Number(now.split(':')[1]);
      },
      1000,
    );
    run.child.kill('SIGKILL');
    const { outcome, alive } = await outcomeIn(stateDir, place.word);
    expect(alive).toEqual([]);
    expect(`${outcome.status} ${outcome.reason} ${outcome.supervisor}`).toBe(
      'interrupted dispatch-dead guardian',
    );
    await waitFor('the guardian to go home', () => guardiansOf(place).length === 0);
  });

  it('that replaced another goes home when the unit ends, without starting anything', async () => {
    const { place, run, stateDir } = await startUnit(randomTree(), ['--stall-threshold', '2']);
    const first = await waitFor('the first guardian', () => standingGuardian(place));
    process.kill(first.pid, 'SIGKILL');
    await waitFor('another guardian', () => {
      const now = standingGuardian(place);
      return now !== undefined && now.pid !== first.pid;
    });
    const { outcome, alive } = await outcomeIn(stateDir, place.word);
    expect(alive).toEqual([]);
    expect(`${outcome.status} ${outcome.reason} ${outcome.supervisor}`).toBe(
      'failed idle-stall dispatch-task',
    );
    expect(await run.exitCode).toBe(124);
    await waitFor('the guardian to go home', () => guardiansOf(place).length === 0);
    expectOneOutcome(stateDir);
  });

  it.each(USERS)(
    'finishes what a frozen dispatcher could not when the host stops everything ($user)',
    async ({ uid }) => {
      const { place, run, stateDir, pid } = await startUnit(randomTree(), [], uid);
      process.kill(pid, 'SIGSTOP');
      await waitFor('the dispatcher to be frozen', () => readProcess(pid)?.state === 'T');
      await stopAsTheHostDoes(pid);
      const { outcome, alive } = await outcomeIn(stateDir, place.word);
      expect(alive).toEqual([]);
      expect(outcome.survivors).toEqual([]);
      expect(`${outcome.status} ${outcome.reason} ${outcome.supervisor}`).toBe(
        'interrupted dispatch-dead guardian',
      );
      expectResult(outcome, run.resultFile, ['tail']);
      expectOneOutcome(stateDir);
    },
  );

  it('leaves a dispatcher alone that the host stops while it lives', { retry: 2 }, async () => {
    const { place, run, stateDir, pid } = await startUnit(randomTree());
    const { outcomeMs, outcome, alive } = await (async () => {
      const at = performance.now();
      const stopped = stopAsTheHostDoes(pid);
      const seen = await outcomeIn(stateDir, place.word);
      const ms = performance.now() - at;
      await stopped;
      return { ...seen, outcomeMs: ms };
    })();
    expect(alive).toEqual([]);
    expect(`${outcome.status} ${outcome.reason} ${outcome.supervisor}`).toBe(
      'interrupted signal dispatch-task',
    );
    expect(await run.exitCode).toBe(143);
    expect(outcomeMs).toBeLessThan(1200);
  });

  it('that is killed five times over in its work leaves nothing worse than a state dir to reap by hand', async () => {
    // Not a promise of more: what is killed as often as it is started cannot work. reap-watch can be called again.
    const { place, run, stateDir } = await startUnit(randomTree());
    run.child.kill('SIGKILL');
    const guardian = await waitFor('reap-watch', () =>
      guardiansOf(place).find(({ argv, command }) => command !== 'sh' && argv.includes('reap-watch')),
    );
    process.kill(guardian.pid, 'SIGKILL');
    const { outcome, alive } = await outcomeIn(stateDir, place.word);
    expect(alive).toEqual([]);
    expect(outcome.supervisor).toBe('guardian');
    expect(processesOf({ word: place.word })).toEqual([]);
  });

  it.runIf(isRoot)('of an ordinary user takes over as well', async () => {
    const { place, run, stateDir } = await startUnit(randomTree(), [], ORDINARY_UID);
    run.child.kill('SIGKILL');
    const { outcome, alive } = await outcomeIn(stateDir, place.word);
    expect(alive).toEqual([]);
    expect(`${outcome.status} ${outcome.reason}`).toBe('interrupted dispatch-dead');
  });
});
