import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { git, gitSays, type PlainGitWish } from '../../helpers/plain-git.ts';
import { binaryOf, textOf, utf8 } from './contents.ts';
import { type Disk, diskAt } from './disk.ts';
import type { Plan } from './plan.ts';
import { changeTree } from './repository-changes.ts';
import { addModules, type Module } from './repository-modules.ts';

/** A random repository on disk. */
export interface BuiltRepository {
  /** Everything that belongs to the user, absolute: the repository, a main worktree, an origin, hooks. */
  container: string;
  /** The working tree that is cloned. */
  source: string;
  /** The repository's own git folder and, for a linked worktree, the one that it shares. */
  gitDir: string;
  commonDir: string;
  format: 'sha1' | 'sha256';
  /** Text of info/exclude and of core.excludesFile. */
  excludes: string;
  /** Initialised submodules; each byte of a path is one character. */
  modules: Module[];
  /** Folder in which hooks and filters of the user leave a file when they run. */
  marks: string;
  /** What the repository has, for the table. */
  features: string[];
}

/** What the steps share. */
export interface Building {
  plan: Plan;
  disk: Disk;
  gitDir: string;
  excludes: string[];
  features: Set<string>;
  modules: Module[];
  container: string;
  /** git in the repository, with the conversions of the plan. */
  git(argv: readonly string[], wish?: PlainGitWish): Promise<void>;
}

/** Makes the repository of a plan in an empty folder. */
export async function buildRepository(plan: Plan, container: string): Promise<BuiltRepository> {
  const marks = path.join(container, 'marks');
  mkdirSync(marks, { recursive: true });
  const convert = conversionOf(plan);
  const hasHistory = plan.head === 'branch' || plan.head === 'detached';
  const features = new Set<string>();
  const main = path.join(container, 'user repo');
  const isCloned = hasHistory && !['loose', 'packed'].includes(plan.storage);
  const first = isCloned ? path.join(container, 'origin') : main;

  await git(container, ['init', '-q', `--object-format=${plan.format}`, first]);
  settings(path.join(first, '.git'), convert.settings);
  const start = diskAt(first, true);
  const gitFirst = gitIn(first, convert.environment);
  if (hasAttributesInGit(plan)) writeInfoAttributes(path.join(first, '.git'));
  if (plan.head !== 'empty') writeTree(plan, start, convert.attributes);
  if (hasHistory) {
    await gitFirst(['add', '-A']);
    await gitFirst(['commit', '-q', '-m', 'one']);
    start.write('src/two.txt', textOf(plan.random, 12));
    start.write('src/main.txt', Buffer.concat([start.read('src/main.txt'), textOf(plan.random, 2)]));
    await gitFirst(['add', '-A']);
    await gitFirst(['commit', '-q', '-m', 'two']);
  }
  if (isCloned) await cloneOf(plan, container, main, convert);
  if (isCloned) settings(path.join(main, '.git'), convert.settings);

  if (hasAttributesInGit(plan)) writeInfoAttributes(path.join(main, '.git'));
  const isLinked = plan.place === 'linked worktree';
  const source = isLinked ? path.join(container, 'linked tree') : main;
  const commonDir = path.join(main, '.git');
  if (isLinked) await gitIn(main, convert.environment)(['worktree', 'add', '-q', '-b', 'side', source]);
  const gitDir = isLinked ? path.join(commonDir, 'worktrees/linked tree') : commonDir;
  if (isLinked) renameWorktree(commonDir, gitDir, source);
  const building: Building = {
    plan,
    disk: diskAt(source, true),
    gitDir,
    excludes: [],
    features,
    modules: [],
    container,
    git: gitIn(source, convert.environment),
  };

  if (plan.modules !== 'none') {
    await addModules(building);
    await building.git(['commit', '-q', '-m', 'modules']);
  }
  if (plan.head === 'detached') await building.git(['checkout', '-q', '--detach']);
  if (plan.storage === 'packed') await building.git(['gc', '-q']);
  await prepareIndex(building);
  if (plan.state === 'stash') await stash(building);
  await changeTree(building);
  if (plan.state === 'merging') await startMerge(building);
  await finishIndex(building);

  if (plan.convert === 'attributes gone') rmSync(path.join(commonDir, 'info/attributes'));

  features.add(`head: ${plan.head}`).add(`convert: ${plan.convert}`).add(`state: ${plan.state}`);
  features.add(`storage: ${plan.storage}`).add(`place: ${plan.place}`).add(`format: ${plan.format}`);
  features.add(`modules: ${plan.modules}`).add(`index: ${plan.index}`).add(`traps: ${plan.traps}`);
  if (plan.storage !== 'alternates' && isCloned) renameSync(first, `${first} is gone`);
  setTraps(plan, container, commonDir, marks);
  return {
    container,
    source,
    gitDir,
    commonDir,
    format: plan.format,
    excludes: building.excludes.join(''),
    modules: building.modules,
    marks,
    features: [...features],
  };
}

