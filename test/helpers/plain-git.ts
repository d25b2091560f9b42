import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a git call of a test is given beside its arguments. */
export interface PlainGitWish {
  input?: string | Uint8Array;
  environment?: Record<string, string>;
  /** Settings of this call. */
  config?: Record<string, string>;
  /** Whether a failure is an answer (default: it throws). */
  mayFail?: boolean;
}

/** How git ended. */
export interface GitSaid {
  code: number;
  stdout: Buffer;
  stderr: string;
}

/** Runs the git that users have, in a folder, without anybody's settings: what a user or a worker types. */
export async function git(cwd: string, argv: readonly string[], wish: PlainGitWish = {}): Promise<GitSaid> {
  const settings = Object.entries({ ...QUICK, ...wish.config });
  const child = spawn('git', [...argv], {
    cwd,
    env: {
      PATH: process.env.PATH,
      LC_ALL: 'C',
      HOME: '/nonexistent',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TEMPLATE_DIR: '',
      GIT_TERMINAL_PROMPT: '0',
      GIT_EDITOR: 'true',
      GIT_AUTHOR_NAME: 'A Worker',
      GIT_AUTHOR_EMAIL: 'worker@example.com',
      GIT_COMMITTER_NAME: 'A Worker',
      GIT_COMMITTER_EMAIL: 'worker@example.com',
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(
        settings.flatMap(([key, value], n) => [
          [`GIT_CONFIG_KEY_${n}`, key],
          [`GIT_CONFIG_VALUE_${n}`, value],
        ]),
      ),
      ...wish.environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const stdout: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes));
  child.stderr.on('data', (bytes) => {
    stderr += bytes;
  });
  // A git that reads no input closes it early: its exit code is the news.
  child.stdin.on('error', () => {});
  child.stdin.end(wish.input ?? '');
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 255));
  });
  if (code !== 0 && !wish.mayFail) throw new Error(`git ${argv.join(' ')} in ${cwd}: ${code}: ${stderr}`);
  return { code, stdout: Buffer.concat(stdout), stderr };
}

const QUICK = {
  'core.fsync': 'none',
  'init.defaultBranch': 'main',
  'protocol.file.allow': 'always',
  'gc.auto': '0',
  'advice.detachedHead': 'false',
};

/** What git printed, without the newline at its end. */
export async function gitSays(cwd: string, argv: readonly string[], wish?: PlainGitWish): Promise<string> {
  return (await git(cwd, argv, wish)).stdout.toString('utf8').replace(/\n$/, '');
}

/** A repository `repo` below a folder, with one commit of one file, `base.txt`; its path. */
export async function smallRepository(folder: string): Promise<string> {
  const repo = path.join(folder, 'repo');
  mkdirSync(repo);
  await git(repo, ['init', '-q', '-b', 'main']);
  writeFileSync(path.join(repo, 'base.txt'), 'base\n');
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-q', '-m', 'base']);
  return repo;
}

/** Paths that git printed with `-z`; each byte is one character. */
export async function gitPaths(cwd: string, argv: readonly string[], wish?: PlainGitWish): Promise<string[]> {
  const text = (await git(cwd, argv, wish)).stdout.toString('latin1');
  return text.split('\0').filter(Boolean);
}

/** A git folder that changes no byte of what passes through it, whatever attributes the tree has. */
export function neutralGitDir(folder: string, format: 'sha1' | 'sha256', exclude = ''): string {
  for (const name of ['objects', 'refs', 'info']) mkdirSync(path.join(folder, name), { recursive: true });
  const version = format === 'sha256' ? '1\n[extensions]\n\tobjectFormat = sha256' : '0';
  writeFileSync(path.join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(path.join(folder, 'config'), `[core]\n\trepositoryFormatVersion = ${version}\n`);
  const raw = '* -text -filter -ident -working-tree-encoding -eol\n';
  writeFileSync(path.join(folder, 'info/attributes'), raw);
  writeFileSync(path.join(folder, 'info/exclude'), exclude);
  return folder;
}
