import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UnitSpec } from '../../scripts-src/run/records.ts';
import { createRun } from '../../scripts-src/run/run-folder.ts';
import { git, gitSays } from '../helpers/plain-git.ts';
import { type RunRoom, runRoom } from '../helpers/run-room.ts';

interface IntegrationRoom extends RunRoom {
  repo: string;
  /** The integration worktree of run x. */
  tree: string;
  add(unit: string, ...argv: string[]): ReturnType<RunRoom['cli']['run']>;
  specs(): UnitSpec[];
}

/** Run x as `prun init` makes it: an integration worktree in the repository; or without a repository. */
async function integrationRoom({ hasRepository = true } = {}): Promise<IntegrationRoom> {
  const room = runRoom();
  const repo = path.join(room.folder, 'a repo');
  mkdirSync(repo);
  await git(repo, ['init', '-q', '-b', 'main']);
  writeFileSync(path.join(repo, 'file'), 'one\n');
  writeFileSync(path.join(repo, '.gitignore'), '.worktrees/\n');
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-qm', 'first']);
  const tree = path.join(repo, '.worktrees', 'int-x');
  await git(repo, ['worktree', 'add', '-q', '-b', 'prun/x/int', tree]);
  const baseCommit = await gitSays(repo, ['rev-parse', 'HEAD']);
  const integration = { repository: repo, worktree: tree, branch: 'prun/x/int', baseRef: 'main', baseCommit };
  await createRun(room.cli.stateHome, 'x', {
    repository: hasRepository ? tree : null,
    integration: hasRepository ? integration : null,
    schedule: { jobs: 4, delaySeconds: 0, memfreeBytes: null, load: null },
    resources: { gpu: 1 },
    outerMarker: null,
  });
  const brief = path.join(room.folder, 'brief.md');
  writeFileSync(brief, 'Do it.\n');
  return {
    ...room,
    repo,
    tree,
    add: (unit, ...argv) =>
      room.cli.run(['add', '--run', 'x', '--unit', unit, '--prompt-file', brief, ...argv]),
    specs() {
      const text = readFileSync(path.join(room.cli.stateHome, 'runs/x/units.jsonl'), 'utf8');
      return text
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as UnitSpec);
    },
  };
}

const worktreeIn = (stdout: string): string => /^worktree=(.+)$/m.exec(stdout)?.[1] ?? '';

describe('prun add in a run with an integration worktree', () => {
  it('makes a worktree from the tree as it stands, and the unit works there when it is started', async () => {
    const room = await integrationRoom();
    writeFileSync(path.join(room.tree, 'foundation'), 'not committed\n');
    const { stdout } = await room.add('a', '--', '/bin/sh', '-c', 'cat foundation; echo new >made');
    const worktree = worktreeIn(stdout);
    expect(stdout).toBe(`unit=a\nworktree=${worktree}\n`);
    expect(readFileSync(path.join(worktree, 'foundation'), 'utf8')).toBe('not committed\n');
    expect(await gitSays(worktree, ['branch', '--show-current'])).toBe('prun/x/a');
    // A later unit starts from what is there then.
    writeFileSync(path.join(room.tree, 'foundation'), 'and more\n');
    const later = worktreeIn((await room.add('b', '--', 'cat', 'foundation')).stdout);
    expect(readFileSync(path.join(later, 'foundation'), 'utf8')).toBe('and more\n');
    await room.cli.run(['start', '--run', 'x']);
    const run = room.open('x');
    await run.done();
    expect(run.result('a')).toBe('not committed\n');
    expect(run.result('b')).toBe('and more\n');
    expect(readFileSync(path.join(worktree, 'made'), 'utf8')).toBe('new\n');
    expect(existsSync(path.join(room.tree, 'made'))).toBe(false);
  });

  it('leaves a unit that builds on another one to its start', async () => {
    const room = await integrationRoom();
    await room.add('a', '--', '/bin/sh', '-c', 'echo new >made; echo ok');
    const { stdout } = await room.add('b', '--after', 'a', '--', 'cat', 'made');
    expect(stdout).toBe('unit=b\n');
    await room.cli.run(['start', '--run', 'x']);
    const run = room.open('x');
    await run.done();
    expect(run.result('b')).toBe('new\n');
  });

  it('makes a clone where that is asked for, and nothing for a unit that only reads', async () => {
    const room = await integrationRoom();
    const { stdout } = await room.add('a', '--mode', 'clone', '--', 'true');
    const clone = /^workspace=(.+)$/m.exec(stdout)?.[1] ?? '';
    expect(await gitSays(clone, ['remote'])).toBe('');
    expect((await room.add('b', '--mode', 'scratch', '--', 'true')).stdout).toBe('unit=b\n');
    const json = await room.add('c', '--executor', 'session', '--json');
    expect(JSON.parse(json.stdout)).toEqual({
      run: 'x',
      unit: 'c',
      executor: 'session',
      mode: 'scratch',
      workspace: null,
      resultFile: path.join(room.cli.stateHome, 'runs/x/agent-io/results/c.md'),
    });
    expect(room.specs().map(({ id, mode, workspace }) => [id, mode, workspace])).toEqual([
      ['a', 'clone', clone],
      ['b', 'scratch', null],
      ['c', 'scratch', null],
    ]);
  });

  it('runs the setup in the fresh worktree, and does not add a unit whose setup failed', async () => {
    const room = await integrationRoom();
    const gate = path.join(room.folder, 'gate');
    const setup = `echo setting up; test -e '${gate}' && touch ready`;
    const failed = await room.cli.run(
      [
        'add',
        '--run',
        'x',
        '--unit',
        'a',
        '--prompt-file',
        path.join(room.folder, 'brief.md'),
        '--setup',
        setup,
        '--',
        'true',
      ],
      { code: 30 },
    );
    expect(failed.stderr).toContain('setting up\n');
    expect(failed.stderr).toContain('the setup of unit a ended with 1, and the unit was not added');
    expect(room.specs()).toEqual([]);
    writeFileSync(gate, '');
    const { stdout } = await room.add('a', '--setup', setup, '--', 'true');
    expect(existsSync(path.join(worktreeIn(stdout), 'ready'))).toBe(true);
    expect(room.specs().map(({ id }) => id)).toEqual(['a']);
  });

  it('that was killed before the unit was there can be called again', async () => {
    const room = await integrationRoom();
    const argv = [
      'add',
      '--run',
      'x',
      '--unit',
      'a',
      '--prompt-file',
      path.join(room.folder, 'brief.md'),
      '--',
      'cat',
      'file',
    ];
    await room.cli.run(argv, { environment: { PRUN_FAULT: 'add:made' }, code: 137 });
    expect(room.specs()).toEqual([]);
    writeFileSync(path.join(room.tree, 'file'), 'two\n');
    await room.cli.run(argv);
    await room.cli.run(['start', '--run', 'x']);
    const run = room.open('x');
    await run.done();
    expect(run.result('a')).toBe('two\n');
  });
});