interface Conversion {
  attributes: string;
  settings: string;
  environment: Record<string, string>;
}

/** Line ends that no file of the tree speaks of; `attributes gone`: nor anything else, any more. */
function hasAttributesInGit({ convert }: Plan): boolean {
  return convert === 'info/attributes' || convert === 'attributes gone';
}

function writeInfoAttributes(gitDir: string): void {
  mkdirSync(path.join(gitDir, 'info'), { recursive: true });
  writeFileSync(path.join(gitDir, 'info/attributes'), '*.txt text eol=crlf\n');
}

/** `tr` of the plan's filter: what is committed is another text than what lies on disk. */
const ROT = { 'filter.rot.clean': 'tr a-z n-za-m', 'filter.rot.smudge': 'tr a-z n-za-m' };

function conversionOf({ convert }: Plan): Conversion {
  const of = (attributes: string, text = '', environment = {}) => ({
    attributes,
    settings: text,
    environment,
  });
  if (convert === 'eol=crlf') return of('* text=auto eol=crlf\n*.bin binary\n');
  if (convert === 'autocrlf=true') return of('', '[core]\n\tautocrlf = true\n\tsafecrlf = false\n');
  if (convert === 'autocrlf=input') return of('', '[core]\n\tautocrlf = input\n\tsafecrlf = false\n');
  if (convert === 'filter attribute') return of('*.txt filter=rot\n', '', ROT);
  if (convert === 'ident') return of('*.txt ident\n');
  if (convert === 'UTF-16') return of('*.u16 text working-tree-encoding=UTF-16\n');
  if (convert === 'lfs') return of('*.bin filter=lfs diff=lfs merge=lfs -text\n');
  return of('');
}

function gitIn(cwd: string, config: Record<string, string>): Building['git'] {
  return async (argv, wish = {}) => {
    await git(cwd, argv, { ...wish, config: { ...config, 'core.fsmonitor': 'false', ...wish.config } });
  };
}

function settings(gitDir: string, text: string): void {
  appendFileSync(path.join(gitDir, 'config'), text);
}

function writeTree({ random, convert }: Plan, disk: Disk, attributes: string): void {
  const end = /crlf$|^autocrlf=true$|attributes/.test(convert) ? '\r\n' : '\n';
  if (attributes) disk.write('.gitattributes', Buffer.from(attributes));
  disk.write('.gitignore', Buffer.from('*.log\n/build/\n!keep.log\n'));
  disk.write('src/main.txt', textOf(random, 40, end));
  disk.write('src/long.txt', textOf(random, 60, end));
  disk.write('src/deep/er/one.txt', textOf(random, 5));
  disk.write('src/ident.txt', Buffer.from(`$Id$\n${textOf(random, 30)}`));
  disk.write('lib/a.txt', textOf(random, 25, end));
  disk.write('lib/b.txt', textOf(random, 8));
  disk.write('lib/.gitignore', Buffer.from('*.tmp\n'));
  disk.write('bin/run.sh', Buffer.from('#!/bin/sh\necho run\n'), 0o755);
  disk.write('docs/readme.md', textOf(random, 30));
  disk.write('docs/empty', Buffer.alloc(0));
  disk.write('data/pic.bin', binaryOf(random, 300));
  disk.write('data/no newline', Buffer.from('no newline at the end'));
  disk.write(utf8('docs/\u00fcber uns.txt'), textOf(random, 22));
  disk.link('docs/current', 'readme.md');
  disk.link('lib-link', 'lib');
  if (convert === 'UTF-16') {
    const text = textOf(random, 20).toString();
    disk.write('docs/wide.u16', Buffer.from(`\ufeff${text}`, 'utf16le'));
  }
  for (let more = random.below(4); more > 0; more--) disk.write(`more/file${more}.txt`, textOf(random, 21));
}

async function cloneOf(plan: Plan, container: string, main: string, convert: Conversion): Promise<void> {
  const origin = path.join(container, 'origin');
  const flags = {
    alternates: ['--shared', origin],
    shallow: ['--depth=1', `file://${origin}`],
    partial: ['--filter=blob:none', `file://${origin}`],
    'partial sparse': ['--filter=blob:none', '--sparse', `file://${origin}`],
  }[plan.storage as string] ?? [origin];
  if (plan.storage.startsWith('partial'))
    settings(path.join(origin, '.git'), '[uploadpack]\n\tallowFilter = true\n');
  const autocrlf: Record<string, string> =
    plan.convert === 'autocrlf=true' ? { 'core.autocrlf': 'true' } : {};
  await git(container, ['clone', '-q', ...flags, main], { config: { ...convert.environment, ...autocrlf } });
}

