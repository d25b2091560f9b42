import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesOf } from '../helpers/process-table.ts';
import { isRoot, ORDINARY_UID } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { guardiansOf, outcomeIn, stateDirsOf, stopAsTheHostDoes } from './faults.ts';
import { type Random, seededRandom } from './random.ts';
import { TREES, type Tree } from './trees.ts';
import {
  expectOneOutcome,
  expectResult,
  makePlace,
  type Place,
  plainWorker,
  record,
  standingTree,
  startBystander,
  startDispatch,
} from './unit-case.ts';

/** When the dispatcher is killed: after its spawn, after the tree stands, or after its worker's end or a TERM. */
const PHASES = ['starting', 'starting', 'starting', 'running', 'ending', 'stopping'] as const;

/** `host`: TERM to everything that is found by parent, 1.4 s, then KILL, as the host stops a task. */
export type Blow = 'KILL' | 'TERM' | 'host';

interface RandomKill {
  blow: Blow;
  phase: (typeof PHASES)[number];
  /** Milliseconds after the phase begins. */
  delayMs: number;
  tree: Tree;
  hasText: boolean;
  hangs: boolean;
  uid?: number;
}

function drawKill(random: Random, blow: Blow): RandomKill {
  const phase = random.pick(PHASES);
  const asOther = isRoot && random.below(3) === 0;
  return {
    blow,
    phase,
    delayMs: random.next() * { starting: 600, running: 300, ending: 250, stopping: 700 }[phase],
    tree: random.pick(TREES),
    hasText: random.below(2) === 0,
    hangs: phase === 'running' || phase === 'stopping' || (phase === 'starting' && random.below(2) === 0),
    ...(asOther ? { uid: ORDINARY_UID } : {}),
  };
}

/** What may be said of a unit whose dispatcher was killed at some instant: the truth depends on the instant. */
const VERDICTS = ['interrupted dispatch-dead', 'interrupted signal', 'succeeded ok', 'failed no-result'];

async function runRandomKill(kill: RandomKill): Promise<void> {
  const place = makePlace(kill.uid);
  const bystander = startBystander(place, 'before');
  const worker = plainWorker(place, kill.tree, kill.hasText, kill.hangs);
  const run = startDispatch(place, worker, kill.uid === undefined ? {} : { uid: kill.uid });
  if (kill.phase === 'running' || kill.phase === 'stopping') {
    await waitFor(`the tree ${kill.tree.name}; ${run.stderr()}`, () => standingTree(place, kill.tree));
  }
  if (kill.phase === 'stopping') run.child.kill('SIGTERM');
  if (kill.phase === 'ending') await waitFor("the worker's end", () => existsSync(place.ready));
  await new Promise((resolve) => setTimeout(resolve, kill.delayMs));
  const struckAt = performance.now();
  if (kill.blow === 'host') await stopAsTheHostDoes(run.child.pid ?? -1);
  else run.child.kill(`SIG${kill.blow}`);
  const exit = await run.exitCode;
  const exitMs = Math.round(performance.now() - struckAt);
  const announced = /^STATE-DIR (.+)\n/.exec(run.stdout())?.[1];

  // 143 also before Node listens to signals. A host that has waited for 1.4 s on a loaded machine kills (137).
  const codes = { KILL: [0, 137, 143], TERM: [0, 143], host: [0, 143, 137] }[kill.blow];
  expect(codes, run.stderr()).toContain(exit);
  // A state dir may yet get its name: the dispatcher is dead, but the kernel has finished what it had begun.
  const { dirs } = stateDirsOf(place);
  expect(dirs.length).toBeLessThanOrEqual(1);
  if (announced) expect(dirs).toEqual([announced]);
  const [stateDir] = dirs;
  let verdict = 'never published';
  let survivors = 0;
  if (stateDir) {
    const { outcome, alive } = await outcomeIn(stateDir, place.word);
    verdict = `${outcome.status} ${outcome.reason}`;
    survivors = alive.length;
    const said = JSON.stringify(outcome);
    expect(alive, said).toEqual([]);
    expect(outcome.survivors).toEqual([]);
    expect(VERDICTS, said).toContain(verdict);
    if (outcome.status === 'succeeded') expect(kill.hasText).toBe(true);
    expectResult(outcome, run.resultFile, kill.hasText ? ['worker', 'tail'] : ['tail']);
    const first = readFileSync(path.join(stateDir, 'outcome.json'), 'utf8');
    await waitFor('the guardian to go home', () => guardiansOf(place).length === 0);
    expect(readFileSync(path.join(stateDir, 'outcome.json'), 'utf8')).toBe(first);
    expectOneOutcome(stateDir);
  }
  await waitFor('the guardian to go home', () => guardiansOf(place).length === 0);
  const drafts = await draftsLeft(place);
  const left = processesOf({ word: place.word });
  record({
    ...kill,
    tree: kill.tree.name,
    kill: true,
    exit,
    exitMs,
    verdict,
    announced: announced !== undefined,
    survivors: survivors + left.length,
    strangers: bystander.unharmed() ? 0 : 1,
    drafts: drafts.length,
  });
  expect(left, verdict).toEqual([]);
  expect(drafts, verdict).toEqual([]);
  expect(bystander.unharmed()).toBe(true);
}

/** A starter that has just been born still brings the guardian that clears up: drafts are given five seconds. */
async function draftsLeft(place: Place): Promise<string[]> {
  const look = () => stateDirsOf(place).drafts;
  await waitFor('drafts to go', () => look().length === 0, 5000).catch(() => undefined);
  return look();
}

/** Defines tests that kill a dispatcher at instants that a seed decides. */
export function describeRandomKills(title: string, seed: number, count: number, blow: Blow = 'KILL'): void {
  const random = seededRandom(seed);
  const kills = Array.from({ length: count }, () => drawKill(random, blow));
  describe(title, () => {
    it.each(kills.map((kill, at) => ({ ...kill, at, ms: Math.round(kill.delayMs), name: kill.tree.name })))(
      '$at: $blow $ms ms into $phase with $name: one outcome or nothing at all, and nobody left',
      async (kill) => {
        await runRandomKill(kill);
      },
    );
  });
}
