import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import type {
  OutcomeReason,
  OutcomeRecord,
  OutcomeStatus,
  ResultOrigin,
} from '../../scripts-src/unit/records.ts';
import type { Seen } from './process-table.ts';
import {
  type Dispatched,
  type DispatchOptions,
  dispatchTask,
  program,
  SCRIPTS,
  testEnvironment,
} from './unit-run.ts';

/** How a unit of a room is dispatched: `worker` is the shell text of the program that plays codex. */
export type UnitWish = Omit<DispatchOptions, 'folder' | 'codexBin'> & {
  worker?: string;
  /** A program that is there already, in place of `worker`. */
  codexBin?: string;
  /** A folder of the room, in place of a new one. */
  folder?: string;
};

/** A unit at work, and its end. */
export interface Unit extends Dispatched {
  folder: string;
  end(limitMs?: number): Promise<UnitEnd>;
}

/** A unit that has ended; `alive` is what the process table held of it when its outcome appeared. */
export interface UnitEnd {
  outcome: OutcomeRecord;
  alive: Seen[];
  code: number;
  stateDir: string;
  stdout: string;
  stderr: string;
  /** Text at the result path, or undefined where there is no file. */
  result: string | undefined;
}

/** What every end is checked for; origin null: no result. */
export interface ExpectedEnd {
  status: OutcomeStatus;
  reason: OutcomeReason;
  origin: ResultOrigin | null;
  /** Exit code of dispatch-task; left out where nobody was there to see it. */
  code?: number;
}

/** How a script ended. */
export interface Said {
  code: number;
  stdout: string;
  stderr: string;
  /** How long it ran, ms. */
  tookMs: number;
}

/** What a script is started with. */
export interface ScriptWish {
  folder: string;
  cwd?: string;
  environment?: Record<string, string>;
  uid?: number;
  /** In place of the compiled script of that name. */
  file?: string;
}

/** A script at work. */
export interface Script {
  child: ChildProcess;
  ended: Promise<Said>;
  stdout(): string;
}

/** Where the tests of one file work; safe for concurrent tests. Everything ends and goes with the file. */
export interface Room {
  /** A new folder that every user may write. */
  folder(): string;
  dispatch(wish: UnitWish): Unit;
  /** Starts a compiled script. */
  start(script: ScriptName, argv: string[], wish: ScriptWish): Script;
  /** Runs it to its end. */
  run(script: ScriptName, argv: string[], wish: ScriptWish): Promise<Said>;
}

type ScriptName = 'dispatch-task' | 'monitor' | 'gather' | 'reap-watch' | 'validate-run';

/** Opens a room for the tests of this file; call it at the top level. */
export function openRoom(): Room {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun room ')));
  chmodSync(root, 0o755);
  const children: { child: ChildProcess; ended: Promise<unknown> }[] = [];
  let folders = 0;
  afterAll(async () => {
    // Asked, not killed: a dispatcher that a failed test left behind must end its worker before its state dir goes.
    for (const { child } of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGCONT');
      child.kill('SIGTERM');
    }
    await Promise.all(children.map(({ ended }) => ended));
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });

  function folder(): string {
    const made = path.join(root, `unit ${++folders}`);
    mkdirSync(made);
    chmodSync(made, 0o777);
    return made;
  }

  function start(script: ScriptName, argv: string[], wish: ScriptWish): Script {
    const from = performance.now();
    const file = wish.file ?? path.join(SCRIPTS, `${script}.cjs`);
    const state = path.join(wish.folder, 'state');
    mkdirSync(state, { recursive: true });
    if (wish.uid !== undefined) chmodSync(state, 0o777);
    const child = spawn(...commandOf(file, argv), {
      cwd: wish.cwd ?? wish.folder,
      env: testEnvironment(wish.folder, { TMPDIR: state, ...wish.environment }),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(wish.uid === undefined ? {} : { uid: wish.uid, gid: wish.uid }),
    });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    }
    const ended = new Promise<Said>((resolve) => {
      child.once('close', (code, signal) => {
        resolve({ code: exitCode(code, signal), ...said, tookMs: performance.now() - from });
      });
    });
    children.push({ child, ended });
    return { child, ended, stdout: () => said.stdout };
  }

  function dispatch(wish: UnitWish): Unit {
    const place = wish.folder ?? folder();
    const codexBin = wish.codexBin ?? program(place, 'codex', wish.worker ?? 'exit 0');
    const unit = dispatchTask({ ...wish, folder: place, codexBin });
    children.push({ child: unit.child, ended: unit.exitCode });
    return { ...unit, folder: place, end: (limitMs) => endOf(unit, limitMs) };
  }

  return { folder, dispatch, start, run: (script, argv, wish) => start(script, argv, wish).ended };
}

async function endOf(unit: Dispatched, limitMs?: number): Promise<UnitEnd> {
  const { outcome, alive } = await unit.outcome(limitMs);
  const code = await unit.exitCode;
  const stateDir = await unit.stateDir();
  return {
    outcome,
    alive,
    code,
    stateDir,
    stdout: unit.stdout(),
    stderr: unit.stderr(),
    result: textOf(unit.resultFile),
  };
}

/** The four things that every scenario is checked for, in one comparison, so that a failure shows them all. */
export function expectEnd(end: UnitEnd, expected: ExpectedEnd): void {
  const { status, reason, detail, result, survivors } = end.outcome;
  const seen = {
    status,
    reason,
    origin: result?.origin ?? null,
    code: end.code,
    alive: end.alive,
    survivors,
  };
  const wanted = { code: end.code, ...expected, alive: [], survivors: [] };
  expect(seen, `${detail}; stderr: ${end.stderr.slice(-2000)}`).toEqual(wanted);
  if (result === null) return;
  expect(end.result?.trim(), 'a result that is named is there').toBeTruthy();
  expect(result.bytes).toBe(Buffer.byteLength(end.result ?? ''));
}

/** Opens a whole tree to every user of the tests. */
export function openToAll(place: string): void {
  const isFolder = statSync(place).isDirectory();
  chmodSync(place, isFolder ? 0o777 : 0o666);
  if (isFolder) for (const name of readdirSync(place)) openToAll(path.join(place, name));
}

/** Text of a file, or undefined where there is none. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function commandOf(file: string, argv: string[]): [string, string[]] {
  return file.endsWith('.cjs') ? [process.execPath, [file, ...argv]] : [file, argv];
}

function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (os.constants.signals[signal ?? 'SIGHUP'] ?? 0);
}
