import { describe, expect, it } from 'vitest';
import { coordinatorTexts } from '../helpers/skill-texts.ts';

/**
 * What each text may cost whoever reads it: most lines, most words. SKILL.md is read at every use, the first group at
 * most uses, the second when its subject comes up, the third is looked things up in.
 */
const BUDGETS: Readonly<Record<string, [lines: number, words: number]>> = {
  'SKILL.md': [260, 2700],
  'references/units.md': [200, 2000],
  'references/runs.md': [320, 4800],
  'references/integration.md': [320, 2900],

  'references/durable-runs.md': [220, 2600],
  'references/executors.md': [280, 3900],
  'references/ios-validation.md': [220, 2400],
  'references/mcp.md': [170, 2000],
  'references/panels.md': [160, 1600],
  'references/reviews.md': [200, 2200],
  'references/single.md': [220, 2500],
  'references/validation.md': [260, 3000],
  'references/web.md': [120, 1200],
  'references/workspaces.md': [250, 3500],

  'references/commands.md': [640, 7200],
  'references/scripts.md': [300, 4200],
  'references/troubleshooting.md': [320, 6200],
};
/** A longer line is hard to review in a diff and in a terminal. */
const LONGEST_LINE = 900;

describe('budgets of what the coordinator reads', () => {
  it.each(coordinatorTexts)('%s', (name, text) => {
    const [lines, words] = BUDGETS[name] ?? [0, 0];
    expect(text.trimEnd().split('\n').length, 'lines').toBeLessThanOrEqual(lines);
    expect(text.split(/\s+/).filter(Boolean).length, 'words').toBeLessThanOrEqual(words);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(LONGEST_LINE);
  });

  it('the table has no row for a text that is gone', () => {
    const names = coordinatorTexts.map(([name]) => name);
    expect(Object.keys(BUDGETS).filter((name) => !names.includes(name))).toEqual([]);
  });
});
