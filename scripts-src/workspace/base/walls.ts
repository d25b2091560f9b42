import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_DIR, PRIVATE_FILE } from '../../platform/files.ts';
import type { Settings } from './source-repo.ts';

/** Settings that say what the user's file system is like, or which files the user left out. */
const CARRIED = [
  'core.filemode',
  'core.symlinks',
  'core.ignorecase',
  'core.precomposeunicode',
  'core.longpaths',
  'core.sparsecheckout',
  'core.sparsecheckoutcone',
];

/** One setting of a repository's own configuration file: section, optional subsection, key. */
type Setting = readonly [string, string];

/**
 * The configuration of a clone: no remote, no way to one by habit, no helper that knows passwords, nothing that converts,
 * signs or cleans up by itself. Signposts, not walls: a worker can change them.
 */
export function cloneConfig(options: {
  objectFormat: 'sha1' | 'sha256';
  settings: Settings;
  excludesFile: string | null;
  /** The clone's hooks, relative to its working tree. */
  hooksPath: string;
  /** A submodule's files, relative to its git folder. */
  workTree?: string;
}): string {
  const { objectFormat, settings, excludesFile, hooksPath, workTree } = options;
  const own: Setting[] = [
    ['core.repositoryformatversion', objectFormat === 'sha256' ? '1' : '0'],
    ['core.bare', 'false'],
    ['core.logallrefupdates', 'true'],
    ['core.autocrlf', 'false'],
    ['core.safecrlf', 'false'],
    ['core.fsmonitor', 'false'],
    ['core.hooksPath', hooksPath],
    ...(workTree === undefined ? [] : ([['core.worktree', workTree]] as Setting[])),
    ...(excludesFile === null ? [] : ([['core.excludesFile', excludesFile]] as Setting[])),
    ...CARRIED.flatMap((key): Setting[] => {
      const value = settings.get(key);
      return value === undefined ? [] : [[key, value]];
    }),
    ['push.default', 'nothing'],
    // An empty value forgets the helpers that the user's other files name (gitcredentials(7)).
    ['credential.helper', ''],
    ['commit.gpgSign', 'false'],
    ['tag.gpgSign', 'false'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ['submodule.active', '.'],
    ['submodule.recurse', 'false'],
    ...(objectFormat === 'sha256' ? ([['extensions.objectFormat', 'sha256']] as Setting[]) : []),
  ];
  return own.map(([name, value]) => settingText(name, value)).join('');
}

function settingText(name: string, value: string): string {
  const [section = '', key = ''] = name.split('.');
  return `[${section}]\n\t${key} = ${quotedValue(value)}\n`;
}

/** A value as git's configuration files have it, whatever is in it. */
export function quotedValue(value: string): string {
  const quoted = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `"${quoted}"`;
}

/** Hooks that refuse what a worker must not do, each in one clear line. */
const REFUSALS: Readonly<Record<string, string>> = {
  'pre-commit': 'no commits in this clone: leave your changes in the files, prun collects them',
  'pre-push': 'no pushes from this clone: leave your changes in the files, prun collects them',
};

/** Writes the hooks of a clone. */
export function writeHooks(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_DIR });
  for (const [name, text] of Object.entries(REFUSALS)) {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\necho "prun: ${text}" >&2\nexit 1\n`, { mode: PRIVATE_FILE });
    chmodSync(file, 0o700);
  }
}
