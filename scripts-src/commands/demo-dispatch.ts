import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PRIVATE_FILE, readStart } from '../platform/files.ts';
import { plainGitEnvironment } from './demo-git.ts';
import type { DemoPlace } from './demo-place.ts';
import type { DemoUnit } from './demo-units.ts';

/** A `dispatch-task` that runs one of the demo's units. */
export interface Dispatch {
  unit: DemoUnit;
  startedMs: number;
  /** Known once the dispatcher has printed its STATE-DIR line. */
  stateDir(): string | undefined;
  /** The dispatcher's exit code (128+n for a signal), or undefined while it runs. */
  exitCode(): number | undefined;
  ended: Promise<unknown>;
  signal(name: NodeJS.Signals): void;
  /** First lines of the dispatcher's stderr, for a dispatcher that never came to a state dir. */
  complaint(): string;
}

/** How the demo's dispatchers are started. */
export interface DispatchSetup {
  place: DemoPlace;
  /** The compiled `dispatch-task`. */
  script: string;
  /** The program that plays codex, or undefined for the real one as dispatch-task finds it. */
  codexBin: string | undefined;
  environment: NodeJS.ProcessEnv;
}

/** Starts one unit as a user would, by `dispatch-task` and its flags. */
export function startDispatch(setup: DispatchSetup, unit: DemoUnit): Dispatch {
  const { place } = setup;
  writeFileSync(place.promptFile(unit.id), unit.prompt, { mode: PRIVATE_FILE });
  const errors = path.join(place.folder, `${unit.id}.err`);
  const stderr = openSync(errors, 'wx', PRIVATE_FILE);
  const child = spawn(place.node, [setup.script, ...flagsOf(setup, unit)], {
    cwd: place.folder,
    env: setup.environment,
    // A terminal's Ctrl-C reaches the demo alone, which then asks each dispatcher once. (On Windows a new console.)
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'pipe', stderr],
  });
  closeSync(stderr);
  const said = collectStdout(child);
  let exitCode: number | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('close', (code, signal) => {
      exitCode = code ?? 128 + (os.constants.signals[signal ?? 'SIGHUP'] ?? 0);
      resolve();
    });
    child.once('error', () => {
      exitCode ??= 1;
      resolve();
    });
  });
  return {
    unit,
    startedMs: performance.now(),
    stateDir: () => /^STATE-DIR (.+)\r?\n/.exec(said())?.[1],
    exitCode: () => exitCode,
    ended,
    signal: (name) => child.kill(name),
    complaint: () => readStart(errors, 500).trim(),
  };
}

function flagsOf({ place, codexBin }: DispatchSetup, unit: DemoUnit): string[] {
  return [
    '--prompt-file',
    place.promptFile(unit.id),
    '--result-file',
    place.resultFile(unit.id),
    '--unit-id',
    unit.id,
    '--state-home',
    place.stateHome,
    '--stall-threshold',
    String(unit.stallThresholdSeconds),
    ...(unit.mode === 'clone' ? ['--workdir', place.clone] : []),
    ...(codexBin === undefined ? [] : ['--codex-bin', codexBin]),
    ...unit.flags,
  ];
}

function collectStdout(child: ChildProcess): () => string {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

/**
 * The environment of the demo's dispatchers. Their temp folder and state home are the demo's, so that nothing stays behind. Settings of
 * prun that the user has made would bend the demo; those for codex stay where codex is real.
 */
export function demoEnvironment(
  place: DemoPlace,
  environment: NodeJS.ProcessEnv,
  isReal: boolean,
): NodeJS.ProcessEnv {
  const bending = isReal ? /^PRUN_|^GIT_/i : /^PRUN_|^CODEX_DISPATCH_|^GIT_/i;
  const rest = Object.fromEntries(Object.entries(environment).filter(([name]) => !bending.test(name)));
  const own = isReal ? rest : plainGitEnvironment(place.temp, rest);
  return { ...own, TMPDIR: place.temp, TEMP: place.temp, TMP: place.temp, PRUN_STATE_HOME: place.temp };
}
