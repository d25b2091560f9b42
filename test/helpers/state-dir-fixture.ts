import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { monotonicMs, wallTime } from '../../scripts-src/platform/clock.ts';
import { writeAtomic, writeOnce } from '../../scripts-src/platform/files.ts';
import { currentHost } from '../../scripts-src/process/host.ts';
import { formatIdentity, identify } from '../../scripts-src/process/identity.ts';
import { type OutcomeRecord, SCHEMA, type UnitRecord } from '../../scripts-src/unit/records.ts';
import { claimResult, type ResultClaim } from '../../scripts-src/unit/result-claim.ts';
import { stateFile, writeValue } from '../../scripts-src/unit/state-dir.ts';

// State dirs written by hand, as dispatch-task leaves them, with real processes as dispatcher and guardian.

const scriptsDir = fileURLToPath(new URL('../../skills/prun/scripts/', import.meta.url));

/** A process that does nothing until it is ended. */
export interface Sleeper {
  pid: number;
  identity: string;
  /** Kills it and waits until it has been reaped. */
  end(): Promise<void>;
}

/** Everything of one test, put away with `clear`. */
export interface Stage {
  /** Real path of a new folder in the temp folder. */
  dir: string;
  sleeper(): Promise<Sleeper>;
  /** An identity that is dead now and whose number is not in use. */
  deadIdentity(): Promise<string>;
  /** Starts a compiled script; its temp folder is the stage's own. */
  start(script: 'monitor' | 'gather', args: readonly string[], environment?: NodeJS.ProcessEnv): ScriptRun;
  /** The same in a user namespace that is allowed no inotify instance, as if 128 other watchers had them all. */
  startUnwatched(script: 'monitor' | 'gather', args: readonly string[]): ScriptRun;
  clear(): Promise<void>;
}

/** A compiled script at work. */
export interface ScriptRun {
  child: ChildProcess;
  /** What it wrote so far. */
  output: { stdout: string; stderr: string };
  /** Resolves when stdout holds the text; rejects when the script ends before that. */
  said(text: string): Promise<void>;
  ended: Promise<ScriptEnd>;
}

/** How a script ended; `atMs` is monotonic. */
export interface ScriptEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  atMs: number;
}

const host = await currentHost();

/** Opens a stage. */
export function openStage(): Stage {
  const dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun-test-watch-')));
  const children = new Set<ChildProcess>();

  async function sleeper(): Promise<Sleeper> {
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    children.add(child);
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    const pid = child.pid ?? 0;
    return { pid, identity: identityOfPid(pid), end: () => end(child) };
  }

  async function deadIdentity(): Promise<string> {
    const one = await sleeper();
    await one.end();
    return one.identity;
  }

  function start(
    script: 'monitor' | 'gather',
    args: readonly string[],
    environment: NodeJS.ProcessEnv = {},
  ): ScriptRun {
    return run(process.execPath, [path.join(scriptsDir, `${script}.cjs`), ...args], environment);
  }

  function startUnwatched(script: 'monitor' | 'gather', args: readonly string[]): ScriptRun {
    const line = 'echo 0 > /proc/sys/user/max_inotify_instances; exec "$@"';
    const node = [process.execPath, path.join(scriptsDir, `${script}.cjs`)];
    return run('unshare', ['--user', '--map-root-user', 'sh', '-c', line, 'sh', ...node, ...args], {});
  }

  function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv): ScriptRun {
    const child = spawn(program, args, {
      cwd: dir,
      env: { PATH: process.env.PATH, TMPDIR: dir, PRUN_STATE_HOME: dir, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    return follow(child);
  }

  async function clear(): Promise<void> {
    await Promise.all([...children].map(end));
    rmSync(dir, { recursive: true, force: true });
  }

  return { dir, sleeper, deadIdentity, start, startUnwatched, clear };
}

/** Whether this system lets a test take inotify away from a process. */
export function canRunUnwatched(): boolean {
  const probe = 'echo 0 > /proc/sys/user/max_inotify_instances';
  return spawnSync('unshare', ['--user', '--map-root-user', 'sh', '-c', probe]).status === 0;
}

/** Identity of a running process as it is written on disk. */
export function identityOfPid(pid: number): string {
  const id = identify(host, pid);
  if (!id) throw new Error(`no process ${pid}`);
  return formatIdentity(id);
}

function follow(child: ChildProcess): ScriptRun {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  let atMs = 0;
  child.once('exit', () => {
    atMs = monotonicMs();
  });
  const ended = new Promise<ScriptEnd>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, ...output, atMs }));
  });
  const said = async (text: string) => {
    await until(() => output.stdout.includes(text) || child.exitCode !== null || child.signalCode !== null);
    // The last text may still be on its way when the process has ended.
    if (!output.stdout.includes(text)) await ended;
    if (!output.stdout.includes(text)) throw new Error(`ended without ${text}: ${JSON.stringify(output)}`);
  };
  return { child, output, said, ended };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** Waits until the condition holds; throws after `limitMs`. */
