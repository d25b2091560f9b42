import { spawn } from 'node:child_process';
import { cpSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readLines } from '../../scripts-src/run/json-lines.ts';
import { postRequest } from '../../scripts-src/run/requests.ts';
import { runFile } from '../../scripts-src/run/run-folder.ts';
import {
  compiledViews,
  endedEvent,
  followCommand,
  unitSpec,
  type WrittenRun,
  writeResult,
  writtenRun,
} from '../helpers/run-fixture.ts';
import { canRunUnwatched, isWatching } from '../helpers/state-dir-fixture.ts';
import { scratch, testEnvironment } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

const views = compiledViews(['wait', 'reconcile']);

interface Place {
  folder: string;
  made: WrittenRun;
}

async function place(
  units: Parameters<typeof writtenRun>[2],
  wish: Parameters<typeof writtenRun>[3] = {},
): Promise<Place> {
  const folder = scratch();
  return { folder, made: await writtenRun(path.join(folder, 'state'), 'r1', units, wish) };
}

const wait = ({ folder }: Place, ...flags: string[]) => views.run(folder, ['wait', '--run', 'r1', ...flags]);

/** Starts a wait, and resolves when it watches the log. */
async function sleeping({ folder }: Place, ...flags: string[]) {
  const running = views.start(folder, ['wait', '--run', 'r1', ...flags]);
  await waitFor('the wait to watch', () => isWatching(running.child.pid));
  // Watched first, then read: what is written from here on wakes it.
  return running;
}

/** Whether a process has been asleep, and has used no CPU, for a hundred looks. */
function isQuiet(pid: number | undefined): () => boolean {
  let before = '';
  let looks = 0;
  return () => {
    const words = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const now = `${words[11]} ${words[12]}`;
    looks = words[0] === 'S' && now === before ? looks + 1 : 0;
    before = now;
    return looks > 100;
  };
}

it('a unit that fails wakes it: one line for the event, one for the unit, and what to do next; 30', async () => {
  const here = await place(['api', 'docs']);
  here.made.start('api');
  here.made.start('docs');
  const running = await sleeping(here);
  here.made.end('api', 'failed');
  const { code, stdout, stderr } = await running.ended;
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toEqual([
    'WAIT-EVENT fail run=r1 events=7-7 done=0 failed=1 running=1 queued=0',
    `UNIT api failed(exit) worker ended with code 9 result=${here.made.run.folder}/agent-io/results/api.md`,
    'NEXT prun wait --run r1 (the others go on; a fresh attempt: prun retry --run r1 --unit api)',
    '',
  ]);
  expect(code).toBe(30);
});

it.each([
  ['test-failed', true],
  ['build-failed', true],
  ['artifact-verification-failed', true],
  ['infrastructure-failed', false],
  ['invalid-evidence', false],
])(
  'after a validation that ended with %s the next step does not lead in a circle',
  async (status, isTree) => {
    const check = unitSpec('validation', { executor: 'command', after: ['api', 'web'] });
    const here = await place([
      unitSpec('api', { executor: 'command' }),
      unitSpec('web', { executor: 'command' }),
      check,
    ]);
    for (const unit of ['api', 'web', 'validation']) here.made.start(unit);
    here.made.end('api');
    here.made.end('web');
    here.made.end('validation', 'failed', { reason: 'validation', detail: `${status}: step 1` });
    here.made.allDone();
    const retry = 'prun retry --run r1 --unit validation';
    const mend = 'then the unit at fault: prun retry --run r1 --unit UNIT --force';
    const rest = 'then prun wait --run r1; what is in doubt: prun reconcile --run r1)';
    expect((await wait(here)).stdout).toContain(
      isTree
        ? `\nNEXT prun logs --run r1 --unit validation (${mend}; when that is well: ${retry}; ${rest}\n`
        : `\nNEXT ${retry} (${rest}\n`,
    );
    const found = await views.run(here.folder, ['reconcile', '--run', 'r1']);
    expect(found.stdout).toMatch(
      isTree ? /\nNEXT prun logs --run r1 --unit validation\n/ : /\nNEXT prun retry --run r1\n/,
    );
  },
);

