import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type InstallRoom, installRoom, treeOf } from '../helpers/install-room.ts';
import { processesOf } from '../helpers/process-table.ts';
import { runRoom } from '../helpers/run-room.ts';
import { isAlive } from '../helpers/supervisor-kill.ts';
import { dispatchTask, isRoot, ORDINARY_UID, program } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Nothing is left of what was under way. */
function expectTidy(room: InstallRoom): void {
  const left = [path.dirname(room.target), room.target]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => name.startsWith('.prun-install-') || name.endsWith('.tmp'));
  expect(left).toEqual([]);
}

/** Nobody is at work, and nothing is left to end. */
function isAtRest(room: InstallRoom): boolean {
  const manifest = JSON.parse(readFileSync(path.join(room.target, '.prun-manifest.json'), 'utf8'));
  return (
    !('replaced' in manifest) && !readdirSync(room.target).some((name) => name.startsWith('.prun-install-'))
  );
}

const kill = (point: string) => ({ environment: { PRUN_FAULT: point } });

it('a first install that is killed has put nothing or all there, and the next one goes on', async () => {
  const room = installRoom();
  const release = room.release('1');
  expect((await room.install(release, [], kill('install:staged'))).code).toBe(137);
  expect(existsSync(room.target)).toBe(false);
  expect((await room.install(release, [], kill('install:put'))).code).toBe(137);
  expect(treeOf(room.target)).toEqual(treeOf(release));
  expect((await room.install(release)).lines[0]).toBe(`UNCHANGED ${room.target}`);
});

it('an upgrade that is killed leaves the old version, or its guardian makes it the new one', async () => {
  const room = installRoom();
  const [one, two] = [room.release('1'), room.release('2')];
  writeFileSync(path.join(one, 'references/old.md'), 'of version 1 only\n');
  writeFileSync(path.join(two, 'references/new.md'), 'of version 2 only\n');
  await room.install(one);
  writeFileSync(path.join(room.target, 'notes.md'), 'mine\n');
  const mine = { 'notes.md': `644 ${sha256('mine\n')}` };
  expect((await room.install(two, [], kill('install:staged'))).code).toBe(137);
  expect(treeOf(room.target)).toMatchObject({ ...treeOf(one), ...mine });
  let [from, to] = [one, two];
  for (const point of ['recorded', 'swapped-1', 'swapped-4', 'replaced']) {
    expect((await room.install(to, [], kill(`install:${point}`))).code, point).toBe(137);
    await waitFor(`the guardian's work after ${point}`, () => isAtRest(room));
    expect(treeOf(room.target)).toEqual({ ...treeOf(to), ...mine });
    const { lines } = await room.install(to);
    expect(lines.filter((line) => !line.includes('.fault-'))).toEqual([
      `UNCHANGED ${room.target}`,
      expect.stringMatching(/^FILES added=0 replaced=0 removed=0 /),
      'OWN notes.md',
    ]);
    expectTidy(room);
    [from, to] = [to, from];
  }
  expect((await room.install(from, ['--uninstall'], kill('install:removing'))).code).toBe(137);
  // No host takes it for a skill any more.
  expect(existsSync(path.join(room.target, 'SKILL.md'))).toBe(false);
  expect((await room.install(two, ['--uninstall'])).lines[0]).toBe(`REMOVED ${room.target}`);
  expect(Object.keys(treeOf(room.target))).toEqual(['notes.md']);
});

it('two installs at once: both are content, and one of them did it', async () => {
  const room = installRoom();
  const [one, two] = [room.release('1'), room.release('2')];
  for (const [release, done] of [[one, 'INSTALLED'] as const, [two, 'UPGRADED'] as const]) {
    const both = await Promise.all([room.install(release), room.install(release)]);
    expect(both.map(({ lines }) => lines[0]).sort()).toEqual(
      [`${done} ${room.target}`, `UNCHANGED ${room.target}`].sort(),
    );
    expect(treeOf(room.target)).toEqual(treeOf(release));
  }
  // Two versions: one after the other, never mixed.
  const codes = await Promise.all([room.install(one), room.install(two)]);
  expect(codes.map(({ code }) => code)).toEqual([0, 0]);
  expect([treeOf(one), treeOf(two)]).toContainEqual(treeOf(room.target));
  expectTidy(room);
  await waitFor('the guardians to leave', () => processesOf({ word: room.folder }).length === 0);
});

