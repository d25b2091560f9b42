import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { OutcomeRecord, UnitRecord } from '../../scripts-src/unit/records.ts';
import { processesOf, type Seen } from './process-table.ts';
import { waitFor } from './wait-for.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');
/** The compiled scripts, or a build in the place of theirs. */
export const SCRIPTS = process.env.PRUN_TORTURE_SCRIPTS ?? path.join(ROOT, 'skills/prun/scripts');

/** A private folder that goes when the test ends. Its name has a space, because users' folders do. */
export function scratch(name = 'prun test'): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), `${name} `)));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Writes an executable program. `body` is a shell script unless it begins with `#!`. */
export function program(folder: string, name: string, body: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, body.startsWith('#!') ? body : `#!/bin/bash\n${body}\n`, { mode: 0o755 });
  return file;
}

/** What a dispatch is started with. */
export interface DispatchOptions {
  folder: string;
  /** Program that plays codex; RESULT in its environment is the result file. */
  codexBin: string;
  /** Another executor than codex, whose program `codexBin` is. */
  executor?: 'claude' | 'omp';
  unit?: string;
  prompt?: string | Uint8Array;
  resultFile?: string;
  flags?: string[];
  environment?: Record<string, string>;
  cwd?: string;
  /** Word in the command lines of everything that the worker starts, for tests that clear the environment. */
  word?: string;
  /** Run as this uid and gid; needs root. */
  uid?: number;
  script?: string;
  /** Program that is given the whole command line and runs it. */
  wrapper?: string;
}

/** A running `dispatch-task`. */
export interface Dispatched {
  child: ChildProcess;
  resultFile: string;
  stdout(): string;
  stderr(): string;
  /** Waits for the STATE-DIR line. */
  stateDir(): Promise<string>;
  /** Resolves when the dispatcher has ended: its code, or 128+n. */
  exitCode: Promise<number>;
  /** Waits for the outcome and looks at the process table at that very instant. */
  outcome(limitMs?: number): Promise<{ outcome: OutcomeRecord; alive: Seen[] }>;
  unitRecord(): Promise<UnitRecord>;
}

/** Starts the compiled `dispatch-task` as a user would, in a session of its own. */
export function dispatchTask(options: DispatchOptions): Dispatched {
  const { folder } = options;
  const promptFile = path.join(folder, 'prompt.md');
  if (!existsSync(promptFile) || options.prompt !== undefined)
    writeFileSync(promptFile, options.prompt ?? 'Do the work.\n');
  const resultFile = options.resultFile ?? path.join(folder, 'result.md');
  const stateHome = path.join(folder, 'state');
  mkdirSync(stateHome, { recursive: true });
  if (options.uid !== undefined) for (const place of [folder, stateHome]) chmodSync(place, 0o777);
  const argv = [
    options.script ?? path.join(SCRIPTS, 'dispatch-task.cjs'),
    '--prompt-file',
    promptFile,
    '--result-file',
    resultFile,
    '--unit-id',
    options.unit ?? 'unit',
    ...(options.executor === undefined ? ['--codex-bin'] : ['--executor', options.executor, '--bin']),
    options.codexBin,
    '--pass-env',
    'RESULT',
    ...(options.flags ?? []),
  ];
  const [file, words] = options.wrapper
    ? [options.wrapper, [process.execPath, ...argv]]
    : [process.execPath, argv];
  const child = spawn(file, words, {
    cwd: options.cwd ?? folder,
    detached: true,
    env: testEnvironment(folder, { RESULT: resultFile, TMPDIR: stateHome, ...options.environment }),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const exitCode = new Promise<number>((resolve) => {
    child.once('close', (code, signal) =>
      resolve(code ?? 128 + (os.constants.signals[signal ?? 'SIGHUP'] ?? 0)),
    );
  });
  const stateDir = () =>
    waitFor(`the STATE-DIR line of ${options.unit ?? 'unit'}; stderr: ${stderr}`, () =>
      printedPath(/^STATE-DIR (.+)\n/.exec(stdout)?.[1]),
    );
  const unitRecord = async (): Promise<UnitRecord> =>
    JSON.parse(readFileSync(path.join(await stateDir(), 'unit.json'), 'utf8'));
  return {
    child,
    resultFile,
    stdout: () => stdout,
    stderr: () => stderr,
    stateDir,
    exitCode,
    unitRecord,
    async outcome(limitMs = 20_000) {
      const file = path.join(await stateDir(), 'outcome.json');
      const record = await unitRecord();
      return waitFor(
        `${file}; stderr: ${stderr}`,
        () => {
          if (!existsSync(file)) return undefined;
          const marks = {
            marker: record.marker,
            rssMark: record.rssMark,
            ...(options.word ? { word: options.word } : {}),
          };
          const alive = processesOf(marks);
          return { outcome: JSON.parse(readFileSync(file, 'utf8')) as OutcomeRecord, alive };
        },
        limitMs,
      );
    },
  };
}

/** A path as prun prints it: one with a control character in it as a JSON string. */
function printedPath(text: string | undefined): string | undefined {
  return text?.startsWith('"') ? String(JSON.parse(text)) : text;
}

/** An environment that knows nothing of the developer: own home, no prun settings, no git config of the user. */
export function testEnvironment(folder: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: folder,
    // The claims of ports are the user's own for the whole machine: a test has its own.
    PRUN_PORTS_HOME: folder,
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    ...more,
  };
}

/** uid of an ordinary user (`nobody` on Linux). */
export const ORDINARY_UID = 65534;
/** Whether this process may become another user, and whether that user reaches the scripts and Node from here. */
export const isRoot = process.getuid?.() === 0 && reachesScripts(ORDINARY_UID);
/** Root runs everything twice: faults hide from root (read-only folders, other users' environment). */
export const USERS: { user: string; uid?: number }[] = isRoot
  ? [{ user: 'root' }, { user: 'an ordinary user', uid: ORDINARY_UID }]
  : [{ user: 'this user' }];

function reachesScripts(uid: number): boolean {
  const help = [path.join(SCRIPTS, 'reap-watch.cjs'), '--help'];
  const { status } = spawnSync(process.execPath, help, { uid, gid: uid, stdio: 'ignore', cwd: '/' });
  if (status !== 0) console.warn(`not run as uid ${uid}: it reaches neither ${help[0]} nor Node from here`);
  return status === 0;
}