it('what was told does not wake again, and what came while nobody waited does', async () => {
  const here = await place(['a', 'b', 'c']);
  for (const unit of ['a', 'b', 'c']) here.made.start(unit);
  here.made.end('a', 'failed');
  expect((await wait(here)).stdout).toContain('UNIT a failed');
  here.made.end('b', 'failed');
  const second = await wait(here);
  expect(second.stdout).toContain('UNIT b failed');
  expect(second.stdout).not.toContain('UNIT a');
  expect(await wait(here, '--timeout', '1')).toMatchObject({ code: 33 });
});

it('a unit that succeeds without a wish wakes nobody; the end of all does, with every result; 0', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  const running = await sleeping(here);
  writeResult(here.made.run, 'a', 'it is stable now');
  here.made.end('a');
  here.made.end('b');
  here.made.allDone();
  const { code, stdout } = await running.ended;
  expect(stdout.split('\n')).toEqual([
    'WAIT-EVENT all-done run=r1 events=9-9 done=2 failed=0 running=0 queued=0 tokens=2468',
    `UNIT a succeeded(ok) it is stable now result=${here.made.run.folder}/agent-io/results/a.md`,
    `UNIT b succeeded(ok) worker ended with code 0 result=${here.made.run.folder}/agent-io/results/b.md`,
    'NEXT prun reconcile --run r1',
    '',
  ]);
  expect(code).toBe(0);
});

it('the last failure and the end of all are told together, although they are written one after the other', async () => {
  const here = await place(['a']);
  here.made.start('a');
  const running = await sleeping(here);
  here.made.end('a', 'failed');
  here.made.allDone();
  const { code, stdout } = await running.ended;
  expect(stdout).toMatch(/^WAIT-EVENT all-done run=r1 events=4-5 done=0 failed=1/);
  expect(code).toBe(30);
});

it.each([
  ['every unit succeeded', 'succeeded', 0],
  ['a unit failed', 'failed', 30],
  ['a unit was cancelled', 'cancelled', 30],
] as const)('a run that is over is told at once, again and again: %s', async (_, status, code) => {
  const here = await place(['a']);
  here.made.start('a');
  here.made.end('a', status);
  here.made.allDone();
  expect(await wait(here)).toMatchObject({ code });
  const again = await wait(here);
  expect(again).toMatchObject({ code });
  expect(again.stdout).toMatch(/^WAIT-EVENT all-done run=r1 events=none /);
});

it('a wished finish wakes with 0, and --each wakes for every end', async () => {
  const here = await place([unitSpec('wished', { wakeOnFinish: true }), 'plain', 'last']);
  for (const unit of ['wished', 'plain', 'last']) here.made.start(unit);
  here.made.end('wished', 'succeeded', { wakes: true });
  expect(await wait(here)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^WAIT-EVENT finish/) });
  const running = await sleeping(here, '--each');
  here.made.end('plain');
  expect(await running.ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('UNIT plain succeeded'),
  });
});

it('an attempt that is tried again wakes nobody, also with --each', async () => {
  const here = await place(['a']);
  here.made.start('a');
  here.made.end('a', 'failed', { isFinal: false, wakes: false });
  here.made.start('a', 2);
  expect(await wait(here, '--each', '--timeout', '1')).toMatchObject({ code: 33 });
});

