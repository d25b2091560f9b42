import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRun, type NewRun } from '../../scripts-src/run/run-folder.ts';
import { type RunRoom, runRoom, type StartedRun } from '../helpers/run-room.ts';
import { waitFor } from '../helpers/wait-for.ts';

const EMPTY: NewRun = {
  repository: null,
  integration: null,
  schedule: { jobs: 8, delaySeconds: 0, memfreeBytes: null, load: null },
  resources: {},
  outerMarker: null,
};

/** A run whose units were added and not started. Each of `units` is a shell text. */
async function added(
  room: RunRoom,
  units: Record<string, string>,
  flags: string[] = [],
): Promise<StartedRun> {
  await createRun(room.cli.stateHome, 'x', EMPTY);
  const brief = path.join(room.folder, 'brief.md');
  writeFileSync(brief, 'Do it.\n');
  for (const [unit, sh] of Object.entries(units)) {
    const argv = ['add', '--run', 'x', '--unit', unit, '--prompt-file', brief, ...flags];
    await room.cli.run([...argv, '--', '/bin/sh', '-c', sh]);
  }
  return room.open('x');
}

describe('prun start', () => {
  it('starts what was added, says what to call next, and leaves alone what was started', async () => {
    const room = runRoom();
    const run = await added(room, { a: 'echo a', b: 'echo b' });
    expect(run.events()).toEqual([]);
    const first = await room.cli.run(['start', '--run', 'x', '--unit', 'a']);
    expect(first.stdout).toBe(
      'STARTED 1 unit of run x\nUNIT a queued\nNEXT prun wait --run x\nNEXT prun status --run x\n',
    );
    await run.event('ended', 'a');
    const second = JSON.parse((await room.cli.run(['start', '--run', 'x', '--json'])).stdout);
    expect(second).toEqual({ run: 'x', units: ['b'], refused: [] });
    await run.event('ended', 'b');
    const third = await room.cli.run(['start', '--run', 'x', '--unit', 'a', '--phase', 'b']);
    expect(third.stdout).toContain('STARTED 0 units of run x\nLEFT a it was started already');
    const fourth = await room.cli.run(['start', '--run', 'x']);
    expect(fourth.stdout).toContain('STARTED 0 units of run x (all were started before)');
    expect([...run.ends().keys()]).toEqual(['a', 'b']);
    expect(run.attempts('a')).toHaveLength(1);
  });

  it("gives units the environment of their own start, not that of an earlier one's supervisor", async () => {
    const room = runRoom();
    const gate = path.join(room.folder, 'gate');
    const show = `while [ ! -e '${gate}' ]; do sleep 0.02; done; echo "mine is $MINE"`;
    const run = await added(room, { a: show, b: show });
    const start = (unit: string, MINE: string) =>
      room.cli.run(['start', '--run', 'x', '--unit', unit], { environment: { MINE } });
    await start('a', 'one');
    await run.event('running', 'a');
    await start('b', 'two');
    writeFileSync(gate, '');
    await run.done();
    expect(run.result('a')).toBe('mine is one\n');
    expect(run.result('b')).toBe('mine is two\n');
    expect(run.events().filter(({ type }) => type === 'supervisor')).toHaveLength(1);
  });

  it('may be called twenty times at the same instant: every unit runs once', async () => {
    const room = runRoom();
    const ids = Array.from({ length: 10 }, (_, n) => `u${n}`);
    const mark = path.join(room.folder, 'marks');
    const units = Object.fromEntries(ids.map((id) => [id, `echo ${id} >>'${mark}'; echo ok`]));
    const run = await added(room, units);
    const calls = ids.flatMap((id) => [
      room.cli.run(['start', '--run', 'x', '--unit', id, '--json']),
      room.cli.run(['start', '--run', 'x', '--json']),
    ]);
    const told = (await Promise.all(calls)).map(({ stdout }) => JSON.parse(stdout) as { units: string[] });
    // `all-done` may come before the last start, and once more after it.
    await waitFor('the end of all units', () => run.ends().size === ids.length);
    await waitFor('the last supervisor to go', () => !existsSync(`/proc/${run.supervisorPid()}`));
    expect(readFileSync(mark, 'utf8').trim().split('\n').sort()).toEqual(ids);
    expect(told.flatMap(({ units: started }) => started).sort()).toEqual(ids);
  });

  it('changes how many run at once from then on', async () => {
    const room = runRoom();
    const mark = path.join(room.folder, 'marks');
    const sh = `echo + >>'${mark}'; sleep 0.1; echo - >>'${mark}'; echo ok`;
    const run = await added(room, { a: sh, b: sh, c: sh });
    await room.cli.run(['start', '--run', 'x', '--jobs', '1']);
    await run.done();
    expect(readFileSync(mark, 'utf8')).toBe('+\n-\n+\n-\n+\n-\n');
  });

  it('says why the rest is queued, and what it has changed where all were started before', async () => {
    const room = runRoom();
    const gate = path.join(room.folder, 'gate');
    const sh = `while [ ! -e '${gate}' ]; do sleep 0.02; done; echo ok`;
    const run = await added(room, { a: sh, b: sh, c: sh });
    await room.cli.run(['start', '--run', 'x', '--jobs', '1']);
    await run.event('running', 'a');
    const held = path.join(run.folder, 'held');
    await waitFor('the reason', () => existsSync(held));
    const status = async () => (await room.cli.run(['status', '--run', 'x'])).stdout;
    expect(await status()).toContain('\nUNIT b queued (1 of 1 jobs run)\nUNIT c queued (1 of 1 jobs run)\n');
    const { ino } = statSync(held);
    const changed = await room.cli.run(['start', '--run', 'x', '--jobs', '2', '--delay', '1000']);
    expect(changed.stdout).toBe(
      'STARTED 0 units of run x (all were started before)\nCHANGED jobs=2 delay=1000 from now on\n' +
        'NEXT prun wait --run x\nNEXT prun status --run x\n',
    );
    await waitFor('another reason', () => statSync(held).ino !== ino);
    expect(await status()).toContain('\nUNIT b queued (1000 s between two starts)\n');
    const json = await room.cli.run(['start', '--run', 'x', '--jobs', '8', '--delay', '0', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({
      run: 'x',
      units: [],
      refused: [],
      changed: { jobs: 8, delaySeconds: 0 },
    });
    const limits = ['--token-limit', '500', '--backoff', '3', '--transient-retries', '0'];
    const more = await room.cli.run(['start', '--run', 'x', ...limits]);
    expect(more.stdout).toContain('\nCHANGED backoff=3 transientRetries=0 tokenLimit=500 from now on\n');
    const kept = JSON.parse(readFileSync(path.join(run.folder, 'schedule.json'), 'utf8'));
    expect(kept).toMatchObject({ jobs: 8, backoffSeconds: 3, transientRetries: 0, tokenLimit: 500 });
    await run.event('running', 'c');
    await waitFor('the reason to go', () => !existsSync(held));
    writeFileSync(gate, '');
    await run.done();
  });

  it.each([
    [['--run', 'x', '--unit', 'zz'], 'run x has no unit "zz"'],
    [['--run', 'y'], 'there is no run "y"'],
    [[], '--run is missing'],
    [['--run', 'x', '--jobs', 'many'], '--jobs is "many"'],
    [['--run', 'x', '--token-limit', '1M'], '--token-limit is "1M"'],
    [['--run', 'x', '--backoff', '-1'], '--backoff is "-1"'],
    [['--run', 'x', '--transient-retries', 'x'], '--transient-retries is "x"'],
    [['--run', 'x', 'a'], 'unexpected argument "a"'],
  ])('%j is refused in one line', async (argv, message) => {
    const room = runRoom();
    const run = await added(room, { a: 'echo a' });
    const { stdout, stderr } = await room.cli.run(['start', ...argv], { code: 2 });
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(run.events()).toEqual([]);
  });

  it('refuses a run without units, a run that was copied, and a call from a worker', async () => {
    const room = runRoom();
    await createRun(room.cli.stateHome, 'x', EMPTY);
    expect((await room.cli.run(['start', '--run', 'x'], { code: 2 })).stderr).toContain('run x has no units');
    const nested = { environment: { PRUN_UNIT: 'outer-1' }, code: 2 };
    expect((await room.cli.run(['start', '--run', 'x'], nested)).stderr).toContain(
      'a worker of unit outer-1',
    );
    const runs = path.join(room.cli.stateHome, 'runs');
    cpSync(path.join(runs, 'x'), path.join(runs, 'y'), { recursive: true });
    const { stderr } = await room.cli.run(['start', '--run', 'y'], { code: 2 });
    expect(stderr).toContain('is a copy or was moved');
    expect(existsSync(path.join(runs, 'y/supervisors/1'))).toBe(false);
  });
});
