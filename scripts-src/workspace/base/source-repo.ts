import { statSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../../platform/errors.ts';
import { readValue } from '../../platform/files.ts';
import { GitError, type GitPlace, gitBytes, gitText, runGit } from '../../platform/git.ts';

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
  const here: GitPlace = { cwd: absolute, asUser: true };
  const [workTree, gitDir, commonDir] = await whereIs(here, absolute);
  const place: GitPlace = { gitDir, workTree, asUser: true };
  const [settings, head, branch, state] = await Promise.all([
    readSettings(place),
    revision(place, 'HEAD'),
    branchOf(place),
    gitText(place, ['rev-parse', '--show-object-format', '--is-shallow-repository']),
  ]);
  const [format, shallow] = state.split('\n');
  return {
    workTree,
    gitDir,
    commonDir,
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    head,
    branch,
    isShallow: shallow === 'true',
    objectDirs: objectDirsFrom(path.join(commonDir, 'objects')),
    excludesFile: await excludesFileOf(place),
    settings,
  };
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

async function whereIs(here: GitPlace, folder: string): Promise<[string, string, string]> {
  const argv = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir'];
  try {
    const lines = (await gitText(here, argv)).split('\n');
    // A path with a newline makes more lines than there are answers; asked one by one it is whole.
    if (lines.length === 3) return lines.map(nativePath) as [string, string, string];
    const answers: string[] = [];
    for (const flag of argv.slice(2)) {
      answers.push(nativePath(await gitText(here, ['rev-parse', '--path-format=absolute', flag])));
    }
    return answers as [string, string, string];
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

async function branchOf(place: GitPlace): Promise<string | null> {
  const { code, stdout } = await runGit(place, ['symbolic-ref', '--quiet', '--short', 'HEAD'], {
    answers: [0, 1, 128],
  });
  return code === 0 ? stdout.toString('utf8').trim() : null;
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

async function excludesFileOf(place: GitPlace): Promise<string | null> {
  const argv = ['config', '--type=path', '--get', 'core.excludesFile'];
  const { code, stdout } = await runGit(place, argv, { answers: [0, 1] });
  const value = stdout.toString('utf8').replace(/\n$/, '');
  return code === 0 && value !== '' ? path.resolve(place.workTree ?? '', value) : null;
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
