import { statSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../../platform/errors.ts';
import { readValue } from '../../platform/files.ts';
import { GitError, type GitPlace, gitBytes, gitText, runGit } from '../../platform/git.ts';
import { readRefs } from '../tripwire/tripwire.ts';

/** The user's repository, as far as prun needs to know it. It is only read. Paths are absolute. */
export interface SourceRepository {
  workTree: string;
  gitDir: string;
  /** Where objects and references are; differs from `gitDir` in a linked worktree. */
  commonDir: string;
  objectFormat: 'sha1' | 'sha256';
  /** HEAD's commit, null before the first one. */
  head: string | null;
  /** HEAD's branch, null where HEAD is detached. */
  branch: string | null;
  /** All references by their names, as `shownPath` shows them: an id, or `ref: <target>`. */
  refs: Readonly<Record<string, string>>;
  isShallow: boolean;
  /** Every object folder that the repository reads, its own first. */
  objectDirs: string[];
  /** `core.excludesFile`, or null where git's own default holds. */
  excludesFile: string | null;
  settings: Settings;
}

/** Settings of a repository as git sees them there: the last value of each, keys as git prints them. */
export type Settings = ReadonlyMap<string, string>;

/** git with the user's own configuration in the user's repository: for questions that change nothing. */
export function sourcePlace(source: Pick<SourceRepository, 'gitDir' | 'workTree'>): GitPlace {
  return { gitDir: source.gitDir, workTree: source.workTree, asUser: true };
}

/** Reads the facts of the repository that `folder` lies in. Throws a usage error where there is none with files. */
export async function readSource(folder: string): Promise<SourceRepository> {
  const absolute = path.resolve(folder);
  requireFolder(absolute);
  const { workTree, gitDir, commonDir, format, shallow } = await whereIs(
    { cwd: absolute, asUser: true },
    absolute,
  );
  const place: GitPlace = { gitDir, workTree, asUser: true };
  const { head, refs } = readRefs({ gitDir, commonDir });
  const settings = await readSettings(place);
  const commit = commitIn(head, refs);
  return {
    workTree,
    gitDir,
    commonDir,
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    // What its files do not tell, git may know.
    head: commit ?? (await revision(place, 'HEAD')),
    branch: head?.startsWith(BRANCH) ? head.slice(BRANCH.length) : null,
    refs,
    isShallow: shallow === 'true',
    objectDirs: objectDirsFrom(path.join(commonDir, 'objects')),
    excludesFile: await excludesFileOf(place, settings),
    settings,
  };
}

const BRANCH = 'ref: refs/heads/';
const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** The id behind HEAD, through at most a few symbolic references. */
function commitIn(head: string | null, refs: SourceRepository['refs']): string | null {
  let value = head;
  for (let steps = 0; steps < 5 && value?.startsWith('ref: '); steps++) value = refs[value.slice(5)] ?? null;
  return value !== null && OBJECT_ID.test(value) ? value : null;
}

/** The commit that a name stands for, or null. */
export async function revision(place: GitPlace, name: string): Promise<string | null> {
  const { code, stdout } = await runGit(place, ['rev-parse', '--quiet', '--verify', `${name}^{commit}`], {
    answers: [0, 1, 128],
  });
  return code === 0 ? stdout.toString('utf8').trim() : null;
}

function requireFolder(folder: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat) throw usageError(`--repo ${folder} does not exist`, 'give a folder of a git repository');
  if (!stat.isDirectory()) {
    throw usageError(`--repo ${folder} is not a folder`, 'give a folder of a git repository');
  }
}

interface Whereabouts {
  workTree: string;
  gitDir: string;
  commonDir: string;
  format: string;
  shallow: string;
}

const QUESTIONS = [
  '--show-object-format',
  '--is-shallow-repository',
  '--show-toplevel',
  '--git-dir',
  '--git-common-dir',
];

async function whereIs(here: GitPlace, folder: string): Promise<Whereabouts> {
  try {
    const asked = ['rev-parse', '--path-format=absolute'];
    let answers = (await gitText(here, [...asked, ...QUESTIONS])).split('\n');
    if (answers.length !== QUESTIONS.length) {
      // A path with a newline makes more lines than there are answers; asked one by one it is whole.
      answers = [];
      for (const question of QUESTIONS) answers.push(await gitText(here, [...asked, question]));
    }
    const [format = '', shallow = '', ...folders] = answers;
    const [workTree = '', gitDir = '', commonDir = ''] = folders.map(nativePath);
    return { workTree, gitDir, commonDir, format, shallow };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.stderr.includes('must be run in a work tree')) {
      throw usageError(
        `--repo ${folder} is a bare repository, or the inside of one`,
        'give a folder with files',
      );
    }
    if (error.stderr.includes('not a git repository')) {
      throw usageError(
        `--repo ${folder} is not in a git repository`,
        'give a folder of one, or run git init there first',
      );
    }
    throw usageError(error.message, error.next);
  }
}

/** git prints `/` on every system. */
function nativePath(printed: string): string {
  return path.normalize(printed);
}

async function readSettings(place: GitPlace): Promise<Settings> {
  const output = await gitBytes(place, ['config', '--list', '-z']);
  const entries = output
    .toString('utf8')
    .split('\0')
    .filter(Boolean)
    .map((entry): [string, string] => {
      const cut = entry.indexOf('\n');
      // A key without a value is true (git-config(1)).
      return cut < 0 ? [entry, 'true'] : [entry.slice(0, cut), entry.slice(cut + 1)];
    });
  return new Map(entries);
}

/** A path that begins with `~` or a word of git's is worked out by git. */
async function excludesFileOf(place: GitPlace, settings: Settings): Promise<string | null> {
  const given = settings.get('core.excludesfile') ?? '';
  if (given === '') return null;
  const isPlain = !/^[~%:]/.test(given);
  const value = isPlain
    ? given
    : await gitText(place, ['config', '--type=path', '--get', 'core.excludesFile']);
  return path.resolve(place.workTree ?? '', value);
}

/** An object folder and those that it borrows from (gitrepository-layout(5), objects/info/alternates). */
function objectDirsFrom(first: string): string[] {
  const found = [first];
  for (const folder of found) {
    const lines = readValue(path.join(folder, 'info', 'alternates'))?.split('\n') ?? [];
    for (const line of lines) {
      if (line === '' || line.startsWith('#')) continue;
      const next = path.resolve(folder, line);
      if (!found.includes(next)) found.push(next);
    }
  }
  return found;
}
