import { expect, it } from 'vitest';
import { rulesOf, type Way } from '../helpers/host-way.ts';
import { readme } from '../helpers/skill-texts.ts';

// The README gives the rules that the other tests of this folder run under, with `/home/you` for the user's home.

const project = '/home/you/project';
const home = '/home/you/.claude';

function way(name: string, absolute: string, prun = absolute): Way {
  return { name, base: absolute, prun, absolute };
}

it.each([
  ['the folder in a project', way('prun', `${project}/.claude/skills/prun`, '.claude/skills/prun')],
  [
    'the whole repository in a project',
    way('prun', `${project}/.claude/skills/prun/skills/prun`, '.claude/skills/prun/skills/prun'),
  ],
  ['the folder of the user', way('prun', `${home}/skills/prun`)],
  ['the plugin', way('prun:prun', `${home}/plugins/cache/prun/prun/*`)],
])('the README has the permission rules of %s', (_, installed) => {
  expect(rulesOf(installed).filter((rule) => !readme.includes(rule))).toEqual([]);
});

it('the README has the rule for the tools of the plugin', () => {
  expect(readme.includes('mcp__plugin_prun_prun')).toBe(true);
});
