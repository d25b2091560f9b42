import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { readProcess } from '../helpers/process-table.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { guardiansOf, outcomeIn, stateDirsOf, stopAsTheHostDoes } from './faults.ts';
import type { Tree } from './trees.ts';
import {
  expectOneOutcome,
  expectResult,
  makePlace,
  plainWorker,
  record,
  standingTree,
  startBystander,
  startDispatch,
} from './unit-case.ts';

/** What the worker does while somebody strikes. */
export const SCENARIOS = [
  'hangs',
  'hangs with a result',
  'stalls',
  'ends well',
  'ends without a result',
] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** One blow at one fault point. */
export interface FaultCase {
  point: string;
  /** `kill`: SIGKILL at the point. `stop`: SIGSTOP there, then the host's whole stop. */
  blow: 'kill' | 'stop';
  scenario: Scenario;
  tree: Tree;
  uid?: number;
}

/** Points before the worker starts, and those after the dispatcher has made up its mind why the unit ends. */
const BEFORE_START = ['dispatch:published', 'dispatch:previous'];
const WHILE_RUNNING = ['dispatch:launched', 'dispatch:announced', 'dispatch:recorded'];
/** Here a dispatcher has not yet written down that it reaps. */
const UNDECIDED = 'dispatch:ended';

const DEAD = 'interrupted dispatch-dead';
const NORMAL: Record<Scenario, string> = {
  hangs: DEAD,
  'hangs with a result': DEAD,
  stalls: 'failed idle-stall',
  'ends well': 'succeeded ok',
  'ends without a result': 'failed no-result',
};

function expectedVerdicts({ point, scenario, blow }: FaultCase): string[] {
  if (point.startsWith('guardian:') || BEFORE_START.includes(point)) return [DEAD];
  const normal = NORMAL[scenario];
  const ends = scenario.startsWith('ends');
  // The worker may be quicker than the guardian, or, once the host has signalled it as well, slower.
  if (WHILE_RUNNING.includes(point)) return ends ? [DEAD, normal] : [DEAD];
  if (point === UNDECIDED && !ends) return [DEAD];
  return blow === 'stop' && !ends ? [normal, DEAD] : [normal];
}

const OLDER = '# unit result\nConclusion: an older unit wrote this\n';

/** The scenarios in which a point is reached: a worker that hangs never comes to a dispatcher's end. */
export function scenariosAt(point: string): readonly Scenario[] {
  if (point.startsWith('guardian:')) return ['hangs', 'hangs with a result'];
  const isEarly = BEFORE_START.includes(point) || WHILE_RUNNING.includes(point);
  return isEarly ? SCENARIOS : ['stalls', 'ends well', 'ends without a result'];
}

/** Strikes at a point and checks that the unit still ends in one outcome with nobody left. */
export async function runFaultCase(fault: FaultCase): Promise<void> {
  const { point, blow, scenario, tree } = fault;
  const place = makePlace(fault.uid);
  const bystander = startBystander(place, 'before');
  const hasText = scenario === 'hangs with a result' || scenario === 'ends well';
  const worker = plainWorker(place, tree, hasText, !scenario.startsWith('ends'));
  writeFileSync(path.join(place.folder, 'result.md'), OLDER);
  const run = startDispatch(place, worker, {
    environment: { PRUN_FAULT: blow === 'stop' ? `${point}:stop` : point },
    flags: scenario === 'stalls' ? ['--stall-threshold', '1'] : [],
    ...(fault.uid === undefined ? {} : { uid: fault.uid }),
  });
  if (point.startsWith('guardian:')) {
    await waitFor(`the tree ${tree.name}; ${run.stderr()}`, () => standingTree(place, tree));
    run.child.kill('SIGKILL');
  } else if (blow === 'stop') {
    const { pid = -1 } = run.child;
    await waitFor(
      `the dispatcher to stop at ${point}; ${run.stderr()}`,
      () => readProcess(pid)?.state === 'T',
    );
    await stopAsTheHostDoes(pid);
  }
  expect(await run.exitCode, run.stderr()).toBe(137);
  const [stateDir = ''] = await waitFor('a state dir', () => {
    const { dirs } = stateDirsOf(place);
    return dirs.length > 0 && dirs;
  });
  const { outcome, alive } = await outcomeIn(stateDir, place.word);
  const said = JSON.stringify(outcome);
  record({ ...fault, tree: tree.name, survivors: alive.length, strangers: bystander.unharmed() ? 0 : 1 });

  expect(alive, said).toEqual([]);
  expect(bystander.unharmed()).toBe(true);
  expect(outcome.survivors).toEqual([]);
  expect(
    existsSync(path.join(stateDir, `.fault-${point.replace(/\W/g, '-')}`)),
    'the point was reached',
  ).toBe(true);
  expect(expectedVerdicts(fault), said).toContain(`${outcome.status} ${outcome.reason}`);
  const wroteIt = hasText && !BEFORE_START.includes(point);
  const early = WHILE_RUNNING.includes(point);
  expectResult(outcome, run.resultFile, wroteIt ? (early ? ['worker', 'tail'] : ['worker']) : ['tail']);
  expect(existsSync(path.join(stateDir, 'previous-result')), 'the older result was set aside').toBe(true);
  expectOneOutcome(stateDir);
  await waitFor('the watchers to be woken', () => wokenAt(stateDir) >= 0);
  await waitFor('the guardian to go home', () => guardiansOf(place).length === 0);
  expectOneOutcome(stateDir);
  expect(stateDirsOf(place)).toEqual({ dirs: [stateDir], drafts: [] });
}

/** How long after the outcome was published the quiet file was touched, ms; negative before that. */
function wokenAt(stateDir: string): number {
  const outcome = statSync(path.join(stateDir, 'outcome.json')).ctimeMs;
  // utimes takes whole milliseconds.
  return Math.ceil(statSync(path.join(stateDir, 'wake')).mtimeMs + 1) - Math.floor(outcome);
}
