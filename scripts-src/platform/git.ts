import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { EXIT, errnoOf, messageOf, PrunError } from './errors.ts';

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
  /**
   * Whether the user's own and the system's configuration are read, and what the caller's environment says of it; only
   * where the user's repository is asked.
   */
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
  /** Milliseconds after which git is ended and the call fails; without it git may take as long as it needs. */
  limitMs?: number;
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
 * file system monitor, no lock that it can do without, and none of the caller's GIT_* variables, but for those that say
 * where the user's configuration is (`asUser`). Throws GitError for a code that is not awaited, PrunError where git
 * cannot be started (127: it is missing) or takes longer than its limit.
 */
export async function runGit(
  place: GitPlace,
  argv: readonly string[],
  call: GitCall = {},
): Promise<GitAnswer> {
  const child = startGit(place, argv, call);
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
  let isLate = false;
  const limit = setTimeoutOf(call.limitMs, () => {
    isLate = true;
    child.kill('SIGKILL');
  });
  const code = await ended.finally(() => clearTimeout(limit));
  if (isLate) throw tookTooLong(argv, place, call.limitMs ?? 0);
  const said = Buffer.concat(stderr).toString('utf8');
  if (code === null || !(call.answers ?? [0]).includes(code)) throw new GitError(argv, code, said);
  return { code, stdout: Buffer.concat(stdout), stderr: said };
}

function startGit(place: GitPlace, argv: readonly string[], call: GitCall): ChildProcess {
  try {
    return spawn('git', [...argv], {
      cwd: folderOf(place),
      env: gitEnvironment(place, process.env),
      stdio: ['pipe', call.stdoutFd ?? 'pipe', 'pipe'],
      windowsHide: true,
    });
  } catch (error) {
    // Node throws some of the system's refusals at once and tells others later.
    throw cannotStart(error, place);
  }
}

function folderOf(place: GitPlace): string | undefined {
  return place.cwd ?? place.workTree ?? place.gitDir;
}

function setTimeoutOf(limitMs: number | undefined, end: () => void): NodeJS.Timeout | undefined {
  return limitMs === undefined ? undefined : setTimeout(end, limitMs);
}

function tookTooLong(argv: readonly string[], place: GitPlace, limitMs: number): PrunError {
  return new PrunError(
    'E_GIT_TIME',
    `git ${argv.slice(0, 3).join(' ')} in ${folderOf(place)} did not end within ${limitMs / 1000} s`,
    'see whether the disk answers, and whether a pipe lies where git reads a file',
    1,
  );
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
  const settings: (readonly [string, string])[] = [
    // git takes the last value of a key: the caller cannot take back what prun needs.
    ...(place.asUser ? callersSettings(environment) : []),
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
    ...(place.asUser ? callersFiles(environment) : { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: NOWHERE }),
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

/** Variables that say which files hold the user's configuration (git(1)). */
const CONFIG_FILES = ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];

function callersFiles(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    CONFIG_FILES.flatMap((name): [string, string][] => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The caller's own settings by GIT_CONFIG_COUNT, as far as they are whole: git itself stops at one that is not. */
function callersSettings(environment: NodeJS.ProcessEnv): [string, string][] {
  const given = environment.GIT_CONFIG_COUNT ?? '';
  const count = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  return Array.from({ length: count }, (_, n) => n).flatMap((n): [string, string][] => {
    const key = environment[`GIT_CONFIG_KEY_${n}`];
    const value = environment[`GIT_CONFIG_VALUE_${n}`];
    return key === undefined || value === undefined ? [] : [[key, value]];
  });
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

/** Why git could not be started: it is missing, its folder is, or the system has no room. Looks at the folder only. */
export function cannotStart(error: unknown, place: GitPlace): PrunError {
  const folder = folderOf(place);
  const why = errnoOf(error) ?? messageOf(error);
  const what = `git cannot be started in ${folder} (${why})`;
  if (['EMFILE', 'ENFILE'].includes(why)) {
    return new PrunError(
      'E_GIT_START',
      `${what}: too many files are open`,
      'raise the limit (ulimit -n), or run fewer things at once',
      1,
    );
  }
  if (['EAGAIN', 'ENOMEM'].includes(why)) {
    return new PrunError(
      'E_GIT_START',
      `${what}: the system has no room for another process`,
      'end some programs, and run the command again',
      1,
    );
  }
  if (why === 'E2BIG') {
    return new PrunError(
      'E_GIT_START',
      `${what}: environment and arguments are too long`,
      'call prun with fewer variables',
      1,
    );
  }
  if (folder !== undefined && !isFolder(folder)) {
    return new PrunError(
      'E_GIT_START',
      `${what}: that folder is not there, or may not be entered`,
      'see that it is there, and run the command again',
      1,
    );
  }
  if (why === 'EACCES') {
    return new PrunError(
      'E_GIT_START',
      what,
      'see that the folder may be entered and that git may be executed',
      EXIT.notExecutable,
    );
  }
  return new PrunError(
    'E_GIT_MISSING',
    `${what}: there is no git in PATH`,
    'install git 2.38 or newer',
    EXIT.notFound,
  );
}

function isFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory();
  } catch {
    // Whatever the reason is, git cannot work there.
    return false;
  }
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
