import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../helpers/plain-git.ts';
import { endRun, supervisorGone } from '../helpers/run-over.ts';
import { type ManifestUnit, type RunRoom, runRoom, type StartedRun } from '../helpers/run-room.ts';

// What `conflicts`, `apply` and `collect` take when they are given a run.

interface Place {
  room: RunRoom;
  repo: string;
  run: StartedRun;
}

/** A run in a small repository, over. */
async function runOver(units: readonly ManifestUnit[]): Promise<Place> {
  const room = runRoom();
  const repo = path.join(room.folder, 'repo');
  mkdirSync(repo);
  await git(repo, ['init', '-q', '-b', 'main']);
  writeFileSync(path.join(repo, 'file'), 'one\n');
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-qm', 'first']);
  const run = await room.start(units, { repo });
  await supervisorGone(run);
  return { room, repo, run };
}

const works = (id: string): ManifestUnit => ({ id, sh: `echo by ${id} > ${id}.txt; echo done` });

describe('a run with units that did not end well', () => {
  const units: ManifestUnit[] = [
    works('good'),
    works('dropped'),
    { id: 'half', sh: 'echo half > half.txt; exit 3' },
    { id: 'review', sh: 'echo looks well', mode: 'scratch' },
  ];

  it('gives the deltas of those that succeeded, and names the others with what takes them', async () => {
    const { room, repo, run } = await runOver(units);
    await room.cli.run(['reconcile', '--run', run.id, '--without', 'dropped'], { code: 36 });
    const conflicts = await room.cli.run(['conflicts', '--run', run.id]);
    expect(conflicts.stdout).toBe('CONFLICTS units=1 pairs=0 outside=0\nORDER good\n');
    expect(conflicts.stderr).toBe(
      'prun conflicts: note: unit dropped is left out: by reconcile --without; --unit dropped takes it\n' +
        'prun conflicts: note: unit half is left out: it ended failed (exit); --unit half takes it\n',
    );
    const apply = ['apply', '--run', run.id, '--to', repo];
    const check = await room.cli.run([...apply, '--check']);
    expect(check.stdout).toBe('WOULD-APPLY 1 files=1\nA good.txt\n');
    expect(check.stderr).toContain('prun apply: note: unit half is left out: it ended failed (exit)');

    // Its NEXT leads to what was decided.
    const decided = await room.cli.run(['reconcile', '--run', run.id, '--accept', 'half']);
    expect(decided.stdout).toContain(`NEXT prun conflicts --run ${run.id}\n`);
    const taken = await room.cli.run([...apply, '--check']);
    expect(taken.stdout).toBe('WOULD-APPLY 2 files=2\nA good.txt\nA half.txt\n');
    expect(taken.stderr).not.toContain('unit half is left out');

    const named = await room.cli.run([...apply, '--unit', 'dropped', '--unit', 'good']);
    expect(named.stdout).toContain('APPLIED 2 files=2\n');
    expect(named.stderr).toBe('');
    // What was taken back is taken again.
    await room.cli.run(['reconcile', '--run', run.id, '--reopen', 'dropped']);
    expect((await room.cli.run([...apply, '--check'])).stdout).toBe('WOULD-APPLY 3 files=1\nA half.txt\n');
  });

  it('says of a unit without files that it has no delta', async () => {
    const { room, repo, run } = await runOver(units);
    for (const argv of [['conflicts'], ['apply', '--to', repo]]) {
      const alone = await room.cli.run([...argv, '--run', run.id, '--unit', 'review'], { code: 2 });
      expect(alone.stderr).toBe(
        `prun ${argv[0]}: unit review of run ${run.id} has no delta: it has no files of its own (mode scratch): leave it out: there is nothing of it to compare or to apply\n`,
      );
    }
    const both = ['conflicts', '--run', run.id, '--unit', 'review', '--unit', 'good'];
    const said = await room.cli.run(both);
    expect(said.stdout).toContain('ORDER good\n');
    expect(said.stderr).toBe(
      'prun conflicts: note: unit review has no delta: it has no files of its own (mode scratch)\n',
    );
    const strange = await room.cli.run(['conflicts', '--run', run.id, '--unit', 'nobody'], { code: 2 });
    expect(strange.stderr).toContain('has no unit "nobody": its units are: good, dropped, half, review\n');
  });

  it('is refused as a whole where no unit is good, with the reasons', async () => {
    const { room, repo, run } = await runOver([{ id: 'half', sh: 'echo half > half.txt; exit 3' }]);
    const said = await room.cli.run(['apply', '--run', run.id, '--to', repo, '--check'], { code: 2 });
    expect(said.stderr).toContain('unit half is left out: it ended failed (exit); --unit half takes it: ');
    expect(said.stderr).toContain(`prun reconcile --run ${run.id} says what is in doubt`);
  });

  it('does not take what is still at work, or was cancelled', async () => {
    const room = runRoom();
    const repo = path.join(room.folder, 'repo');
    mkdirSync(repo);
    await git(repo, ['init', '-q', '-b', 'main']);
    writeFileSync(path.join(repo, 'file'), 'one\n');
    await git(repo, ['add', '-A']);
    await git(repo, ['commit', '-qm', 'first']);
    const run = await room.start([works('good'), { id: 'slow', sh: 'echo half > slow.txt; sleep 600' }], {
      repo,
      jobs: 2,
    });
    await run.event('ended', 'good');
    await run.event('running', 'slow');
    await room.cli.run(['collect', '--run', run.id, '--unit', 'slow']);
    const conflicts = ['conflicts', '--run', run.id];
    const during = await room.cli.run(conflicts);
    expect(during.stdout).toContain('ORDER good\n');
    expect(during.stderr).toContain('unit slow is left out: it is still running; --unit slow takes it\n');
    await endRun(room, run);
    const after = await room.cli.run(conflicts);
    expect(after.stdout).toContain('ORDER good\n');
    expect(after.stderr).toContain('unit slow is left out: it ended cancelled; --unit slow takes it\n');
  });
});