it('a stall wakes with 31 and says for how long and on what evidence; one that is over does not', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  const stalled = (unit: string) =>
    here.made.write({
      type: 'stalled',
      unit,
      attempt: 1,
      quietSeconds: 320,
      evidence: 'an event, 320 s before',
    });
  stalled('b');
  here.made.write({ type: 'moving', unit: 'b', attempt: 1 });
  const running = await sleeping(here);
  stalled('a');
  const { code, stdout } = await running.ended;
  expect(stdout).toMatch(
    /^WAIT-EVENT stall run=r1 events=9-9 done=0 failed=0 running=2 queued=0 stalled=1\n/,
  );
  expect(stdout).toMatch(
    /\nUNIT a stalled\(32\ds\) running for \d.*, last evidence: an event, 320 s before\n/,
  );
  expect(stdout).toContain('NEXT prun logs --run r1 --unit a --tail 20');
  expect(code).toBe(31);
  expect(await wait(here, '--timeout', '1')).toMatchObject({ code: 33 });
});

it('blocked units and notes that wake are told', async () => {
  const here = await place(['parent', unitSpec('child', { after: ['parent'] })]);
  here.made.start('parent');
  here.made.write({ type: 'note', text: 'nobody need know', wakes: false });
  here.made.write({ type: 'note', text: 'the disk\nis full', wakes: true });
  expect(await wait(here)).toMatchObject({
    code: 31,
    stdout: expect.stringContaining('NOTE the disk is full\n'),
  });
  here.made.write({ type: 'queued', unit: 'child', attempt: 1, why: 'start', environment: null });
  here.made.write({ type: 'blocked', unit: 'child', detail: 'parent failed' });
  const { code, stdout } = await wait(here);
  expect(stdout).toMatch(/^WAIT-EVENT blocked .*\nUNIT child blocked parent failed\n/);
  expect(code).toBe(30);
});

it('--unit wakes for that unit alone, and takes nothing from the others', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  here.made.end('b', 'failed');
  const running = await sleeping(here, '--unit', 'a');
  here.made.end('a');
  const mine = await running.ended;
  expect(mine).toMatchObject({ code: 0, stdout: expect.stringContaining('UNIT a succeeded') });
  expect(mine.stdout).not.toContain('UNIT b');
  // Told or not, a unit that has ended is told at once to whoever asks for it by name.
  expect(await wait(here, '--unit', 'a')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^WAIT-EVENT finish .*events=none/),
  });
  expect(await wait(here)).toMatchObject({ code: 30, stdout: expect.stringContaining('UNIT b failed') });
  expect(await wait(here, '--unit', 'b')).toMatchObject({
    code: 30,
    stdout: expect.stringMatching(/^WAIT-EVENT fail .*events=none/),
  });
});

it('an end that a wait for its unit has told does not wake a plain wait', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  here.made.end('a', 'failed');
  expect(await wait(here, '--unit', 'a')).toMatchObject({ code: 30 });
  expect(await wait(here, '--timeout', '1')).toMatchObject({ code: 33 });
});

it('--after says what is known, whatever was told', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  here.made.end('a', 'failed');
  here.made.end('b', 'failed');
  expect((await wait(here)).stdout).toContain('events=7-8');
  expect((await wait(here, '--after', '7')).stdout).toMatch(/events=8-8.*\nUNIT b/);
  expect((await wait(here, '--after', '0')).stdout).toContain('events=7-8');
});

it('a wait that is killed at any moment loses nothing: before its end, and between telling and noting it', async () => {
  const here = await place(['a']);
  here.made.start('a');
  const running = await sleeping(here);
  running.child.kill('SIGKILL');
  await running.ended;
  here.made.end('a', 'failed');
  const killed = await views.run(here.folder, ['wait', '--run', 'r1'], { PRUN_FAULT: 'wait-told' });
  expect(killed).toMatchObject({ signal: 'SIGKILL', stdout: expect.stringContaining('UNIT a failed') });
  expect((await wait(here)).stdout).toContain('events=4-4');
  here.made.allDone();
  expect((await wait(here)).stdout).toContain('events=5-5');
  expect((await wait(here)).stdout).toContain('events=none');
});

it('a wait that is asked to end does so with 128+n and tells nothing', async () => {
  const here = await place(['a']);
  here.made.start('a');
  const running = await sleeping(here);
  running.child.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 143, stdout: '' });
});