/** `git worktree add` names the folder after the path; where a space was replaced, the name is asked for. */
function renameWorktree(commonDir: string, gitDir: string, source: string): void {
  const pointed = readFileSync(path.join(source, '.git'), 'utf8').replace('gitdir: ', '').trim();
  if (pointed === gitDir) return;
  renameSync(pointed, gitDir);
  writeFileSync(
    path.join(source, '.git'),
    `gitdir: ${path.join(commonDir, 'worktrees', path.basename(gitDir))}\n`,
  );
}

async function prepareIndex({ plan, git: run }: Building): Promise<void> {
  if (plan.index === 'sparse cone') await run(['sparse-checkout', 'set', '--cone', 'src', 'docs']);
  if (plan.index === 'sparse patterns')
    await run(['sparse-checkout', 'set', '--no-cone', '/*', '!/lib/', '!*.md']);
}

async function finishIndex(building: Building): Promise<void> {
  const { plan, disk } = building;
  if (plan.index === 'split') {
    await building.git(['update-index', '--split-index']);
    if (plan.head !== 'empty') {
      disk.write('split.txt', textOf(plan.random, 3));
      await building.git(['add', 'split.txt'], { config: { 'core.splitIndex': 'true' } });
    }
  }
  const flag = { 'skip-worktree': '--skip-worktree', 'assume-unchanged': '--assume-unchanged' }[
    plan.index as string
  ];
  if (!flag) return;
  const files = ['docs/readme.md', 'lib/b.txt'].filter((where) => disk.has(where));
  const tracked = (await gitSays(disk.root, ['ls-files', '--', ...files])).split('\n').filter(Boolean);
  if (tracked.length === 0) return;
  await building.git(['update-index', flag, '--', ...tracked]);
  const [edited, gone] = tracked;
  if (edited) disk.write(edited, textOf(plan.random, 4));
  if (gone && plan.random.below(2) === 0) disk.remove(gone);
}

async function stash({ plan, disk, git: run }: Building): Promise<void> {
  if (!disk.has('src/main.txt')) return;
  const before = disk.read('src/main.txt');
  disk.write('src/main.txt', Buffer.concat([before, textOf(plan.random, 1)]));
  await run(['stash', '-q']);
}

/** A merge that stopped at a conflict: three stages in the index, markers on disk. */
async function startMerge(building: Building): Promise<void> {
  const { plan, disk, gitDir } = building;
  const where = 'src/long.txt';
  if (!disk.has(where)) return;
  const ids: string[] = [];
  for (const side of ['base', 'ours', 'theirs']) {
    const input = Buffer.concat([Buffer.from(`${side}\n`), textOf(plan.random, 20)]);
    ids.push(await gitSays(disk.root, ['hash-object', '-w', '--stdin'], { input }));
  }
  const zero = '0'.repeat(ids[0]?.length ?? 40);
  const stages = ids.map((id, at) => `100644 ${id} ${at + 1}\t${where}`);
  await building.git(['update-index', '--index-info'], {
    input: `0 ${zero}\t${where}\n${stages.join('\n')}\n`,
  });
  disk.remove(where);
  disk.write(
    where,
    Buffer.from(`<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n${textOf(plan.random, 20)}`),
  );
  const head = await gitSays(disk.root, ['rev-parse', 'HEAD']);
  writeFileSync(path.join(gitDir, 'MERGE_HEAD'), `${head}\n`);
  writeFileSync(path.join(gitDir, 'MERGE_MSG'), "Merge branch 'other'\n");
}

const HOOKS = [
  'pre-commit',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-push',
  'post-merge',
];

/** From here on every program of the user's repository leaves a mark when somebody runs it. */
function setTraps(plan: Plan, container: string, commonDir: string, marks: string): void {
  const trap = (file: string, name: string, body = '') => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n: >'${path.join(marks, name)}'\n${body}`);
    chmodSync(file, 0o755);
    return file;
  };
  const hooks = plan.traps === 'hooksPath' ? path.join(container, 'hooks') : path.join(commonDir, 'hooks');
  if (plan.traps === 'hooks' || plan.traps === 'hooksPath') {
    for (const name of HOOKS) trap(path.join(hooks, name), name);
  }
  if (plan.traps === 'hooksPath') settings(commonDir, `[core]\n\thooksPath = "${hooks}"\n`);
  if (plan.traps === 'fsmonitor') {
    const monitor = trap(path.join(container, 'monitor'), 'fsmonitor', 'exit 1\n');
    settings(commonDir, `[core]\n\tfsmonitor = "${monitor}"\n`);
  }
  if (plan.convert === 'filter attribute' || plan.convert === 'lfs') {
    const filter = trap(path.join(container, 'filter'), 'filter', 'tr a-z n-za-m\n');
    const name = plan.convert === 'lfs' ? 'lfs' : 'rot';
    const command = `"'${filter}'"`;
    settings(
      commonDir,
      `[filter "${name}"]\n\tclean = ${command}\n\tsmudge = ${command}\n\trequired = true\n`,
    );
  }
  settings(commonDir, '[credential]\n\thelper = "!false"\n[alias]\n\tst = status\n');
}
