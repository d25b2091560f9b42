import path from 'node:path';
import { expect, it } from 'vitest';
import { compiledViews, writtenRun } from '../helpers/run-fixture.ts';
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
