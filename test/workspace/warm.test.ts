import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type BytePath, bytePathOf, shownPath } from '../../scripts-src/platform/byte-path.ts';
import { planWarm, type WarmSource, warmWorkspace } from '../../scripts-src/workspace/warm/warm.ts';
import { repointed } from '../../scripts-src/workspace/warm/warm-paths.ts';
import { suggestWarm } from '../../scripts-src/workspace/warm/warm-suggestions.ts';
import { scratch, testEnvironment } from '../helpers/unit-run.ts';

const isPosix = process.platform !== 'win32';

interface Place {
  repo: string;
  source: WarmSource;
  clone: string;
}

function git(repo: string, ...argv: string[]): void {
  execFileSync('git', ['-C', repo, ...argv], { env: testEnvironment(repo), stdio: 'pipe' });
}

/** A repository with these files; those with `!` before their names are tracked. */
function place(ignore: string[], files: Record<string, string>): Place {
  const folder = scratch();
  const [repo, clone] = [path.join(folder, 'repo'), path.join(folder, 'clone')];
  for (const made of [repo, clone]) mkdirSync(made);
  git(repo, 'init', '-q');
  put(repo, { '!.gitignore': `${ignore.join('\n')}\n`, ...files });
  return { repo, source: { workTree: repo, gitDir: path.join(repo, '.git') }, clone };
}

function put(repo: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(repo, name.replace(/^!/, ''));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (name.startsWith('!')) git(repo, 'add', '-f', name.slice(1));
  }
}

async function warm({ source, clone }: Place, ...paths: string[]) {
  const plan = await planWarm(source, { paths });
  const report = await warmWorkspace(plan, source, clone);
  return {
    plan,
    report,
    paths: plan.items.map((item) => shownPath(item.path)),
    notes: [...plan.notes, ...report.notes],
  };
}

function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

it('auto brings what lock files suggest, in packages too, and nothing else; git’s files stay as they are', async () => {
  const here = place(['node_modules', '/dist', '*.log', '.env*', 'coverage/', '.venv'], {
    '!package-lock.json': '{}',
    '!packages/web/package.json': '{}',
    'node_modules/a/dist/index.js': '1',
    'node_modules/a/.git/config': 'x',
    'packages/web/node_modules/b/index.js': '2',
    'dist/out.js': '3',
    'npm.log': '4',
    '.env': 'TOKEN=1',
    'coverage/x': '5',
    '.venv/pyvenv.cfg': 'no lock file names it',
  });
  const before = readFileSync(path.join(here.repo, '.git/index'));
  const { paths, report, plan } = await warm(here, 'auto');
  expect(paths.sort()).toEqual(['node_modules', 'packages/web/node_modules']);
  expect(plan.items[0]?.because).toBe('package-lock.json');
  expect(below(here.clone)).toEqual(['node_modules/a/dist/index.js', 'packages/web/node_modules/b/index.js']);
  expect(report).toMatchObject({ files: 2, bytes: 2 });
  expect(report.notes).toEqual([
    'node_modules/a/.git did not come along: belongs to a repository of its own',
  ]);
  expect(readFileSync(path.join(here.repo, '.git/index')).equals(before)).toBe(true);
});

it('a named folder comes along without secrets, outputs, logs and nested repositories; a named secret comes', async () => {
  const here = place(['/local', '.env'], {
    '.env': 'A=1',
    'local/data.json': '{}',
    'local/.env.test': 'A=1',
    'local/id_ed25519': 'x',
    'local/server.key': 'x',
    'local/ca.pem': '-----BEGIN CERTIFICATE-----',
    'local/own.pem': '-----BEGIN RSA PRIVATE KEY-----',
    'local/id_map.json': '{}',
    'local/.npmrc': '//registry/:_authToken=1',
    'local/debug.log': '',
    'local/coverage/x': '',
    'local/wt/.git': 'gitdir: /elsewhere',
    'local/wt/file': '',
  });
  const { notes } = await warm(here, 'local');
  expect(below(here.clone)).toEqual(['local/ca.pem', 'local/data.json', 'local/id_map.json']);
  expect(notes.join('\n')).toContain('local/.env.test did not come along: may hold secrets');
  const again = { ...here, clone: path.join(here.clone, '../second') };
  await warm(again, 'local', '.env', 'local/server.key', 'local/coverage');
  expect(below(again.clone)).toEqual([
    '.env',
    'local/ca.pem',
    'local/coverage/x',
    'local/data.json',
    'local/id_map.json',
    'local/server.key',
  ]);
});

