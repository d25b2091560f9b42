import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Integration } from '../../scripts-src/workspace/integration/integration.ts';
import { removeIntegration } from '../../scripts-src/workspace/integration/remove-integration.ts';
import { git, gitSays } from '../helpers/plain-git.ts';
import { openPrun, type PrunCli } from '../helpers/prun-cli.ts';
import { differencesOf, imageOf } from '../helpers/tree-image.ts';
import { testFolder } from './user-and-clone.ts';

interface Room {
  folder: string;
  repo: string;
  cli: PrunCli;
  init(...flags: string[]): Promise<Integration>;
  exclude(): string[];
}

async function room(remote?: 'with a remote'): Promise<Room> {
  const folder = testFolder();
  const repo = path.join(folder, 'a repo');
  mkdirSync(repo);
  await git(repo, ['init', '-q', '-b', 'trunk']);
  writeFileSync(path.join(repo, 'f'), 'f\n');
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-qm', 'first']);
  if (remote) {
    await git(folder, ['clone', '-q', '--bare', repo, 'origin.git']);
    await git(repo, ['remote', 'add', 'origin', path.join(folder, 'origin.git')]);
  }
  const cli = openPrun(folder);
  return {
    folder,
    repo,
    cli,
    async init(...flags) {
      const { stdout } = await cli.run(['init', '--repo', repo, '--json', ...flags]);
      return JSON.parse(stdout).integration;
    },
    exclude: () =>
      readFileSync(path.join(repo, '.git/info/exclude'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('.worktrees')),
  };
}

/** Lets the remote go on by a commit that the repository does not know. */
async function advanceRemote({ folder }: Room): Promise<string> {
  const other = path.join(folder, 'somebody else');
  await git(folder, ['clone', '-q', path.join(folder, 'origin.git'), other]);
  writeFileSync(path.join(other, 'f'), 'newer\n');
  await git(other, ['commit', '-qam', 'newer']);
  await git(other, ['push', '-q']);
  return gitSays(other, ['rev-parse', 'HEAD']);
}

describe('prun init', () => {
  it('makes a run and its integration worktree, prints each as it is, and leaves the checkout clean', async () => {
    const { cli, repo } = await room();
    const { stdout } = await cli.run(['init', '--repo', repo, '--run', 'x']);
    const state = path.join(cli.stateHome, 'runs/x');
    const worktree = path.join(repo, '.worktrees/int-x');
    expect(stdout).toBe(`run=x\nstate_dir=${state}\nintegration_worktree=${worktree}\n`);
    const record = JSON.parse(readFileSync(path.join(state, 'run.json'), 'utf8'));
    expect(record).toMatchObject({
      id: 'x',
      repository: worktree,
      integration: { repository: repo, worktree },
    });
    expect(await gitSays(worktree, ['branch', '--show-current'])).toBe('prun/x/int');
    expect(await gitSays(repo, ['status', '--porcelain'])).toBe('');
    expect(await gitSays(worktree, ['status', '--porcelain'])).toBe('');
  });

  it('starts from the remote’s default branch, fetched first, whatever is checked out and not committed', async () => {
    const here = await room('with a remote');
    await git(here.repo, ['checkout', '-qb', 'feature']);
    writeFileSync(path.join(here.repo, 'f'), 'not committed\n');
    const newer = await advanceRemote(here);
    const integration = await here.init('--run', 'x');
    expect(integration).toMatchObject({ baseRef: 'origin/trunk', baseCommit: newer });
    expect(readFileSync(path.join(integration.worktree, 'f'), 'utf8')).toBe('newer\n');
    expect(readFileSync(path.join(here.repo, 'f'), 'utf8')).toBe('not committed\n');
    expect(await gitSays(here.repo, ['branch', '--show-current'])).toBe('feature');
    expect(await gitSays(here.repo, ['tag'])).toBe('');
  });

  it('a remote that does not answer is a note, and what was fetched last counts', async () => {
    const here = await room('with a remote');
    await git(here.repo, ['fetch', '-q', 'origin']);
    rmSync(path.join(here.folder, 'origin.git'), { recursive: true });
    const { stderr, stdout } = await here.cli.run(['init', '--repo', here.repo, '--json']);
    expect(stderr).toMatch(/^prun init: note: .*could not be fetched/m);
    expect(JSON.parse(stdout).integration.baseRef).toBe('origin/trunk');
  });

  it('a remote that was never reached leaves HEAD, where nothing is left behind by it', async () => {
    const here = await room();
    await git(here.repo, ['remote', 'add', 'origin', path.join(here.folder, 'nowhere')]);
    expect((await here.init('--run', 'x')).baseRef).toBe('trunk');
    writeFileSync(path.join(here.repo, 'new'), 'x\n');
    const { stderr } = await here.cli.run(['init', '--repo', here.repo, '--run', 'y'], { code: 2 });
    expect(stderr).toMatch(/tells no default branch .*, and .* has work that is not committed \(new\)/);
  });

  it('without a remote, work that is not committed is not left behind in silence', async () => {
    const here = await room();
    mkdirSync(path.join(here.repo, 'agent-io'));
    writeFileSync(path.join(here.repo, 'agent-io/notes'), 'of the coordinator\n');
    await here.init('--run', 'x');
    writeFileSync(path.join(here.repo, 'f'), 'edited\n');
    const before = imageOf(here.repo, { git: 'all', identity: true });
    const { stderr } = await here.cli.run(['init', '--repo', here.repo, '--run', 'y'], { code: 2 });
    expect(stderr).toContain(
      'commit it or put it away with git stash -u first, or start without it: --base-ref HEAD',
    );
    expect(differencesOf(before, imageOf(here.repo, { git: 'all', identity: true }))).toEqual([]);
    expect(existsSync(path.join(here.cli.stateHome, 'runs/y'))).toBe(false);
    expect((await here.init('--run', 'y', '--base-ref', 'HEAD')).baseRef).toBe('HEAD');
  });

  it.each([
    ['a tag', 'v1', 'v1'],
    ['a branch that only the remote has', 'next', 'origin/next'],
    ['a branch of the remote', 'origin/next', 'origin/next'],
  ])('--base-ref takes %s', async (_, wanted, ref) => {
    const here = await room('with a remote');
    await git(here.repo, ['tag', 'v1']);
    const origin = path.join(here.folder, 'origin.git');
    await git(origin, ['branch', 'next', 'trunk']);
    expect((await here.init('--base-ref', wanted)).baseRef).toBe(ref);
  });

  it.each([['nosuch'], ['--output=/tmp/x'], [''], ['f']])(
    '--base-ref %j is refused, and leaves no run',
    async (ref) => {
      const here = await room();
      const { stderr } = await here.cli.run(
        ['init', '--repo', here.repo, '--run', 'x', `--base-ref=${ref}`],
        { code: 2 },
      );
      expect(stderr).toContain('names no commit');
      expect(existsSync(path.join(here.cli.stateHome, 'runs/x'))).toBe(false);
    },
  );

  it('finds the primary checkout from a linked worktree, and from a folder in it', async () => {
    const here = await room();
    const linked = path.join(here.folder, 'linked');
    await git(here.repo, ['worktree', 'add', '-q', linked, '-b', 'side']);
    mkdirSync(path.join(linked, 'inside'));
    const { stdout } = await here.cli.run(['init', '--repo', path.join(linked, 'inside'), '--json']);
    const { integration } = JSON.parse(stdout);
    expect(integration.repository).toBe(here.repo);
    expect(path.dirname(integration.worktree)).toBe(path.join(here.repo, '.worktrees'));
    expect(integration.baseRef).toBe('side');
  });

  it('worktrees of a bare repository have theirs in the worktree that was given', async () => {
    const here = await room('with a remote');
    const linked = path.join(here.folder, 'linked');
    await git(path.join(here.folder, 'origin.git'), ['worktree', 'add', '-q', linked, 'trunk']);
    const { stdout } = await here.cli.run(['init', '--repo', linked, '--json']);
    expect(JSON.parse(stdout).integration.repository).toBe(linked);
    expect(await gitSays(linked, ['status', '--porcelain'])).toBe('');
  });

  it('five at once in one repository all succeed, and the exclude line is there once', async () => {
    const here = await room('with a remote');
    mkdirSync(path.join(here.repo, '.git/info'), { recursive: true });
    writeFileSync(path.join(here.repo, '.git/info/exclude'), '*.log');
    const made = await Promise.all(Array.from({ length: 5 }, () => here.init()));
    expect(new Set(made.map(({ branch }) => branch)).size).toBe(5);
    for (const { worktree } of made) expect(await gitSays(worktree, ['status', '--porcelain'])).toBe('');
    expect(here.exclude()).toEqual(['/.worktrees/']);
    expect(readFileSync(path.join(here.repo, '.git/info/exclude'), 'utf8')).toBe('*.log\n/.worktrees/\n');
  });

  it('of five with one name one wins, and the others hurt nothing', async () => {
    const here = await room();
    const ends = await Promise.all(
      Array.from({ length: 5 }, () =>
        here.cli.run(['init', '--repo', here.repo, '--sid', 'same'], { code: 'any' }),
      ),
    );
    expect(ends.map(({ code }) => code).sort()).toEqual([0, 2, 2, 2, 2]);
    for (const { stderr } of ends.filter(({ code }) => code === 2))
      expect(stderr).toContain('run same is there already');
    const worktree = path.join(here.repo, '.worktrees/int-same');
    writeFileSync(path.join(worktree, 'foundation'), 'x\n');
    await here.cli.run(['init', '--repo', here.repo, '--run', 'same'], { code: 2 });
    expect(await gitSays(worktree, ['status', '--porcelain'])).toBe('?? foundation');
  });

  it.each<[string, string[], RegExp]>([
    ['a name that is no branch', ['--run', 'a/b'], /--run is "a\/b"/],
    ['two names', ['--run', 'a', '--sid', 'b'], /two names/],
    ['a base without a repository', ['--base-ref', 'HEAD'], /--base-ref needs --repo/],
    ['no number of jobs', ['--jobs', '0'], /--jobs is "0"/],
    ['an operand', ['x'], /unexpected argument "x"/],
  ])('refuses %s', async (_, flags, said) => {
    const { cli } = await room();
    expect((await cli.run(['init', ...flags], { code: 2 })).stderr).toMatch(said);
  });

  it('makes a run without a repository too, with its settings, and none inside a worker', async () => {
    const { cli } = await room();
    const { stdout } = await cli.run(['init', '--run', 'x', '--jobs', '3', '--delay', '2']);
    expect(stdout).toBe(`run=x\nstate_dir=${path.join(cli.stateHome, 'runs/x')}\n`);
    const record = JSON.parse(readFileSync(path.join(cli.stateHome, 'runs/x/run.json'), 'utf8'));
    expect(record).toMatchObject({ repository: null, schedule: { jobs: 3, delaySeconds: 2 } });
    await cli.run(['init', '--run', 'y'], { code: 2, environment: { PRUN_UNIT: 'outer' } });
  });
});

describe('units of an integration worktree', () => {
  it('start from it as it stands, foundation work included, on branches of their own', async () => {
    const here = await room();
    const { worktree } = await here.init('--run', 'x');
    writeFileSync(path.join(worktree, 'foundation'), 'laid\n');
    const flags = ['--run', 'x', '--worktree', '--as-it-stands'];
    const [a = ''] = await here.cli.clone(worktree, ['a'], flags);
    expect(readFileSync(path.join(a, 'foundation'), 'utf8')).toBe('laid\n');
    expect(await gitSays(a, ['branch', '--show-current'])).toBe('prun/x/a');
    writeFileSync(path.join(a, 'by a'), 'a\n');
    const [first] = await here.cli.collect([a]);
    expect(first?.record.files).toMatchObject([{ path: 'by a', status: 'added' }]);
    expect(first?.record.repository).toEqual([]);
    await here.cli.run(['apply', '--run', 'x', '--to', worktree]);
    const [b = ''] = await here.cli.clone(worktree, ['b'], flags);
    expect(readFileSync(path.join(b, 'by a'), 'utf8')).toBe('a\n');
    const [second] = await here.cli.collect([b]);
    expect(second?.record.files).toEqual([]);
    expect(await gitSays(here.repo, ['status', '--porcelain'])).toBe('');
  });
});

describe('removing an integration worktree', () => {
  const wish = ({ folder }: Room, force: boolean) => ({ force, archive: path.join(folder, 'archive') });

  it('takes worktree, entry and branch, and the folder with the last one; the exclude line stays', async () => {
    const here = await room();
    const one = await here.init('--run', 'x');
    const other = await here.init('--run', 'y');
    expect(await removeIntegration(one, wish(here, false))).toEqual({ removed: true, notes: [] });
    expect(existsSync(other.worktree)).toBe(true);
    expect(await removeIntegration(other, wish(here, false))).toEqual({ removed: true, notes: [] });
    expect(existsSync(path.join(here.repo, '.worktrees'))).toBe(false);
    expect(await gitSays(here.repo, ['branch', '--list', 'prun/*'])).toBe('');
    expect((await gitSays(here.repo, ['worktree', 'list'])).split('\n')).toHaveLength(1);
    expect(here.exclude()).toEqual(['/.worktrees/']);
    expect(await removeIntegration(other, wish(here, false))).toEqual({ removed: true, notes: [] });
  });

  it('leaves one alone that holds files or commits; by force they are archived first, whole', async () => {
    const here = await room();
    const { worktree, ...integration } = await here.init('--run', 'x');
    writeFileSync(path.join(worktree, 'f'), 'committed\n');
    await git(worktree, ['commit', '-qam', 'foundation']);
    writeFileSync(path.join(worktree, 'new'), Buffer.from([0, 1, 2]));
    writeFileSync(path.join(worktree, 'f'), 'not committed\n');
    const refused = await removeIntegration({ worktree, ...integration }, wish(here, false));
    expect(refused.removed).toBe(false);
    expect(refused.notes[0]).toContain('it holds changes (files=2 commits=1)');
    expect(readFileSync(path.join(worktree, 'f'), 'utf8')).toBe('not committed\n');
    const objects = imageOf(path.join(here.repo, '.git/objects'), { git: 'all' });
    const done = await removeIntegration({ worktree, ...integration }, wish(here, true));
    expect(done.removed).toBe(true);
    expect(differencesOf(objects, imageOf(path.join(here.repo, '.git/objects'), { git: 'all' }))).toEqual([]);
    expect(existsSync(worktree)).toBe(false);
    await git(here.repo, ['apply', path.join(here.folder, 'archive/integration.patch')]);
    expect(readFileSync(path.join(here.repo, 'f'), 'utf8')).toBe('not committed\n');
    expect([...readFileSync(path.join(here.repo, 'new'))]).toEqual([0, 1, 2]);
    const bundle = path.join(here.folder, 'archive/integration.bundle');
    await git(here.repo, ['fetch', '-q', bundle, 'prun/x/int:back']);
    expect(await gitSays(here.repo, ['log', '-1', '--format=%s', 'back'])).toBe('foundation');
  });

  it('commits that are on another branch are no reason to keep it', async () => {
    const here = await room();
    const integration = await here.init('--run', 'x');
    writeFileSync(path.join(integration.worktree, 'f'), 'committed\n');
    await git(integration.worktree, ['commit', '-qam', 'foundation']);
    await git(here.repo, ['merge', '-q', 'prun/x/int']);
    expect(await removeIntegration(integration, wish(here, false))).toEqual({ removed: true, notes: [] });
  });

  it('touches nothing that is no worktree of the run, and nothing behind a symlink', async () => {
    const here = await room();
    const integration = await here.init('--run', 'x');
    await git(here.repo, ['worktree', 'remove', integration.worktree]);
    mkdirSync(integration.worktree, { recursive: true });
    writeFileSync(path.join(integration.worktree, 'mine'), 'mine\n');
    const strange = await removeIntegration(integration, wish(here, true));
    expect(strange).toMatchObject({ removed: false });
    expect(readFileSync(path.join(integration.worktree, 'mine'), 'utf8')).toBe('mine\n');
    rmSync(integration.worktree, { recursive: true });
    const away = path.join(here.folder, 'away');
    mkdirSync(away);
    writeFileSync(path.join(away, 'mine'), 'mine\n');
    symlinkSync(away, integration.worktree);
    expect(await removeIntegration(integration, wish(here, true))).toMatchObject({ removed: false });
    expect(readFileSync(path.join(away, 'mine'), 'utf8')).toBe('mine\n');
  });

  it.each(['init:run', 'init:worktree'])(
    'an init that was killed at %s has a record, and is removed like any other',
    async (point) => {
      const here = await room();
      const argv = ['init', '--repo', here.repo, '--run', 'x'];
      await here.cli.run(argv, { environment: { PRUN_FAULT: point }, code: 137 });
      const file = path.join(here.cli.stateHome, 'runs/x/run.json');
      const { integration } = JSON.parse(readFileSync(file, 'utf8'));
      expect(await removeIntegration(integration, wish(here, false))).toEqual({ removed: true, notes: [] });
      expect(await gitSays(here.repo, ['branch', '--list', 'prun/*'])).toBe('');
      // The name is taken, and another one is not held up by the dead.
      await here.cli.run(argv, { code: 2 });
      await here.init('--run', 'y');
    },
  );

  it('an init whose worktree git cannot make says how to remove the run', async () => {
    const here = await room();
    writeFileSync(path.join(here.repo, '.worktrees'), 'a file of the user\n');
    await git(here.repo, ['add', '-A']);
    await git(here.repo, ['commit', '-qm', 'second']);
    const { stderr } = await here.cli.run(['init', '--repo', here.repo, '--run', 'x'], { code: 'any' });
    expect(stderr).toContain('prun cleanup --run x --everything');
    const file = path.join(here.cli.stateHome, 'runs/x/run.json');
    const { integration } = JSON.parse(readFileSync(file, 'utf8'));
    expect(await removeIntegration(integration, wish(here, false))).toEqual({ removed: true, notes: [] });
    expect(readFileSync(path.join(here.repo, '.worktrees'), 'utf8')).toBe('a file of the user\n');
  });
});
