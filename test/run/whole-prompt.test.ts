import { describe, expect, it } from 'vitest';
import {
  CONTEXT_TEXT_BYTES,
  type PromptFacts,
  wholePrompt,
} from '../../scripts-src/run/prompt/whole-prompt.ts';

const FACTS: PromptFacts = {
  run: 'items-1',
  unit: 'api',
  mode: 'clone',
  resultFile: '/state/runs/items-1/agent-io/results/api.md',
  workspace: '/state/workspaces/items-1/clones/api',
  baseNote: '/state/workspaces/items-1/PRUN-BASE.md',
  owns: ['src/api/**', 'test/api'],
  context: null,
  prompt: 'Make it stable.\n',
  ports: { first: 41000, last: 41009 },
  verify: null,
  earlier: null,
};
const told = (more: Partial<PromptFacts> = {}) => wholePrompt({ ...FACTS, ...more });

describe('the whole prompt', () => {
  it('names unit, run, place, base note, owned paths, ports and the absolute result path', () => {
    const text = told();
    for (const fact of [
      'unit api in run items-1',
      `Work in ${FACTS.workspace}\n`,
      `${FACTS.baseNote}\n`,
      'You own: src/api/**, test/api.',
      'from 41000 to 41009',
      `in one write, to\n${FACTS.resultFile}\n`,
      '# api result\nConclusion: <one line>\nFiles: ',
    ]) {
      expect(text).toContain(fact);
    }
  });

  it.each([
    ['no newline at its end', 'Do it.'],
    ['Windows line ends and a byte order mark', '\uFEFFone\r\ntwo\r\n\r\n'],
    ['headings and a contract of its own', '# Your result\n\nConclusion: no\n```\nunclosed'],
    ['trailing spaces, tabs and form feeds', '  x \t\f\n\n\n'],
    ['placeholders and replacement patterns', 'cost $& and $1 of {prompt_file} $HOME $$'],
  ])('holds the task byte for byte: %s', (_, prompt) => {
    const text = told({ prompt });
    expect(text.split(prompt)).toHaveLength(2);
    expect(text.indexOf(prompt)).toBeLessThan(text.lastIndexOf(FACTS.resultFile));
  });

  it('gives the rules in every mode, and to a unit that only reads none about its edits', () => {
    for (const mode of ['scratch', 'clone', 'worktree', 'inplace'] as const) {
      expect(told({ mode })).toContain('Do not commit or push.');
      expect(told({ mode })).toContain('Do not start prun');
    }
    expect(told({ mode: 'scratch', workspace: null })).toContain('Change nothing outside the folder');
    expect(told({ mode: 'scratch', workspace: null })).toContain('an empty folder of your own');
    expect(told({ mode: 'clone' })).not.toContain('Change nothing outside the folder');
    expect(told({ mode: 'inplace' })).toContain("the user's own files");
  });

  it('leaves a subagent without a workspace nothing to write but its result', () => {
    const text = told({ executor: 'session', mode: 'scratch', workspace: null });
    expect(text).toContain('Change no file but your result file.');
    expect(text).not.toContain('folder that you start in');
    expect(told({ executor: 'session' })).toContain(`Work in ${FACTS.workspace}\n`);
  });

  it('holds a short context as text and names a long one by its path only', () => {
    const file = '/state/runs/items-1/agent-io/context.md';
    const short = told({ context: { file, text: 'ä'.repeat(CONTEXT_TEXT_BYTES / 2) } });
    expect(short).toContain(file);
    expect(short).toContain('äää');
    const long = told({ context: { file, text: `${'ä'.repeat(CONTEXT_TEXT_BYTES / 2)}x` } });
    expect(long).toContain(`Read this file first: ${file}`);
    expect(long).not.toContain('äää');
  });

  it('tells what becomes of the work after it, and what became of the attempt before it', () => {
    expect(told({ verify: 'npm test -- api' })).toContain('\n    npm test -- api\n');
    const earlier = {
      ...{ attempt: 1, reason: 'verify', detail: 'npm test: exit 1' },
      ...{ resultFile: '/old/api.md', patch: '/old/delta.patch' },
    };
    expect(told({ earlier })).toContain(
      'Attempt 1 of this unit did not end well (verify: npm test: exit 1).',
    );
    expect(told({ earlier })).toContain('/old/api.md');
    expect(told({ earlier })).toContain('/old/delta.patch');
    expect(told({ earlier: { ...earlier, reason: 'ok' } })).toContain('is asked for again');
    expect(told()).not.toContain('earlier attempt');
  });

  it('leaves out what is not known', () => {
    const text = told({ owns: [], ports: null, baseNote: null, workspace: null, mode: 'scratch' });
    for (const word of ['You own', 'port from', 'null', 'undefined', 'PRUN-BASE']) {
      expect(text).not.toContain(word);
    }
  });
});