it('what nobody could read was not told: a closed pipe leaves it for the next wait', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  const running = await sleeping(here);
  running.child.stdout?.destroy();
  here.made.end('a', 'failed');
  expect(await running.ended).toMatchObject({ code: 30, stderr: '' });
  expect((await wait(here)).stdout).toContain('UNIT a failed');
});

it('two waits at once are both told', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  const two = [await sleeping(here), await sleeping(here)];
  // Both have read what was told before: one that reads later knows what the other has told.
  for (const { child } of two) await waitFor('a quiet wait', isQuiet(child.pid));
  here.made.end('a', 'failed');
  for (const { stdout, code } of await Promise.all(two.map(({ ended }) => ended))) {
    expect(stdout).toContain('UNIT a failed');
    expect(code).toBe(30);
  }
  expect(await wait(here, '--timeout', '1')).toMatchObject({ code: 33 });
});

it('a torn line is passed over, and the event that is written again after it wakes', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  const log = runFile(here.made.run, 'events');
  writeFileSync(log, '{"n":7,"at":"2026-01-01T00:00:00.000Z","type":"ended","unit":"a","att', { flag: 'a' });
  const running = await sleeping(here);
  here.made.end('a', 'failed');
  expect(await running.ended).toMatchObject({ code: 30, stdout: expect.stringContaining('events=7-7') });
});

it('kinds of events that a newer prun writes, and units nobody knows, disturb nothing', async () => {
  const here = await place(['a']);
  here.made.start('a');
  const log = runFile(here.made.run, 'events');
  writeFileSync(log, `${JSON.stringify({ n: 4, at: 'x', type: 'breaker', wakes: true })}\n`, { flag: 'a' });
  const running = await sleeping(here);
  here.made.write({ type: 'moving', unit: 'nobody', attempt: 1 });
  here.made.end('a', 'failed');
  expect(await running.ended).toMatchObject({ code: 30 });
});

it('a log that is replaced while it is watched is read anew, and tells nothing twice', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  here.made.end('a', 'failed');
  await wait(here);
  const running = await sleeping(here);
  const log = runFile(here.made.run, 'events');
  writeFileSync(`${log}.copy`, readFileSync(log));
  renameSync(`${log}.copy`, log);
  here.made.end('b', 'failed');
  const { stdout } = await running.ended;
  expect(stdout).toContain('events=8-8');
  expect(stdout).not.toContain('UNIT a');
});

it('a log that was cut and counts from 1 again still wakes: told numbers of the old log do not count', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  here.made.end('a', 'failed');
  await wait(here);
  const running = await sleeping(here);
  truncateSync(runFile(here.made.run, 'events'), 0);
  const again = [
    {
      n: 1,
      at: '2026-01-01T00:00:00.000Z',
      type: 'queued',
      unit: 'b',
      attempt: 1,
      why: 'start',
      environment: null,
    },
    { n: 2, at: '2026-01-01T00:00:00.001Z', ...endedEvent(here.made.run, 'b', 'failed') },
  ];
  writeFileSync(
    runFile(here.made.run, 'events'),
    again.map((event) => `${JSON.stringify(event)}\n`).join(''),
    { flag: 'a' },
  );
  expect((await running.ended).stdout).toContain('UNIT b failed');
});

it('a log that lost its end tells the rest once more rather than never', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  here.made.end('a', 'failed');
  here.made.end('b', 'failed');
  await wait(here);
  const log = runFile(here.made.run, 'events');
  const lines = readFileSync(log, 'utf8').split('\n');
  writeFileSync(log, `${lines.slice(0, 7).join('\n')}\n`);
  expect((await wait(here)).stdout).toContain('events=7-7');
});

it('told numbers that are damaged are told again', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  here.made.end('a', 'failed');
  await wait(here);
  writeFileSync(runFile(here.made.run, 'delivered'), '{"schema":1,"upTo":{"n":7,"a\n');
  expect((await wait(here)).stdout).toContain('events=7-7');
});

