import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { messageOf, usageError } from '../platform/errors.ts';
import { PRIVATE_DIR, PRIVATE_FILE } from '../platform/files.ts';
import { createGit, type Git, makeClone, makeRepository } from './demo-git.ts';

/** The demo's temporary folder and what lies in it. All paths are absolute. */
export interface DemoPlace {
  folder: string;
  /** Prompts, results, ledger and patch, as in a real project. */
  io: string;
  /** State dirs. */
  stateHome: string;
  /** The temp folder of everything that the demo starts. */
  temp: string;
  project: string;
  clone: string;
  /** Commit that the clone starts from. */
  base: string;
  /** A program that never ends and leaves a child in a session of its own. */
  neverEnds: string;
  node: string;
  git: Git;
  promptFile(unit: string): string;
  resultFile(unit: string): string;
}

const PROJECT = {
  'README.md': '# Titles\n\nTwo helpers for headlines.\n',
  'src/titles.mjs': `/** A headline as part of an address: lower case, words joined by dashes. */
export function slug(title) {
  return title.toLowerCase().replace(/[^a-z0-9]/g, '-');
}

/** A headline that fits into so many characters. */
export function shorten(title, limit) {
  return title.length <= limit ? title : \`\${title.slice(0, limit - 1)}…\`;
}
`,
  'test/titles.test.mjs': `import assert from "node:assert/strict";
import { slug } from "../src/titles.mjs";

assert.equal(slug("Hello World"), "hello-world");
assert.equal(slug(" What -- a day! "), "what-a-day");
console.log("ok");
`,
};

const NEVER_ENDS = `// What the demo's hanging unit runs: leaves a process in a session of its own and never ends, whatever signal asks.
const { spawn } = require('node:child_process');
if (process.argv[2] !== 'grandchild') {
  spawn(process.execPath, [__filename, 'grandchild'], { detached: true, stdio: 'ignore' }).unref();
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
setInterval(() => {}, 2 ** 30);
`;

/** Makes the empty folder. Separate from the rest, so that a failure later leaves something that can be removed. */
export function makeDemoFolder(): string {
  const home = os.tmpdir();
  try {
    return realpathSync(mkdtempSync(path.join(home, 'prun-demo-')));
  } catch (error) {
    throw usageError(
      `the temp folder ${home} cannot be used (${messageOf(error)})`,
      'set TMPDIR to a writable folder',
    );
  }
}

/** Fills the folder: a real repository, a clone of it, and the places for state and results. */
export function fillDemoFolder(folder: string, environment: NodeJS.ProcessEnv): DemoPlace {
  const at = (name: string) => path.join(folder, name);
  for (const name of ['agent-io', 'state', 'tmp', 'project']) mkdirSync(at(name), { mode: PRIVATE_DIR });
  const git = createGit(at('tmp'), environment);
  const base = makeRepository(git, at('project'), PROJECT);
  makeClone(git, at('project'), at('clone'));
  writeFileSync(at('never-ends.cjs'), NEVER_ENDS, { mode: PRIVATE_FILE });
  return {
    folder,
    io: at('agent-io'),
    stateHome: at('state'),
    temp: at('tmp'),
    project: at('project'),
    clone: at('clone'),
    base,
    neverEnds: at('never-ends.cjs'),
    node: process.execPath,
    git,
    promptFile: (unit) => path.join(folder, 'agent-io', `p-${unit}.md`),
    resultFile: (unit) => path.join(folder, 'agent-io', `r-${unit}.md`),
  };
}

/**
 * Writes the program that plays codex: this very script with a command of its own. On POSIX through sh, because a
 * `#!` line takes neither spaces nor long paths.
 */
export function writeEmbeddedWorker(folder: string, script: string): string {
  const isWindows = process.platform === 'win32';
  const file = path.join(folder, isWindows ? 'codex.cmd' : 'codex');
  const text = isWindows
    ? `@"${process.execPath}" "${script}" demo-worker %*\r\n`
    : `#!/bin/sh\n# Plays codex in prun's demo.\nexec ${shellWord(process.execPath)} ${shellWord(script)} demo-worker "$@"\n`;
  writeFileSync(file, text, { mode: 0o700 });
  try {
    accessSync(file, constants.X_OK);
  } catch {
    throw usageError(
      `no program may run in ${folder}`,
      'set TMPDIR to a folder on a disk that is not mounted noexec',
    );
  }
  return file;
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