it('of a folder with tracked files only the ignored ones are brought, but for secrets', async () => {
  const here = place(['/vendor/**', '!/vendor/keep', 'config/.env', 'config/cache'], {
    '!vendor/tracked': '1',
    'vendor/lib/a': '2',
    '!config/app.json': '{}',
    'config/.env': 'A=1',
    'config/cache/x': '3',
  });
  const { notes } = await warm(here, 'vendor', 'config');
  expect(below(here.clone)).toEqual(['config/cache/x', 'vendor/lib/a']);
  expect(notes).toEqual([
    'config/.env does not come along: may hold secrets: name it with --warm to bring it along',
  ]);
});

it('what is not ignored is in every clone anyway, and that is said', async () => {
  const here = place(['x'], { '!src/a': '1', new: '2' });
  const { paths, notes } = await warm(here, 'src', 'new', 'auto');
  expect(paths).toEqual([]);
  expect(notes).toEqual([
    'src is not ignored: it is in every clone anyway',
    'new is not ignored: it is in every clone anyway',
    'no lock file suggests an ignored folder to bring along',
  ]);
});

it.each([
  ['../other', 'names nothing below the repository'],
  ['.', 'names nothing below the repository'],
  ['/etc', 'names nothing below the repository'],
  ['.git/hooks', 'names git’s own files'],
  ['nowhere', 'there is no such path'],
  ['nested', 'is a repository or a worktree of its own'],
])('--warm %s is refused: it %s', async (said, why) => {
  const here = place(['nested'], { 'nested/.git/HEAD': '', 'nested/a': '' });
  await expect(planWarm(here.source, { paths: [said] })).rejects.toThrow(why.replace('’', "'"));
});

it('a path inside an ignored folder may be named, and an absolute one, and a folder called auto', async () => {
  const here = place(['node_modules', 'auto'], {
    'node_modules/.cache/x': '1',
    'node_modules/big/y': '2',
    'auto/z': '3',
  });
  const { paths } = await warm(here, 'node_modules/.cache', path.join(here.repo, 'auto'), './auto');
  expect(paths).toEqual(['node_modules/.cache', 'auto']);
  expect(below(here.clone)).toEqual(['auto/z', 'node_modules/.cache/x']);
});

it('the repository’s own rule holds: auto leaves out, a name is refused, --warm-anyway passes', async () => {
  const here = place(['node_modules'], {
    '!package-lock.json': '{}',
    '!AGENTS.md': '# Rules\n\nNever share `node_modules` between worktrees.\n',
    'node_modules/a/x': '1',
  });
  const { paths, notes } = await warm(here, 'auto');
  expect(paths).toEqual([]);
  expect(notes).toEqual([
    'node_modules does not come along: AGENTS.md:3 says "Never share node_modules between worktrees."',
  ]);
  await expect(planWarm(here.source, { paths: ['node_modules'] })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('AGENTS.md:3'),
  });
  const plan = await planWarm(here.source, { paths: ['node_modules'], anyway: true });
  expect(plan.items.length).toBe(1);
  expect(plan.notes[0]).toContain('although AGENTS.md:3');
});

