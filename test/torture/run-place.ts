import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { processesOf, readProcess, type Seen } from '../helpers/process-table.ts';
import { scriptsFolder } from '../helpers/prun-cli.ts';
import { testEnvironment } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

/** Where one tortured run lives: its own state home, and words that give all of its processes away. */
export interface RunPlace {
  folder: string;
  run: string;
  stateHome: string;
  /** The run's own folder, once it is there. */
  runFolder: string;
  /** A repository, for units that need one. */
  repository: string;
  /** Workers leave a file here when they begin. */
  began: string;
  /** Stands in the command line of every process that a worker's tree consists of. */
  word: string;
  fifoOf(unit: string): string;
}

/** Called when the test is over. */
export type AtEnd = (action: () => void | Promise<void>) => void;

let places = 0;

/** Makes a place with one fifo for each of these units; whatever is left of its processes goes at the end. */
export function makeRunPlace(atEnd: AtEnd, units: readonly string[]): RunPlace {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun torture run ')));
  // Not below `folder`, which stands in the supervisor's own command line.
  const fifos = mkdtempSync(path.join(os.tmpdir(), 'prun-fifo-'));
  const word = `r${process.pid}x${++places}x${Math.random().toString(36).slice(2, 8)}`;
  // Without the word: supervisors and commands name the run, and are no worker's processes.
  const run = `run-${process.pid}-${places}`;
  const fifoOf = (unit: string): string => path.join(fifos, `${word}-${unit}`);
  chmodSync(fifos, 0o777);
  if (units.length > 0) execFileSync('mkfifo', ['-m', '666', ...units.map(fifoOf)]);
  const place: RunPlace = {
    ...{ folder, run, stateHome: path.join(folder, 'state'), word, fifoOf },
    runFolder: path.join(folder, 'state', 'runs', run),
    repository: path.join(folder, 'repository'),
    began: path.join(folder, 'began'),
  };
  mkdirSync(place.began);
  mkdirSync(place.stateHome, { mode: 0o700 });
  atEnd(async () => {
    rmSync(fifos, { recursive: true, force: true });
    await endAll(place);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return place;
}

/** Ends what a failed case has left: supervisors first, or they would start something again. */
async function endAll({ folder, word }: RunPlace): Promise<void> {
  await waitFor(`the processes of ${word} to be gone`, () => {
    const left = [...processesOf({ word: folder }), ...processesOf({ word })];
    for (const seen of left) killSame(seen);
    return left.length === 0;
  });
}

/** SIGKILL to exactly this process, which may have ended meanwhile. */
export function killSame({ pid, start }: Pick<Seen, 'pid' | 'start'>): boolean {
  if (readProcess(pid)?.start !== start) return false;
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    // Gone already.
    return false;
  }
}

/** A command of prun at work. */
export interface Call {
  pid: number;
  stdout(): string;
  stderr(): string;
  kill(): void;
  /** Its exit code, null where a signal ended it. */
  ended: Promise<number | null>;
}

/** Calls the compiled prun in a place. */
export function callPrun(
  place: Pick<RunPlace, 'folder' | 'stateHome'>,
  argv: readonly string[],
  environment: Record<string, string> = {},
): Call {
  const child = spawn(process.execPath, [path.join(scriptsFolder(), 'prun.cjs'), ...argv], {
    cwd: place.folder,
    env: testEnvironment(place.folder, { PRUN_STATE_HOME: place.stateHome, ...environment }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code));
  });
  return {
    pid: child.pid ?? -1,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: () => child.kill('SIGKILL'),
    ended,
  };
}

/** Text of a file, empty where there is none. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
