import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { writePatch } from '../../scripts-src/workspace/delta/patch-file.ts';
import { git, gitSays, neutralGitDir } from '../helpers/plain-git.ts';
import type { PrunSaid, PrunWish } from '../helpers/prun-cli.ts';
import { differencesOf, imageOf, type TreeImage } from '../helpers/tree-image.ts';
import { ROOT, testEnvironment } from '../helpers/unit-run.ts';

/** A repository of a user, a set with its store, and `prun apply` with a state home of its own. */
export interface ApplyRoom {
  folder: string;
  repo: string;
  stateHome: string;
  store: string;
  /** Makes the delta of a unit: `work` changes a copy of the tree that the set started from. */
  delta(unit: string, work: (copy: string) => void | Promise<void>): Promise<string>;
  apply(argv: readonly string[], wish?: PrunWish): Promise<PrunSaid>;
  /** Starts it and gives the process. */
  start(argv: readonly string[], environment?: Record<string, string>, uid?: number): Running;
  /** The working tree without `.git`. */
  image(): TreeImage;
  /** Every file of `.git`, by inode and time. */
  gitImage(): TreeImage;
}

/** A running apply. */
export interface Running {
  pid: number;
  signal(name: NodeJS.Signals): void;
  ended: Promise<PrunSaid>;
}

/** Bundles the command once for the tests of a file; gives what opens rooms. */
export function applyRooms(): { open(options?: RoomOptions): Promise<ApplyRoom> } {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun apply ')));
  const script = path.join(folder, 'apply.cjs');
  chmodSync(folder, 0o755);
  beforeAll(async () => {
    await build({
      stdin: {
        contents: `import { apply } from './commands/apply.ts';
          import { runMain } from './platform/errors.ts';
          void runMain('prun apply', () => apply(process.argv.slice(2)));`,
        resolveDir: path.join(ROOT, 'scripts-src'),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      outfile: script,
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let rooms = 0;
  return { open: (options) => openRoom(script, path.join(folder, `room ${++rooms}`), options ?? {}) };
}

/** How a room's repository is made. */
export interface RoomOptions {
  format?: 'sha1' | 'sha256';
  /** Fills the working tree; everything is committed afterwards. */
  fill?(repo: string): void | Promise<void>;
  /** Goes on after the commit: what the user has not committed. */
  dirty?(repo: string): void | Promise<void>;
  /** Where the repository is made; a folder of its own when left out. */
  repo?: string;
}

async function openRoom(script: string, folder: string, options: RoomOptions): Promise<ApplyRoom> {
  mkdirSync(folder);
  const repo = options.repo ?? path.join(folder, 'the repo');
  const format = options.format ?? 'sha1';
  mkdirSync(repo, { recursive: true });
  await git(repo, ['init', '--quiet', `--object-format=${format}`]);
  await options.fill?.(repo);
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '--quiet', '--allow-empty', '-m', 'start']);
  await options.dirty?.(repo);
  const set = path.join(folder, 'set');
  const store = neutralGitDir(path.join(set, 'store.git'), format);
  const copyOfBase = path.join(folder, 'base');
  copyTree(repo, copyOfBase);
  const base = await treeOf(store, copyOfBase);
  const stateHome = path.join(folder, 'state home');
  const home = path.join(folder, 'home');
  for (const place of [stateHome, home]) mkdirSync(place);

  async function delta(unit: string, work: (copy: string) => void | Promise<void>): Promise<string> {
    const copy = path.join(folder, `work ${unit}`);
    rmSync(copy, { recursive: true, force: true });
    copyTree(copyOfBase, copy);
    await work(copy);
    const result = await treeOf(store, copy);
    const file = path.join(folder, `${unit}.patch`);
    rmSync(file, { force: true });
    await writePatch({ gitDir: store }, { unit, set: 'set', base, result, store }, [], file);
    return file;
  }

  function start(argv: readonly string[], environment = {}, uid?: number): Running {
    const child = spawn(process.execPath, [script, ...argv, '--state-home', stateHome], {
      cwd: folder,
      env: testEnvironment(home, environment),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    }
    const ended = new Promise<PrunSaid>((resolve) => {
      child.once('close', (code, signal) =>
        resolve({ code: code ?? 128 + (os.constants.signals[signal ?? 'SIGHUP'] ?? 0), ...said }),
      );
    });
    return { pid: child.pid ?? -1, signal: (name) => void child.kill(name), ended };
  }

  return {
    folder,
    repo,
    stateHome,
    store,
    delta,
    start,
    async apply(argv, wish = {}) {
      const said = await start(argv, wish.environment, wish.uid).ended;
      const wanted = wish.code ?? 0;
      if (wanted !== 'any' && said.code !== wanted) {
        throw new Error(`apply ${argv.join(' ')}: ${said.code}\n${said.stdout}\n${said.stderr}`);
      }
      return said;
    },
    image: () => imageOf(repo, { git: 'skip' }),
    gitImage: () => imageOf(repo, { git: 'only', identity: true }),
  };
}

/** The raw tree of a folder, with its ignored files left out as git leaves them. */
async function treeOf(store: string, folder: string): Promise<string> {
  const environment = {
    GIT_DIR: store,
    GIT_WORK_TREE: folder,
    GIT_INDEX_FILE: path.join(path.dirname(store), 'index'),
  };
  rmSync(environment.GIT_INDEX_FILE, { force: true });
  await git(folder, ['add', '-A'], { environment });
  return gitSays(folder, ['write-tree'], { environment });
}

/** By cp, because Node's own copies do not know names that are no UTF-8. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  execFileSync('cp', ['-a', `${from}/.`, to]);
  execFileSync('find', [to, '-name', '.git', '-prune', '-exec', 'rm', '-rf', '{}', '+']);
}

/** Whether two images differ, as lines. */
export function changed(before: TreeImage, after: TreeImage): string[] {
  return differencesOf(before, after);
}

/** Names in the state home's list of applies. */
export function recordsIn(room: ApplyRoom): string[] {
  try {
    return readdirSync(path.join(room.stateHome, 'applies')).sort();
  } catch {
    return [];
  }
}
