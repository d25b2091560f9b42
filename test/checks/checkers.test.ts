import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../helpers/skill-texts.ts';

/** The public checkers of skills, each on a folder; none of them needs the network. */
const CHECKERS: [string, (folder: string) => string[]][] = [
  ['skills-ref', (folder) => ['validate', folder]],
  ['skillmd', (folder) => ['lint', folder, '--strict']],
  ['skill-check', (folder) => ['check', folder, '--strict', '--no-security-scan', '--no-open']],
];

let room: string;
/** The folder with the SKILL.md of the sources, as the build puts it there. */
let folder: string;
beforeAll(() => {
  room = mkdtempSync(path.join(os.tmpdir(), 'prun-checkers-'));
  folder = path.join(room, 'prun');
  cpSync(path.join(root, 'skills/prun'), folder, { recursive: true });
  cpSync(path.join(root, 'SKILL.md'), path.join(folder, 'SKILL.md'));
});
afterAll(() => rmSync(room, { recursive: true, force: true }));

/** Without anybody's settings, and with a proxy that nobody is behind: what asks the network fails. */
function run(name: string, words: string[]): SpawnSyncReturns<string> {
  const argv = [path.join(root, 'node_modules/.bin', name), ...words];
  const nowhere = 'http://127.0.0.1:9';
  const env = { PATH: process.env.PATH, HOME: room, CI: 'true', HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere };
  return spawnSync(process.execPath, argv, { cwd: room, encoding: 'utf8', env });
}

describe.each(CHECKERS)('%s', (name, words) => {
  it('has nothing to say against the folder', () => {
    const said = run(name, words(folder));
    expect(said.status, `${said.stdout}${said.stderr}`).toBe(0);
  });

  it('is not deaf: it refuses a skill without a description', () => {
    const bad = path.join(room, name, 'prun');
    mkdirSync(bad, { recursive: true });
    const text = readFileSync(path.join(folder, 'SKILL.md'), 'utf8').replace(/^description: .*\n/m, '');
    writeFileSync(path.join(bad, 'SKILL.md'), text);
    expect(run(name, words(bad)).status).toBe(1);
  });
});

it('the whole repository under the name of the skill is a valid skill, too', () => {
  mkdirSync(path.join(room, 'whole'));
  symlinkSync(root, path.join(room, 'whole/prun'));
  const said = run('skills-ref', ['validate', path.join(room, 'whole/prun')]);
  expect(said.status, said.stderr).toBe(0);
});
