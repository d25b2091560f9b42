import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { wallTime } from '../../scripts-src/platform/clock.ts';
import { cellsOf } from '../../scripts-src/render/cells.ts';
import { runFile } from '../../scripts-src/run/run-folder.ts';
import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';
import { compiledViews, unitSpec, writeResult, writtenRun } from '../helpers/run-fixture.ts';
import { noteProgress, writeOutcome } from '../helpers/state-dir-fixture.ts';
import { asTerminal } from '../helpers/terminal.ts';
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
    `RUN r1 running units=6 done=1 failed=1 running=2 queued=0 stalled=1 blocked=1 created=1 supervisor=${process.pid} tokens=2468`,
    `UNIT bad failed(exit) after 1m01s, 1234 tokens: worker ended with code 9 result=${results}/bad.md`,
    'UNIT child blocked bad failed',
    expect.stringMatching(/^UNIT slow stalled\(32\ds\) for .*, last evidence: an event$/),
    expect.stringMatching(/^UNIT fine running for .*, last evidence: event \d\S*s ago$/),
    'UNIT later created',
    `UNIT good succeeded(ok) after 1m01s, 1234 tokens: all is well result=${results}/good.md`,
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

describe('why a unit is queued', () => {
  const queued = (unit: string, attempt = 1) =>
    ({ type: 'queued', unit, attempt, why: 'start', environment: null }) as const;

  it('says what it waits for: parents, a resource, or room as the supervisor has it', async () => {
    const { folder, made } = await place(
      [
        'busy',
        unitSpec('holder', { resources: ['db'] }),
        unitSpec('child', { after: ['busy', 'good'] }),
        'good',
        unitSpec('second', { resources: ['db'] }),
        'next',
        unitSpec('mail', { executor: 'session' }),
      ],
      { resources: { db: 1 } },
    );
    for (const unit of ['busy', 'holder', 'good']) made.start(unit);
    made.end('good');
    made.write(queued('child'), queued('second'), queued('next'), queued('mail'));
    const held = runFile(made.run, 'held');
    writeFileSync(held, 'load 9.4 > 4\nno second line\u001b\n');
    const { stdout } = await status(folder);
    expect(stdout).toContain('\nUNIT child queued (after busy)\n');
    expect(stdout).toContain('\nUNIT second queued (1 of 1 db in use)\n');
    expect(stdout).toContain('\nUNIT next queued (load 9.4 > 4)\n');
    expect(stdout).toContain('\nUNIT mail queued\n');
    const { units } = JSON.parse((await status(folder, '--json')).stdout);
    expect(units.map(({ waitsFor }: { waitsFor: string | null }) => waitsFor)).toEqual([
      null,
      null,
      'after busy',
      null,
      '1 of 1 db in use',
      'load 9.4 > 4',
      null,
    ]);
    rmSync(held);
    made.write(queued('next', 2));
    expect((await status(folder)).stdout).toContain('\nUNIT next queued attempt 2\n');
  });

  it('what a dead supervisor has said is passed over', async () => {
    const { folder, made } = await place(['a'], { isSupervised: false });
    made.write(queued('a'));
    writeFileSync(runFile(made.run, 'held'), 'load 9.4 > 4\n');
    const { stdout } = await views.run(folder, ['status', '--run', 'r1'], { PRUN_PRETEND: 'fails' });
    expect(stdout).toContain('\nUNIT a queued\n');
  });
});

