import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesOf } from '../helpers/process-table.ts';
import { program, USERS } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { outcomeIn } from './faults.ts';
import { makePlace, type Place, record, standingTree, startDispatch } from './unit-case.ts';

/** The host sends SIGKILL 1.4 s after SIGTERM (FACTS-claude-code.md). */
const LIMIT_MS = 1200;
const TREE = { name: 'term-ignorer', processes: 2 };

/** Ignores whatever can be ignored, as its whole tree does: it must be waited for in vain. */
function stubbornWorker(place: Place): string {
  return program(
    place.folder,
    'worker',
    `trap '' TERM INT HUP
echo stubborn
( sh -c 'cat "$1" & cat "$1"' ignorer '${place.fifo}' & )
setsid cat '${place.fifo}' &
: >'${place.ready}'
cat '${place.fifo}'`,
  );
}

async function startStubborn(flags: string[] = [], uid?: number) {
  const place = makePlace(uid);
  const run = startDispatch(place, stubbornWorker(place), { flags, ...(uid === undefined ? {} : { uid }) });
  await waitFor(`the tree; ${run.stderr()}`, () => standingTree(place, TREE));
  const stateDir = await run.stateDir();
  return {
    place,
    stateDir,
    /** From the signal to the dispatcher's end. */
    async stop(signal: NodeJS.Signals) {
      const at = performance.now();
      run.child.kill(signal);
      const seen = await outcomeIn(stateDir, place.word);
      const code = await run.exitCode;
      return { ...seen, code, ms: Math.round(performance.now() - at) };
    },
  };
}

// Figures of a machine that runs other tests too: a promise about time may be tried three times.
describe('a dispatcher that is asked to end', { retry: 2 }, () => {
  it.each(USERS)(
    'is gone within 1.2 s although its whole tree ignores the request ($user)',
    async ({ user, uid }) => {
      const figures: number[] = [];
      for (const [signal, expected] of [
        ['SIGTERM', 143],
        ['SIGINT', 130],
        ['SIGHUP', 129],
      ] as const) {
        const unit = await startStubborn([], uid);
        const { outcome, alive, code, ms } = await unit.stop(signal);
        figures.push(ms);
        expect(alive).toEqual([]);
        expect(outcome.survivors).toEqual([]);
        expect(`${outcome.status} ${outcome.reason}`).toBe('interrupted signal');
        expect(code).toBe(expected);
      }
      console.log(`stop of one dispatcher, ${user}: ${figures.join(', ')} ms of ${LIMIT_MS}`);
      record({ stopMs: figures, user });
      expect(Math.max(...figures)).toBeLessThan(LIMIT_MS);
    },
  );

  it('is gone within 1.2 s when six are asked at once', async () => {
    const units = await Promise.all(Array.from({ length: 6 }, () => startStubborn()));
    const ends = await Promise.all(units.map((unit) => unit.stop('SIGTERM')));
    const figures = ends.map(({ ms }) => ms);
    console.log(`stop of six dispatchers at once: ${figures.join(', ')} ms of ${LIMIT_MS}`);
    record({ stopMs: figures, user: 'six at once' });
    for (const { outcome, alive, code } of ends) {
      expect(alive).toEqual([]);
      expect(`${outcome.status} ${outcome.reason}`).toBe('interrupted signal');
      expect(code).toBe(143);
    }
    expect(Math.max(...figures)).toBeLessThan(LIMIT_MS);
  });

  it('is gone within 1.2 s also while it waits for a stalled worker to answer', async () => {
    const unit = await startStubborn(['--stall-threshold', '1']);
    await waitFor('the reap to begin', () => existsSync(path.join(unit.stateDir, 'reap-reason')));
    const { outcome, alive, code, ms } = await unit.stop('SIGTERM');
    console.log(`stop of a dispatcher that reaps: ${ms} ms of ${LIMIT_MS}`);
    expect(alive).toEqual([]);
    // The first reason wins.
    expect(`${outcome.status} ${outcome.reason}`).toBe('failed idle-stall');
    expect(code).toBe(124);
    expect(ms).toBeLessThan(LIMIT_MS);
  });

  it('does not wait for an answer after a second signal', async () => {
    const unit = await startStubborn();
    const first = unit.stop('SIGTERM');
    const second = unit.stop('SIGINT');
    const { outcome, alive, code } = await first;
    await second;
    expect(alive).toEqual([]);
    expect(`${outcome.status} ${outcome.reason}`).toBe('interrupted signal');
    // Two signals that are sent at once arrive in any order.
    expect([130, 143]).toContain(code);
    expect(processesOf({ word: unit.place.word })).toEqual([]);
  });
});