describe('prun add', () => {
  it('adds a unit with all that was asked for, and its task byte for byte', async () => {
    const room = await integrationRoom({ hasRepository: false });
    const brief = path.join(room.folder, 'own.md');
    writeFileSync(brief, '\uFEFFone\r\n  two');
    await room.add('first', '--', 'true');
    const argv = [
      'add',
      '--run',
      'x',
      '--unit',
      'a',
      '--prompt-file',
      brief,
      '--model',
      'm',
      '--reasoning-effort',
      'low',
    ];
    await room.cli.run([
      ...argv,
      '--after',
      'first',
      '--retries',
      '3',
      '--resource',
      'gpu',
      '--pnpm-store',
      room.folder,
    ]);
    expect(room.specs()[1]).toMatchObject({
      id: 'a',
      executor: 'codex',
      mode: 'scratch',
      prompt: '\uFEFFone\r\n  two',
      model: 'm',
      reasoningEffort: 'low',
      after: ['first'],
      retries: 3,
      resources: ['gpu'],
      told: { npm_config_store_dir: room.folder, pnpm_config_store_dir: room.folder },
      options: { pnpmStore: room.folder },
    });
  });

  it('of the same unit at once has one winner', async () => {
    const room = await integrationRoom({ hasRepository: false });
    const brief = path.join(room.folder, 'brief.md');
    const argv = ['add', '--run', 'x', '--unit', 'a', '--prompt-file', brief, '--', 'true'];
    const ends = await Promise.all(Array.from({ length: 6 }, () => room.cli.run(argv, { code: 'any' })));
    expect(ends.map(({ code }) => code).sort()).toEqual([0, 2, 2, 2, 2, 2]);
    for (const { stderr } of ends.filter(({ code }) => code === 2)) {
      expect(stderr).toContain('unit a is in run x already');
    }
  });

  it('of many units at once loses none', async () => {
    const room = await integrationRoom({ hasRepository: false });
    const ids = Array.from({ length: 12 }, (_, n) => `u${n}`);
    await Promise.all(ids.map((id) => room.add(id, '--', 'true')));
    expect(
      room
        .specs()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ids].sort());
  });

  it.each([
    [['--run', 'y', '--unit', 'a'], 'there is no run "y"'],
    [['--unit', 'a'], '--run is missing'],
    [['--run', 'x', '--unit', 'THERE'], 'unit there is in run x already'],
    [
      ['--run', 'x', '--unit', 'a', '--after', 'ther'],
      '--after names "ther", which is no unit of run x: is there meant?',
    ],
    [['--run', 'x', '--unit', 'a', '--mode', 'clone'], 'mode clone needs a repository'],
    [['--run', 'x', '--unit', 'a', '--resource', 'cpu'], 'the run has no resource "cpu": use gpu'],
    [['--run', 'x', '--unit', 'a', '--result-file', 'r.md'], 'r.md is that of unit there'],
  ])('%j is refused in one line', async (argv, message) => {
    const room = await integrationRoom({ hasRepository: false });
    await room.add('there', '--result-file', path.join(room.folder, 'r.md'));
    const file = path.join(room.folder, 'brief.md');
    const { stdout, stderr } = await room.cli.run(['add', ...argv, '--prompt-file', file], { code: 2 });
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(room.specs()).toHaveLength(1);
  });
});
