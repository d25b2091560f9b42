import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { currentHost } from '../../scripts-src/process/host.ts';
import { createRun } from '../../scripts-src/run/run-folder.ts';
import {
  makeIntegration,
  planIntegration,
} from '../../scripts-src/workspace/integration/make-integration.ts';
import { git, gitSays } from '../helpers/plain-git.ts';
import { PLAIN_RUN } from '../helpers/run-fixture.ts';
import { endRun, supervisorGone } from '../helpers/run-over.ts';
import { type RunRoom, runRoom, type StartedRun } from '../helpers/run-room.ts';

const GOOD =
  'echo new > "$PRUN_NAME.txt"; printf "# %s result\\nConclusion: ok\\nFiles: $PRUN_NAME.txt\\nOpen items: none\\nVerification: none\\n" "$PRUN_NAME"';
const good = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  sh: `PRUN_NAME=${id}; ${GOOD}`,
  ...more,
});

interface RepoRoom extends RunRoom {
  repo: string;
  clones(run: StartedRun): string;
}

async function repoRoom(): Promise<RepoRoom> {
  const room = runRoom();
  const repo = path.join(room.folder, 'repo');
  mkdirSync(repo);
  await git(repo, ['init', '-q', '-b', 'main']);
  writeFileSync(path.join(repo, 'file'), 'one\n');
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-qm', 'first']);
  return { ...room, repo, clones: ({ id }) => path.join(room.cli.stateHome, 'workspaces', id, 'clones') };
}

