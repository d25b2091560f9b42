import { existsSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EXIT, usageError } from '../platform/errors.ts';
import { fitCells, wrapCells } from '../render/cells.ts';
import { ansiPaint, noPaint } from '../render/paint.ts';
import { terminalColumns } from '../render/terminal.ts';
import { type Interruption, listenForInterruption } from '../supervise/interruption.ts';
import { requireCodex } from './codex-login.ts';
import { DEMO_HELP, type DemoOptions, parseDemo } from './demo-arguments.ts';
import { type Dispatch, demoEnvironment, startDispatch } from './demo-dispatch.ts';
import { type LiveOutput, showLive } from './demo-live.ts';
import { type DemoPlace, fillDemoFolder, makeDemoFolder, writeEmbeddedWorker } from './demo-place.ts';
import { makeReport, reportJson, reportLines } from './demo-report.ts';
import { type DemoUnit, demoUnits } from './demo-units.ts';
import { findLeftovers, proofLine } from './proof.ts';

const LOOK_MS = 100;
/** A dispatcher that is asked to end needs under 1.2 s (dispatch.ts); afterwards its guardian does its work. */
const STOP_MS = 6000;
/** A board needs room below its own first line. */
const LEAST_ROWS = 12;

/** `prun demo`: a whole fan-out, shown. `script` is the running program; `dispatch-task` lies beside it. */
export async function demo(argv: readonly string[], script: string): Promise<number> {
  const options = parseDemo(argv);
  if (options.help) {
    process.stdout.write(DEMO_HELP);
    return EXIT.ok;
  }
  refuseNested(process.env);
  const dispatchScript = path.join(path.dirname(script), 'dispatch-task.cjs');
  if (!existsSync(dispatchScript)) {
    throw usageError(`${dispatchScript} is missing`, 'copy the whole prun folder');
  }
  if (options.codex) await requireCodex(process.env, process.cwd());
  const interruption = listenForInterruption();
  const output = liveOutput(options, interruption);
  const folder = makeDemoFolder();
  let keep = options.keep;
  try {
    const place = fillDemoFolder(folder, process.env);
    const setup = {
      place,
      script: dispatchScript,
      codexBin: options.codex ? codexOf(process.env) : writeEmbeddedWorker(folder, script),
      environment: demoEnvironment(place, process.env, options.codex),
    };
    const units = demoUnits(place, options.codex);
    introduce(units, options, output);
    const startedMs = performance.now();
    const dispatches = units.map((unit) => startDispatch(setup, unit));
    await watchToTheEnd(dispatches, options, output, interruption);
    const signal = interruption.signal();
    if (signal) return await stopAll(place, dispatches, signal);
    const report = makeReport(
      place,
      dispatches,
      await findLeftovers(stateDirsOf(place)),
      performance.now() - startedMs,
    );
    // What is not as it should be is kept, for somebody to look at.
    keep ||= report.differences.length > 0;
    if (options.json) print(reportJson(report, keep));
    else
      print(
        [
          ...reportLines(report, output.columns(), output.paint),
          ...wrapCells(farewell(place, keep), output.columns()),
        ].join('\n'),
      );
    return report.differences.length === 0 ? EXIT.ok : 1;
  } finally {
    if (!keep) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function refuseNested(environment: NodeJS.ProcessEnv): void {
  const outer = environment.PRUN_UNIT;
  if (!outer) return;
  throw usageError(
    `this is a worker of unit ${outer}, and a worker must not start prun again`,
    'run the demo from a shell of your own',
  );
}

/** The name by which dispatch-task finds codex; a relative CODEX_BIN is taken from where the user stands. */
function codexOf(environment: NodeJS.ProcessEnv): string | undefined {
  const name = environment.CODEX_BIN;
  return name && /[\\/]/.test(name) ? path.resolve(name) : name || undefined;
}

function liveOutput(options: DemoOptions, interruption: Interruption): LiveOutput {
  const { stdout } = process;
  // Nobody reads any more (a closed pipe): that is a wish to end, not an error.
  stdout.on('error', () => process.emit('SIGTERM', 'SIGTERM'));
  process.stderr.on('error', () => {});
  const isPlain = options.noColor || Boolean(process.env.NO_COLOR) || process.env.TERM === 'dumb';
  const isTerminal = stdout.isTTY && !isPlain;
  const hasRoom = (stdout.rows || LEAST_ROWS) >= LEAST_ROWS;
  return {
    kind: options.json ? 'none' : isTerminal && hasRoom ? 'board' : 'lines',
    write: (text) => {
      if (!interruption.signal()) stdout.write(text);
    },
    columns: () => (stdout.isTTY ? terminalColumns(stdout.columns, process.env) : Number.POSITIVE_INFINITY),
    paint: isTerminal ? ansiPaint : noPaint,
  };
}

function introduce(units: readonly DemoUnit[], options: DemoOptions, output: LiveOutput): void {
  if (output.kind === 'none') return;
  const worker = options.codex
    ? 'the real codex'
    : 'an embedded worker that plays codex (no account, no network)';
  const longest = Math.max(...units.map(({ id }) => id.length));
  const title = wrapCells(`prun demo: ${units.length} units at once on ${worker}`, output.columns(), '  ');
  const roles = units.map(({ id, role }) => {
    const cells = Math.max(0, output.columns() - longest - 4);
    return `  ${id.padEnd(longest)}  ${output.paint('faint', fitCells(role, cells))}`;
  });
  output.write(`${[...title, ...roles].join('\n')}\n\n`);
}

async function watchToTheEnd(
  dispatches: readonly Dispatch[],
  options: DemoOptions,
  output: LiveOutput,
  interruption: Interruption,
): Promise<void> {
  const live = showLive(dispatches, options.codex ? 'real codex' : 'embedded worker', output);
  try {
    while (!interruption.signal() && !live.look()) {
      await Promise.race([interruption.arrived, sleep(LOOK_MS)]);
    }
  } finally {
    live.close();
  }
}

/** Ends all dispatchers, which reap and salvage, and makes sure that nothing is left. */
async function stopAll(
  place: DemoPlace,
  dispatches: readonly Dispatch[],
  signal: NodeJS.Signals,
): Promise<number> {
  const running = dispatches.filter((dispatch) => dispatch.exitCode() === undefined);
  for (const dispatch of running) dispatch.signal(signal);
  const ended = Promise.all(dispatches.map((dispatch) => dispatch.ended));
  // Unreferenced: when all have ended, nothing waits for the rest of the time.
  const limit = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
  await Promise.race([ended, limit]);
  for (const dispatch of dispatches.filter((one) => one.exitCode() === undefined)) dispatch.signal('SIGKILL');
  const leftovers = await findLeftovers(stateDirsOf(place));
  process.stderr.write(
    `prun demo: ended by ${signal}, ${running.length} units stopped; ${proofLine(leftovers)}\n`,
  );
  return 128 + (os.constants.signals[signal] ?? 0);
}

/** From the disk: a dispatcher that was stopped early may not have named its state dir. */
function stateDirsOf({ stateHome }: DemoPlace): string[] {
  return readdirSync(stateHome).map((name) => path.join(stateHome, name));
}

function farewell(place: DemoPlace, keep: boolean): string {
  return keep ? `kept: ${place.folder}` : 'nothing is kept; prun demo --keep keeps the folder';
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
