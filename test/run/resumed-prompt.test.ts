import { describe, expect, it } from 'vitest';
import { type ResumedPromptFacts, resumedPrompt } from '../../scripts-src/run/prompt/resumed-prompt.ts';

const FACTS: ResumedPromptFacts = {
  run: 'items-1',
  unit: 'api',
  mode: 'clone',
  resultFile: '/state/runs/items-1/agent-io/results/api.md',
  workspace: '/state/workspaces/items-1/clones/api',
  verify: null,
  last: { attempt: 2, status: 'failed', reason: 'idle-stall', detail: 'no progress for 600 s' },
  lastResult: null,
  remark: null,
};
const told = (more: Partial<ResumedPromptFacts> = {}) => resumedPrompt({ ...FACTS, ...more });

describe('the prompt of a session that goes on', () => {
  it('says who it is, where it works, what ended it, what to do, and where its result belongs', () => {
    const text = told();
    for (const fact of [
      'You go on as the worker of unit api in run items-1',
      `as you left them: ${FACTS.workspace}\n`,
      'Do not commit, push, stash, reset or clean there.',
      'Attempt 2 was not finished (idle-stall: no progress for 600 s).',
      'Go on with your task and bring it to its end.',
      `in one write, to\n${FACTS.resultFile}\n`,
      '# api result\nConclusion: <one line>\nFiles: ',
    ]) {
      expect(text).toContain(fact);
    }
    expect(text).not.toContain('What you left as your result before');
  });

  it('is short: the session knows its task and its rules', () => {
    expect(Buffer.byteLength(told())).toBeLessThan(1600);
  });

  it('passes a remark on as it is, and tells of the result and the check', () => {
    const text = told({
      remark: ' Two spaces,\r\nand ‘quotes’. ',
      last: { attempt: 1, status: 'succeeded', reason: 'ok', detail: 'the worker ended well' },
      lastResult: '/state/previous-result',
      verify: 'npm test',
    });
    expect(text).toContain('# What the coordinator says now\n\n Two spaces,\r\nand ‘quotes’. \n');
    expect(text).toContain('Attempt 1 ended well.\n');
    expect(text).toContain('What you left as your result before is now /state/previous-result\n');
    expect(text).toContain('counts only if it ends with 0:\n\n    npm test\n');
    expect(text).not.toContain('Go on with your task');
  });

  it.each(['scratch', 'clone', 'worktree', 'inplace'] as const)('forbids commits in mode %s', (mode) => {
    expect(told({ mode })).toContain('Do not commit');
  });
});
