import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { HostPlace } from './host-room.ts';
import { bashCall, type HostSession, readCall, skillCall, type ToolCall } from './host-session.ts';
import { skill as skillText } from './skill-texts.ts';

/** The description of SKILL.md, as it must stand in the listing. */
export const DESCRIPTION: string = parse(/^---\n([\s\S]*?)\n---\n/.exec(skillText)?.[1] ?? '').description;

/** Where and under which name a way of installing puts the skill. */
export interface Way {
  /** Its name in the listing, `prun` or `prun:prun`. */
  name: string;
  /** What the model is told as its base directory. */
  base: string;
  /** The prun folder as commands name it: relative to the project where that is possible. */
  prun: string;
  /** The same, absolute. */
  absolute: string;
}

/** The permission rules that the README gives for a way (`absolute` is spelt out by the user). */
export function rulesOf(way: Way): string[] {
  const places = [...new Set([way.prun, way.absolute])];
  return [
    `Skill(${way.name})`,
    'Bash(codex login status)',
    ...places.map((place) => `Bash(node ${place}/scripts/*)`),
    // References outside the project are asked about one by one.
    ...(places.length === 1 ? [`Read(/${way.absolute}/**)`] : []),
  ];
}

/** The first command with one of prun's scripts that SKILL.md shows, as the model is to write it. */
export function firstCommand({ prun }: Way): string {
  const shown = /^node <prun>\/scripts\/\S+\.cjs .*$/m.exec(skillText)?.[0];
  if (shown === undefined) throw new Error('SKILL.md shows no command that begins with node <prun>/scripts/');
  return shown.replace('<prun>', prun);
}

/** A run of one unit, which ends with `code`, under a name. */
function writeManifest({ project }: HostPlace, name: string, code: number): string {
  const file = `agent-io/${name}.json`;
  const unit = { id: 'one', prompt: 'Say something.', argv: ['/bin/sh', '-c', `echo done; exit ${code}`] };
  mkdirSync(path.join(project, 'agent-io'), { recursive: true });
  writeFileSync(path.join(project, file), JSON.stringify({ executor: 'command', units: [unit] }));
  return file;
}

/** How the steps are gone. */
export interface StepsWish {
  /** Name of the run (`steps`). */
  run?: string;
  /** What the unit of the run ends with (0). */
  unitCode?: number;
  /** Calls after the steps; their answers come behind those of the steps. */
  more?: readonly ToolCall[];
  prompt?: string;
}

/** How many answers the steps have. */
export const STEPS = 6;

/** What a coordinator does: load, first command, both spellings, a reference, a run, and a wait in the background. */
export function firstSteps(place: HostPlace, way: Way, wish: StepsWish = {}): Promise<HostSession> {
  const { run = 'steps', unitCode = 0, more = [], prompt } = wish;
  const prun = `node ${way.prun}/scripts/prun.cjs`;
  const calls = [
    skillCall(way.name),
    bashCall(firstCommand(way)),
    bashCall(`node ${way.absolute}/scripts/prun.cjs --version`),
    readCall(path.join(way.absolute, 'references/units.md')),
    bashCall(`${prun} run ${writeManifest(place, run, unitCode)} --run ${run}`),
    bashCall(`${prun} wait --run ${run}`, { run_in_background: true, description: `prun ${run} wait` }),
  ];
  return place.session([...calls, ...more], prompt);
}

/** The skill stands in the listing once, whole, under this name, and as a slash command. */
export function expectListedOnce({ listing, skills, slashCommands }: HostSession, name: string): void {
  expect(listing).toEqual([`- ${name}: ${DESCRIPTION}`]);
  expect([skills, slashCommands]).toEqual([[name], [name]]);
}

/** The steps are gone without a question, and each did what it is for. Gives what the session came to. */
export async function expectFirstSteps(
  place: HostPlace,
  way: Way,
  wish: StepsWish = {},
): Promise<HostSession> {
  const { run = 'steps', unitCode = 0 } = wish;
  const session = await firstSteps(place, way, wish);
  expectListedOnce(session, way.name);
  expect(session.asked, session.answers.join('\n')).toEqual([]);
  expect(session.text).toContain(`Base directory for this skill: ${way.base}\n`);
  expect(session.text).toContain(skillText.split('\n---\n')[1]?.trim().slice(0, 400));
  const [loaded, first, version, reference, started] = session.answers;
  expect(loaded).toBe(`Launching skill: ${way.name}`);
  // Whether the files of the example are there is another matter: prun has answered, and not the host or Node.
  expect(first).toMatch(/^(?:ERROR Exit code \d+\n)?(?:prun \w+: |[A-Z]+ )/);
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(reference).toContain('# Units');
  expect(started).toContain(`RUN ${run}\n`);
  const ended = unitCode === 0 ? 'completed (exit code 0)' : 'failed with exit code 30';
  expect(session.notifications).toEqual([`Background command "prun ${run} wait" ${ended}`]);
  return session;
}
