import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readProcess } from '../helpers/process-table.ts';
import { kill, openResourceRoom, pidIn } from '../helpers/resource-room.ts';
import { runRoom, type StartedRun } from '../helpers/run-room.ts';
import { SCRIPTS } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

const machine = openResourceRoom();
const wish = { environment: { PRUN_RESOURCE_HOME: machine.home } };
const program = path.join(SCRIPTS, 'resource-run.cjs');

const heavy = async () => (await machine.list()).find(({ name }) => name === 'heavy');

/** Shell text of a unit that says when it is inside, and stays until a file is there. */
function inside(log: string, id: string, gate: string): string {
  return `echo "+${id}" >>'${log}'; while [ ! -e '${gate}' ]; do sleep 0.05; done; echo "-${id}" >>'${log}'; echo ok`;
}

/** Kills a run's guardian and its supervisor. */
function killSupervision(run: StartedRun): void {
  const guardian = pidIn(readFileSync(path.join(run.folder, 'guardian/.guardian-pid'), 'utf8'));
  if (guardian === undefined || !readProcess(guardian)?.argv.includes('prun-guardian')) {
    throw new Error('there is no guardian');
  }
  kill(guardian);
  kill(run.supervisorPid());
}

it('two runs with heavy units never overlap, and a unit that waits takes no job and says what it waits for', async () => {
  const [one, two] = [runRoom(), runRoom()];
  const log = path.join(machine.folder, 'two-runs');
  const gate = path.join(machine.folder, 'gate-1');
  const resources = ['heavy'];
  const first = await one.start([{ id: 'a', sh: inside(log, 'a', gate), resources }], {}, wish);
  await waitFor('the first unit', () => existsSync(log));
  const second = await two.start(
    [
      { id: 'b', sh: inside(log, 'b', gate), resources },
      { id: 'c', sh: inside(log, 'c', gate), resources },
      { id: 'free', sh: 'echo ok' },
    ],
    { jobs: 1 },
    wish,
  );
  await second.event('ended', 'free');
  await machine.waiting(1);
  const status = await two.cli.run(['status', '--run', second.id], wish);
  expect(status.stdout).toMatch(/waits for heavy, held by unit a of run /);
  const [view] = (await machine.list()).filter(({ name }) => name === 'heavy');
  expect(view).toMatchObject({
    holders: [{ pid: first.supervisorPid() }],
    waiters: [{ pid: second.supervisorPid() }],
  });
  expect(readFileSync(log, 'utf8')).toBe('+a\n');
  writeFileSync(gate, '');
  await Promise.all([first.done(), second.done()]);
  expect(readFileSync(log, 'utf8').trim().split('\n').slice(0, 2)).toEqual(['+a', '-a']);
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  for (let at = 0; at < lines.length; at += 2) expect(lines[at + 1]).toBe(lines[at]?.replace('+', '-'));
  expect(await heavy()).toMatchObject({ holders: [], waiters: [] });
});

it('a worker that calls resource-run for its own slot passes, and verify holds its own', async () => {
  const room = runRoom();
  const seen = path.join(machine.folder, 'verify-sees');
  const call = `'${process.execPath}' '${program}'`;
  const run = await room.start(
    [
      {
        id: 'a',
        sh: `${call} --resource heavy --timeout 5 -- echo passed`,
        resources: ['heavy'],
        verify: `'${process.execPath}' '${program}' --resource-home '${machine.home}' --list >'${seen}'`,
        verifyResources: ['simulator-x'],
      },
    ],
    {},
    wish,
  );
  const ends = await run.done();
  expect(ends.get('a')?.status).toBe('succeeded');
  expect(run.result('a')).toBe('passed\n');
  const list = readFileSync(seen, 'utf8');
  expect(list).toContain('heavy: 0 of 1 held\n');
  expect(list).toMatch(/simulator-x: 1 of 1 held\n {2}held since .* unit a of run .* \(verify\)/);
  expect(await heavy()).toMatchObject({ holders: [], waiters: [] });
});

it('a check that calls resource-run for the slot of its unit passes, too', async () => {
  const room = runRoom();
  const verify = `'${process.execPath}' '${program}' --resource heavy --timeout 5 -- true`;
  const run = await room.start([{ id: 'a', sh: 'echo ok', resources: ['heavy'], verify }], {}, wish);
  expect((await run.done()).get('a')?.status).toBe('succeeded');
});