it('what was built on an older result is taken with a note, and a removed clone leads to another attempt', async () => {
  const { room, run } = await runOver([
    works('db'),
    { ...works('api'), after: ['db'] },
    { id: 'ui', sh: 'echo done; rm -rf "$PWD"' },
  ]);
  const conflicts = ['conflicts', '--run', run.id];
  expect((await room.cli.run(conflicts)).stderr).not.toContain('older result');
  await room.cli.run(['retry', '--run', run.id, '--unit', 'db', '--force']);
  await run.done();
  const note = `prun conflicts: note: built on an older result of a parent: api (on db); a fresh attempt: prun retry --run ${run.id} --unit UNIT\n`;
  expect((await room.cli.run(conflicts)).stderr).toContain(note);
  expect((await room.cli.run([...conflicts, '--unit', 'api'])).stderr).toContain(note);
  const open = await room.cli.run(['reconcile', '--run', run.id], { code: 36 });
  expect(open.stdout).toMatch(/ui .*no delta/);
  expect(open.stdout).toContain(`prun retry --run ${run.id} --unit ui --force`);
  await room.cli.run(['retry', '--run', run.id, '--unit', 'ui', '--force']);
  await run.done();
});

it('a run whose workspaces have gone says where its patches are, and the command that it names puts them in', async () => {
  const { room, repo, run } = await runOver([
    works('api'),
    works('ui'),
    { id: 'half', sh: 'echo half > half.txt; exit 3' },
  ]);
  await room.cli.run(['cleanup', '--run', run.id, '--drop-worktrees', '--force']);
  const patches = path.join(run.folder, 'patches');
  expect(readdirSync(patches)).toEqual(['api.patch', 'half.patch', 'ui.patch']);
  for (const argv of [['conflicts'], ['collect'], ['apply', '--to', repo]]) {
    const said = await room.cli.run([...argv, '--run', run.id], { code: 2 });
    expect(said.stderr).toContain(`the patches of its deltas are in ${patches}: prun apply `);
    expect(said.stderr.trimEnd().split('\n')).toHaveLength(1);
  }
  const { stderr } = await room.cli.run(['apply', '--run', run.id, '--to', repo], { code: 2 });
  const [, command = ''] = /: prun (apply .*) --to TREE --check says/.exec(stderr) ?? [];
  const words = command.replaceAll("'", '').split(/ (?=\/)/);
  // The half-done one is not among them.
  expect(words).toEqual(['apply', `${patches}/api.patch`, `${patches}/ui.patch`]);
  const done = await room.cli.run([...words, '--to', repo]);
  expect(done.stdout).toContain('APPLIED 2 files=2\nA api.txt\nA ui.txt\n');
  expect(readFileSync(path.join(repo, 'ui.txt'), 'utf8')).toBe('by ui\n');
  const half = ['apply', '--run', run.id, '--unit', 'half', '--to', repo];
  expect((await room.cli.run(half, { code: 2 })).stderr).toContain('half.patch');
});

it('a run of which no unit works in files has no deltas, and says so', async () => {
  const room = runRoom();
  const run = await room.start([{ id: 'look', sh: 'echo seen' }]);
  await supervisorGone(run);
  const said = await room.cli.run(['conflicts', '--run', run.id], { code: 2 });
  expect(said.stderr).toContain(`no unit of run ${run.id} has a workspace, so there are no deltas: `);
  expect(existsSync(path.join(room.cli.stateHome, 'workspaces', run.id))).toBe(false);
});