describe('on a terminal', () => {
  const onTerminal = (folder: string, columns: number, environment: Record<string, string> = {}) =>
    views.run(folder, ['status', '--run', 'r1'], asTerminal(folder, { columns, environment }));

  async function board() {
    const there = await place([
      unitSpec('the-first-of-all-units-alpha', { executor: 'command' }),
      'the-first-of-all-units-beta',
      'waits',
      'bad',
    ]);
    const { made } = there;
    const alpha = made.start('the-first-of-all-units-alpha');
    writeFileSync(
      path.join(alpha, 'tail'),
      `${'x'.repeat(40_000)}\nold\n\u001b[31mtest 7 of 9\u0007\u202e passed\n\n`,
    );
    const message = {
      type: 'item.completed',
      item: { id: 'i', type: 'agent_message', text: 'reading\nfiles' },
    };
    const beta = made.start('the-first-of-all-units-beta');
    writeFileSync(path.join(beta, 'tail'), `${JSON.stringify(message)}\n`);
    made.write({ type: 'queued', unit: 'waits', attempt: 1, why: 'start', environment: null });
    made.start('bad');
    made.end('bad', 'failed', { reason: 'verify' });
    return there;
  }

  it('is a table: last words of workers, no time where none has passed, ledger and next step', async () => {
    const { folder, made } = await board();
    const { stdout, stderr, code } = await onTerminal(folder, 100);
    expect([stderr, code]).toEqual(['', 0]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('r1: running, 4 units: done=0 failed=1 running=2 queued=1, 1234 tokens');
    expect(lines[1]).toMatch(/^ {2}bad {22}failed +1m01s .*verify: worker ended with code 9$/);
    expect(lines[2]).toMatch(/^ {2}the-first-of…units-alpha running .* test 7 of 9 passed$/);
    expect(lines[3]).toMatch(/^ {2}the-first-of…-units-beta running .* reading files$/);
    expect(lines[4]).toMatch(/^ {2}waits {20}queued {7}\s*$/);
    expect(lines.slice(5)).toEqual([
      `LEDGER ${made.run.folder}/agent-io/ledger.md`,
      'NEXT prun logs --run r1 --unit bad --verify',
      'NEXT prun retry --run r1 --unit bad',
    ]);
  });

  it.each([
    ['the terminal knows its width', 50, {}, 49],
    ['COLUMNS is smaller', 120, { COLUMNS: '50' }, 49],
    ['only COLUMNS is known', 0, { COLUMNS: '60' }, 59],
    ['nothing is known', 0, {}, 79],
    ['COLUMNS is larger than the terminal', 40, { COLUMNS: '300' }, 39],
    ['COLUMNS is no number', 70, { COLUMNS: 'wide' }, 69],
  ])('no row is wider than the terminal where %s', async (_, columns, environment, most) => {
    const { folder } = await board();
    const rows = (await onTerminal(folder, columns, environment)).stdout.split('\n').slice(1, 5);
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(cellsOf(row)).toBeLessThanOrEqual(most);
    expect(Math.max(...rows.map((row) => cellsOf(row)))).toBeGreaterThan(most - 20);
  });

  it('has colour unless NO_COLOR', async () => {
    const { folder } = await board();
    expect((await onTerminal(folder, 80)).stdout).not.toContain('\u001b');
    expect((await onTerminal(folder, 80, { NO_COLOR: '' })).stdout).toContain('\u001b[31mfailed');
  });
});

it('of what a command printed the last line with words is its summary, unless it has a Conclusion', async () => {
  const { folder, made } = await place(['tests', 'tool', 'empty', 'early', 'long']);
  const results: Record<string, string> = {
    tests: 'starting\n\u001b[32mall 42 tests passed\u001b[0m\n---\n\n',
    tool: `${'noise\n'.repeat(5000)}Conclusion: it is safe\nFiles: none\nbye\n`,
    empty: '---\n\n',
    early: `Conclusion: said first\n${'noise\n'.repeat(5000)}`,
    long: `first\n${'y'.repeat(9000)}\n`,
  };
  for (const [unit, text] of Object.entries(results)) {
    made.start(unit);
    writeFileSync(path.join(made.run.folder, 'agent-io/results', `${unit}.md`), text);
    made.end(unit, 'succeeded', { origin: 'stdout' });
  }
  const { stdout } = await status(folder);
  expect(stdout).toContain('UNIT tests succeeded(ok) after 1m01s, 1234 tokens: all 42 tests passed result=');
  expect(stdout).toContain('UNIT tool succeeded(ok) after 1m01s, 1234 tokens: it is safe result=');
  expect(stdout).toContain('UNIT empty succeeded(ok) after 1m01s, 1234 tokens: --- result=');
  expect(stdout).toContain('UNIT early succeeded(ok) after 1m01s, 1234 tokens: said first result=');
  expect(stdout).toMatch(/UNIT long succeeded\(ok\) after 1m01s, 1234 tokens: y{159}… result=/);
});

describe('without --run', () => {
  const bare = (folder: string) => views.run(folder, ['status']);

  it('names the only run, the only one that is not over, or the newest', async () => {
    const folder = scratch();
    const none = await bare(folder);
    expect(none).toMatchObject({
      code: 2,
      stderr: 'prun status: --run is missing: name the run: prun status --run <id> (there are none yet)\n',
    });
    const made = await writtenRun(path.join(folder, 'state'), 'first', ['a']);
    made.start('a');
    made.end('a');
    made.allDone();
    expect((await bare(folder)).stderr).toBe(
      'prun status: --run is missing: the only run is first: prun status --run first\n',
    );
    const second = await writtenRun(path.join(folder, 'state'), 'second', ['a']);
    second.start('a');
    expect((await bare(folder)).stderr).toMatch(
      /: the only run that is not over is second: prun status --run second \(the newest are /,
    );
    second.end('a');
    second.allDone();
    expect((await bare(folder)).stderr).toMatch(
      /: name the run: prun status --run <id> \(the newest are \w+, \w+\)\n$/,
    );
  });
});