it('a supervisor that is killed keeps the slot for its worker, and its successor gives it back', async () => {
  const room = runRoom();
  const log = path.join(machine.folder, 'killed');
  const gate = path.join(machine.folder, 'gate-2');
  const run = await room.start([{ id: 'a', sh: inside(log, 'a', gate), resources: ['heavy'] }], {}, wish);
  await waitFor('the unit', () => existsSync(log));
  const supervisor = run.supervisorPid();
  kill(supervisor);
  const waiter = machine.start(['--resource', 'heavy', '--', 'echo', 'in']);
  await waitFor('a successor that holds', () => {
    const now = run.supervisorPid();
    return now !== supervisor && readProcess(now) !== undefined;
  });
  await machine.waiting(1);
  expect(waiter.stdout()).toBe('');
  expect((await heavy())?.holders).toHaveLength(1);
  writeFileSync(gate, '');
  expect((await run.done()).get('a')?.status).toBe('succeeded');
  expect(await waiter.end).toBe(0);
});

it('supervisor and guardian killed: the slot stays held while the worker lives, then it is free', async () => {
  const room = runRoom();
  const log = path.join(machine.folder, 'both');
  const gate = path.join(machine.folder, 'gate-3');
  const run = await room.start([{ id: 'a', sh: inside(log, 'a', gate), resources: ['heavy'] }], {}, wish);
  await waitFor('the unit', () => existsSync(log));
  killSupervision(run);
  const waiter = machine.start(['--resource', 'heavy', '--', 'cat', log]);
  await machine.waiting(1);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(waiter.stdout()).toBe('');
  writeFileSync(gate, '');
  expect(await waiter.end).toBe(0);
  expect(waiter.stdout()).toBe('+a\n-a\n');
  // The next command finds the run without a supervisor, and its unit's end on disk.
  await room.cli.run(['wait', '--run', run.id], { ...wish, code: 'any' });
  expect((await run.done()).get('a')?.status).toBe('succeeded');
});

it('the same while its check runs', async () => {
  const room = runRoom();
  const log = path.join(machine.folder, 'check');
  const gate = path.join(machine.folder, 'gate-4');
  const unit = { id: 'a', sh: 'echo ok', verify: inside(log, 'a', gate), verifyResources: ['heavy'] };
  const run = await room.start([unit], {}, wish);
  await waitFor('the check', () => existsSync(log) && machine.table()?.holders[0]?.keepers.length === 2);
  killSupervision(run);
  const waiter = machine.start(['--resource', 'heavy', '--', 'cat', log]);
  await machine.waiting(1);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(waiter.stdout()).toBe('');
  writeFileSync(gate, '');
  expect(await waiter.end).toBe(0);
  expect(waiter.stdout()).toBe('+a\n-a\n');
});

it('a home that cannot be used is told, and the unit waits', async () => {
  const room = runRoom();
  const environment = { PRUN_RESOURCE_HOME: path.join(room.folder, 'file', 'home') };
  writeFileSync(path.join(room.folder, 'file'), '');
  const run = await room.start([{ id: 'a', sh: 'echo ok', resources: ['heavy'] }], {}, { environment });
  const note = await run.event('note');
  expect(note).toMatchObject({ wakes: true });
  expect(note.text).toContain('units wait for slots of the machine: the resource home');
  const { stdout } = await room.cli.run(['status', '--run', run.id], { environment });
  expect(stdout).toContain('waits for the resource home');
  rmSync(path.join(room.folder, 'file'));
  expect((await run.done()).get('a')?.status).toBe('succeeded');
});

it('a unit that is cancelled while it waits is no waiter any more', async () => {
  const room = runRoom();
  const holder = await machine.holder('heavy');
  const run = await room.start([{ id: 'a', sh: 'echo never', resources: ['heavy'] }], {}, wish);
  await machine.waiting(1);
  await room.cli.run(['cancel', '--run', run.id], wish);
  await run.done();
  await machine.waiting(0);
  holder.child.kill('SIGTERM');
  await holder.end;
});

it('names are checked where they are written', async () => {
  const room = runRoom();
  writeFileSync(
    path.join(room.folder, 'm.json'),
    JSON.stringify({
      resources: { db: 2 },
      units: [
        {
          id: 'a',
          executor: 'command',
          argv: ['true'],
          prompt: 'p',
          resources: ['heavy', 'simulator-1', 'hevy'],
        },
        { id: 'b', executor: 'command', argv: ['true'], prompt: 'p', verifyResources: ['db'] },
      ],
    }),
  );
  const { code, stderr } = await room.cli.run(['run', 'm.json', '--dry-run'], {
    ...wish,
    cwd: room.folder,
    code: 'any',
  });
  expect(code).toBe(2);
  expect(stderr).toContain('the run has no resource "hevy": is heavy meant?');
  expect(stderr).toContain('the machine has no slot "db": use heavy, implementation, simulator-<id>');
  expect(stderr).toContain('verifyResources: does nothing without verify');
});
