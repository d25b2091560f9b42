import { existsSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { copyRepository, hostPlaces } from '../helpers/host-room.ts';
import { skillCall } from '../helpers/host-session.ts';
import { expectFirstSteps, expectListedOnce, firstSteps, rulesOf, type Way } from '../helpers/host-way.ts';
import { repositoryFiles } from '../helpers/repository-files.ts';
import { ROOT } from '../helpers/unit-run.ts';

// The repository as a marketplace, and prun as a plugin from it, with the real claude.

const newPlace = hostPlaces();
const version: string = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version;

it('installed from a git marketplace it is listed once, as prun:prun, and its MCP server is connected', async () => {
  const place = await newPlace();
  const repository = await copyRepository(path.join(place.home, 'repository'));
  place.publish(repository);
  const installed = await place.claude(['plugin', 'install', 'prun', '--marketplace', 'you/prun']);
  expect(installed.stdout + installed.stderr).toContain('Successfully installed plugin: prun@prun');
  renameSync(repository, `${repository}-gone`);

  const cache = path.join(place.config, 'plugins/cache/prun/prun');
  const absolute = path.join(cache, version);
  const way: Way = { name: 'prun:prun', base: absolute, prun: absolute, absolute };
  // The rules outlive an upgrade: the version is a star in them.
  place.allow(rulesOf({ ...way, prun: path.join(cache, '*'), absolute: path.join(cache, '*') }));
  const session = await expectFirstSteps(place, way);
  expect(session.plugins).toEqual(['prun@prun']);
  expect(session.servers).toEqual({ 'plugin:prun:prun': 'connected' });
  expect(existsSync(path.join(absolute, 'scripts/prun-mcp.cjs'))).toBe(true);
});

it('installed from a folder it runs from there; without rules its commands and references are asked about', async () => {
  const place = await newPlace();
  const repository = await copyRepository(path.join(place.home, 'repository'));
  const added = await place.claude(['plugin', 'marketplace', 'add', repository]);
  const installed = await place.claude(['plugin', 'install', 'prun@prun']);
  expect([added.code, installed.code], added.stderr + installed.stderr).toEqual([0, 0]);
  const absolute = path.join(repository, 'skills/prun');
  const way: Way = { name: 'prun:prun', base: absolute, prun: absolute, absolute };
  const session = await firstSteps(place, way, { more: [skillCall('prun')], prompt: '/prun tidy the docs' });
  // The short name is good for a slash command and for the tool, though the listing has the long one.
  expectListedOnce(session, 'prun:prun');
  expect(session.text).toContain(`Base directory for this skill: ${absolute}\n`);
  expect(session.text).toContain('\nARGUMENTS: tidy the docs\n');
  expect(session.answers.at(-1)).toMatch(/^Launching skill: prun/);
  expect(session.asked).toEqual(['Bash', 'Bash', 'Read', 'Bash', 'Bash']);
  expect(session.servers).toEqual({ 'plugin:prun:prun': 'connected' });

  const { text } = await place.session([], '/prun:prun tidy the tests');
  expect(text).toContain('\nARGUMENTS: tidy the tests\n');
});

it('the manifests satisfy the strict checks of the host', async () => {
  const place = await newPlace();
  const repository = await copyRepository(path.join(place.home, 'repository'));
  const found = await Promise.all(
    ['', '.claude-plugin/marketplace.json', 'skills/prun'].map((name) =>
      place.claude(['plugin', 'validate', '--strict', '--json', path.join(repository, name)]),
    ),
  );
  expect(
    found.map(({ code }) => code),
    JSON.stringify(found),
  ).toEqual([0, 0, 0]);
  const inventory = await place.claude(['plugin', 'validate', path.join(repository, 'skills/prun')]);
  expect(inventory.stdout.match(/❯ (?:mcpServers|skills|commands|agents|hooks): \S+/g)).toEqual([
    '❯ mcpServers: prun',
    '❯ skills: prun:prun',
  ]);
});

it('only the two texts that belong there are found as skills, with the same settings for Codex beside each', () => {
  const texts = repositoryFiles().filter((file) => path.basename(file) === 'SKILL.md');
  expect(texts).toEqual(['SKILL.md', 'skills/prun/SKILL.md']);
  const [whole, folder] = texts.map((file) =>
    readFileSync(path.join(ROOT, path.dirname(file), 'agents/openai.yaml'), 'utf8'),
  );
  expect(whole).toBe(folder);
});

it('every manifest has the version of package.json, and the marketplace names what the plugin says', () => {
  const manifest = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
  const plugin = manifest('skills/prun/.claude-plugin/plugin.json');
  const { plugins } = manifest('.claude-plugin/marketplace.json');
  expect(plugin.version).toBe(version);
  const { name, description, license, keywords } = plugin;
  expect(plugins).toEqual([
    expect.objectContaining({ name, description, license, keywords, version, source: './skills/prun' }),
  ]);
});
