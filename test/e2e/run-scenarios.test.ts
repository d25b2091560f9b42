import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { git, gitSays } from '../helpers/plain-git.ts';
import { processesOf, readProcess } from '../helpers/process-table.ts';
import { endRun, supervisorGone } from '../helpers/run-over.ts';
import { type RunRoom, runRoom, type StartedRun } from '../helpers/run-room.ts';
import { forgeSupervisor, isAlive, killSupervisors, statusOf } from '../helpers/supervisor-kill.ts';
import { program } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// PEERS.md, the scenarios that are about whole runs: 5, 10, 11, 12, 24, 25, 26, 27.

const strangers: ChildProcess[] = [];
afterAll(() => {
  for (const child of strangers) child.kill('SIGKILL');
});

const RESULT = (unit: string): string =>
  `# ${unit} result\\nConclusion: done\\nFiles: none (read-only)\\nOpen items: none\\nVerification: none\\n`;

/** What is alive of a unit's newest attempt, by its marks. */
function aliveOf(run: StartedRun, unit: string) {
  const record = run.attempts(unit).at(-1)?.record;
  return processesOf({ marker: record?.marker ?? '', rssMark: record?.rssMark ?? null });
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** A room with a small repository, in which a file has work that was not committed. */
async function repositoryRoom(): Promise<RunRoom & { repo: string }> {
  const room = runRoom();
  const repo = path.join(room.folder, 'repo');
  mkdirSync(repo);
  await git(repo, ['init', '-q', '-b', 'main']);
  writeFileSync(path.join(repo, 'file.txt'), 'one\n');
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-qm', 'first']);
  writeFileSync(path.join(repo, 'file.txt'), 'one and a half\n');
  return { ...room, repo };
}

describe('what a unit looks like from outside', () => {
  it('a result that is there while its worker works on is not done, for no command (5)', async () => {
    const room = runRoom();
    const go = path.join(room.folder, 'go');
    const sh = `printf '${RESULT('early')}' >'{result_file}'; until [ -e '${go}' ]; do sleep 0.05; done; echo later >>'{result_file}'`;
    const run = await room.start([{ id: 'early', sh }]);
    await waitFor('the result', () =>
      existsSync(path.join(run.folder, 'agent-io/results/early.md')) ? run.result('early') : undefined,
    );
    for (const flags of [[], ['--unit', 'early'], ['--each']]) {
      const { stdout } = await room.cli.run(['wait', '--run', run.id, '--timeout', '1', ...flags], {
        code: 33,
      });
      expect(stdout).toMatch(/^WAIT-EVENT timeout .*done=0 .*running=1/);
    }
    expect((await statusOf(room, run)).units).toMatchObject([{ id: 'early', status: 'running' }]);
    const doubt = await room.cli.run(['reconcile', '--run', run.id], { code: 36 });
    expect(doubt.stdout).toContain('still running');
    const waiting = room.cli.run(['wait', '--run', run.id]);
    writeFileSync(go, '');
    expect((await waiting).stdout).toMatch(/^WAIT-EVENT all-done .*\nUNIT early succeeded/);
    expect(run.result('early')).toMatch(/^# early result\n(.+\n)+later\n$/);
    await room.cli.run(['reconcile', '--run', run.id]);
    await supervisorGone(run);
  });

  it('a wait that is launched again and again, and a new supervisor, do not start the stall clock anew (10)', async () => {
    const room = runRoom();
    const run = await room.start([
      { id: 'quiet', sh: 'echo begin; exec sleep 304', stallNotice: 8, stallThreshold: 0 },
    ]);
    const { at } = await run.event('running', 'quiet');
    const since = (): number => (Date.now() - Date.parse(at)) / 1000;
    for (let call = 0; call < 4; call++) {
      await room.cli.run(['wait', '--run', run.id, '--timeout', '1'], { code: 33 });
    }
    const killedAt = since();
    process.kill(run.supervisorPid(), 'SIGKILL');
    const { stdout } = await room.cli.run(['wait', '--run', run.id], { code: 31 });
    expect(stdout).toMatch(/^WAIT-EVENT stall .*\nUNIT quiet stalled\(\d+s\) /);
    const stalled = await run.event('stalled', 'quiet');
    expect(stalled.quietSeconds).toBeGreaterThanOrEqual(8);
    // A clock that began anew would say so eight seconds after the kill, which came four seconds after the start.
    expect((Date.parse(stalled.at) - Date.parse(at)) / 1000).toBeLessThan(killedAt + 7.5);
    expect(run.events().filter(({ type }) => type === 'supervisor')).toHaveLength(2);
    // It was told: the next wait does not wake for it again.
    await room.cli.run(['wait', '--run', run.id, '--timeout', '1'], { code: 33 });
    await endRun(room, run);
  });
});

describe('a run that lost its supervisor and its guardian', () => {
  it('is never shown as running by nobody: status replaces them, and a dead worker is interrupted at once (11)', async () => {
    const room = runRoom();
    const go = path.join(room.folder, 'go');
    const run = await room.start(
      [
        { id: 'lives', sh: `until [ -e '${go}' ]; do sleep 0.05; done; echo well` },
        { id: 'dies', sh: 'echo thinking; exec sleep 305' },
      ],
      { jobs: 2 },
    );
    await run.event('running', 'lives');
    await run.event('running', 'dies');
    await waitFor('the output', () =>
      linesOf(path.join(run.attempts('dies')[0]?.stateDir ?? '', 'tail')).includes('thinking'),
    );
    const dead = await killSupervisors(run);
    for (const { pid } of aliveOf(run, 'dies')) process.kill(pid, 'SIGKILL');
    const from = performance.now();
    const { stdout } = await room.cli.run(['wait', '--run', run.id], { code: 30 });
    expect(performance.now() - from).toBeLessThan(15_000);
    expect(stdout).toMatch(/^WAIT-EVENT fail .*\nUNIT dies (failed|interrupted)\(/);
    const { supervisor, units } = await statusOf(room, run);
    expect(supervisor).toMatchObject({ alive: true });
    expect(supervisor?.pid).not.toBe(dead);
    expect(units.find(({ id }) => id === 'lives')).toMatchObject({ status: 'running', attempt: 1 });
    expect(run.result('dies')).toContain('thinking');
    writeFileSync(go, '');
    const ends = await run.done();
    expect(ends.get('lives')).toMatchObject({ status: 'succeeded', attempt: 1 });
    expect(run.attempts('lives')).toHaveLength(1);
    await supervisorGone(run);
  });

  it.each(['somebody else', 'a zombie'])(
    'is not taken for alive where the pid of its supervisor is now that of %s (12)',
    async (who) => {
      const room = runRoom();
      const go = path.join(room.folder, 'go');
      const run = await room.start([
        { id: 'one', sh: `until [ -e '${go}' ]; do sleep 0.05; done; echo well` },
      ]);
      await run.event('running', 'one');
      await killSupervisors(run);
      if (who === 'a zombie') {
        const zombie = await deadChild();
        // Its own start time: only its state tells that it is no supervisor.
        forgeSupervisor(run, zombie, readProcess(zombie)?.start);
      } else forgeSupervisor(run, stranger().pid ?? 0);
      const { supervisor, units } = await statusOf(room, run);
      expect(supervisor).toMatchObject({ alive: true, pid: run.supervisorPid() });
      expect(units).toMatchObject([{ id: 'one', status: 'running', attempt: 1 }]);
      writeFileSync(go, '');
      const ends = await run.done();
      expect(ends.get('one')).toMatchObject({ status: 'succeeded', attempt: 1 });
      // Nobody signalled the one who has that pid now.
      for (const child of strangers) expect(child.signalCode).toBeNull();
      await supervisorGone(run);
    },
  );

  it('has no second worker in its worktree: retry, run and start refuse or adopt, cancel ends the first one (24)', async () => {
    const room = await repositoryRoom();
    const starts = path.join(room.folder, 'starts');
    const sh = `echo $$ >>'${starts}'; echo half >half.txt; trap '' TERM INT; setsid sleep 306 & while :; do sleep 0.2; done`;
    const run = await room.start([{ id: 'one', sh, mode: 'worktree' }], { repo: room.repo });
    await run.event('running', 'one');
    await waitFor('the worker', () => linesOf(starts).length === 1);
    await killSupervisors(run);
    // The worker lives on; each of these commands finds it by identity.
    const retry = await room.cli.run(['retry', '--run', run.id, '--unit', 'one', '--force'], { code: 2 });
    expect(retry.stderr).toContain('one: it is running');
    await killAgain(run);
    const again = await room.cli.run(['start', '--run', run.id, '--unit', 'one']);
    expect(again.stdout).toContain('LEFT one it was started already');
    // Nothing was left to start, and still the run has a supervisor again.
    expect(isAlive(run.supervisorPid())).toBe(true);
    const manifest = path.join(room.folder, `${run.id}.json`);
    const second = await room.cli.run(['run', manifest, '--run', run.id], { code: 2 });
    expect(second.stderr).toContain(run.id);
    await killAgain(run);
    const cancel = await room.cli.run(['cancel', '--run', run.id, '--unit', 'one', '--grace', '1']);
    expect(cancel.stdout).toContain('UNIT one cancelled');
    expect(aliveOf(run, 'one')).toEqual([]);
    expect(linesOf(starts)).toHaveLength(1);
    const [{ outcome } = { outcome: undefined }] = run.attempts('one');
    expect(outcome).toMatchObject({ status: 'cancelled', reason: 'cancelled', delta: { files: 1 } });
    await supervisorGone(run);
  });
});

describe('starts', () => {
  it('a second start brings its own environment and programs, not those of the first one (25)', async () => {
    const room = runRoom();
    const go = path.join(room.folder, 'go');
    const his = path.dirname(program(path.join(room.folder, 'his'), 'tool', 'echo "his tool for $WHO"'));
    const hers = path.dirname(program(path.join(room.folder, 'hers'), 'tool', 'echo "her tool for $WHO"'));
    const PATH = process.env.PATH ?? '';
    const run = await room.start(
      [{ id: 'first', sh: `until [ -e '${go}' ]; do sleep 0.05; done; tool` }],
      { jobs: 2 },
      { environment: { WHO: 'him', ONLY_HIS: 'secret', PATH: `${his}:${PATH}` } },
    );
    await run.event('running', 'first');
    const brief = path.join(room.folder, 'brief.md');
    writeFileSync(brief, 'Use the tool.\n');
    const add = (unit: string, ...argv: string[]) =>
      room.cli.run(['add', '--run', run.id, '--unit', unit, '--prompt-file', brief, '--', ...argv]);
    await add('second', 'tool');
    await add('third', '/bin/sh', '-c', 'echo "<$ONLY_HIS>"');
    await room.cli.run(['start', '--run', run.id], {
      environment: { WHO: 'her', PATH: `${hers}:${PATH}` },
    });
    await run.event('ended', 'second');
    await run.event('ended', 'third');
    writeFileSync(go, '');
    await run.done();
    expect(run.result('first')).toBe('his tool for him\n');
    expect(run.result('second')).toBe('her tool for her\n');
    expect(run.result('third')).toBe('<>\n');
    await supervisorGone(run);
  });

  it('of five runs with one name at once one wins and is whole, and those that lose hurt nothing (26)', async () => {
    const room = runRoom();
    const mark = path.join(room.folder, 'marks');
    const manifest = path.join(room.folder, 'five.json');
    const units = ['a', 'b', 'c'].map((id) => ({
      id,
      executor: 'command',
      prompt: 'Do it.',
      argv: ['/bin/sh', '-c', `echo ${id} >>'${mark}'; sleep 0.3; echo ok`],
    }));
    writeFileSync(manifest, JSON.stringify({ units }));
    const calls = await Promise.all(
      Array.from({ length: 5 }, () => room.cli.run(['run', manifest, '--run', 'five'], { code: 'any' })),
    );
    expect(calls.map(({ code }) => code).sort()).toEqual([0, 2, 2, 2, 2]);
    for (const { code, stderr } of calls) {
      if (code === 2) expect(stderr).toMatch(/^prun run: .*five.*\n$/);
    }
    const run = room.open('five');
    expect([...(await run.done()).values()].map(({ status }) => status)).toEqual(
      units.map(() => 'succeeded'),
    );
    expect(linesOf(mark).sort()).toEqual(['a', 'b', 'c']);
    await supervisorGone(run);
  });

  it('five starts of different runs at once, and five of one run, all succeed: one supervisor a run (26)', async () => {
    const room = runRoom();
    const mark = path.join(room.folder, 'marks');
    const go = path.join(room.folder, 'go');
    const manifest = path.join(room.folder, 'own.json');
    const sh = `echo x >>'${mark}'; until [ -e '${go}' ]; do sleep 0.05; done; echo ok`;
    const unit = { id: 'a', executor: 'command', prompt: 'Do it.', argv: ['/bin/sh', '-c', sh] };
    writeFileSync(manifest, JSON.stringify({ jobs: 8, units: [unit] }));
    const told = await Promise.all(
      Array.from({ length: 5 }, () => room.cli.run(['run', manifest, '--json'])),
    );
    const runs = told.map(({ stdout }) => room.open((JSON.parse(stdout) as { run: string }).run));
    expect(new Set(runs.map(({ id }) => id)).size).toBe(5);
    const [first, ...others] = runs;
    if (!first) throw new Error('no run');
    const brief = path.join(room.folder, 'brief.md');
    writeFileSync(brief, 'Do it.\n');
    const more = ['b', 'c', 'd', 'e', 'f'];
    for (const id of more) {
      const argv = ['add', '--run', first.id, '--unit', id, '--prompt-file', brief];
      await room.cli.run([...argv, '--', '/bin/sh', '-c', sh]);
    }
    // Nobody supervises it at that moment: all five find that out.
    await first.event('running', 'a');
    await killSupervisors(first);
    await Promise.all(more.map((id) => room.cli.run(['start', '--run', first.id, '--unit', id])));
    writeFileSync(go, '');
    for (const run of runs) {
      for (const end of (await run.done()).values()) expect(end.status).toBe('succeeded');
      await supervisorGone(run);
    }
    expect(first.ends().size).toBe(6);
    expect(first.events().filter(({ type }) => type === 'supervisor')).toHaveLength(2);
    for (const run of others) {
      expect(run.events().filter(({ type }) => type === 'supervisor')).toHaveLength(1);
    }
    // Ten units ran, each once: the killed supervisor's too.
    expect(linesOf(mark)).toHaveLength(10);
  });
});

describe('what a unit has done', () => {
  it('is whole in its patch, stays through a retry, and is archived before anything is removed (27)', async () => {
    const room = await repositoryRoom();
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7) % 256));
    const image = path.join(room.folder, 'image.bin');
    writeFileSync(image, bytes);
    const good = path.join(room.folder, 'good');
    const sh = `cp '${image}' image.bin; echo two >file.txt; echo "log of attempt"; [ -e '${good}' ] && echo well`;
    const run = await room.start([{ id: 'one', sh }], { repo: room.repo });
    await supervisorGone(run);
    writeFileSync(good, '');
    await room.cli.run(['retry', '--run', run.id]);
    await run.event('ended', 'one', 2);
    await supervisorGone(run);

    // A re-launch truncates nothing: both attempts have their own output, state and result.
    const [first, second] = run.attempts('one');
    expect(first?.outcome).toMatchObject({ status: 'failed', delta: { files: 2 } });
    expect(readFileSync(path.join(first?.stateDir ?? '', 'tail'), 'utf8')).toContain('log of attempt');
    expect(readFileSync(path.join(second?.stateDir ?? '', 'previous-result'), 'utf8')).toContain('FALLBACK');

    // The patch carries the binary file, for plain git and for prun.
    const set = path.join(room.cli.stateHome, 'workspaces', run.id);
    const patch = path.join(set, 'units/one/delta.patch');
    const copy = path.join(room.folder, 'copy');
    await git(room.folder, ['clone', '-q', room.repo, copy]);
    writeFileSync(path.join(copy, 'file.txt'), 'one and a half\n');
    await git(copy, ['apply', patch]);
    await room.cli.run(['apply', '--run', run.id, '--to', room.repo]);
    for (const tree of [copy, room.repo]) {
      expect(readFileSync(path.join(tree, 'image.bin')).equals(bytes)).toBe(true);
      expect(readFileSync(path.join(tree, 'file.txt'), 'utf8')).toBe('two\n');
    }
    expect(await gitSays(room.repo, ['log', '--oneline'])).toMatch(/^\w+ first$/);

    // Somebody works on in the clone after its collect: cleanup archives that, too, before it removes anything.
    const clone = path.join(set, 'clones/one');
    writeFileSync(path.join(clone, 'late.txt'), 'nobody collected this\n');
    await room.cli.run(['cleanup', '--run', run.id]);
    expect(existsSync(clone)).toBe(false);
    expect(readFileSync(patch, 'utf8')).toContain('+nobody collected this');
  });

  it('is not removed where its delta cannot hold everything, until somebody forces it (27)', async () => {
    const room = await repositoryRoom();
    const run = await room.start([{ id: 'one', sh: 'echo two >file.txt; echo well' }], { repo: room.repo });
    await supervisorGone(run);
    const clone = path.join(room.cli.stateHome, 'workspaces', run.id, 'clones/one');
    writeFileSync(path.join(clone, 'notes.txt'), 'mine\n');
    execFileSync('mkfifo', [path.join(clone, 'pipe')]);
    const kept = await room.cli.run(['cleanup', '--run', run.id], { code: 30 });
    expect(kept.stdout).toContain('KEPT');
    expect(readFileSync(path.join(clone, 'notes.txt'), 'utf8')).toBe('mine\n');
    await room.cli.run(['cleanup', '--run', run.id, '--force']);
    expect(existsSync(clone)).toBe(false);
    const patch = path.join(room.cli.stateHome, 'workspaces', run.id, 'units/one/delta.patch');
    expect(readFileSync(patch, 'utf8')).toContain('+mine');
  });
});

/** Kills the supervisor that the last command has started, with its guardian. */
async function killAgain(run: StartedRun): Promise<void> {
  await waitFor('a new supervisor at work', () => isAlive(run.supervisorPid()));
  await killSupervisors(run);
}

function stranger(): ChildProcess {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  strangers.push(child);
  return child;
}

/** A process that has ended and that its parent never asks about. */
async function deadChild(): Promise<number> {
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  strangers.push(parent);
  const pid = await new Promise<number>((resolve) => {
    parent.stdout?.once('data', (text) => resolve(Number(String(text).trim())));
  });
  await waitFor('the zombie', () => readProcess(pid)?.state === 'Z');
  return pid;
}