export async function until(condition: () => boolean, limitMs = 20_000): Promise<void> {
  const deadline = monotonicMs() + limitMs;
  while (!condition()) {
    if (monotonicMs() > deadline) throw new Error(`never came true in ${limitMs} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** How a hand-made supervised state dir differs from the usual. */
export interface SupervisedDir {
  supervisor: string;
  guardian?: string;
  /** How long ago the unit started, ms. */
  startedAgoMs?: number;
  /** How long ago its last evidence was, ms; none: no progress file. */
  quietForMs?: number;
  stallThresholdSeconds?: number;
  resultFile?: string;
  /** Leaves out the start fence. */
  notStarted?: boolean;
  noWake?: boolean;
  boot?: string;
}

/** Writes a state dir as dispatch-task does and returns its path. */
export function supervisedDir(stage: Stage, unit: string, wish: SupervisedDir): string {
  const stateDir = path.join(stage.dir, unit);
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const startedMonotonicMs = monotonicMs() - (wish.startedAgoMs ?? 0);
  const resultFile = wish.resultFile ?? path.join(stage.dir, `${unit}.md`);
  writeLegacyFiles(stateDir, { resultFile, pid: Number(wish.supervisor.split(':')[1]) });
  if (!wish.noWake) writeFileSync(stateFile(stateDir, 'wake'), '');
  if (wish.guardian) writeValue(stateDir, 'guardian', wish.guardian);
  if (!wish.notStarted) writeFileSync(stateFile(stateDir, 'started'), '');
  const boot = wish.boot ?? host.bootId();
  const record: UnitRecord = {
    schema: SCHEMA,
    unit,
    attempt: 1,
    executor: 'codex',
    argv: ['codex', 'exec', '-'],
    cwd: stage.dir,
    promptFile: path.join(stage.dir, 'prompt.md'),
    resultFile,
    base: null,
    limits: {
      stallThresholdSeconds: wish.stallThresholdSeconds ?? 0,
      timeoutSeconds: 0,
      maxOutputBytes: 0,
    },
    marker: unit,
    rssMark: null,
    since: 0,
    supervisor: wish.supervisor,
    worker: null,
    startedAt: wallTime(),
    startedMonotonicMs,
    boot,
  };
  writeAtomic(stateFile(stateDir, 'unit'), JSON.stringify(record), { sync: false });
  if (wish.quietForMs !== undefined) noteProgress(stateDir, monotonicMs() - wish.quietForMs, boot);
  return stateDir;
}

/** Writes the last evidence of a unit. */
export function noteProgress(stateDir: string, atMs = monotonicMs(), boot = host.bootId()): void {
  const record = { schema: SCHEMA, boot, monotonicMs: atMs, at: wallTime(), kind: 'event' };
  writeAtomic(stateFile(stateDir, 'progress'), JSON.stringify(record), { sync: false });
}

/** Plain text files of a state dir; what is undefined is left out. */
export interface LegacyFiles {
  resultFile?: string | undefined;
  pid?: number | string | undefined;
  preMtime?: number | string | undefined;
  timestamp?: number | string | undefined;
  tail?: string | undefined;
}

/** Writes a state dir of the shell version and returns its path. */
export function legacyDir(stage: Stage, unit: string, files: LegacyFiles): string {
  const stateDir = path.join(stage.dir, unit);
  mkdirSync(stateDir, { recursive: true });
  writeLegacyFiles(stateDir, files);
  return stateDir;
}

function writeLegacyFiles(stateDir: string, files: LegacyFiles): void {
  const given = { preMtime: 0, timestamp: Math.floor(Date.now() / 1000), tail: '', ...files };
  if (given.preMtime !== undefined) writeValue(stateDir, 'preMtime', given.preMtime);
  if (given.timestamp !== undefined) writeValue(stateDir, 'timestamp', given.timestamp);
  if (given.resultFile !== undefined) writeValue(stateDir, 'resultFile', given.resultFile);
  if (given.pid !== undefined) writeValue(stateDir, 'dispatchPid', given.pid);
  if (given.tail !== undefined) writeFileSync(stateFile(stateDir, 'tail'), given.tail);
}

/** Writes the outcome as a supervisor does: by link, then the wake file is touched. Returns the monotonic time. */
export function writeOutcome(
  stateDir: string,
  outcome: Partial<OutcomeRecord> & Record<string, unknown> = {},
): number {
  const record = {
    schema: SCHEMA,
    unit: path.basename(stateDir),
    attempt: 1,
    executor: 'codex',
    status: 'succeeded',
    reason: 'ok',
    detail: 'worker ended with code 0',
    exitCode: 0,
    signal: null,
    signalInferred: false,
    result: { path: path.join(stateDir, 'result.md'), origin: 'worker', bytes: 10 },
    resultError: null,
    sessionId: null,
    tokens: null,
    startedAt: wallTime(),
    endedAt: wallTime(),
    durationMs: 1,
    lastEvidence: null,
    reaped: [],
    survivors: [],
    delta: null,
    claims: null,
    tripwire: null,
    verify: null,
    supervisor: 'dispatch-task',
    stateDir,
    ...outcome,
  };
  writeOnce(stateFile(stateDir, 'outcome'), JSON.stringify(record));
  const atMs = monotonicMs();
  try {
    utimesSync(stateFile(stateDir, 'wake'), new Date(), new Date());
  } catch {
    // A test of a missing wake file.
  }
  return atMs;
}

/** Leaves the claim of a dispatcher on a result path, where the scripts of this stage look for it. */
export function leaveClaim(stage: Stage, claim: ResultClaim): void {
  const before = process.env.PRUN_STATE_HOME;
  process.env.PRUN_STATE_HOME = stage.dir;
  try {
    const inTheWay = claimResult(host, claim);
    if (inTheWay) throw new Error(`${claim.resultFile} is held by ${inTheWay.stateDir}`);
  } finally {
    if (before === undefined) delete process.env.PRUN_STATE_HOME;
    else process.env.PRUN_STATE_HOME = before;
  }
}

/** First line of a file that prun wrote for a worker. */
export function fallbackText(unit: string): string {
  return `# ${unit} result (FALLBACK, worker wrote no result file)\nConclusion: none\n`;
}

/** Whether a process has an inotify watch: its first look is over, or under way. */
export function isWatching(pid: number | undefined): boolean {
  for (let fd = 3; fd < 64; fd++) {
    try {
      if (/^inotify wd/m.test(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))) return true;
    } catch {
      // No such descriptor.
    }
  }
  return false;
}