describe('prun cleanup of a run', () => {
  it('frees the clones, keeps reports and the store, and apply works on afterwards', async () => {
    const room = await repoRoom();
    const run = await room.start([good('api'), good('ui')], { repo: room.repo });
    await supervisorGone(run);
    const { stdout } = await room.cli.run(['cleanup', '--run', run.id]);
    expect(stdout).toMatch(new RegExp(`^CLEANUP run=${run.id} removed=2 kept=0 freed=\\d`));
    expect(readdirSync(room.clones(run))).toEqual([]);
    for (const name of ['agent-io/results/api.md', 'agent-io/ledger.md', 'events.jsonl', 'units.jsonl']) {
      expect(existsSync(path.join(run.folder, name)), name).toBe(true);
    }
    await room.cli.run(['reconcile', '--run', run.id]);
    await room.cli.run(['apply', '--run', run.id, '--to', room.repo]);
    expect(readFileSync(path.join(room.repo, 'api.txt'), 'utf8')).toBe('new\n');
    const again = await room.cli.run(['cleanup', '--run', run.id]);
    expect(again.stdout).toBe(`CLEANUP run=${run.id} removed=0 kept=0 freed=0B\n`);
  });

  it('leaves a unit alone that runs, until it is forced, and then cancels it and archives its delta first', async () => {
    const room = await repoRoom();
    const run = await room.start([good('api'), { id: 'slow', sh: 'echo half > half.txt; sleep 600' }], {
      repo: room.repo,
      jobs: 2,
    });
    await run.event('ended', 'api');
    await run.event('running', 'slow');
    const kept = await room.cli.run(['cleanup', '--run', run.id], { code: 30 });
    expect(kept.stdout).toContain(
      `NOTE slow it is running: wait for it, or prun cancel --run ${run.id} --unit slow\n`,
    );
    expect(readdirSync(room.clones(run))).toEqual(['slow']);
    const forced = await room.cli.run(['cleanup', '--run', run.id, '--force', '--json']);
    expect(JSON.parse(forced.stdout)).toMatchObject({
      cancelled: ['slow'],
      units: [{ unit: 'slow', removed: true }],
    });
    expect(readdirSync(room.clones(run))).toEqual([]);
    const patch = path.join(room.clones(run), '../units/slow/delta.patch');
    expect(readFileSync(patch, 'utf8')).toContain('half');
    await supervisorGone(run);
  });

  it('--drop-worktrees keeps what holds changes, until it is forced; then branches and store go and patches stay', async () => {
    const room = await repoRoom();
    const worktree = { mode: 'worktree' };
    const run = await room.start(
      [good('api', worktree), { id: 'idle', sh: 'echo nothing to do', ...worktree }],
      { repo: room.repo },
    );
    await supervisorGone(run);
    const plain = await room.cli.run(['cleanup', '--run', run.id]);
    expect(plain.stdout).toBe(
      `CLEANUP run=${run.id} removed=0 kept=0 freed=0B\nSTAYS ${room.clones(run)}/api\nSTAYS ${room.clones(run)}/idle\nNEXT prun cleanup --run ${run.id} --drop-worktrees\n`,
    );
    const kept = await room.cli.run(['cleanup', '--run', run.id, '--drop-worktrees'], { code: 30 });
    expect(kept.stdout).toContain(
      'NOTE api its worktree holds changes (files=1 commits=0): when they are applied, --force',
    );
    expect(kept.stdout).toMatch(/^REMOVED idle .*\nEMPTY idle its delta holds no change$/m);
    expect(kept.stdout).not.toMatch(/^PATCH .*idle/m);
    expect(kept.stdout).toContain('KEPT store');
    expect(await gitSays(room.repo, ['branch', '--format=%(refname:short)'])).toBe(
      `main\nprun/${run.id}/api`,
    );
    await room.cli.run(['reconcile', '--run', run.id]);
    const forced = await room.cli.run(['cleanup', '--run', run.id, '--drop-worktrees', '--force']);
    expect(forced.stdout).toContain('REMOVED store');
    expect(await gitSays(room.repo, ['branch', '--format=%(refname:short)'])).toBe('main');
    expect(await gitSays(room.repo, ['worktree', 'list', '--porcelain'])).not.toContain(run.id);
    expect(existsSync(path.join(room.cli.stateHome, 'workspaces', run.id))).toBe(false);
    const patch = path.join(run.folder, 'patches/api.patch');
    expect(forced.stdout).toContain(`PATCH ${patch}\n`);
    await git(room.repo, ['apply', patch]);
    expect(readFileSync(path.join(room.repo, 'api.txt'), 'utf8')).toBe('new\n');
    await room.cli.run(['reconcile', '--run', run.id]);
  });

  it('--force deletes a branch with commits of a worker, and names the last one', async () => {
    const room = await repoRoom();
    const commit = 'git -c user.name=a -c user.email=a@b commit --no-verify -qam work';
    const run = await room.start(
      [{ id: 'api', sh: `echo two > file; ${commit}; echo done`, mode: 'worktree' }],
      {
        repo: room.repo,
      },
    );
    await supervisorGone(run);
    const tip = await gitSays(room.repo, ['rev-parse', `prun/${run.id}/api`]);
    const { stdout } = await room.cli.run(['cleanup', '--run', run.id, '--drop-worktrees', '--force']);
    expect(stdout).toContain(`the branch prun/${run.id}/api is gone, too; its last commit was ${tip}\n`);
    expect(readFileSync(path.join(run.folder, 'patches/api.patch'), 'utf8')).toContain('+two');
  });

  it('--force deletes the branches of earlier attempts, too', async () => {
    const room = await repoRoom();
    const commit = 'git -c user.name=a -c user.email=a@b commit --no-verify -qam work';
    const run = await room.start(
      [{ id: 'api', sh: `echo two >> file; ${commit}; exit 3`, mode: 'worktree', retries: 1 }],
      { repo: room.repo },
    );
    await supervisorGone(run);
    expect(await gitSays(room.repo, ['branch', '--list', 'prun/*'])).toContain('api.earlier-1');
    const { stdout } = await room.cli.run(['cleanup', '--run', run.id, '--drop-worktrees', '--force']);
    expect(stdout).toContain(`the branch prun/${run.id}/api.earlier-1 is gone, too`);
    expect(await gitSays(room.repo, ['branch', '--list', 'prun/*'])).toBe('');
  });

  it('--all keeps a run that is in doubt, and removes one that is not, with everything of it and nothing else', async () => {
    const room = await repoRoom();
    const own = path.join(room.folder, 'own.md');
    const run = await room.start([good('api', { resultFile: own }), { id: 'bad', sh: 'exit 1' }], {
      repo: room.repo,
    });
    await supervisorGone(run);
    const other = await room.start([{ id: 'a', sh: 'echo a' }]);
    await supervisorGone(other);
    const kept = await room.cli.run(['cleanup', '--run', run.id, '--all'], { code: 30 });
    expect(kept.stdout).toContain('KEPT store');
    const forced = await room.cli.run(['cleanup', '--run', run.id, '--drop-worktrees', '--force']);
    expect(forced.stdout).toContain('REMOVED store');
    const doubt = await room.cli.run(['cleanup', '--run', run.id, '--everything'], { code: 30 });
    expect(doubt.stdout).toContain(`1 of its units is in doubt (prun reconcile --run ${run.id})`);
    const closed = path.join(run.attempts('bad')[0]?.stateDir ?? '', 'work/closed');
    mkdirSync(path.join(closed, 'inner'), { recursive: true });
    chmodSync(closed, 0);
    const gone = await room.cli.run(['cleanup', '--run', run.id, '--all', '--force']);
    expect(gone.stdout).toContain(`REMOVED run ${run.folder}\n`);
    expect(readdirSync(path.join(room.cli.stateHome, 'runs'))).toEqual([other.id]);
    expect(readdirSync(path.join(room.cli.stateHome, 'workspaces'))).toEqual([]);
    expect(existsSync(own)).toBe(true);
    await room.cli.run(['cleanup', '--run', other.id, '--all']);
    expect(readdirSync(path.join(room.cli.stateHome, 'runs'))).toEqual([]);
  });

  it('--all keeps the last copies of deltas: patches of a store that has gone, until they are applied or it is forced', async () => {
    const room = await repoRoom();
    const run = await room.start([good('api'), good('ui')], { repo: room.repo });
    await supervisorGone(run);
    await room.cli.run(['cleanup', '--run', run.id, '--drop-worktrees', '--force']);
    const all = ['cleanup', '--run', run.id, '--all'];
    const patch = (unit: string) => path.join(run.folder, 'patches', `${unit}.patch`);
    const kept = await room.cli.run(all, { code: 30 });
    expect(kept.stdout.split('\n')).toEqual([
      `CLEANUP run=${run.id} removed=0 kept=1 freed=0B`,
      `KEPT run ${run.folder}`,
      `NOTE run its patches of api, ui (2) are in no apply, and nothing else has them: save them from ${run.folder}/patches, or --force`,
      `NEXT prun cleanup --run ${run.id} --everything --force (when you have what the lines above name, or do not want it)`,
      '',
    ]);
    await room.cli.run(['apply', patch('api'), '--to', room.repo]);
    expect((await room.cli.run(all, { code: 30 })).stdout).toContain('its patches of ui (1) are in no apply');
    await room.cli.run(['apply', patch('ui'), '--to', room.repo]);
    await room.cli.undo(room.repo);
    expect((await room.cli.run(all, { code: 30 })).stdout).toContain('its patches of ui (1) are in no apply');
    await room.cli.run(['apply', patch('ui'), '--to', room.repo]);
    const gone = await room.cli.run(all);
    expect(gone.stdout).toBe(
      `CLEANUP run=${run.id} removed=1 kept=0 freed=0B\nREMOVED run ${run.folder}\nNOTE run patches=2 went with it\n`,
    );
  });

  it('--all --force says how many patches go, and names no path in what it removes', async () => {
    const room = await repoRoom();
    const run = await room.start([good('api'), good('ui')], { repo: room.repo });
    await supervisorGone(run);
    const { stdout } = await room.cli.run(['cleanup', '--run', run.id, '--all', '--force']);
    expect(stdout).toMatch(new RegExp(`^CLEANUP run=${run.id} removed=4 kept=0 `));
    expect(stdout.match(/^REMOVED /gm)).toHaveLength(4);
    expect(stdout).toContain('NOTE run patches=2 went with it\n');
    expect(stdout.replace(`REMOVED run ${run.folder}\n`, '')).not.toContain(run.folder);
    expect(stdout).not.toContain('.patch');
  });

  it('what was applied goes without --force: worktrees, branches, the store; a trial in a clone is no apply', async () => {
    const room = await repoRoom();
    const run = await room.start([good('api', { mode: 'worktree' })], { repo: room.repo });
    await supervisorGone(run);
    const [trial = ''] = await room.cli.clone(room.repo, ['all'], ['--run', 'trial']);
    await room.cli.run(['apply', '--run', run.id, '--to', trial]);
    const drop = ['cleanup', '--run', run.id, '--drop-worktrees'];
    const kept = await room.cli.run(drop, { code: 30 });
    expect(kept.stdout).toContain(
      'NOTE api its worktree holds changes (files=1 commits=0): when they are applied, --force\n',
    );
    expect(kept.stdout).toContain('NOTE store it goes when api can go\n');
    await room.cli.run(['apply', '--run', run.id, '--to', room.repo]);
    const { stdout } = await room.cli.run(drop);
    expect(stdout).toMatch(new RegExp(`^CLEANUP run=${run.id} removed=2 kept=0 `));
    expect(stdout.match(/^REMOVED /gm)).toHaveLength(2);
    expect(await gitSays(room.repo, ['branch', '--format=%(refname:short)'])).toBe('main');
    await room.cli.run(['cleanup', '--run', run.id, '--all']);
    expect(existsSync(run.folder)).toBe(false);
    expect(readFileSync(path.join(room.repo, 'api.txt'), 'utf8')).toBe('new\n');
  });

  it('NEXT does what was asked and was left alone', async () => {
    const room = await repoRoom();
    const run = await room.start([good('api', { mode: 'worktree' }), good('ui')], { repo: room.repo });
    await supervisorGone(run);
    const nextOf = (stdout: string): string[] =>
      /^NEXT prun (.*?)(?: \(.*)?$/m.exec(stdout)?.[1]?.split(' ') ?? [];
    const one = ['cleanup', '--run', run.id, '--unit', 'api', '--drop-worktrees'];
    const part = nextOf((await room.cli.run(one, { code: 30 })).stdout);
    expect(part).toEqual([...one, '--force']);
    await room.cli.run(part);
    const dropped = nextOf(
      (await room.cli.run(['cleanup', '--run', run.id, '--drop-worktrees'], { code: 30 })).stdout,
    );
    await room.cli.run(dropped);
    expect(readdirSync(path.join(room.cli.stateHome, 'workspaces'))).toEqual([]);
    const all = nextOf((await room.cli.run(['cleanup', '--run', run.id, '--all'], { code: 30 })).stdout);
    await room.cli.run(all);
    expect(existsSync(run.folder)).toBe(false);
  });

  it('--all keeps a run in which a unit runs', async () => {
    const room = runRoom();
    const run = await room.start([{ id: 'slow', sh: 'sleep 600' }]);
    await run.event('running', 'slow');
    const kept = await room.cli.run(['cleanup', '--run', run.id, '--all'], { code: 30 });
    expect(kept.stdout).toContain('NOTE run 1 of its units still runs: ');
    expect(kept.stdout).toContain(
      `NEXT prun wait --run ${run.id} (then prun cleanup --run ${run.id} --everything)\n`,
    );
    await endRun(room, run);
  });

  it('removes nothing behind a symlink', async () => {
    const room = runRoom();
    const run = await room.start([{ id: 'a', sh: 'echo a' }]);
    await supervisorGone(run);
    const elsewhere = path.join(room.folder, 'elsewhere');
    renameSync(run.folder, elsewhere);
    symlinkSync(elsewhere, run.folder);
    const record = path.join(elsewhere, 'run.json');
    writeFileSync(
      record,
      readFileSync(record, 'utf8').replace(JSON.stringify(run.folder), JSON.stringify(elsewhere)),
    );
    const kept = await room.cli.run(['cleanup', '--run', run.id, '--all', '--force'], { code: 30 });
    expect(kept.stdout).toContain('leads through a symlink');
    expect(existsSync(record)).toBe(true);
    expect(existsSync(path.join(elsewhere, 'agent-io/results/a.md'))).toBe(true);
  });

  it('--unit frees one clone and leaves the rest', async () => {
    const room = await repoRoom();
    const run = await room.start([good('api'), good('ui')], { repo: room.repo });
    await supervisorGone(run);
    await room.cli.run(['cleanup', '--run', run.id, '--unit', 'api']);
    expect(readdirSync(room.clones(run))).toEqual(['ui']);
    const strange = await room.cli.run(['cleanup', '--run', run.id, '--unit', 'db'], { code: 2 });
    expect(strange.stderr).toContain('has no unit "db": its units are: api, ui');
    const part = await room.cli.run(['cleanup', '--run', run.id, '--unit', 'ui', '--all'], { code: 2 });
    expect(part.stderr).toContain('--everything removes the whole run');
  });
});

describe('prun cleanup of a run with an integration worktree', () => {
  /** A run as `prun init` leaves it; `made`: whether it got as far as the worktree. */
  async function initialised(made = true) {
    const room = await repoRoom();
    const host = await currentHost();
    const wish = { host, stateHome: room.cli.stateHome, repository: room.repo, run: 'i', baseRef: 'HEAD' };
    const plan = await planIntegration({ ...wish, say: () => {} });
    const { integration } = plan;
    await createRun(room.cli.stateHome, 'i', { ...PLAIN_RUN, repository: integration.worktree, integration });
    if (made) await makeIntegration(plan);
    const branches = (): Promise<string> => gitSays(room.repo, ['branch', '--format=%(refname:short)']);
    return { room, integration, branches };
  }

  it('keeps it until it is told otherwise, and then frees it with its branch', async () => {
    const { room, integration, branches } = await initialised();
    const plain = await room.cli.run(['cleanup', '--run', 'i']);
    expect(plain.stdout).toContain(`STAYS ${integration.worktree}\n`);
    const { stdout } = await room.cli.run(['cleanup', '--run', 'i', '--drop-worktrees']);
    expect(stdout).toContain(`REMOVED integration ${integration.worktree}\n`);
    expect([existsSync(integration.worktree), await branches()]).toEqual([false, 'main']);
    await room.cli.run(['cleanup', '--run', 'i', '--all']);
    expect(readdirSync(path.join(room.cli.stateHome, 'runs'))).toEqual([]);
  });

  it.each([
    ['--drop-worktrees', 'runs/i/patches'],
    ['--all', 'archives/i'],
  ])(
    '%s keeps one that holds changes, and with --force archives them where they stay',
    async (flag, archive) => {
      const { room, integration, branches } = await initialised();
      writeFileSync(path.join(integration.worktree, 'merged.txt'), 'merged\n');
      const kept = await room.cli.run(['cleanup', '--run', 'i', flag], { code: 30 });
      expect(kept.stdout).toContain('NOTE integration it holds changes (files=1 commits=0)');
      expect(existsSync(path.join(integration.worktree, 'merged.txt'))).toBe(true);
      await room.cli.run(['cleanup', '--run', 'i', flag, '--force']);
      expect([existsSync(integration.worktree), await branches()]).toEqual([false, 'main']);
      const patch = path.join(room.cli.stateHome, archive, 'integration.patch');
      expect(readFileSync(patch, 'utf8')).toContain('+merged');
    },
  );

  it('says of each part why it stays: the integration worktree for what it holds itself', async () => {
    const { room, integration } = await initialised();
    const prompt = path.join(room.folder, 'p.md');
    writeFileSync(prompt, 'Do it.\n');
    const add = ['add', '--run', 'i', '--unit', 'api', '--executor', 'command', '--prompt-file', prompt];
    await room.cli.run([...add, '--', 'sh', '-c', `PRUN_NAME=api; ${GOOD}`]);
    await room.cli.run(['start', '--run', 'i']);
    await supervisorGone(room.open('i'));
    await room.cli.run(['apply', '--run', 'i', '--to', integration.worktree]);
    const drop = ['cleanup', '--run', 'i', '--drop-worktrees'];
    const kept = await room.cli.run(drop, { code: 30 });
    // The unit's change was applied, and what it was applied to is not committed.
    expect(kept.stdout).toMatch(/^CLEANUP run=i removed=1 kept=2 /);
    expect(kept.stdout).toContain(
      'NOTE integration it holds changes (files=1 commits=0): when they are where they belong, --force\n',
    );
    expect(kept.stdout).toContain('NOTE store it goes when the integration worktree can go\n');
    const forced = await room.cli.run([...drop, '--force']);
    expect(forced.stdout).toMatch(/^CLEANUP run=i removed=2 kept=0 /);
  });

  it('says both reasons where a unit stays, too', async () => {
    const { room, integration } = await initialised();
    const prompt = path.join(room.folder, 'p.md');
    writeFileSync(prompt, 'Do it.\n');
    const add = ['add', '--run', 'i', '--unit', 'api', '--executor', 'command', '--prompt-file', prompt];
    await room.cli.run([...add, '--', 'sh', '-c', `PRUN_NAME=api; ${GOOD}`]);
    await room.cli.run(['start', '--run', 'i']);
    await supervisorGone(room.open('i'));
    writeFileSync(path.join(integration.worktree, 'mine.txt'), 'mine\n');
    const { stdout } = await room.cli.run(['cleanup', '--run', 'i', '--all'], { code: 30 });
    expect(stdout).toContain(
      'NOTE integration it holds changes (files=1 commits=0): when they are where they belong, --force\nNOTE integration it goes when api can go\n',
    );
    expect(stdout).toContain('NOTE run it goes when api, the integration worktree, the store can go\n');
    expect(stdout).toContain('NEXT prun cleanup --run i --everything --force (');
    expect(existsSync(path.join(integration.worktree, 'mine.txt'))).toBe(true);
  });

  it('frees what an init that was killed has left', async () => {
    const { room, branches } = await initialised(false);
    await git(room.repo, ['branch', 'prun/i/int']);
    await room.cli.run(['cleanup', '--run', 'i', '--all']);
    expect(await branches()).toBe('main');
    expect(readdirSync(path.join(room.cli.stateHome, 'runs'))).toEqual([]);
  });
});

describe('prun cleanup by age', () => {
  it('frees runs and clones in which nothing has happened for so long, and no others', async () => {
    const room = await repoRoom();
    const old = await room.start([good('api')], { repo: room.repo });
    const fresh = await room.start([good('api')], { repo: room.repo });
    await supervisorGone(old);
    await supervisorGone(fresh);
    const [lone = ''] = await room.cli.clone(room.repo, ['x'], ['--run', 'lone']);
    const date = new Date(Date.now() - 30 * 86_400_000);
    age(old.folder, 'run.json', date);
    age(path.join(lone, '../..'), 'set.json', date);
    const { stdout } = await room.cli.run(['cleanup', '--older-than', '2w']);
    expect(stdout).toMatch(
      new RegExp(
        `^CLEANUP runs=2 kept=0\nCLEANED ${old.id} age=30d removed=1 freed=\\S+\nCLEANED lone age=30d removed=1 `,
      ),
    );
    expect([existsSync(lone), readdirSync(room.clones(old)), readdirSync(room.clones(fresh))]).toEqual([
      false,
      [],
      ['api'],
    ]);
    // As a removal that was killed leaves it.
    renameSync(fresh.folder, path.join(room.cli.stateHome, 'runs', '.killed-1-0123456789abcdef.removed'));
    const again = await room.cli.run(['cleanup', '--older-than', '2w']);
    expect(readdirSync(path.join(room.cli.stateHome, 'runs'))).toEqual([old.id]);
    expect(again.stdout).toBe('CLEANUP runs=0 kept=0\n');
    await room.cli.run(['cleanup', '--older-than', '0d', '--all', '--force']);
    expect(readdirSync(path.join(room.cli.stateHome, 'runs'))).toEqual([]);
    expect(readdirSync(path.join(room.cli.stateHome, 'workspaces'))).toEqual([]);
  });

  it.each([
    ['--older-than is "soon"', ['--older-than', 'soon']],
    ['--older-than is given with a run', ['--older-than', '1d', '--run', 'x']],
    ['--drop-worktrees needs --run', ['--drop-worktrees']],
    ['--all needs --run', ['--all']],
  ])('refuses: %s', async (message, argv) => {
    const { stderr } = await runRoom().cli.run(['cleanup', ...argv], { code: 2 });
    expect(stderr).toContain(message);
  });
});

/** Makes everything in a folder of prun look as if it were from that day. */
function age(folder: string, record: string, date: Date): void {
  const file = path.join(folder, record);
  const text = readFileSync(file, 'utf8').replace(
    /"createdAt": *"[^"]+"/,
    `"createdAt":"${date.toISOString()}"`,
  );
  writeFileSync(file, text);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.includes('.git') || !existsSync(path.join(folder, name))) continue;
    utimesSync(path.join(folder, name), date, date);
  }
}