it('ten thousand events and a thousand failures are forty lines, the rest counted with a path', async () => {
  const ids = Array.from({ length: 1000 }, (_, n) => `unit-${n}`);
  const here = await place(ids);
  for (const id of ids) here.made.start(id);
  const bodies = ids.flatMap((unit) => [
    ...Array.from({ length: 3 }, () => [
      { type: 'stalled' as const, unit, attempt: 1, quietSeconds: 300, evidence: 'an event' },
      { type: 'moving' as const, unit, attempt: 1 },
    ]).flat(),
    endedEvent(here.made.run, unit, 'failed', { detail: 'x'.repeat(5000) }),
  ]);
  here.made.write(...bodies);
  const { code, stdout } = await wait(here);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(40);
  expect(lines[0]).toMatch(
    /^WAIT-EVENT fail run=r1 events=3007-10000 done=0 failed=1000 running=0 queued=0$/,
  );
  expect(lines.at(-2)).toBe(`MORE units=963 ${here.made.run.folder}/agent-io/ledger.md`);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(500);
  expect(code).toBe(30);
});

it('a run of which nothing was started is a wrong call, unless somebody has asked for a start', async () => {
  const here = await place(['a', 'b']);
  const refused = await wait(here);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toBe(
    'prun wait: nothing of run r1 was started yet: start it: prun start --run r1\n',
  );
  here.made.start('b');
  expect(await wait(here, '--unit', 'a')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('prun start --run r1 --unit a'),
  });
  postRequest(here.made.run, { type: 'start', units: null, schedule: {}, environment: null });
  expect(await wait(here, '--unit', 'a', '--timeout', '1')).toMatchObject({ code: 33 });
});

it('a unit that is started while it is waited for is found', async () => {
  const here = await place(['a']);
  const request = postRequest(here.made.run, { type: 'start', units: null, schedule: {}, environment: null });
  const running = await sleeping(here);
  here.made.start('a');
  rmSync(path.join(runFile(here.made.run, 'requests'), request));
  here.made.end('a', 'failed');
  expect(await running.ended).toMatchObject({ code: 30 });
});

it('units that were added after it began are known to it', async () => {
  const here = await place(['a']);
  here.made.start('a');
  const running = await sleeping(here);
  here.made.add(unitSpec('late'));
  here.made.start('late');
  here.made.end('late', 'failed');
  expect((await running.ended).stdout).toContain('UNIT late failed');
});

it('a dead supervisor is replaced, and what the new one writes wakes', async () => {
  const here = await place(['a'], { isSupervised: false });
  here.made.start('a');
  const event = { n: 4, at: '2026-01-01T00:00:00.000Z', ...endedEvent(here.made.run, 'a', 'interrupted') };
  const said = await views.run(here.folder, ['wait', '--run', 'r1'], { PRUN_PRETEND: JSON.stringify(event) });
  expect(said).toMatchObject({ code: 30, stdout: expect.stringContaining('UNIT a interrupted(exit)') });
});

it('a supervisor that cannot be replaced: 34, with what is known; it goes before a failure', async () => {
  const here = await place(['a', 'b'], { isSupervised: false });
  here.made.start('a');
  here.made.start('b');
  here.made.end('a', 'failed');
  const { code, stdout } = await views.run(here.folder, ['wait', '--run', 'r1'], { PRUN_PRETEND: 'fails' });
  expect(stdout).toMatch(
    /^WAIT-EVENT lost run=r1 events=7-7 .*\nNOTE the supervisor of run r1 could not be started \(pretended failure\).*\nUNIT a failed/,
  );
  expect(stdout).toContain('\nNEXT prun debug --run r1\n');
  expect(code).toBe(34);
});

