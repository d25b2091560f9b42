import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { drawCast } from '../../docs/picture/draw.mjs';
import { COMMANDS, MANIFEST } from '../../docs/picture/scene.mjs';
import { blocks, readme, root } from '../helpers/skill-texts.ts';

const read = (name: string): string => readFileSync(path.join(root, 'docs/picture', name), 'utf8');
const recorded = read('fan-out.cast')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => (JSON.parse(line) as [number, string, string])[2])
  .join('');

it('the picture is what the recording shows', async () => {
  expect(await drawCast(read('fan-out.cast'))).toBe(read('fan-out.svg'));
  expect(readme).toContain('](docs/picture/fan-out.svg)');
});

it('the recording has each command of the scene, and its end', () => {
  for (const command of COMMANDS) expect(recorded).toContain(command);
  expect(recorded).toContain('failed');
  expect(recorded).toContain('RECONCILED run=shop units=4 deltas=3');
  expect(recorded).toContain('APPLIED 3 files=3');
});

it("the README's worked example is the recorded one", () => {
  expect(blocks(readme, 'yaml')).toContain(MANIFEST);
  const commands = [...readme.matchAll(/^\| `(prun [^`]*\bshop\b[^`]*)`/gm)].map(([, command]) => command);
  const typed = COMMANDS.filter((command) => command.startsWith('prun '));
  expect(commands.map((command) => command?.replace('prun wait', 'prun attach'))).toEqual(typed);
});
