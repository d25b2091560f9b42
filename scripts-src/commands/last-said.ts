import { executorByName } from '../executor/by-name.ts';
import { readableLine } from '../executor/readable-line.ts';
import { readEnd } from '../platform/files.ts';
import { pathInRun } from '../run/path-in-run.ts';
import type { Run } from '../run/run-folder.ts';
import type { UnitView } from '../run/run-view.ts';
import { stateFile } from '../unit/state-dir.ts';

/** The end of the output in which the last line is looked for, bytes: a screen of it costs next to nothing. */
const LOOK_BYTES = 16 * 1024;

/** The last readable thing that a running unit's worker has printed, one bounded line; empty where there is none. */
export function lastSaid(run: Run, { state, stateDir, spec }: UnitView): string {
  if (state !== 'running' || stateDir === null || spec.executor === 'session') return '';
  const executor = executorByName(spec.executor);
  const dir = pathInRun(run, stateDir);
  const printed = wholeLines(stateFile(dir, 'tail'));
  // Where stdout is the answer, stderr is where a program tells how it goes.
  const lines =
    printed.length > 0 || !executor.answersOnStdout ? printed : wholeLines(stateFile(dir, 'stderr'));
  const events = executor.events();
  let said = '';
  for (const line of lines) {
    const event = events.read(line);
    if (event && (event.kind === 'session' || event.kind === 'end')) continue;
    const text = event ? event.text : executor.answersOnStdout ? readableLine(line) : undefined;
    if (text) said = text;
  }
  return readableLine(said);
}

/** Lines at the end of a file, the first of them only if it is whole. */
function wholeLines(file: string): string[] {
  const text = readEnd(file, LOOK_BYTES);
  const isCut = Buffer.byteLength(text) >= LOOK_BYTES;
  const lines = text.split(/[\r\n]/).filter((line) => line.trim() !== '');
  return isCut && lines.length > 1 ? lines.slice(1) : lines;
}