it('supervisors that end as soon as they are started are not started for ever', async () => {
  const here = await place(['a'], { isSupervised: false });
  here.made.start('a');
  const { code, stdout } = await views.run(here.folder, ['wait', '--run', 'r1'], { PRUN_PRETEND: 'dies' });
  expect(stdout).toContain('NOTE 3 supervisors of run r1 ended as soon as they were started');
  expect(code).toBe(34);
});

it('a supervisor that ended before it could say that all is done is replaced by one that says it', async () => {
  const here = await place(['a'], { isSupervised: false });
  here.made.start('a');
  here.made.end('a');
  const counts = { succeeded: 1, failed: 0, cancelled: 0, interrupted: 0, blocked: 0 };
  const event = { n: 5, at: '2026-01-01T00:00:00.000Z', type: 'all-done', ...counts };
  const said = await views.run(here.folder, ['wait', '--run', 'r1'], { PRUN_PRETEND: JSON.stringify(event) });
  expect(said).toMatchObject({ code: 0, stdout: expect.stringMatching(/^WAIT-EVENT all-done .*events=5-5/) });
});

it('a log that was emptied for good, with nobody to write to it: 34', async () => {
  const here = await place(['a', 'b'], { isSupervised: false });
  here.made.start('a');
  here.made.end('a', 'failed');
  here.made.allDone();
  await wait(here);
  truncateSync(runFile(here.made.run, 'events'), 0);
  expect(await wait(here)).toMatchObject({
    code: 34,
    stdout: expect.stringContaining('was emptied or replaced'),
  });
});

it('a run whose folder was moved is only read: what is known is told, and 34 where it cannot go on', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  here.made.end('a', 'failed');
  renameSync(here.made.run.folder, path.join(path.dirname(here.made.run.folder), 'moved'));
  const said = await views.run(here.folder, ['wait', '--run', 'moved']);
  expect(said).toMatchObject({ code: 34, stdout: expect.stringContaining('its folder was moved or copied') });
  expect(said.stdout).toContain('UNIT a failed');
});

it('a copy of a finished run is only read, too: 34, under the name of its own folder', async () => {
  const here = await place(['a']);
  here.made.start('a');
  here.made.end('a');
  here.made.allDone();
  cpSync(here.made.run.folder, path.join(path.dirname(here.made.run.folder), 'copy'), { recursive: true });
  const said = await views.run(here.folder, ['wait', '--run', 'copy']);
  expect(said).toMatchObject({ code: 34, stdout: expect.stringContaining('its folder was moved or copied') });
  expect(said.stdout).toMatch(/^WAIT-EVENT lost run=copy /);
  expect(said.stdout).toContain('NEXT prun debug --run copy');
  expect(await wait(here)).toMatchObject({ code: 0 });
});

it('a folder that goes while it is waited for ends the wait with 34', async () => {
  const here = await place(['a']);
  here.made.start('a');
  const running = await sleeping(here);
  rmSync(here.made.run.folder, { recursive: true });
  expect(await running.ended).toMatchObject({ code: 34, stdout: expect.stringContaining('has gone') });
});

it('--json tells the same as one object', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  here.made.end('a', 'failed');
  const { code, stdout } = await wait(here, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    event: 'fail',
    run: 'r1',
    exit: 30,
    events: { first: 7, last: 7 },
    counts: { failed: 1, running: 1 },
    units: [{ id: 'a', state: 'failed', reason: 'exit' }],
    more: 0,
    next: expect.stringContaining('prun wait --run r1'),
  });
  expect(code).toBe(30);
});

it('a state home that was given stands in the commands that come next', async () => {
  const here = await place(['a']);
  here.made.start('a');
  here.made.end('a');
  here.made.allDone();
  const said = await views.run(here.folder, ['wait', '--run', 'r1', '--state-home', here.made.stateHome], {
    PRUN_STATE_HOME: '/nowhere',
  });
  expect(said.stdout).toContain(`NEXT prun reconcile --run r1 --state-home '${here.made.stateHome}'`);
});

