import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { git } from './plain-git.ts';
import { repositoryFiles } from './repository-files.ts';
import { root } from './skill-texts.ts';

/** What a release needs nothing of. */
const LEFT_OUT = /^test\//;

/** A repository of its own with the sources of this one, built and committed. */
export interface ReleaseCopy {
  /** Its folder. */
  folder: string;
  /** Another clone of it, in a folder with another name. */
  clone(name: string): Promise<string>;
  remove(): void;
}

/** How a program ended, and all that it said. */
export interface Said {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Copies the working tree as it is now, builds it there and commits it. */
export async function openReleaseCopy(): Promise<ReleaseCopy> {
  const room = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun-release-test-')));
  const folder = path.join(room, 'copy');
  for (const file of repositoryFiles().filter((name) => !LEFT_OUT.test(name))) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    copyFileSync(path.join(root, file), path.join(folder, file));
  }
  lendModules(folder);
  execFileSync(process.execPath, ['build.mjs'], { cwd: folder, stdio: 'pipe' });
  await git(folder, ['init', '-q']);
  await git(folder, ['add', '-A', '--', '.', ':!node_modules']);
  await git(folder, ['commit', '-q', '-m', 'all']);
  await ignoreModules(folder);
  return {
    folder,
    clone: async (name) => {
      await git(room, ['clone', '-q', folder, name]);
      lendModules(path.join(room, name));
      await ignoreModules(path.join(room, name));
      return path.join(room, name);
    },
    remove: () => rmSync(room, { recursive: true, force: true }),
  };
}

/** Runs one of the repository's programs, as npm would, under a umask. */
export function runUnder(umask: string, cwd: string, words: string[], environment = {}): Said {
  const argv = ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, ...words];
  return spawnSync('sh', argv, { cwd, encoding: 'utf8', env: { ...process.env, ...environment } });
}

function lendModules(folder: string): void {
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
}

/** A link is not the folder that .gitignore names. */
async function ignoreModules(folder: string): Promise<void> {
  await git(folder, ['config', 'core.excludesFile', path.join(folder, '.git/no-modules')]);
  execFileSync('sh', ['-c', 'echo node_modules > .git/no-modules'], { cwd: folder });
}
