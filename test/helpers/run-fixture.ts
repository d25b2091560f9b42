import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { wallTime } from '../../scripts-src/platform/clock.ts';
import { takeClaim } from '../../scripts-src/process/claim.ts';
import { currentHost } from '../../scripts-src/process/host.ts';
import { formatIdentity, identify } from '../../scripts-src/process/identity.ts';
import { eventWriter } from '../../scripts-src/run/event-log.ts';
import { appendLines } from '../../scripts-src/run/json-lines.ts';
import {
  RUN_SCHEMA,
  type RunEvent,
  type RunEventBody,
  type UnitSpec,
} from '../../scripts-src/run/records.ts';
import {
  createRun,
  defaultResultFile,
  type NewRun,
  type Run,
  runFile,
} from '../../scripts-src/run/run-folder.ts';
import { ROOT, testEnvironment } from './unit-run.ts';

// Runs written by hand, as commands and a supervisor leave them on disk, and prun's views compiled to look at them.

/** What a run without any wishes is made with. */
export const PLAIN_RUN: NewRun = {
  repository: null,
  integration: null,
  schedule: { jobs: null, delaySeconds: 0, memfreeBytes: null, load: null },
  resources: {},
  outerMarker: null,
};

/** A unit as somebody might have asked for it. */
export function unitSpec(id: string, wish: Partial<UnitSpec> = {}): UnitSpec {
  return {
    schema: RUN_SCHEMA,
    id,
    token: `token of ${id}`,
    addedAt: wallTime(),
    executor: 'codex',
    mode: 'scratch',
    prompt: 'Do the work.\n',
    owns: [],
    after: [],
    model: null,
    reasoningEffort: null,
    sandbox: null,
    network: null,
    isolateMcp: true,
    codexBin: null,
    argv: [],
    limits: { stallThresholdSeconds: 600, timeoutSeconds: 0, maxOutputBytes: 0, stallNoticeSeconds: 300 },
    resources: [],
    warm: [],
    setup: null,
    verify: null,
    retries: 0,
    passEnv: [],
    wakeOnFinish: false,
    workspace: null,
    resultFile: null,
    ...wish,
  };
}

type Ended = Extract<RunEventBody, { type: 'ended' }>;

/** A run on disk whose supervisor is the test. */
export interface WrittenRun {
  run: Run;
  stateHome: string;
  /** Appends events in one write. */
  write(...bodies: RunEventBody[]): RunEvent[];
  /** `queued`, `dispatching`, `running` of a unit's attempt, which gets a state dir. */
  start(unit: string, attempt?: number): string;
  /** The end of a unit's attempt; a failure wakes unless it is said otherwise. */
  end(unit: string, status?: Ended['status'], wish?: Partial<Ended>): RunEvent[];
  /** `all-done` with what there is. */
  allDone(): RunEvent[];
  add(...specs: UnitSpec[]): void;
  stateDir(unit: string, attempt?: number): string;
}

/** Makes a run with these units. The calling process is its supervisor unless `isSupervised` is false. */
export async function writtenRun(
  stateHome: string,
  name: string,
  units: readonly (string | UnitSpec)[],
  wish: Partial<NewRun> & { isSupervised?: boolean } = {},
): Promise<WrittenRun> {
  const { isSupervised = true, ...wanted } = wish;
  const run = await createRun(stateHome, name, { ...PLAIN_RUN, ...wanted });
  const host = await currentHost();
  const self = identify(host, process.pid);
  if (!self) throw new Error('this process has no identity');
  if (isSupervised) takeClaim(host, runFile(run, 'supervisors'), formatIdentity(self));
  const log = eventWriter(run, 0, (error) => {
    throw error;
  });
  const counts = { succeeded: 0, failed: 0, cancelled: 0, interrupted: 0, blocked: 0 };
  const stateDir = (unit: string, attempt = 1) =>
    path.join(runFile(run, 'attempts'), `prun-task-01234567-${unit}-${attempt}-0123456789abcdef`);
  const written: WrittenRun = {
    run,
    stateHome,
    write: log.write,
    stateDir,
    add: (...specs) => appendLines(runFile(run, 'units'), specs),
    start(unit, attempt = 1) {
      const dir = stateDir(unit, attempt);
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const base = { unit, attempt };
      log.write(
        { type: 'queued', ...base, why: attempt === 1 ? 'start' : 'retry', environment: null },
        { type: 'dispatching', ...base },
        { type: 'running', ...base, stateDir: dir, resultFile: defaultResultFile(run, unit) },
      );
      return dir;
    },
    end(unit, status = 'succeeded', more = {}) {
      counts[status] += 1;
      return log.write(endedEvent(run, unit, status, { stateDir: stateDir(unit), ...more }));
    },
    allDone: () => log.write({ type: 'all-done', ...counts }),
  };
  written.add(...units.map((unit) => (typeof unit === 'string' ? unitSpec(unit) : unit)));
  return written;
}

