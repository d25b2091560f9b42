import { executorByName } from '../executor/by-name.ts';
import type { Executor } from '../executor/types.ts';
import { EXIT, usageError } from '../platform/errors.ts';
import type { Run } from '../run/run-folder.ts';
import { runFile } from '../run/run-folder.ts';
import { isFinalState, type UnitView } from '../run/run-view.ts';
import { attemptsOf } from '../run/views/attempts-of.ts';
import { createBell } from '../run/views/bell.ts';
import { isAnyUnderWay } from '../run/views/counts.ts';
import { followOutput } from '../run/views/follow-output.ts';
import { followRun } from '../run/views/follow-run.ts';
import { shownLine } from '../run/views/shown-line.ts';
import { unitPlaces } from '../run/views/unit-places.ts';
import { readableTail } from '../supervise/salvage.ts';
import { stateFile } from '../unit/state-dir.ts';
import { createFileWatch } from '../unit/watch-files.ts';
import { endQuietly } from '../unit/watcher-manners.ts';
import { LOGS_HELP, type LogsArguments, parseLogs } from './logs-arguments.ts';
import { eventLine } from './logs-events.ts';
import { printRaw } from './logs-raw.ts';
import { runOfFlags, unitsNamed } from './run-of-flags.ts';

export { LOGS_HELP } from './logs-arguments.ts';

const LOOK_MS = 250;

/** `prun logs`: what a unit's worker printed, or what happened to it. */
export async function logs(argv: readonly string[]): Promise<number> {
  const asked = parseLogs(argv);
  if (!asked) {
    process.stdout.write(LOGS_HELP);
    return EXIT.ok;
  }
  endQuietly();
  const { run } = runOfFlags(asked.flags, 'logs');
  unitsNamed(run, asked.flags);
  if (asked.events) await showEvents(run, asked);
  else await showOutput(run, asked);
  return EXIT.ok;
}

async function showEvents(run: Run, { unit, lines, follow, raw }: LogsArguments): Promise<void> {
  const followed = followRun(run);
  const ofWish = () =>
    followed.advance().filter((event) => !unit || !('unit' in event) || event.unit === unit);
  const print = (events: ReturnType<typeof ofWish>) => {
    for (const event of events) process.stdout.write(`${raw ? JSON.stringify(event) : eventLine(event)}\n`);
  };
  const first = ofWish();
  print(lines === 0 ? [] : first.slice(-Math.min(lines, first.length)));
  if (!follow) return;
  const isOver = () => {
    const one = unit === undefined ? undefined : followed.view().units.get(unit);
    return one ? isFinalState(one.state) : !isAnyUnderWay(followed.view());
  };
  await watching(runFile(run, 'events'), () => {
    print(ofWish());
    return isOver();
  });
}

async function showOutput(run: Run, asked: LogsArguments): Promise<void> {
  const { unit = '', follow, raw, lines } = asked;
  const stateDir = await stateDirOf(run, unit, asked);
  const executor = executorOf(run, unit);
  if (!follow) {
    if (raw) await printRaw(stateFile(stateDir, 'tail'), lines);
    else if (lines > 0) printText(readableTail(stateDir, executor, lines));
    return;
  }
  // What is there already is not told again: the end of it is shown first, and then what comes.
  const events = executor.events();
  let held: string[] | undefined = [];
  const show = (line: string): void => {
    const event = raw ? undefined : events.read(line);
    const text = event ? event.text : raw ? line : shownLine(line);
    if (text === undefined) return;
    if (held === undefined) process.stdout.write(`${text}\n`);
    else if (held.push(text) > lines * 2 + 100) held = held.slice(-lines);
  };
  const output = followOutput(stateDir, executor, show);
  let isOver = output.advance();
  printText((lines > 0 ? held.slice(-lines) : []).join('\n'));
  held = undefined;
  if (!isOver) {
    await watching(stateFile(stateDir, 'tail'), () => {
      isOver = output.advance();
      return isOver;
    });
  }
  output.close();
}

/** The state dir that is asked for; with --follow one that is yet to come is waited for. */
async function stateDirOf(run: Run, unit: string, { attempt, follow }: LogsArguments): Promise<string> {
  for (;;) {
    const attempts = attemptsOf(run, unit);
    const newest = Math.max(0, ...attempts.keys());
    const dir = attempts.get(attempt ?? newest);
    if (dir !== undefined) return dir;
    const view = unitIn(run, unit);
    if (view.spec.executor === 'session') {
      throw usageError(
        `unit ${unit} is a subagent of the coordinator's session, and prun has no output of it`,
        `its result belongs at ${unitPlaces(run, view).resultFile}`,
      );
    }
    const isComing = attempt === undefined && (view.state === 'queued' || view.state === 'dispatching');
    if (!follow || !isComing) throw nothingThere(unit, view, attempt, [...attempts.keys()]);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function nothingThere(unit: string, view: UnitView, attempt: number | undefined, known: number[]): Error {
  if (attempt !== undefined && known.length > 0) {
    return usageError(
      `unit ${unit} has no attempt ${attempt}`,
      `it has ${known.sort((a, b) => a - b).join(', ')}`,
    );
  }
  return usageError(
    `unit ${unit} has no output yet: it is ${view.state}${view.detail === '' ? '' : ` (${view.detail})`}`,
    'wait until it runs, or see --events',
  );
}

function unitIn(run: Run, unit: string): UnitView {
  const followed = followRun(run);
  followed.advance();
  const view = followed.view().units.get(unit);
  if (view) return view;
  throw usageError(`unit ${unit} has gone from run ${run.record.id}`, `see ${runFile(run, 'units')}`);
}

function executorOf(run: Run, unit: string): Executor {
  const { executor } = unitIn(run, unit).spec;
  return executorByName(executor === 'session' ? 'command' : executor);
}

/** Calls `look` whenever the file has changed, and now and then, until it says that it is over. */
async function watching(file: string, look: () => boolean): Promise<void> {
  const bell = createBell();
  const watch = createFileWatch();
  try {
    for (;;) {
      watch.add(file, bell.ring);
      if (look()) return;
      await bell.heard(LOOK_MS);
    }
  } finally {
    watch.close();
  }
}

function printText(text: string): void {
  if (text !== '') process.stdout.write(`${text}\n`);
}