it.runIf(isPosix)(
  'links in node_modules lead into the clone; a linked node_modules does not come along',
  async () => {
    const here = place(['node_modules'], {
      '!package-lock.json': '{}',
      '!packages/a/i.js': '1',
      'node_modules/x/i.js': '1',
    });
    const modules = path.join(here.repo, 'node_modules');
    mkdirSync(path.join(modules, '.bin'));
    symlinkSync('../x/i.js', path.join(modules, '.bin/x'));
    symlinkSync(path.join(here.repo, 'packages/a'), path.join(modules, 'a'));
    symlinkSync('../../elsewhere', path.join(modules, 'linked'));
    writeFileSync(
      path.join(modules, '.bin/y'),
      `#!/bin/sh\nNODE_PATH="${modules}/.pnpm:${here.repo}-other/x"\n`,
      { mode: 0o755 },
    );
    symlinkSync('../node_modules', path.join(here.repo, 'packages/a/node_modules'));
    const { report } = await warm(here, 'auto');
    const copied = path.join(here.clone, 'node_modules');
    expect(readlinkSync(path.join(copied, '.bin/x'))).toBe('../x/i.js');
    expect(readlinkSync(path.join(copied, 'a'))).toBe(path.join(here.clone, 'packages/a'));
    expect(readFileSync(path.join(copied, '.bin/y'), 'utf8')).toBe(
      `#!/bin/sh\nNODE_PATH="${copied}/.pnpm:${here.repo}-other/x"\n`,
    );
    expect(statSync(path.join(copied, '.bin/y')).mode & 0o777).toBe(0o755);
    expect(report.notes).toEqual([
      'node_modules/linked leads out of the repository: a worker writes through it',
    ]);
  },
);

it('a submodule’s ignored folders can be named', async () => {
  const here = place(['x'], { '!sub/README': '1' });
  git(here.repo, 'rm', '-q', '--cached', 'sub/README');
  git(path.join(here.repo, 'sub'), 'init', '-q');
  put(here.repo, {
    'sub/.gitignore': 'node_modules\n',
    'sub/node_modules/a/i.js': '1',
    'sub/package-lock.json': '{}',
  });
  const source = { ...here.source, submodules: [bytePathOf('sub')] };
  expect((await warm({ ...here, source }, 'auto')).paths).toEqual(['sub/node_modules']);
  expect(below(here.clone)).toEqual(['sub/node_modules/a/i.js']);
});

const hasPython = isPosix && spawnSync('python3', ['-m', 'venv', '--help']).status === 0;

