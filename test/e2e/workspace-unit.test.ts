import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readOutcome } from '../../scripts-src/unit/read-records.ts';
import { buildWithStandIn, filesOf, placeWithWorkspace } from '../helpers/unit-in-workspace.ts';
import { waitFor } from '../helpers/wait-for.ts';

let scripts: string;
beforeAll(async () => {
  scripts = await buildWithStandIn('workspace-unit');
});

const place = (ports?: { first: number; last: number }) => placeWithWorkspace(scripts, ports ?? null);
const report = (files: string, conclusion = 'done') =>
  `printf '# api result\\nConclusion: ${conclusion}\\nFiles: ${files}\\nOpen items: none\\nVerification: none\\n' >"$RESULT"`;

/** Whether a process is there; a zombie is not. */
function isRunning(pid: string): boolean {
  try {
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

describe.skipIf(process.platform === 'win32')('a unit in a workspace', () => {
  it('finds its ports, its workspace and the note on its base in its environment', async () => {
    const { set, clone, folder, dispatch } = place({ first: 41_000, last: 41_009 });
    const run = dispatch(`env >"${folder}/seen"; ${report('none')}`, {
      environment: { PORT: '80', PRUN_PORT_FIRST: '1' },
    });
    expect((await run.outcome()).outcome).toMatchObject({ status: 'succeeded', reason: 'ok' });
    const seen = readFileSync(path.join(folder, 'seen'), 'utf8').split('\n');
    expect(seen.filter((line) => /^(?:PORT|PRUN_(?:PORT|WORK|BASE).*)=/.test(line)).sort()).toEqual([
      'PORT=41000',
      `PRUN_BASE_NOTE=${set}/PRUN-BASE.md`,
      'PRUN_PORT_FIRST=41000',
      'PRUN_PORT_LAST=41009',
      `PRUN_WORKSPACE=${clone}`,
    ]);
  });

  it('its delta is collected and archived, and the outcome has it in figures', async () => {
    const unit = place();
    unit.play('record', {
      files: [
        ...filesOf('modified', 'src/a.ts'),
        ...filesOf('added', 'src/b.ts', 'c.md'),
        ...filesOf('deleted', 'd'),
      ],
      commits: [{ id: 'c'.repeat(40), subject: 'x', submodule: null }],
      outside: ['c.md'],
      problems: [{ path: 'pipe', what: 'is a pipe', lost: true }],
    });
    const run = unit.dispatch(report('src/a.ts, src/b.ts, c.md; removed d'));
    const { outcome, alive } = await run.outcome();
    const stateDir = await run.stateDir();
    expect(alive).toEqual([]);
    expect(outcome).toMatchObject({
      status: 'succeeded',
      reason: 'ok',
      delta: {
        state: 'collected',
        workspace: unit.clone,
        base: 'a'.repeat(40),
        result: 'b'.repeat(40),
        files: 4,
        added: 2,
        modified: 1,
        deleted: 1,
        commits: 1,
        moves: 0,
        outside: 1,
        problems: 1,
        lost: ['pipe: is a pipe'],
        patch: path.join(stateDir, 'delta.patch'),
      },
      claims: { claimed: [], unclaimed: [], ignored: [], more: 0 },
      tripwire: null,
    });
    expect(unit.calls()).toEqual([['collect', unit.clone, '--json', '--state-dir', stateDir]]);
    expect(lstatSync(path.join(stateDir, 'repository')).mode & 0o777).toBe(0o600);
    expect(readOutcome(stateDir)).toEqual(outcome);
    expect(await run.exitCode).toBe(0);
  });

  it.each(['a folder below it', 'a link to it'])('is known by %s as well', async (way) => {
    const { clone, folder, dispatch, calls } = place();
    const link = path.join(folder, 'link');
    symlinkSync(clone, link);
    const workdir = way === 'a link to it' ? link : path.join(clone, 'src');
    const run = dispatch(report('none'), { flags: ['--workdir', workdir] });
    expect((await run.outcome()).outcome.delta).toMatchObject({ state: 'collected', workspace: clone });
    expect(calls()).toHaveLength(1);
  });

  it('a work dir that is no workspace has no delta, and nothing is collected', async () => {
    const { folder, dispatch, calls } = place();
    mkdirSync(path.join(folder, 'clones/api'), { recursive: true });
    const run = dispatch(report('src/a.ts'), { flags: ['--workdir', path.join(folder, 'clones/api')] });
    const { outcome } = await run.outcome();
    expect(outcome).toMatchObject({ status: 'succeeded', delta: null, claims: null, tripwire: null });
    expect(calls()).toEqual([]);
    expect(existsSync(path.join(await run.stateDir(), 'repository'))).toBe(false);
  });

  it('that was reaped has its delta, too', async () => {
    const unit = place();
    unit.play('record', { files: filesOf('added', 'src/a.ts') });
    const run = unit.dispatch('sleep 100', { flags: ['--stall-threshold', '1'] });
    const { outcome } = await run.outcome();
    expect(outcome).toMatchObject({
      reason: 'idle-stall',
      delta: { state: 'collected', files: 1 },
      claims: null,
    });
    expect(await run.exitCode).toBe(124);
  });
});

describe.skipIf(process.platform === 'win32')('what a result claims', () => {
  it.each([
    ['a file that the delta lacks', 'src/a.ts, src/b.ts', ['src/a.ts'], 'failed claim-mismatch', 'src/b.ts'],
    [
      'nothing, and the delta has something',
      'none (read-only)',
      ['src/a.ts'],
      'failed claim-mismatch',
      'src/a.ts',
    ],
    ['a file, and the delta is empty', 'src/a.ts', [], 'failed claim-mismatch', 'src/a.ts'],
    ['less than there is', 'src/a.ts', ['src/a.ts', 'src/b.ts'], 'succeeded ok', ''],
    ['nothing, and nothing is there', 'none (read-only)', [], 'succeeded ok', ''],
    ['nothing in any words, and nothing is there', 'see below', [], 'failed nothing-done', 'gave no reason'],
  ])('%s', async (_, claim, changed, end, said) => {
    const unit = place();
    unit.play('record', { files: filesOf('added', ...changed) });
    const run = unit.dispatch(report(claim));
    const { outcome } = await run.outcome();
    expect(`${outcome.status} ${outcome.reason}`, outcome.detail).toBe(end);
    expect(outcome.detail).toContain(said);
    expect(outcome.result?.origin).toBe('worker');
    expect(await run.exitCode).toBe(0);
    if (outcome.status === 'succeeded') return;
    expect(run.stderr()).toContain(`dispatch-task: ${outcome.detail}: `);
    const monitor = [path.join(scripts, 'monitor.cjs'), await run.stateDir()];
    const seen = spawnSync(process.execPath, monitor, { encoding: 'utf8' });
    expect(seen.stdout).toMatch(new RegExp(`^UNIT \\S+ failed\\(${outcome.reason}\\)$`, 'm'));
    expect(seen.status).toBe(3);
  });

  it('is not asked where the worker failed anyway', async () => {
    const unit = place();
    const run = unit.dispatch(`${report('src/a.ts')}; exit 3`);
    expect((await run.outcome()).outcome).toMatchObject({
      reason: 'exit',
      exitCode: 3,
      claims: { claimed: ['src/a.ts'] },
    });
  });
});

describe.skipIf(process.platform === 'win32')('the tripwire', () => {
  it('tells every change in the user’s repository, made at once by the first instruction', async () => {
    const { git, repository, dispatch } = place();
    git('branch', 'old');
    git('config', 'remote.x.url', 'https://ann:secret@example.com/');
    const first = git('rev-parse', 'HEAD').trim();
    const worker = [
      'cd REPO',
      'git update-ref refs/heads/evil HEAD',
      'git branch -D old',
      'git branch prun/items-1/api',
      'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m two',
      'git config remote.x.url https://ann:other@example.com/',
      'echo "exit 0" >.git/hooks/pre-push',
      'git worktree add -q ../elsewhere -b side',
      'git checkout -q --detach',
      report('none'),
    ];
    const run = dispatch(worker.join('\n'));
    const { outcome } = await run.outcome();
    const now = git('rev-parse', 'main').trim();
    expect(outcome.tripwire?.changes).toEqual([
      { what: 'HEAD', name: 'HEAD', change: 'changed', before: 'ref: refs/heads/main', after: now },
      { what: 'ref', name: 'refs/heads/main', change: 'changed', before: first, after: now },
      { what: 'ref', name: 'refs/heads/old', change: 'removed', before: first },
      { what: 'ref', name: 'refs/heads/evil', change: 'added', after: first },
      { what: 'ref', name: 'refs/heads/side', change: 'added', after: now },
      { what: 'config', name: 'config [remote]', change: 'changed' },
      { what: 'hook', name: 'pre-push', change: 'added' },
      {
        what: 'worktree',
        name: 'elsewhere',
        change: 'added',
        after: path.join(path.dirname(repository), 'elsewhere'),
      },
    ]);
    expect(outcome.tripwire).toMatchObject({ more: 0, unread: [] });
    expect(Date.parse(outcome.tripwire?.since ?? '')).toBeLessThanOrEqual(
      Date.parse(outcome.tripwire?.seenAt ?? ''),
    );
    await run.exitCode;
    expect(run.stderr()).toMatch(
      /the user's repository changed between \S+ and \S+: HEAD changed .*, and 5 more\n/,
    );
    const kept = readFileSync(path.join(await run.stateDir(), 'repository'), 'utf8');
    expect(`${kept}${JSON.stringify(outcome)}`).not.toMatch(/secret|other@/);
  });

  it('is bounded, and counts the rest', async () => {
    const { dispatch } = place();
    const run = dispatch(`cd REPO; for i in $(seq 30); do git branch "b-$i"; done; ${report('none')}`);
    const { tripwire } = (await run.outcome()).outcome;
    expect([tripwire?.changes.length, tripwire?.more]).toEqual([20, 10]);
  });
});

describe.skipIf(process.platform === 'win32')('a delta that cannot be collected', () => {
  it.each([
    ['fail', 'prun collect: the clone is gone: nothing can be done'],
    ['rubbish', 'prun collect printed no record of a delta'],
    ['nothing', 'prun collect printed no record of a delta'],
    ['die', 'prun collect was ended by SIGKILL and said nothing'],
  ])('is said, and costs no outcome: %s', async (play, detail) => {
    const unit = place();
    unit.play(play);
    const run = unit.dispatch(report('src/a.ts'));
    expect((await run.outcome()).outcome).toMatchObject({
      status: 'succeeded',
      delta: {
        state: 'failed',
        workspace: unit.clone,
        detail,
        next: expect.stringMatching(/^node .*prun\.cjs'? collect '.*\/clones\/api'$/),
      },
      claims: null,
    });
    expect(await run.exitCode).toBe(0);
    expect(run.stderr()).toContain(`dispatch-task: the delta is not collected: ${detail}: node `);
  });

  it('because prun.cjs is missing beside the script', async () => {
    const bare = await buildWithStandIn('workspace-unit-bare');
    rmSync(path.join(bare, 'prun.cjs'));
    const run = placeWithWorkspace(bare).dispatch(report('none'));
    const { delta } = (await run.outcome()).outcome;
    expect(delta).toMatchObject({ state: 'failed', detail: expect.stringContaining('prun.cjs is missing') });
  });

  it('because the worker removed its clone: the attempt ends all the same', async () => {
    const unit = place();
    unit.play('fail');
    const run = unit.dispatch(`rm -rf "${unit.clone}"; ${report('none')}`);
    expect((await run.outcome()).outcome).toMatchObject({ status: 'succeeded', delta: { state: 'failed' } });
  });

  it.runIf(process.platform === 'linux')('what a collection leaves behind is ended', async () => {
    const unit = place();
    unit.play('leave');
    const { outcome, alive } = await unit.dispatch(report('none')).outcome();
    expect(alive).toEqual([]);
    expect(outcome.delta).toMatchObject({ state: 'collected' });
  });
});

describe.skipIf(process.platform === 'win32')('a stop', () => {
  it('of a unit at work leaves no time for a collection', async () => {
    const unit = place();
    const run = unit.dispatch('echo started; sleep 100');
    const stateDir = await run.stateDir();
    await waitFor('the worker', () => readFileSync(path.join(stateDir, 'tail'), 'utf8').includes('started'));
    run.child.kill('SIGTERM');
    expect(await run.exitCode).toBe(143);
    expect((await run.outcome()).outcome).toMatchObject({
      reason: 'signal',
      delta: {
        state: 'not-collected',
        detail: 'dispatch-task was stopped',
        next: expect.stringMatching(/^node .*prun\.cjs'? collect '.*\/clones\/api'$/),
      },
    });
    expect(unit.calls()).toEqual([]);
  });

  it('during the collection ends it in time, with everything that it started', async () => {
    const unit = place();
    unit.play('hang');
    const run = unit.dispatch(report('none'));
    await run.stateDir();
    const hung = await waitFor('the collection', () => {
      const file = path.join(unit.set, 'hung');
      return (
        existsSync(file) && readFileSync(file, 'utf8').split(' ').length === 2 && readFileSync(file, 'utf8')
      );
    });
    const from = performance.now();
    run.child.kill('SIGTERM');
    expect(await run.exitCode).toBe(0);
    expect(performance.now() - from).toBeLessThan(1400);
    const { outcome, alive } = await run.outcome();
    expect(alive).toEqual([]);
    expect(hung.split(' ').filter(isRunning)).toEqual([]);
    expect(outcome).toMatchObject({
      status: 'succeeded',
      delta: { state: 'not-collected', detail: 'dispatch-task was stopped meanwhile' },
    });
  });
});

describe.skipIf(process.platform !== 'linux')('a dispatcher that is killed', () => {
  it('at work: its guardian collects the delta and compares the repository', async () => {
    const unit = place();
    unit.play('record', { files: filesOf('added', 'src/a.ts') });
    const run = unit.dispatch('cd REPO; git branch evil; echo started; sleep 100');
    const stateDir = await run.stateDir();
    await waitFor(
      'the worker and the fingerprint',
      () =>
        readFileSync(path.join(stateDir, 'tail'), 'utf8').includes('started') &&
        existsSync(path.join(stateDir, 'repository')),
    );
    run.child.kill('SIGKILL');
    const { outcome, alive } = await run.outcome();
    expect(alive).toEqual([]);
    expect(outcome).toMatchObject({
      reason: 'dispatch-dead',
      supervisor: 'guardian',
      delta: { state: 'collected', files: 1 },
      tripwire: { changes: [{ what: 'ref', name: 'refs/heads/evil', change: 'added' }] },
    });
  });

  it('while it collects: its guardian ends that collection and makes its own', async () => {
    const unit = place();
    unit.play('hang record', { files: filesOf('added', 'src/a.ts') });
    const run = unit.dispatch(report('src/a.ts'));
    await run.stateDir();
    const hung = await waitFor('the collection', () => {
      const file = path.join(unit.set, 'hung');
      return (
        existsSync(file) && readFileSync(file, 'utf8').split(' ').length === 2 && readFileSync(file, 'utf8')
      );
    });
    run.child.kill('SIGKILL');
    const { outcome, alive } = await run.outcome();
    expect(alive).toEqual([]);
    expect(hung.split(' ').filter(isRunning)).toEqual([]);
    expect(unit.calls()).toHaveLength(2);
    expect(outcome).toMatchObject({
      status: 'succeeded',
      supervisor: 'guardian',
      delta: { state: 'collected', files: 1 },
      claims: { claimed: [], unclaimed: [] },
    });
  });
});
