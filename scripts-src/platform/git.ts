import { spawn } from 'node:child_process';
import { messageOf, PrunError } from './errors.ts';

/** Where a git command works. What is left out git finds by itself from `cwd`. Paths are absolute. */
export interface GitPlace {
  gitDir?: string;
  workTree?: string;
  indexFile?: string;
  cwd?: string;
  /** Object folders that are read beside the repository's own. */
  alternates?: readonly string[];
  /** Settings of this one call, by `GIT_CONFIG_KEY_n`: a value may hold anything. */
  config?: Readonly<Record<string, string>>;
  /** Whether the user's own and the system's configuration are read; only where the user's repository is asked. */
  asUser?: boolean;
}

/** How a git command is called. */
export interface GitCall {
  /** Standard input; empty when left out. */
  input?: Uint8Array | string;
  /** Exit codes that are answers; any other one throws. Only 0 when left out. */
  answers?: readonly number[];
  /** File descriptor that receives stdout instead of memory. */
  stdoutFd?: number;
}

/** A git command that ended with one of the awaited codes. */
export interface GitAnswer {
  code: number;
  stdout: Buffer;
  stderr: string;
}

/** git failed: which command, with what code, and what it said. */
export class GitError extends PrunError {
  readonly argv: readonly string[];
  readonly status: number | null;
  readonly stderr: string;

  constructor(argv: readonly string[], status: number | null, stderr: string) {
    const said = lastLines(stderr);
    super(
      'E_GIT',
      `git ${argv.slice(0, 3).join(' ')} failed (${status ?? 'ended by a signal'})${said ? `: ${said}` : ''}`,
      nextStepFor(stderr),
      1,
    );
    this.name = 'GitError';
    this.argv = argv;
    this.status = status;
    this.stderr = stderr;
  }
}

/**
 * Runs git to its end: an argument array, bytes in and out, C locale, no pager, no editor, no questions, no hooks, no
 * file system monitor, no lock that it can do without, and none of the caller's GIT_* variables. Throws GitError for
 * a code that is not awaited, PrunError (127) where git is missing.
 */
export async function runGit(
  place: GitPlace,
  argv: readonly string[],
  call: GitCall = {},
): Promise<GitAnswer> {
  const child = spawn('git', [...argv], {
    cwd: place.cwd ?? place.workTree ?? place.gitDir,
    env: gitEnvironment(place, process.env),
    stdio: ['pipe', call.stdoutFd ?? 'pipe', 'pipe'],
    windowsHide: true,
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  // A git that ends early closes its stdin: its exit code is the news, not the broken pipe.
  child.stdin?.on('error', () => {});
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(cannotStart(error, place)));
    child.once('close', (code) => resolve(code));
  });
  child.stdin?.end(call.input ?? '');
  const code = await ended;
  const said = Buffer.concat(stderr).toString('utf8');
  if (code === null || !(call.answers ?? [0]).includes(code)) throw new GitError(argv, code, said);
  return { code, stdout: Buffer.concat(stdout), stderr: said };
}

/** Standard output of a git command, as bytes. */
export async function gitBytes(place: GitPlace, argv: readonly string[], call?: GitCall): Promise<Buffer> {
  return (await runGit(place, argv, call)).stdout;
}

/** Standard output of a git command as text without the newline at its end: ids, names of references, settings. */
export async function gitText(place: GitPlace, argv: readonly string[], call?: GitCall): Promise<string> {
  return (await gitBytes(place, argv, call)).toString('utf8').replace(/\n$/, '');
}

/** The environment of a git command. Pure. */
export function gitEnvironment(place: GitPlace, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(environment).filter(([name]) => !/^GIT_/i.test(name));
  const settings: [string, string][] = [
    ['core.hooksPath', NOWHERE],
    ['core.fsmonitor', 'false'],
    ['core.untrackedCache', 'false'],
    ['core.splitIndex', 'false'],
    ['core.pager', 'cat'],
    ['core.quotePath', 'false'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ['commit.gpgSign', 'false'],
    ['advice.detachedHead', 'false'],
    ['protocol.allow', 'never'],
    ...Object.entries(place.config ?? {}),
  ];
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'false',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    ...(place.asUser ? {} : { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: NOWHERE }),
    ...(place.gitDir === undefined ? {} : { GIT_DIR: place.gitDir }),
    ...(place.workTree === undefined ? {} : { GIT_WORK_TREE: place.workTree }),
    ...(place.indexFile === undefined ? {} : { GIT_INDEX_FILE: place.indexFile }),
    ...(place.alternates?.length
      ? { GIT_ALTERNATE_OBJECT_DIRECTORIES: place.alternates.map(quoteAlternate).join(pathDelimiter()) }
      : {}),
    ...AUTHOR,
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], n) => [
        [`GIT_CONFIG_KEY_${n}`, key],
        [`GIT_CONFIG_VALUE_${n}`, value],
      ]),
    ),
  };
}

/** git for Windows knows this name too. */
const NOWHERE = '/dev/null';

/** prun's own commits lie in its own stores and clones; their author is nobody who could be asked. */
const AUTHOR = {
  GIT_AUTHOR_NAME: 'prun',
  GIT_AUTHOR_EMAIL: 'prun@localhost',
  GIT_COMMITTER_NAME: 'prun',
  GIT_COMMITTER_EMAIL: 'prun@localhost',
};

function pathDelimiter(): string {
  return process.platform === 'win32' ? ';' : ':';
}

/** A path with a colon or a quote is given in git's C quotes (git(1), GIT_ALTERNATE_OBJECT_DIRECTORIES). */
function quoteAlternate(folder: string): string {
  if (process.platform === 'win32' || !/[:"\n\\]/.test(folder)) return folder;
  return `"${folder.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

function cannotStart(error: Error, place: GitPlace): PrunError {
  const folder = place.cwd ?? place.workTree ?? place.gitDir;
  return new PrunError(
    'E_GIT_MISSING',
    `git cannot be started in ${folder} (${messageOf(error)})`,
    'install git 2.38 or newer, and see that the folder is there',
    127,
  );
}

function lastLines(stderr: string): string {
  return stderr.trim().split('\n').slice(-3).join('; ').slice(-500);
}

function nextStepFor(stderr: string): string {
  if (stderr.includes('dubious ownership')) {
    return 'the repository belongs to another user: git config --global --add safe.directory <path> allows it';
  }
  if (/No space left|Disk quota/i.test(stderr)) return 'make room on the disk, and run the command again';
  if (/is not a git command|unknown option/i.test(stderr)) return 'install git 2.38 or newer';
  return 'see what git says, put it right, and run the command again; nothing was changed';
}
