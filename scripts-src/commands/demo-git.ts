import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errnoOf, PrunError } from '../platform/errors.ts';
import { PRIVATE_FILE } from '../platform/files.ts';

/** Runs git with an argument array; the bytes of its stdout. Throws PrunError when git is missing or fails. */
export type Git = (folder: string, argv: readonly string[], more?: Record<string, string>) => Buffer;

const MAX_OUTPUT = 16 * 1024 * 1024;
const IDENTITY = [
  '-c',
  'user.name=prun demo',
  '-c',
  'user.email=prun@localhost',
  '-c',
  'commit.gpgSign=false',
  '-c',
  'core.autocrlf=false',
];

/**
 * An environment in which git knows nothing of the user: no configuration, templates or GIT_* variables of theirs can
 * change what the demo shows. `home` is a private folder of the demo.
 */
export function plainGitEnvironment(home: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const config = path.join(home, 'gitconfig');
  writeFileSync(config, '', { mode: PRIVATE_FILE });
  const own = Object.fromEntries(Object.entries(environment).filter(([name]) => !/^GIT_/i.test(name)));
  return { ...own, GIT_CONFIG_GLOBAL: config, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
}

/** git for the demo's own use. `home` is a private folder of the demo. */
export function createGit(home: string, environment: NodeJS.ProcessEnv): Git {
  // HOME as well: git before 2.32 does not know GIT_CONFIG_GLOBAL.
  const base = { ...plainGitEnvironment(home, environment), HOME: home, XDG_CONFIG_HOME: home, LC_ALL: 'C' };
  return (folder, argv, more = {}) => {
    const run = spawnSync('git', [...IDENTITY, ...argv], {
      cwd: folder,
      env: { ...base, ...more },
      maxBuffer: MAX_OUTPUT,
      windowsHide: true,
    });
    if (errnoOf(run.error) === 'ENOENT') {
      throw new PrunError(
        'E_NO_GIT',
        'git was not found in PATH',
        'install git (https://git-scm.com) and try again',
      );
    }
    if (run.status !== 0) {
      const said =
        run.error?.message ?? (run.stderr.toString('utf8').trim().split('\n')[0] || `exit ${run.status}`);
      throw new PrunError(
        'E_GIT',
        `git ${argv[0]} failed (${said})`,
        'see whether git works in another folder',
        1,
      );
    }
    return run.stdout;
  };
}

/** Makes a repository of these files with one commit, and returns the commit's id. */
export function makeRepository(git: Git, folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  git(folder, ['init', '--quiet', '--template=']);
  git(folder, ['add', '-A']);
  git(folder, ['commit', '--quiet', '--no-verify', '-m', 'A small project']);
  return git(folder, ['rev-parse', 'HEAD']).toString('utf8').trim();
}

/** A throwaway clone without a remote: nothing that is done there can be pushed. */
export function makeClone(git: Git, project: string, clone: string): void {
  git(path.dirname(clone), ['clone', '--quiet', '--no-hardlinks', '--template=', project, clone]);
  git(clone, ['remote', 'remove', 'origin']);
}

/**
 * All that a clone holds against its base as one binary patch. The index and the new objects lie in `scratch`, so that
 * the clone stays as its worker left it.
 */
export function collectDelta(git: Git, clone: string, base: string, scratch: string): Buffer {
  const objects = path.join(scratch, 'objects');
  mkdirSync(objects, { recursive: true });
  const aside = {
    GIT_INDEX_FILE: path.join(scratch, 'index'),
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: path.join(clone, '.git', 'objects'),
  };
  git(clone, ['read-tree', base], aside);
  git(clone, ['add', '-A'], aside);
  const diff = [
    'diff',
    '--cached',
    '--binary',
    '--full-index',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
  ];
  return git(clone, [...diff, base], aside);
}

/** Whether a patch applies to the project as it is. Changes nothing. */
export function appliesTo(git: Git, project: string, patchFile: string): boolean {
  try {
    git(project, ['apply', '--check', '--whitespace=nowarn', patchFile]);
    return true;
  } catch {
    // Whatever git says: the demo reports that it does not apply.
    return false;
  }
}