it.each([
  [['--run', 'r2'], 'there is no run "r2"'],
  [[], '--run is missing'],
  [['--run', 'r1', '--unit', 'nobody'], 'run r1 has no unit "nobody": its units are a'],
  [['--run', 'r1', '--timeout', '10m'], '--timeout is "10m", not a whole number of seconds'],
  [['--run', 'r1', '--after', 'x'], '--after is "x", no number of an event'],
  [['r1'], 'unexpected argument "r1"'],
])('a wrong call is one line: %j', async (argv, text) => {
  const here = await place(['a']);
  const said = await views.run(here.folder, ['wait', ...argv]);
  expect(said).toMatchObject({ code: 2, stdout: '' });
  expect(said.stderr).toContain(text);
  expect(said.stderr.trimEnd().split('\n')).toHaveLength(1);
});

it('what was told is appended, one line for each wait', async () => {
  const here = await place(['a', 'b']);
  here.made.start('a');
  here.made.start('b');
  here.made.end('a', 'failed');
  await wait(here);
  here.made.end('b', 'failed');
  await wait(here);
  const lines: unknown[] = [];
  readLines(runFile(here.made.run, 'delivered'), 0, ({ json }) => lines.push(json));
  expect(lines).toMatchObject([{ upTo: { n: 7 } }, { upTo: { n: 8 } }]);
});

it('waits that are killed at random instants while events stream in: every cause is told, and none twice by waits that ended', async () => {
  const units = Array.from({ length: 90 }, (_, n) => `u${n}`);
  const here = await place(units);
  for (const unit of units) here.made.start(unit);
  const failures: number[] = [];
  const log = runFile(here.made.run, 'events');
  const writing = (async () => {
    for (const [n, unit] of units.entries()) {
      if (n % 7 === 0) writeFileSync(log, '{"n":1,"torn', { flag: 'a' });
      failures.push(...here.made.end(unit, 'failed').map((event) => event.n));
      await new Promise((resolve) => setTimeout(resolve, (n * 37) % 60));
    }
  })();
  let isWritten = false;
  void writing.then(() => {
    isWritten = true;
  });
  const told = new Set<number>();
  let lastTold = 0;
  for (let round = 0; ; round++) {
    const running = views.start(here.folder, ['wait', '--run', 'r1', '--json', '--timeout', '1']);
    const kill =
      round % 3 === 1 ? setTimeout(() => running.child.kill('SIGKILL'), (round * 53) % 160) : undefined;
    const { code, signal, stdout } = await running.ended;
    clearTimeout(kill);
    const events = stdout.endsWith('\n') ? JSON.parse(stdout).events : null;
    for (const n of failures) if (events && n >= events.first && n <= events.last) told.add(n);
    if (events) expect(events.first, 'told already').toBeGreaterThan(lastTold);
    if (events && signal === null) lastTold = events.last;
    if (isWritten && code === 33) break;
  }
  await writing;
  expect([...told].sort((a, b) => a - b)).toEqual(failures);
});

it.runIf(canRunUnwatched())('where no watch is to be had it looks by itself', async () => {
  const here = await place(['a']);
  here.made.start('a');
  const line = 'echo 0 > /proc/sys/user/max_inotify_instances; exec "$@"';
  const child = spawn(
    'unshare',
    [
      '--user',
      '--map-root-user',
      'sh',
      '-c',
      line,
      'sh',
      process.execPath,
      views.script(),
      'wait',
      '--run',
      'r1',
    ],
    {
      env: testEnvironment(here.folder, { PRUN_STATE_HOME: here.made.stateHome }),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const running = followCommand(child);
  await waitFor('node to have read the log', () => {
    // It has no watch that could be seen: its program is node once the shell has given way to it.
    return readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').startsWith(process.execPath);
  });
  here.made.end('a', 'failed');
  here.made.allDone();
  expect(await running.ended).toMatchObject({ code: 30, stdout: expect.stringContaining('UNIT a failed') });
});
