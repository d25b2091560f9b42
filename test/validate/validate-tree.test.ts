import { chmodSync, lstatSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { git, gitSays } from '../helpers/plain-git.ts';
import { endOf, openValidations, type ValidationPlace } from '../helpers/validation-room.ts';

const { place } = openValidations();

const INVALID = { code: 3, status: 'invalid-evidence', told: 'invalid-evidence' };
/** git as a step finds it: somebody has to be the author. */
const GIT = 'git -c user.name=S -c user.email=s@example.com';

/** A tree with what mutations need: a folder, a link, a program, another branch. */
async function richPlace(): Promise<ValidationPlace> {
  const here = await place();
  const { repo } = here;
  mkdirSync(path.join(repo, 'src'));
  writeFileSync(path.join(repo, 'src/a.txt'), 'aaaa\n');
  writeFileSync(path.join(repo, 'run.sh'), '#!/bin/sh\n');
  symlinkSync('base.txt', path.join(repo, 'link'));
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-q', '-m', 'rich']);
  await git(repo, ['branch', 'other']);
  return { ...here, commit: await gitSays(repo, ['rev-parse', 'HEAD']) };
}

/** What a step does to the tree, and the name that must be told. */
const INSIDE: [string, string, string][] = [
  ['an edit', 'echo more >>src/a.txt', 'src/a.txt'],
  [
    'an edit of equal length with its old times',
    'touch -r src/a.txt out/t; echo bbbb >src/a.txt; touch -r out/t src/a.txt',
    'src/a.txt',
  ],
  [
    'an edit that was taken back',
    'cp -p src/a.txt out/c; echo bbbb >src/a.txt; cat out/c >src/a.txt; touch -r out/c src/a.txt',
    'src/a.txt',
  ],
  ['an edit that git took back', 'echo bbbb >src/a.txt; git checkout -q -- src/a.txt', 'src/a.txt'],
  ['a stash and its pop', `echo bbbb >src/a.txt; ${GIT} stash -q; ${GIT} stash drop -q`, 'src/a.txt'],
  ['a file that was moved away and back', 'mv src/a.txt out/a; sleep 0.02; mv out/a src/a.txt', 'src/a.txt'],
  ['a file that was replaced by a copy', 'cp -p src/a.txt out/a; mv out/a src/a.txt', 'src/a.txt'],
  [
    'a folder that was moved away and back',
    'mv src out/src; cp -pR out/src src; rm -r src; mv out/src src',
    'src',
  ],
  ['a new file', 'echo new >new.txt', 'new.txt'],
  [
    'a new file that git was told to ignore',
    'echo new >new.txt; mkdir -p .git/info; echo new.txt >>.git/info/exclude',
    'info/exclude',
  ],
  [
    'a new file that a new .gitignore hides, and itself',
    'echo new >src/new.txt; echo "*" >src/.gitignore',
    'src/.gitignore',
  ],
  ['a deleted file', 'rm base.txt', 'base.txt'],
  ['another mode', 'chmod +x src/a.txt', 'src/a.txt'],
  ['another mode with fileMode off', 'git config core.fileMode false; chmod +x src/a.txt', 'src/a.txt'],
  ['another link', 'ln -sfn run.sh link', 'link'],
  ['a commit', `${GIT} commit -q --allow-empty -m x`, 'HEAD'],
  ['a commit that was reset', `${GIT} commit -q --allow-empty -m x; git reset -q --soft HEAD~1`, 'HEAD'],
  ['another branch and back', 'git checkout -q other; git checkout -q main', 'HEAD'],
  ['a staged file', 'echo x >out/x; git add -f out/x', 'out/x'],
  ['a staged deletion', 'git rm -q --cached base.txt', 'base.txt'],
  [
    'an edit behind assume-unchanged',
    'git update-index --assume-unchanged base.txt; echo x >>base.txt',
    'base.txt',
  ],
  ['assume-unchanged alone', 'git update-index --assume-unchanged base.txt', 'the index'],
  [
    'an edit behind skip-worktree',
    'git update-index --skip-worktree base.txt; echo x >>base.txt',
    'base.txt',
  ],
  [
    'a clean filter that hides an edit',
    'git config filter.f.clean "echo base #"; mkdir -p .git/info; echo "base.txt filter=f" >>.git/info/attributes; echo x >>base.txt',
    'base.txt',
  ],
  ['another .git', 'cp -a .git out/git; rm -rf .git; mv out/git .git', '.git'],
  ['no .git', 'mv .git out/git', ''],
];

async function expectInvalid([name, change, told]: (typeof INSIDE)[number]): Promise<void> {
  const here = await richPlace();
  const end = await here.validate({ commit: here.commit, smoke: `mkdir -p out; ${change}` });
  expect(endOf(end), `${name}: ${end.stderr}`).toEqual(INVALID);
  expect(end.steps, name).toEqual(['smoke ok']);
  expect(end.result.reason, name).toContain('after step 1 (smoke): ');
  expect(end.result.reason, name).toContain(told);
}

it('never passes a tree that a step has changed, whatever became of it', async () => {
  // Two at a time: a validation waits for its processes half of the time.
  for (let at = 0; at < INSIDE.length; at += 2)
    await Promise.all(INSIDE.slice(at, at + 2).map(expectInvalid));
});

/** What is there before the first step. */
const BEFORE: [string, (repo: string) => Promise<unknown> | undefined, string][] = [
  [
    'an edit',
    async (repo) => writeFileSync(path.join(repo, 'base.txt'), 'other\n'),
    'base.txt is not as in the commit',
  ],
  [
    'an untracked file',
    async (repo) => writeFileSync(path.join(repo, 'new.txt'), 'x'),
    'new.txt is not in the commit',
  ],
  [
    'a mode',
    async (repo) => chmodSync(path.join(repo, 'base.txt'), 0o755),
    'base.txt is not as in the commit',
  ],
  ['another HEAD', (repo) => git(repo, ['commit', '-q', '--allow-empty', '-m', 'x']), 'HEAD is '],
  [
    'a staged file',
    async (repo) => {
      writeFileSync(path.join(repo, 'base.txt'), 'other\n');
      await git(repo, ['add', 'base.txt']);
      writeFileSync(path.join(repo, 'base.txt'), 'base\n');
    },
    'base.txt is staged otherwise',
  ],
  [
    'an edit behind assume-unchanged',
    async (repo) => {
      await git(repo, ['update-index', '--assume-unchanged', 'base.txt']);
      writeFileSync(path.join(repo, 'base.txt'), 'hidden\n');
    },
    'base.txt is not as in the commit',
  ],
  [
    'a sparse checkout',
    async (repo) => {
      mkdirSync(path.join(repo, 'deep'));
      writeFileSync(path.join(repo, 'deep/x'), 'x');
      await git(repo, ['add', '-A']);
      await git(repo, ['commit', '-q', '--amend', '--no-edit']);
      await git(repo, ['sparse-checkout', 'set', '--cone']);
    },
    'deep/x is missing',
  ],
  [
    'an edit that the index does not notice',
    async (repo) => {
      // Same size and mtime, and an index that trusts neither ctime nor inode.
      const file = path.join(repo, 'base.txt');
      await git(repo, ['config', 'core.trustctime', 'false']);
      await git(repo, ['config', 'core.checkStat', 'minimal']);
      const old = new Date(1_700_000_000_000);
      utimesSync(file, old, old);
      await git(repo, ['update-index', '--refresh']);
      const { mtime } = lstatSync(file);
      writeFileSync(file, 'BASE\n');
      utimesSync(file, mtime, mtime);
    },
    'base.txt is not as in the commit',
  ],
];

it('does not begin on a tree that is not the commit', async () => {
  for (const [name, change, told] of BEFORE) {
    const here = await place();
    await change(here.repo);
    const commit =
      name === 'a sparse checkout' ? await gitSays(here.repo, ['rev-parse', 'HEAD']) : here.commit;
    const end = await here.validate({ commit });
    expect(endOf(end), `${name}: ${end.stderr}`).toEqual(INVALID);
    expect(end.steps, name).toEqual([]);
    expect(end.result.reason, name).toContain(`before the first step: ${told}`);
  }
});

it('finds a change of somebody else at whatever boundary it comes', async () => {
  // The next step is not run; what changed between two steps is told as before the second of them.
  const stages = ['build', 'verify', 'health', 'smoke', 'health', 'test', 'health'];
  for (const at of [1, 3, 5, 7]) {
    const here = await place();
    const when = `test "$VALIDATE_RUN_SEQUENCE" != ${at} || echo x >>base.txt`;
    const job = Object.fromEntries(stages.map((stage) => [stage, when]));
    const end = await here.validate(job);
    expect(endOf(end), end.stderr).toEqual(INVALID);
    expect(end.steps.length).toBe(at);
    expect(end.result.reason).toContain(`after step ${at} (${stages[at - 1]}): base.txt`);
  }
});

it('watches a submodule like the tree itself', async () => {
  const other = await place();
  for (const [change, isPassed] of [
    ['cat sub/base.txt; mkdir -p sub/out; touch sub/out/x', true],
    ['cd sub; git update-index --assume-unchanged base.txt; echo x >>base.txt', false],
    [`cd sub; ${GIT} commit -q --allow-empty -m x; git reset -q --soft HEAD~1`, false],
  ] as const) {
    const here = await place();
    await git(here.repo, ['submodule', '--quiet', 'add', other.repo, 'sub']);
    await git(here.repo, ['commit', '-q', '-m', 'sub']);
    const end = await here.validate({
      commit: await gitSays(here.repo, ['rev-parse', 'HEAD']),
      smoke: change,
    });
    expect(end.result.status, end.stderr).toBe(isPassed ? 'passed' : 'invalid-evidence');
    if (!isPassed) expect(end.result.reason).toContain('the submodule sub: ');
  }
});

it('takes ignored files, reads, git status, hard links and settings of installers for what they are', async () => {
  const here = await richPlace();
  const build = [
    'mkdir -p out && cp -r src out/copy && echo x >out/app',
    'find . -type f -exec cat {} + >/dev/null',
    'git status >/dev/null && git diff --quiet && git update-index --refresh && git gc -q',
    'ln src/a.txt out/linked',
    'git config core.hooksPath .husky',
    'mkdir -p .cache && echo "*" >.cache/.gitignore && echo x >.cache/x',
  ];
  const end = await here.validate({
    commit: here.commit,
    build: build.join(' && '),
    verify: 'rm out/linked',
    health: 'true',
  });
  expect(endOf(end), end.stderr).toEqual({ code: 0, status: 'passed', told: 'passed' });
  // The same inode through the other name.
  const linked = await here.validate({
    commit: here.commit,
    build: 'ln src/a.txt out/linked',
    verify: 'echo x >>out/linked',
  });
  expect(endOf(linked)).toEqual(INVALID);
});

it('works in a linked worktree, a detached HEAD, and paths with spaces, newlines and bytes that are no UTF-8', async () => {
  const here = await place();
  writeFileSync(Buffer.concat([Buffer.from(`${here.repo}/caf`), Buffer.from([0xe9])]), 'x');
  writeFileSync(path.join(here.repo, 'two\nlines'), 'x');
  await git(here.repo, ['add', '-A']);
  await git(here.repo, ['commit', '-q', '-m', 'names']);
  const worktree = path.join(here.folder, 'a tree\nof mine');
  await git(here.repo, ['worktree', 'add', '-q', '--detach', worktree]);
  const commit = await gitSays(worktree, ['rev-parse', '--short=8', 'HEAD']);
  const end = await here.validate({ worktree, commit, test: 'test -e base.txt && pwd' });
  expect(endOf(end), end.stderr).toEqual({ code: 0, status: 'passed', told: 'passed' });
  expect(end.result.commit.length).toBe(40);
  const edited = await here.validate({ worktree, commit, test: 'printf y >"$(printf "caf\\351")"' });
  expect(endOf(edited), edited.stderr).toEqual(INVALID);
  expect(edited.result.reason).toContain('caf\\351');
});