it.runIf(hasPython)(
  'a copied virtual environment works on the clone and not on the user’s tree',
  async () => {
    const here = place(['.venv'], { '!uv.lock': '', '!src/own.py': 'WHERE = __file__\n' });
    const venv = path.join(here.repo, '.venv');
    execFileSync('python3', ['-m', 'venv', '--without-pip', venv], { env: testEnvironment(here.repo) });
    const packages =
      readdirSync(path.join(venv, 'lib')).map((name) => path.join(venv, 'lib', name, 'site-packages'))[0] ??
      '';
    writeFileSync(path.join(packages, 'editable.pth'), `${here.repo}/src\n`);
    const script = '\nimport own, sys\nprint(sys.prefix)\nprint(own.WHERE)\n';
    writeFileSync(path.join(venv, 'bin/tool'), `#!${venv}/bin/python3${script}`, { mode: 0o755 });
    put(here.clone, { 'src/own.py': 'WHERE = __file__\n' });
    const { notes } = await warm(here, 'auto');
    const copied = path.join(here.clone, '.venv');
    const said = execFileSync(path.join(copied, 'bin/tool'), {
      env: testEnvironment(here.repo),
      encoding: 'utf8',
    });
    expect(said.trim().split('\n')).toEqual([copied, path.join(here.clone, 'src/own.py')]);
    const active = execFileSync(
      'sh',
      ['-c', `. '${copied}/bin/activate' && echo "$VIRTUAL_ENV" && command -v python3`],
      {
        env: testEnvironment(here.repo),
        encoding: 'utf8',
      },
    );
    expect(active.trim().split('\n')).toEqual([copied, path.join(copied, 'bin/python3')]);
    const { stdout } = spawnSync('grep', ['-rlIF', `${here.repo}/`, copied], { encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(notes).toEqual([]);
  },
);

it.each([
  ['/repo/x', '/a b/clone', 'X=/repo/x/.venv', 'X=/a b/clone/.venv'],
  [
    '/repo',
    '/c',
    '/mnt/repo/x /repository /repo-2 /repo.old "/repo" /repo',
    '/mnt/repo/x /repository /repo-2 /repo.old "/c" /c',
  ],
  ['/repo', '/c', 'file:///repo/src:/repo/y', 'file:///c/src:/c/y'],
  ['C:\\r', 'D:\\c', 'C:\\r\\a C:/r/a C:\\\\r\\\\a', 'D:\\c\\a D:/c/a D:\\\\c\\\\a'],
  ['/repo', '/$&', '/repo/a', '/$&/a'],
])('paths of %s become those of %s: %s', (from, to, text, expected) => {
  expect(repointed(text, from, to)).toBe(expected);
});

it('a first line that is too long for the kernel, or has a space, is written as pip writes it', () => {
  const long = `/${'x'.repeat(130)}`;
  for (const to of [long, '/a b']) {
    expect(repointed('#!/r/bin/python3\nimport x\n', '/r', to)).toBe(
      `#!/bin/sh\n'''exec' "${to}/bin/python3" "$0" "$@"\n' '''\nimport x\n`,
    );
  }
});

it.each([
  [['node_modules'], ['yarn.lock'], ['node_modules']],
  [['packages/a/node_modules'], ['pnpm-lock.yaml'], ['packages/a/node_modules']],
  [['node_modules'], [], []],
  [
    ['.yarn', '.pnp.cjs'],
    ['yarn.lock', '.yarn/cache'],
    ['.yarn/cache', '.pnp.cjs'],
  ],
  [['.venv', 'venv'], ['requirements.txt', '.venv/pyvenv.cfg'], ['.venv']],
  [['services/api/venv'], ['requirements.txt', 'services/api/venv/pyvenv.cfg'], []],
  [['vendor'], ['go.sum', 'vendor/modules.txt'], ['vendor']],
  [['vendor'], ['Gemfile.lock', 'vendor/bundle'], ['vendor/bundle']],
  [['vendor/bundle'], ['Gemfile.lock'], ['vendor/bundle']],
  [['vendor'], ['composer.lock', 'vendor/autoload.php'], ['vendor']],
  [['.gradle', 'build'], ['settings.gradle.kts'], ['.gradle']],
  [['target'], ['Cargo.lock'], []],
  [['dist', 'coverage', 'x.log'], ['package-lock.json'], []],
  [['my_node_modules'], ['package-lock.json'], []],
])('ignored %j beside %j: %j', (ignored, there, expected) => {
  const all = new Set([...ignored, ...there]);
  const found = suggestWarm(ignored.map(bytePathOf), (where: BytePath) => all.has(where));
  expect(found.map(({ path: where }) => where)).toEqual(expected);
});

it('a path that has gone meanwhile stops nothing', async () => {
  const here = place(['a', 'b'], { 'a/x': '1', 'b/y': '2' });
  const plan = await planWarm(here.source, { paths: ['a', 'b'] });
  rmSync(path.join(here.repo, 'a'), { recursive: true });
  const report = await warmWorkspace(plan, here.source, here.clone);
  expect(report.notes).toEqual(['a did not come along: it has just gone']);
  expect(existsSync(path.join(here.clone, 'b/y')) && lstatSync(path.join(here.clone, 'b/y')).isFile()).toBe(
    true,
  );
});
