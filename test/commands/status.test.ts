import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { wallTime } from '../../scripts-src/platform/clock.ts';
import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';
import { compiledViews, unitSpec, writeResult, writtenRun } from '../helpers/run-fixture.ts';
import { noteProgress, writeOutcome } from '../helpers/state-dir-fixture.ts';
import { scratch } from '../helpers/unit-run.ts';

const views = compiledViews(['status']);

async function place(units: Parameters<typeof writtenRun>[2], wish: Parameters<typeof writtenRun>[3] = {}) {
  const folder = scratch();
  return { folder, made: await writtenRun(path.join(folder, 'state'), 'r1', units, wish) };
}

const status = (folder: string, ...flags: string[]) => views.run(folder, ['status', '--run', 'r1', ...flags]);

it('one line for the run, one for each unit, what needs an eye first', async () => {
  const { folder, made } = await place([
    'good',
    'fine',
    'slow',
    'bad',
    unitSpec('child', { after: ['bad'] }),
    'later',
  ]);
  for (const unit of ['good', 'fine', 'slow', 'bad']) made.start(unit);
  writeResult(made.run, 'good', 'all is well');
  made.end('good');
  noteProgress(made.stateDir('fine'));
  made.write({ type: 'stalled', unit: 'slow', attempt: 1, quietSeconds: 320, evidence: 'an event' });
  made.end('bad', 'failed');
  made.write(
    { type: 'queued', unit: 'child', attempt: 1, why: 'start', environment: null },
    { type: 'blocked', unit: 'child', detail: 'bad failed' },
  );
  const { code, stdout, stderr } = await status(folder);
  expect(stderr).toBe('');
  const results = path.join(made.run.folder, 'agent-io', 'results');
  expect(stdout.trimEnd().split('\n')).toEqual([
    `RUN r1 running units=6 done=1 failed=1 running=2 queued=0 stalled=1 blocked=1 created=1 supervisor=${process.pid}`,
    `UNIT bad failed(exit) after 1m01s: worker ended with code 9 result=${results}/bad.md`,
    'UNIT child blocked bad failed',
    expect.stringMatching(/^UNIT slow stalled\(32\ds\) for .*, last evidence: an event$/),
    expect.stringMatching(/^UNIT fine running for .*, last evidence: event \d\S*s ago$/),
    'UNIT later created',
    `UNIT good succeeded(ok) after 1m01s: all is well result=${results}/good.md`,
    `LEDGER ${made.run.folder}/agent-io/ledger.md`,
  ]);
  expect(code).toBe(0);
});

it('--json has all of it, in the shape that programs rely on', async () => {
  const { folder, made } = await place(['a', 'b']);
  const dir = made.start('a');
  made.end('a');
  const said = JSON.parse((await status(folder, '--json')).stdout);
  expect(said).toMatchObject({
    run: 'r1',
    dir: made.run.folder,
    state: 'done',
    supervisor: { pid: process.pid, alive: true, identity: expect.stringContaining(`:${process.pid}:`) },
    units: [
      {
        id: 'a',
        status: 'succeeded',
        reason: 'ok',
        attempt: 1,
        result: path.join(made.run.folder, 'agent-io/results/a.md'),
        stateDir: dir,
        executor: 'codex',
        mode: 'scratch',
      },
      { id: 'b', status: 'created', reason: null, attempt: 0, result: null, stateDir: null },
    ],
  });
  expect(JSON.parse((await status(folder, '--json', '--unit', 'b')).stdout).units).toMatchObject([
    { id: 'b' },
  ]);
});

it('an outcome that the log does not know yet wins over "running"', async () => {
  const { folder, made } = await place(['a']);
  const dir = made.start('a');
  const outcome: Partial<OutcomeRecord> = {
    unit: 'a',
    status: 'failed',
    reason: 'idle-stall',
    detail: 'it hung',
    endedAt: wallTime(),
  };
  writeOutcome(dir, { ...outcome });
  expect((await status(folder)).stdout).toContain('UNIT a failed(idle-stall) after 0.0s: it hung');
});

it('a torn or newer outcome is passed over', async () => {
  const { folder, made } = await place(['a', 'b']);
  writeFileSync(path.join(made.start('a'), 'outcome.json'), '{"schema":1,"sta');
  writeFileSync(path.join(made.start('b'), 'outcome.json'), '{"schema":99}');
  const { code, stdout } = await status(folder);
  expect(stdout).toContain('UNIT a running');
  expect(stdout).toContain('UNIT b running');
  expect(code).toBe(0);
});

it('a thousand units are forty lines, with the path of the rest', async () => {
  const ids = Array.from({ length: 1000 }, (_, n) => `u${n}`);
  const { folder, made } = await place(ids);
  for (const id of ids) made.start(id);
  made.end('u999', 'failed');
  const lines = (await status(folder)).stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(40);
  expect(lines[1]).toMatch(/^UNIT u999 failed/);
  expect(lines.at(-2)).toBe(`MORE units=963 ${made.run.folder}/agent-io/ledger.md`);
});

it('a supervisor that has died and cannot be replaced: all that is known, and 34', async () => {
  const { folder, made } = await place(['a'], { isSupervised: false });
  made.start('a');
  const { code, stdout, stderr } = await views.run(folder, ['status', '--run', 'r1'], {
    PRUN_PRETEND: 'fails',
  });
  expect(stdout).toMatch(/^RUN r1 lost units=1 .* supervisor=none\nUNIT a running/);
  expect(stderr).toContain('prun status: the supervisor of run r1 could not be started');
  expect(code).toBe(34);
});

it('a run that was copied is read and not touched', async () => {
  const { folder, made } = await place(['a'], { isSupervised: false });
  made.start('a');
  renameSync(made.run.folder, path.join(path.dirname(made.run.folder), 'copy'));
  const { code, stdout, stderr } = await views.run(folder, ['status', '--run', 'copy']);
  expect(stdout).toContain('UNIT a running');
  expect(stderr).toMatch(/^prun status: this run was made as .* it is only read here\n$/);
  expect(code).toBe(0);
});

it('text of a worker cannot forge a line', async () => {
  const { folder, made } = await place(['a']);
  made.start('a');
  writeResult(made.run, 'a', 'fine\u0085UNIT b failed\u001b[31m');
  made.end('a');
  const lines = (await status(folder)).stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain('fine UNIT b failed result=');
});
