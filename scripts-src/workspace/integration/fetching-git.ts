import { spawn } from 'node:child_process';
import { EXIT, errnoOf, messageOf, PrunError } from '../../platform/errors.ts';
import { type GitPlace, gitEnvironment } from '../../platform/git.ts';

/** How a git command that may use the network ended. */
export interface FetchingAnswer {
  /** null: a signal ended it, or its time was up. */
  code: number | null;
  stdout: string;
  /** The last line that tells something, for people. */
  said: string;
}

/**
 * Runs git with the user's own configuration and with the network: protocols, proxies, ssh and credentials are the user's.
 * It asks nothing: it has no terminal, and it is ended with all that it started when its time is up. Never throws for
 * what git says, only where git cannot be started.
 */
export async function runFetchingGit(
  place: GitPlace,
  argv: readonly string[],
  limitMs: number,
): Promise<FetchingAnswer> {
  const isPosix = process.platform !== 'win32';
  const child = spawn('git', [...argv], {
    cwd: place.cwd ?? place.workTree ?? place.gitDir,
    env: fetchingEnvironment(place, process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    // A session of its own: ssh finds no terminal to ask on, and the group can be ended as a whole.
    detached: isPosix,
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] = `${said[name]}${text}`.slice(-100_000);
    });
  }
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    endAll(child.pid, isPosix);
  }, limitMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(error)));
    child.once('close', (status) => resolve(status));
  }).finally(() => clearTimeout(limit));
  const told = isLate ? `no answer within ${limitMs / 1000} s` : lastLineOf(said.stderr);
  return { code: isLate ? null : code, stdout: said.stdout, said: told };
}

function endAll(pid: number | undefined, isGroup: boolean): void {
  if (pid === undefined) return;
  try {
    process.kill(isGroup ? -pid : pid, 'SIGKILL');
  } catch {
    // It has ended in this moment.
  }
}

/** What of the caller's variables says how git reaches other machines (git(1)). */
const REACHES = /^GIT_(?:ASKPASS|SSH.*|SSL_.*|HTTP_.*|PROXY_.*|CURL_.*|ALLOW_PROTOCOL|PROTOCOL.*)$/i;

function fetchingEnvironment(place: GitPlace, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const config = { ...place.config, 'protocol.allow': 'user' };
  const {
    GIT_ALLOW_PROTOCOL: _,
    GIT_NO_LAZY_FETCH: _lazy,
    ...own
  } = gitEnvironment({ ...place, asUser: true, config }, environment);
  const reaching = Object.entries(environment).filter(([name]) => REACHES.test(name));
  return { ...own, ...Object.fromEntries(reaching), GCM_INTERACTIVE: 'never', SSH_ASKPASS_REQUIRE: 'never' };
}

function notStarted(error: Error): PrunError {
  return new PrunError(
    'E_GIT_START',
    `git cannot be started (${errnoOf(error) ?? messageOf(error)})`,
    'install git 2.38 or newer',
    EXIT.notFound,
  );
}

/** The line that names the fault: git ends with advice. */
function lastLineOf(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean);
  return (lines.find((line) => /^(?:fatal|error|ssh):/.test(line)) ?? lines.at(-1) ?? '').slice(0, 200);
}
