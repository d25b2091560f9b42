import path from 'node:path';
import { expect, it } from 'vitest';
import type { RunView } from '../../scripts-src/run/run-view.ts';
import { viewRun } from '../../scripts-src/run/run-view.ts';
import { ledgerText } from '../../scripts-src/run/views/ledger.ts';
import { unitSpec, writtenRun } from '../helpers/run-fixture.ts';
import { scratch } from '../helpers/unit-run.ts';

/** The cells of a row, by its column. */
function rowOf(text: string, unit: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  const cells = (line = '') => line.slice(2, -2).split(' | ');
  const titles = cells(lines[0]);
  const row = cells(lines.find((line) => line.startsWith(`| ${unit} |`)));
  expect(row).toHaveLength(titles.length);
  return Object.fromEntries(titles.map((title, n) => [title, row[n] ?? '']));
}

it('has a row for each unit in the order in which they were added, with all that the ledger must hold', async () => {
  const folder = scratch();
  const made = await writtenRun(
    path.join(folder, 'state'),
    'r1',
    [
      unitSpec('api', { mode: 'clone' }),
      unitSpec('lint', { executor: 'command', resultFile: '/out/lint.md' }),
      'later',
    ],
    { repository: '/home/me/project' },
  );
  made.start('api');
  made.start('lint');
  made.end('api', 'failed', { sessionId: 'thread-1', tokens: 42 });
  const text = ledgerText(viewRun(made.run));
  expect(rowOf(text, 'api')).toMatchObject({
    executor: 'codex',
    mode: 'clone',
    status: 'failed',
    reason: 'exit',
    attempt: '1',
    tokens: '42',
    'session id': 'thread-1',
    'prompt file': path.join('agent-io', 'prompts', 'api.md'),
    'result file': path.join('agent-io', 'results', 'api.md'),
    'state dir': expect.stringMatching(/^attempts.prun-task-/),
    clone: path.join(folder, 'state', 'workspaces', 'r1', 'clones', 'api'),
    start: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/),
    end: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/),
  });
  expect(rowOf(text, 'lint')).toMatchObject({
    status: 'running',
    end: '-',
    'result file': expect.stringContaining('lint.md'),
    clone: '-',
  });
  expect(rowOf(text, 'later')).toMatchObject({
    status: 'created',
    attempt: '-',
    'state dir': '-',
    'prompt file': '-',
  });
  expect(text).toContain(`- Folder: ${made.run.folder}\n`);
  expect(text).toContain('- Units: 3 done=0 failed=1 running=1 queued=0 created=1\n');
  expect([...text.matchAll(/^\| (api|lint|later) /gm)].map(([, id]) => id)).toEqual(['api', 'lint', 'later']);
});

it('sums the tokens of all attempts of a unit, and of all units, in four counts where all are known', async () => {
  const counts = (input: number, output: number) => ({ input, cachedInput: 10, output, reasoningOutput: 1 });
  const made = await writtenRun(path.join(scratch(), 'state'), 'r1', ['api', 'docs', 'lint']);
  made.start('api');
  made.end('api', 'failed', { tokens: 120, tokenCounts: counts(100, 20) });
  made.start('api', 2);
  made.end('api', 'succeeded', { attempt: 2, tokens: 60, tokenCounts: counts(50, 10) });
  made.start('docs');
  made.end('docs', 'succeeded', { tokens: null, tokenCounts: null });
  const text = ledgerText(viewRun(made.run));
  expect(rowOf(text, 'api').tokens).toBe('180');
  expect(rowOf(text, 'docs').tokens).toBe('-');
  expect(text).toContain('- Tokens: 180 (150 in, 20 of it cached; 30 out, 2 of it reasoning)\n');
  // An event of an older version has the total only.
  made.start('lint');
  made.end('lint', 'succeeded', { tokens: 5 });
  expect(ledgerText(viewRun(made.run))).toContain('- Tokens: 185\n');
});

it('says what stalls, what is stale, and where a unit that has ended left no result', async () => {
  const made = await writtenRun(path.join(scratch(), 'state'), 'r1', ['a', 'b', 'c']);
  for (const unit of ['a', 'b', 'c']) made.start(unit);
  made.write({ type: 'stalled', unit: 'a', attempt: 1, quietSeconds: 300, evidence: 'an event' });
  made.end('b');
  made.write({ type: 'stale', unit: 'b', parent: 'a' });
  made.end('c', 'interrupted', { resultFile: null });
  const text = ledgerText(viewRun(made.run));
  expect(rowOf(text, 'a').status).toBe('running, stalled');
  expect(rowOf(text, 'b').status).toBe('succeeded, stale');
  expect(rowOf(text, 'c')['result file']).toBe('none');
});

it('a path cannot break the table', async () => {
  const made = await writtenRun(path.join(scratch(), 'state'), 'r1', [
    unitSpec('a', { workspace: '/odd/a|b\nc' }),
  ]);
  const text = ledgerText(viewRun(made.run));
  expect(text.split('\n').filter((line) => line.startsWith('| a |'))).toHaveLength(1);
  expect(text).toContain('"/odd/a\\|b\\nc"');
});

it('ten thousand units take a fraction of a second', async () => {
  const made = await writtenRun(path.join(scratch(), 'state'), 'r1', ['a']);
  made.start('a');
  const view: RunView = viewRun(made.run);
  const [one] = view.units.values();
  if (one) for (let n = 0; n < 10_000; n++) view.units.set(`u${n}`, { ...one, id: `u${n}` });
  const from = performance.now();
  const text = ledgerText(view);
  // Measured: 30 ms. The bound is for machines under load.
  expect(performance.now() - from).toBeLessThan(1000);
  expect(text.split('\n').length).toBeGreaterThan(10_000);
});
