import path from 'node:path';
import { waitFor } from '../helpers/wait-for.ts';
import { type Instants, watchOutcomes } from './run-instants.ts';
import { type AtEnd, type Call, callPrun, makeRunPlace, type RunPlace, textOf } from './run-place.ts';
import { proveRun, type RunStory } from './run-proof.ts';
import { type TorturedUnit, writeManifest } from './run-units.ts';
import { namesIn, supervisorsOf } from './run-victims.ts';

/** A run that is watched from before its start. */
export interface TorturedRun {
  place: RunPlace;
  units: readonly TorturedUnit[];
  manifest: string;
  instants: Instants;
  story: RunStory;
}

/** The whole run must be over by then, ms: on a quiet machine it takes four seconds. */
const LIMIT_MS = 110_000;

/** Makes the place of a run and looks for its outcomes from now on; starts nothing. */
export function openTortured(atEnd: AtEnd, units: readonly TorturedUnit[]): TorturedRun {
  const place = makeRunPlace(
    atEnd,
    units.map(({ id }) => id),
  );
  const instants = watchOutcomes(place);
  atEnd(() => instants.stop());
  const story: RunStory = { struck: new Set(), told: [], exits: [], supervisors: 0 };
  return { place, units, manifest: writeManifest(place, units), instants, story };
}

/**
 * Makes a run that nobody supervises: the command that made it was killed at that moment. Its request to start lies
 * there.
 */
export async function makeUnsupervised({ place, manifest }: TorturedRun): Promise<void> {
  await callPrun(place, ['run', manifest], { PRUN_FAULT: 'run:made' }).ended;
  if (!namesIn(place.runFolder).includes('run.json')) throw new Error('the run was not made');
}

/** Waits for a run as a coordinator does until all is done and everybody has gone home, and proves what it came to. */
export async function seeThrough(
  run: TorturedRun,
  waitEnvironment: Record<string, string> = {},
  meanwhile: (currentWait: () => Call | undefined) => Promise<void> = async () => {},
): Promise<void> {
  const { place, units, story, instants } = run;
  const waits = keepWaiting(place, story, waitEnvironment);
  const limit = limitOf(place, story);
  try {
    await meanwhile(waits.current);
    await Promise.race([waits.over, limit.passed]);
  } finally {
    waits.stop();
    limit.stop();
  }
  await waitFor(
    'every supervisor and guardian to go home',
    () => supervisorsOf(place).length === 0,
    LIMIT_MS,
  );
  instants.stop();
  story.supervisors = claimsOf(place).length;
  await proveRun(place, units, story, instants);
}

/** Numbers of all elections that somebody won. */
export function claimsOf({ runFolder }: RunPlace): string[] {
  return namesIn(path.join(runFolder, 'supervisors')).filter((name) => /^\d+$/.test(name));
}

/** Fails when the run takes too long, with what is known of it. */
function limitOf(place: RunPlace, story: RunStory): { passed: Promise<never>; stop(): void } {
  let stop = (): void => {};
  const passed = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => {
      const said = story.told.slice(-4).join('\n');
      const log = textOf(path.join(place.runFolder, 'events.jsonl'));
      reject(new Error(`the run was not over after ${LIMIT_MS} ms:\n${said}\n${log}`));
    }, LIMIT_MS);
    stop = () => clearTimeout(timer);
  });
  return { passed, stop };
}

/** `prun wait` again and again, as a coordinator calls it, until one of them says that all is done. */
function keepWaiting(place: RunPlace, story: RunStory, environment: Record<string, string>) {
  let current: Call | undefined;
  let isStopped = false;
  const loop = async (): Promise<void> => {
    while (!isStopped) {
      const call = callPrun(place, ['wait', '--run', place.run], environment);
      current = call;
      const code = await call.ended;
      story.told.push(`${call.stdout()}${call.stderr()}`);
      // Killed: whatever it said counts as told only if a wait says the rest.
      if (code === null) continue;
      story.exits.push(code);
      if (/^WAIT-EVENT all-done /m.test(call.stdout())) return;
      if (![0, 30, 31, 34].includes(code))
        throw new Error(`prun wait ended with ${code}: ${story.told.at(-1)}`);
    }
  };
  return {
    over: loop(),
    current: () => current,
    stop() {
      isStopped = true;
      current?.kill();
    },
  };
}