/** How an attempt ends by default: succeeded without a word, everything else with a wake. */
export function endedEvent(
  run: Run,
  unit: string,
  status: Ended['status'],
  more: Partial<Ended> = {},
): Ended {
  const isGood = status === 'succeeded';
  return {
    type: 'ended',
    unit,
    attempt: 1,
    status,
    reason: isGood ? 'ok' : 'exit',
    detail: isGood ? 'worker ended with code 0' : 'worker ended with code 9',
    stateDir: null,
    resultFile: defaultResultFile(run, unit),
    origin: isGood ? 'worker' : 'tail',
    durationMs: 61_000,
    tokens: 1234,
    sessionId: null,
    isFinal: true,
    wakes: !isGood,
    ...more,
  };
}

/** A compiled command at work. */
export interface CommandRun {
  child: ChildProcess;
  output: { stdout: string; stderr: string };
  /** Resolves when all its output was read: its code (128+n is not added), and when it ended (monotonic ms). */
  ended: Promise<{
    code: number | null;
    signal: NodeJS.Signals | null;
    stdout: string;
    stderr: string;
    atMs: number;
  }>;
}

/** prun's views, compiled beside nothing else; `supervise` plays what PRUN_PRETEND says. */
export interface CompiledViews {
  start(folder: string, argv: readonly string[], environment?: Record<string, string>): CommandRun;
  run(folder: string, argv: readonly string[], environment?: Record<string, string>): CommandRun['ended'];
  script(): string;
}

const NAMES = ['wait', 'status', 'list', 'logs', 'attach', 'debug'];

/** Compiles the views for the tests of a file. The state home is `<folder>/state`. */
export function compiledViews(names: readonly string[] = NAMES): CompiledViews {
  const built = mkdtempSync(path.join(os.tmpdir(), 'prun views '));
  const script = path.join(built, 'prun.cjs');
  beforeAll(() => {
    buildSync({
      stdin: { contents: entryText(names), resolveDir: path.join(ROOT, 'scripts-src'), loader: 'ts' },
      bundle: true,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      outfile: script,
      logLevel: 'warning',
    });
  });
  afterAll(() => rmSync(built, { recursive: true, force: true }));

  function start(
    folder: string,
    argv: readonly string[],
    environment: Record<string, string> = {},
  ): CommandRun {
    const child = spawn(process.execPath, [script, ...argv], {
      cwd: folder,
      env: testEnvironment(folder, { PRUN_STATE_HOME: path.join(folder, 'state'), ...environment }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return followCommand(child);
  }
  return { start, run: (...call) => start(...call).ended, script: () => script };
}

/** Collects what a child says. */
export function followCommand(child: ChildProcess): CommandRun {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  let atMs = 0;
  child.once('exit', () => {
    atMs = performance.now();
  });
  const ended: CommandRun['ended'] = new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, ...output, atMs }));
  });
  return { child, output, ended };
}

function entryText(names: readonly string[]): string {
  return [
    "import { runMain } from './platform/errors.ts';",
    ...names.map((name) => `import { ${name} } from './commands/${name}.ts';`),
    "import { currentHost } from './process/host.ts';",
    "import { takeClaim } from './process/claim.ts';",
    "import { formatIdentity, identify } from './process/identity.ts';",
    "import { appendFileSync, rmSync } from 'node:fs';",
    PRETEND_SUPERVISOR,
    'const [name = "", ...argv] = process.argv.slice(2);',
    `const commands: Record<string, (argv: readonly string[]) => Promise<number>> = { ${names.join(', ')}, supervise };`,
    "void runMain('prun ' + name, () => commands[name]?.(argv) ?? Promise.resolve(99));",
  ].join('\n');
}

/**
 * A supervisor as PRUN_PRETEND has it: `fails` ends at once with code 1, `dies` is elected and ends; any other text is
 * appended to the event log (a JSON line), and then it stays until its folder goes.
 */
const PRETEND_SUPERVISOR = `
async function supervise(argv: readonly string[]): Promise<number> {
  const folder = argv[1] ?? '';
  const wish = process.env.PRUN_PRETEND ?? 'fails';
  if (wish === 'fails') {
    process.stderr.write('pretended failure\\n');
    return 1;
  }
  const host = await currentHost();
  const self = identify(host, process.pid);
  if (!self) return 1;
  takeClaim(host, folder + '/supervisors', formatIdentity(self));
  if (wish === 'dies') {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return 1;
  }
  appendFileSync(folder + '/events.jsonl', wish + '\\n');
  for (const name of process.env.PRUN_PRETEND_ANSWERS?.split(',') ?? []) rmSync(folder + '/requests/' + name);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  return 0;
}
`;

/** Writes a unit's result as a worker does. */
export function writeResult(run: Run, unit: string, conclusion: string): string {
  const file = defaultResultFile(run, unit);
  writeFileSync(
    file,
    `# ${unit} result\nConclusion: ${conclusion}\nFiles: none (read-only)\nOpen items: none\nVerification: none\n`,
  );
  return file;
}
