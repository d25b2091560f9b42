import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeCodexBin } from '../helpers/codex-bin.ts';
import { startCodexServer } from '../helpers/codex-server.ts';
import { copyFolder, type HostPlace, hostPlaces } from '../helpers/host-room.ts';
import { bashCall, readCall, skillCall } from '../helpers/host-session.ts';
import {
  expectFirstSteps,
  expectListedOnce,
  firstSteps,
  rulesOf,
  STEPS,
  type Way,
} from '../helpers/host-way.ts';
import { structured } from '../helpers/mcp-room.ts';

// The prun folder copied to `.claude/skills/prun`, in a project and at home, with the real claude.

const newPlace = hostPlaces();

function dropIn({ project }: HostPlace): Way {
  const prun = '.claude/skills/prun';
  const absolute = copyFolder(path.join(project, prun));
  return { name: 'prun', base: absolute, prun, absolute };
}

it('is one skill that loads, runs and wakes the session with an exit code, in a folder that nobody has trusted', async () => {
  const place = await newPlace();
  const way = dropIn(place);
  place.allow(rulesOf(way));
  const session = await expectFirstSteps(place, way, { unitCode: 3 });
  expect([session.plugins, session.servers, session.stderr]).toEqual([[], {}, '']);
});

it('is a plugin in a trusted project: the same skill under the same name, and an MCP server that works', async () => {
  const place = await newPlace();
  const text = structured('DONE', 'The clock is late.');
  const codex = await startCodexServer();
  onTestFinished(() => codex.close());
  writeCodexBin(place.bin, { port: codex.port, case: 'plain', params: { text } });
  const way = dropIn(place);
  place.trust();
  // Rules that a team shares count now, too.
  place.allow([...rulesOf(way), 'mcp__plugin_prun_prun'], '.claude/settings.json');
  const tool = 'mcp__plugin_prun_prun__codex_debug';
  const session = await expectFirstSteps(place, way, {
    more: [
      { name: 'ToolSearch', input: { query: `select:${tool}` } },
      { name: tool, input: { prompt: 'Why?' } },
    ],
  });
  expect(session.plugins).toEqual(['prun@skills-dir']);
  expect(session.servers).toEqual({ 'plugin:prun:prun': 'connected' });
  expect(JSON.parse(session.answers[STEPS + 1] ?? '')).toMatchObject({
    status: 'DONE',
    assistantText: 'The clock is late.',
  });
});

it('loads without any rule; then its commands are asked about, its references are not', async () => {
  const place = await newPlace();
  const way = dropIn(place);
  const session = await place.session([
    skillCall('prun'),
    readCall(path.join(way.absolute, 'references/units.md')),
    bashCall(`node ${way.prun}/scripts/prun.cjs list`),
  ]);
  expectListedOnce(session, 'prun');
  expect(session.answers[0]).toBe('Launching skill: prun');
  expect(session.answers[2]).toBe('ERROR This command requires approval');
  expect(session.asked).toEqual(['Bash']);
});

it('rules in settings.json count only in a trusted project', async () => {
  const place = await newPlace();
  const way = dropIn(place);
  place.allow(rulesOf(way), '.claude/settings.json');
  const session = await place.session([bashCall(`node ${way.prun}/scripts/prun.cjs list`)]);
  expect(session.asked).toEqual(['Bash']);
  expect(session.stderr).toContain('this workspace has not been trusted');
});

it('an absolute path with a space needs its quote in the rule; the relative one needs nothing', async () => {
  const place = await newPlace({ project: 'my project' });
  const way = dropIn(place);
  place.allow([`Bash(node "${way.absolute}/scripts/*)`, 'Bash(node .claude/skills/prun/scripts/*)']);
  const session = await place.session([
    bashCall(`node "${way.absolute}/scripts/prun.cjs" --version`),
    bashCall(`node ${way.prun}/scripts/prun.cjs --version`),
    bashCall(`node '${way.absolute}/scripts/prun.cjs' --version`),
  ]);
  expect(session.asked).toEqual(['Bash']);
  expect(session.answers[2]).toContain('approval');
});

it('gives /prun <task> the whole text, with the task at its end', async () => {
  const place = await newPlace();
  const { absolute } = dropIn(place);
  const { text } = await place.session([], '/prun tidy the docs and the tests');
  expect(text).toContain(`Base directory for this skill: ${absolute}\n`);
  expect(text).toContain('\nARGUMENTS: tidy the docs and the tests\n');
});

it('in the folder of the user it needs absolute rules, for the references as well', async () => {
  const place = await newPlace();
  const absolute = copyFolder(path.join(place.config, 'skills/prun'));
  const way: Way = { name: 'prun', base: absolute, prun: absolute, absolute };
  const { asked } = await firstSteps(place, way, { run: 'never' });
  expect(asked).toEqual(['Bash', 'Bash', 'Read', 'Bash', 'Bash']);
  // The user's own settings need no trust, and neither does the user's own plugin.
  place.allow(rulesOf(way), path.relative(place.project, path.join(place.config, 'settings.json')));
  const session = await expectFirstSteps(place, way);
  expect(session.servers).toEqual({ 'plugin:prun:prun': 'connected' });
});
