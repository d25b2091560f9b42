import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { copyFolder, type HostPlace, hostPlaces } from '../helpers/host-room.ts';
import { bashCall, readCall, skillCall } from '../helpers/host-session.ts';
import { expectListedOnce } from '../helpers/host-way.ts';

// What `prun install` puts in place and what it offers, on the real claude.

const newPlace = hostPlaces();

interface Installed {
  action: string;
  target: string;
  settingsFile: string;
  settings: unknown;
}

async function install(
  place: HostPlace,
  argv: readonly string[],
  change: () => void = () => {},
): Promise<Installed> {
  const source = path.join(place.home, 'unpacked');
  copyFolder(source);
  const call = async (): Promise<Installed> => {
    const words = [path.join(source, 'scripts/prun.cjs'), 'install', ...argv, '--json'];
    const said = await place.run(process.execPath, words, { CLAUDE_CONFIG_DIR: place.config });
    expect(said).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(said.stdout) as Installed;
  };
  const first = await call();
  change();
  return { ...(await call()), target: first.target };
}

/** As somebody who pastes the fragment. */
function paste({ settingsFile, settings }: Installed): void {
  mkdirSync(path.dirname(settingsFile), { recursive: true });
  writeFileSync(settingsFile, JSON.stringify(settings));
}

it('in a project the skill is there once, kept old texts or not, and the printed rules let it run', async () => {
  const place = await newPlace();
  const skill = path.join(place.project, '.claude/skills/prun/SKILL.md');
  const installed = await install(place, [], () => appendFileSync(skill, 'mine\n'));
  expect(installed).toMatchObject({ action: 'UPGRADED', changed: ['SKILL.md'] });
  paste(installed);
  const session = await place.session([
    skillCall('prun'),
    bashCall('node .claude/skills/prun/scripts/prun.cjs --version'),
    bashCall(`node ${installed.target}/scripts/prun.cjs --version`),
    readCall(path.join(installed.target, 'references/units.md')),
  ]);
  expectListedOnce(session, 'prun');
  expect(session.asked).toEqual([]);
  expect(session.answers[1]).toMatch(/^(?:prun )?\d+\.\d+\.\d+/);
});

it.each([
  ['the user', ['--user']],
  ['the user, by a link', ['--user', '--link']],
  ['a project, by a link', ['--link']],
])('for %s, it is found and runs by the printed rules', async (_, argv) => {
  const place = await newPlace();
  const installed = await install(place, argv);
  const [base, settings] = argv.includes('--user')
    ? [place.config, 'settings.json']
    : [path.join(place.project, '.claude'), 'settings.local.json'];
  expect(installed).toMatchObject({
    target: path.join(base, 'skills/prun'),
    settingsFile: path.join(base, settings),
  });
  paste(installed);
  const session = await place.session([
    skillCall('prun'),
    bashCall(`node ${installed.target}/scripts/prun.cjs --version`),
    readCall(path.join(installed.target, 'references/units.md')),
  ]);
  expectListedOnce(session, 'prun');
  expect(session.text).toContain(`Base directory for this skill: ${installed.target}\n`);
  expect(session.asked).toEqual([]);
});
