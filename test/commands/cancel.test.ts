import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesOf } from '../helpers/process-table.ts';
import { endRun, supervisorGone } from '../helpers/run-over.ts';
import { runRoom } from '../helpers/run-room.ts';
import { waitFor } from '../helpers/wait-for.ts';

describe('prun cancel', () => {
  it('has ended the unit with all that it started when it returns; the others go on', async () => {
    const room = runRoom();
    const go = path.join(room.folder, 'go');
    const run = await room.start(
      [
        { id: 'hung', sh: 'trap "" TERM INT; setsid sleep 601 & sleep 602; sleep 603' },
        { id: 'other', sh: `while [ ! -e '${go}' ]; do sleep 0.05; done; echo done` },
      ],
      { jobs: 2 },
    );
    await run.event('running', 'hung');
    await run.event('running', 'other');
    const [hung] = run.attempts('hung');
    const marks = { marker: hung?.record.marker ?? '', rssMark: hung?.record.rssMark ?? null };
    await waitFor('all of its processes', () => processesOf(marks).length >= 3);
    const argv = ['cancel', '--run', run.id, '--unit', 'hung', '--grace', '0'];
    const { stdout } = await room.cli.run(argv);
    expect(processesOf(marks)).toEqual([]);
    expect(stdout).toMatch(
      new RegExp(`^CANCELLED run=${run.id} units=1 over-already=0\nUNIT hung cancelled .*cancel`),
    );
    expect(run.attempts('hung')[0]?.outcome).toMatchObject({
      status: 'cancelled',
      reason: 'cancelled',
      survivors: [],
    });
    expect(run.ends().has('other')).toBe(false);
    await endRun(room, run);
    expect(existsSync(go)).toBe(false);
  });

  it('ends a whole run: what runs, what waits, what was not started and what was blocked', async () => {
    const room = runRoom();
    const run = await room.start(
      [
        { id: 'bad', sh: 'exit 1' },
        { id: 'blocked', sh: 'echo no', after: ['bad'] },
        { id: 'runs', sh: 'sleep 600' },
        { id: 'waits', sh: 'echo no' },
      ],
      { jobs: 1 },
    );
    await run.event('running', 'runs');
    await run.event('blocked', 'blocked');
    const { stdout } = await room.cli.run(['cancel', '--run', run.id, '--grace', '0', '--json']);
    const { units } = JSON.parse(stdout) as { units: { id: string; state: string; cancelled: boolean }[] };
    expect(units.map(({ id, state, cancelled }) => `${id} ${state} ${cancelled}`)).toEqual([
      'bad failed false',
      'blocked cancelled true',
      'runs cancelled true',
      'waits cancelled true',
    ]);
    await supervisorGone(run);
    expect(run.attempts('waits')).toEqual([]);
    const again = await room.cli.run(['cancel', '--run', run.id]);
    expect(again.stdout).toBe(`CANCELLED run=${run.id} units=0 over-already=4\n`);
  });

  it('leaves a unit that was over as it is, and says so', async () => {
    const room = runRoom();
    const run = await room.start([{ id: 'api', sh: 'echo api' }]);
    await supervisorGone(run);
    const events = readFileSync(path.join(run.folder, 'events.jsonl'), 'utf8');
    const { stdout } = await room.cli.run(['cancel', '--run', run.id, '--unit', 'api']);
    expect(stdout).toContain('UNIT api succeeded (over already) ');
    expect(readFileSync(path.join(run.folder, 'events.jsonl'), 'utf8')).toBe(events);
  });

  it.each([
    ['its supervisor', false],
    ['its supervisor and its guardian (PEERS.md 24)', true],
  ])('ends a unit after a SIGKILL of %s, and no second worker was started', async (_, both) => {
    const room = runRoom();
    const starts = path.join(room.folder, 'starts');
    const run = await room.start([{ id: 'slow', sh: `echo x >>'${starts}'; sleep 600` }]);
    await run.event('running', 'slow');
    await waitFor('the worker', () => existsSync(starts));
    const [slow] = run.attempts('slow');
    const marks = { marker: slow?.record.marker ?? '', rssMark: slow?.record.rssMark ?? null };
    const supervisor = run.supervisorPid();
    // A stopped supervisor cannot replace its guardian.
    process.kill(supervisor, 'SIGSTOP');
    const guardian = Number(readFileSync(path.join(run.folder, 'guardian/.guardian-pid'), 'utf8'));
    if (both) process.kill(guardian, 'SIGKILL');
    process.kill(supervisor, 'SIGKILL');
    await room.cli.run(['cancel', '--run', run.id, '--grace', '0']);
    expect(processesOf(marks)).toEqual([]);
    expect(run.attempts('slow').map(({ outcome }) => outcome?.status)).toEqual(['cancelled']);
    expect(readFileSync(starts, 'utf8')).toBe('x\n');
    await supervisorGone(run);
  });

  it.each([
    ['has no unit "db"', ['--unit', 'db']],
    ['--grace is "soon"', ['--grace', 'soon']],
  ])('refuses: %s', async (message, argv) => {
    const room = runRoom();
    const run = await room.start([{ id: 'api', sh: 'echo api' }]);
    await supervisorGone(run);
    const { stderr } = await room.cli.run(['cancel', '--run', run.id, ...argv], { code: 2 });
    expect(stderr).toContain(message);
  });
});
