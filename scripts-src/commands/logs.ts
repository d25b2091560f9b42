import { existsSync } from 'node:fs';
import { executorByName } from '../executor/by-name.ts';
import type { Executor } from '../executor/types.ts';
import { EXIT, PrunError, usageError } from '../platform/errors.ts';
import { readEnd } from '../platform/files.ts';
import { countOf } from '../render/figures.ts';
import type { CommandText } from '../run/command-text.ts';
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
import { shortLine } from '../run/views/unit-text.ts';
import { readableTail } from '../supervise/salvage.ts';
import { readOutcome } from '../unit/read-records.ts';
import { stateFile } from '../unit/state-dir.ts';
import { createFileWatch } from '../unit/watch-files.ts';
import { endQuietly } from '../unit/watcher-manners.ts';
import { LOGS_HELP, type LogsArguments, parseLogs } from './logs-arguments.ts';
import { eventLine } from './logs-events.ts';
import { printRaw } from './logs-raw.ts';
import { runOfFlags, unitsNamed } from './run-of-flags.ts';

export { LOGS_HELP } from './logs-arguments.ts';

const LOOK_MS = 250;
/** The end of a check's output in which the last lines are looked for, bytes. */
const CHECK_LOOK_BYTES = 256 * 1024;

/** `prun logs`: what a unit's worker printed, or what happened to it. */
export async function logs(argv: readonly string[]): Promise<number> {
  const asked = parseLogs(argv);
  if (!asked) {
    process.stdout.write(LOGS_HELP);
    return EXIT.ok;
  }
  endQuietly();
  const { run, command } = runOfFlags(asked.flags, 'logs');
  unitsNamed(run, asked.flags);
  if (asked.events) {
    await showEvents(run, asked, command);
    return EXIT.ok;
  }
  const { attempt, stateDir } = await attemptOf(run, asked);
  if (asked.verify) await showCheck(run, asked, attempt, stateDir);
  else {
    await showOutput(run, asked, stateDir);
    if (!asked.raw) printText(failedCheck(asked, attempt, stateDir, command));
  }
  return EXIT.ok;
}

async function showEvents(
  run: Run,
  { unit, lines, follow, raw }: LogsArguments,
  command: CommandText,
): Promise<void> {
  const followed = followRun(run);
  const ofWish = () =>
    followed.advance().filter((event) => !unit || !('unit' in event) || event.unit === unit);
  const print = (events: ReturnType<typeof ofWish>) => {
    for (const event of events) process.stdout.write(`${raw ? JSON.stringify(event) : eventLine(event)}\n`);
  };
  const first = ofWish();
  const shown = Math.min(lines, first.length);
  if (!raw && shown > 0 && shown < first.length) {
    const all = command('logs', '--events', ...(unit ? ['--unit', unit] : []), '--tail', `${first.length}`);
    printText(`… ${countOf(first.length - shown, 'earlier event')}: ${all}`);
  }
  print(shown === 0 ? [] : first.slice(-shown));
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

async function showOutput(run: Run, asked: LogsArguments, stateDir: string): Promise<void> {
  const { unit = '', follow, raw, lines } = asked;
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

/** What the unit's own check printed. Throws a usage error where there is nothing of it. */
async function showCheck(
  run: Run,
  { unit = '', lines, raw }: LogsArguments,
  attempt: number,
  stateDir: string,
): Promise<void> {
  const file = stateFile(stateDir, 'verifyLog');
  if (!existsSync(file)) {
    const hasCheck = unitIn(run, unit).spec.verify !== null;
    throw usageError(
      hasCheck ? `attempt ${attempt} of unit ${unit} was not checked` : `unit ${unit} has no check (verify)`,
      hasCheck
        ? 'a check comes after a worker that ended well'
        : 'its logs without --verify are all there is',
    );
  }
  if (raw) await printRaw(file, lines);
  else printText(lastLines(readEnd(file, CHECK_LOOK_BYTES), lines).map(shownLine).join('\n'));
}

function lastLines(text: string, most: number): string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  return most === 0 || text === '' ? [] : lines.slice(-most);
}

/** That the attempt failed by its check, whose output is not the worker's, as one line; empty where it did not. */
function failedCheck(asked: LogsArguments, attempt: number, stateDir: string, command: CommandText): string {
  const outcome = outcomeIn(stateDir);
  if (outcome?.reason !== 'verify') return '';
  const words = asked.attempt === undefined ? [] : ['--attempt', `${attempt}`];
  const detail = shortLine(outcome.detail.replace(/; [^;]*verify\.log.*$/, ''));
  return `— the worker ended well, its check failed: ${detail}: ${command('logs', '--unit', asked.unit ?? '', '--verify', ...words)}`;
}

function outcomeIn(stateDir: string): ReturnType<typeof readOutcome> {
  try {
    return readOutcome(stateDir);
  } catch (error) {
    // A newer prun's: what was printed is shown all the same.
    if (error instanceof PrunError) return undefined;
    throw error;
  }
}

/**
 * The attempt that is asked for; of several stderr says which it is. With --follow one that is yet to come is waited
 * for.
 */
async function attemptOf(
  run: Run,
  { unit = '', attempt, follow }: LogsArguments,
): Promise<{ attempt: number; stateDir: string }> {
  for (;;) {
    const attempts = attemptsOf(run, unit);
    const wanted = attempt ?? Math.max(0, ...attempts.keys());
    const stateDir = attempts.get(wanted);
    if (stateDir !== undefined) {
      const others = [...attempts.keys()].filter((known) => known !== wanted).sort((a, b) => a - b);
      if (others.length > 0) {
        const named = others.length > 5 ? ['…', ...others.slice(-5)] : others;
        process.stderr.write(
          `prun logs: this is attempt ${wanted} of unit ${unit}; --attempt shows ${named.join(', ')}\n`,
        );
      }
      return { attempt: wanted, stateDir };
    }
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