it('a script is there and whole at every moment of an upgrade', async () => {
  const room = installRoom();
  const [one, two] = [room.release('1'), room.release('2')];
  await room.install(one);
  const hashOf = (folder: string): string =>
    sha256(readFileSync(path.join(folder, 'scripts/reap-watch.cjs')));
  const whole = [hashOf(one), hashOf(two)];
  const seen = new Set<string>();
  let isOver = false;
  const upgrade = room.install(two).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    seen.add(hashOf(room.target));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await upgrade).lines[0]).toBe(`UPGRADED ${room.target}`);
  seen.add(hashOf(room.target));
  expect([...seen].sort()).toEqual(whole.sort());
});

it('a live run goes on through an upgrade and the loss of its supervisor, and holds off an uninstall', async () => {
  const room = installRoom();
  const [one, two] = [room.release('1'), room.release('2')];
  writeFileSync(path.join(one, 'scripts/dropped.cjs'), '// of version 1 only\n');
  await room.install(one);
  const runs = runRoom(room.folder);
  const prun = path.join(room.target, 'scripts/prun.cjs');
  const go = path.join(room.folder, 'go');
  const sh = `until [ -e "${go}" ]; do sleep 0.02; done; echo done`;
  const manifest = path.join(room.folder, 'run.json');
  const units = ['a', 'b', 'c'].map((id) => ({
    id,
    executor: 'command',
    prompt: 'Wait.',
    argv: ['/bin/sh', '-c', sh],
  }));
  writeFileSync(manifest, JSON.stringify({ jobs: 2, units }));
  const environment = { ...process.env, PRUN_STATE_HOME: runs.cli.stateHome, HOME: runs.cli.home };
  execFileSync(process.execPath, [prun, 'run', manifest, '--run', 'live'], {
    env: environment,
    cwd: room.folder,
  });
  const run = runs.open('live');
  await run.event('running', 'a');
  await run.event('running', 'b');
  const guardian = await waitFor('the guardian', () =>
    processesOf({ word: room.target }).find(({ argv }) => argv.includes('prun-guardian')),
  );
  // What guardians and commands of older versions call by path: a version that no longer takes it would strand their runs.
  expect(guardian.argv).toMatch(new RegExp(`${prun} supervise --run-dir ${run.folder}$`));

  const refused = await room.install(two, ['--uninstall']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(
    /^prun install: .*\/prun is used by 2 processes \(.*prun supervise, pid \d+.*\): let the runs end .*\n$/,
  );

  const supervisor = run.supervisorPid();
  const { lines } = await room.install(two);
  expect(lines[0]).toBe(`UPGRADED ${room.target}`);
  expect(lines).toContain(
    'NOTE scripts/dropped.cjs is not of this version, and stays while processes use the folder',
  );
  expect([isAlive(supervisor), run.supervisorPid()]).toEqual([true, supervisor]);
  process.kill(supervisor, 'SIGKILL');
  await waitFor('the successor, of the new version', () => run.supervisorPid() !== supervisor);
  writeFileSync(go, '');
  const ends = await run.done();
  expect([...ends.values()].map(({ unit, status }) => `${unit} ${status}`).sort()).toEqual([
    'a succeeded',
    'b succeeded',
    'c succeeded',
  ]);
  expect(['a', 'b', 'c'].map((unit) => run.attempts(unit).length)).toEqual([1, 1, 1]);
  expect(run.result('a')).toContain('done');

  await waitFor('the end of all', () => processesOf({ word: room.target }).length === 0);
  expect((await room.install(two)).lines.slice(0, 2)).toEqual([
    `UPGRADED ${room.target}`,
    expect.stringContaining('added=0 replaced=0 removed=1 '),
  ]);
  expect((await room.install(two, ['--uninstall'])).lines[0]).toBe(`REMOVED ${room.target}`);
  expect(existsSync(room.target)).toBe(false);
});

it('the guardian of a dispatch-task of the version before reaps with what is there now', async () => {
  const room = installRoom();
  await room.install(room.release('1'));
  const unit = dispatchTask({
    folder: room.folder,
    codexBin: program(room.folder, 'codex', 'echo said this; exec sleep 1000'),
    script: path.join(room.target, 'scripts/dispatch-task.cjs'),
  });
  const tail = path.join(await unit.stateDir(), 'tail');
  await waitFor('the worker', () => existsSync(tail) && readFileSync(tail, 'utf8').includes('said this'));
  const { lines } = await room.install(room.release('2'));
  expect(lines[0]).toBe(`UPGRADED ${room.target}`);
  unit.child.kill('SIGKILL');
  const { outcome, alive } = await unit.outcome();
  expect(outcome).toMatchObject({ status: 'interrupted', reason: 'dispatch-dead', supervisor: 'guardian' });
  expect(alive).toEqual([]);
  expect(readFileSync(unit.resultFile, 'utf8')).toContain('said this');
});

describe.runIf(isRoot)('where the disk refuses', () => {
  it('in the middle of an upgrade, the old version is put back', async () => {
    const room = installRoom();
    const [one, two] = [room.release('1'), room.release('2')];
    await room.install(one);
    execFileSync('chown', ['-R', `${ORDINARY_UID}`, room.project, room.stateHome, room.home]);
    // Scripts go first; the references then cannot be replaced.
    execFileSync('chown', ['0', path.join(room.target, 'references')]);
    const before = treeOf(room.target);
    const manifest = readFileSync(path.join(room.target, '.prun-manifest.json'), 'utf8');
    const { code, stdout, stderr } = await room.install(two, [], { uid: ORDINARY_UID });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^prun install: rename failed for .*\(EACCES\): make it readable and writable/);
    expect(treeOf(room.target)).toEqual(before);
    expect(readFileSync(path.join(room.target, '.prun-manifest.json'), 'utf8')).toBe(manifest);
    expectTidy(room);
    chmodSync(path.join(room.target), 0o555);
    execFileSync('chown', ['0', room.target]);
    const closed = await room.install(two, [], { uid: ORDINARY_UID });
    expect(closed.code).toBe(1);
    expect(closed.stderr).toMatch(
      /^prun install: mkdir failed for .*\(EACCES\): make it readable and writable/,
    );
    expect(treeOf(room.target)).toEqual(before);
  });

  it('for want of room, the old version is there, or nothing', async (context) => {
    const room = installRoom();
    const [one, two] = [room.release('1'), room.release('2')];
    const size = execFileSync('du', ['-sk', one], { encoding: 'utf8' }).split('\t')[0];
    const small = path.join(room.project, '.claude');
    mkdirSync(small);
    const mount = (kib: number): void => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', small], { stdio: 'pipe' });
    };
    try {
      mount(1024);
    } catch {
      context.skip('mount is not allowed');
    }
    onTestFinished(() => void execFileSync('umount', ['-l', small]));
    const first = await room.install(one);
    expect(first).toMatchObject({ code: 1, stdout: '' });
    expect(first.stderr).toMatch(/^prun install: \S+ failed.*\(ENOSPC\): make room on the disk/);
    expect(treeOf(path.join(small, 'skills'))).toEqual({});
    expectTidy(room);
    execFileSync('mount', ['-o', `remount,size=${Number(size) + 1500}k`, small]);
    expect((await room.install(one)).lines[0]).toBe(`INSTALLED ${room.target}`);
    const second = await room.install(two);
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(treeOf(room.target)).toEqual(treeOf(one));
    expectTidy(room);
  });
});
