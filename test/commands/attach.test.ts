import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { compiledViews, unitSpec, writtenRun } from '../helpers/run-fixture.ts';
import { asTerminal } from '../helpers/terminal.ts';
import { scratch } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

const views = compiledViews(['attach', 'wait']);

it('follows a run line by line to its end, and takes nothing from wait', async () => {
  const folder = scratch();
  const made = await writtenRun(path.join(folder, 'state'), 'r1', ['a', 'b']);
  made.start('a');
  made.start('b');
  const running = views.start(folder, ['attach', '--run', 'r1']);
  await waitFor('the first line', () =>
    running.output.stdout.startsWith('RUN r1 done=0 failed=0 running=2 queued=0\n'),
  );
  made.end('a', 'failed');
  await waitFor('the failure', () => /^7 \S+ a failed\(exit\)/m.test(running.output.stdout));
  made.end('b');
  made.allDone();
  const { code, stdout } = await running.ended;
  expect(stdout).toMatch(/\n9 \S+ all done: 1 succeeded, 1 failed, .*\n$/);
  expect(code).toBe(30);
  expect((await views.run(folder, ['wait', '--run', 'r1'])).stdout).toContain('events=7-9');
});

it('leaving does no harm', async () => {
  const folder = scratch();
  const made = await writtenRun(path.join(folder, 'state'), 'r1', ['a']);
  made.start('a');
  const running = views.start(folder, ['attach', '--run', 'r1']);
  await waitFor('the first line', () => running.output.stdout !== '');
  running.child.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: 130, stderr: '' });
});

it('a run that is over is told and left', async () => {
  const folder = scratch();
  const made = await writtenRun(path.join(folder, 'state'), 'r1', ['a']);
  made.start('a');
  made.end('a');
  made.allDone();
  expect(await views.run(folder, ['attach', '--run', 'r1'])).toMatchObject({ code: 0 });
});

it('on a terminal it is a board within COLUMNS, with what the workers say and why the rest waits', async () => {
  const folder = scratch();
  const made = await writtenRun(path.join(folder, 'state'), 'r1', [
    unitSpec('a', { executor: 'command' }),
    unitSpec('b', { after: ['a'] }),
  ]);
  writeFileSync(path.join(made.start('a'), 'tail'), 'one\n\u001b[32mtest 7 of 9\u0007\n');
  made.write({ type: 'queued', unit: 'b', attempt: 1, why: 'start', environment: null });
  const environment = asTerminal(folder, { columns: 200, environment: { COLUMNS: '50' } });
  const running = views.start(folder, ['attach', '--run', 'r1'], environment);
  await waitFor('the board', () => /\n {2}b +queued +after a/.test(running.output.stdout));
  await waitFor('the last words', () => running.output.stdout.includes('test 7 of 9'));
  running.child.kill('SIGINT');
  const { stdout } = await running.ended;
  const rows = stdout.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').split(/[\r\n]+/);
  for (const row of rows) expect(row.length).toBeLessThan(50);
});
