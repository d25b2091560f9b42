import { codex } from '../executor/codex.ts';
import { readableLine } from '../executor/readable-line.ts';
import { type BoardRow, boardLines } from '../render/board.ts';
import { fitCells } from '../render/cells.ts';
import { toneOfStatus } from '../render/digest.ts';
import { countOf, durationText } from '../render/figures.ts';
import type { Paint } from '../render/paint.ts';
import { createScreen } from '../render/screen.ts';
import type { OutcomeRecord } from '../unit/records.ts';
import type { Dispatch } from './demo-dispatch.ts';
import { type UnitView, type UnitWatch, watchStateDir } from './unit-view.ts';

/** Where progress goes, and in which form. */
export interface LiveOutput {
  kind: 'board' | 'lines' | 'none';
  write(text: string): void;
  /** Columns of the terminal now; Infinity where there is none. */
  columns(): number;
  paint: Paint;
}

/** Progress of several dispatches, to be looked at again and again. */
export interface Live {
  /** Looks at all units and shows what has changed. True when all of them have ended. */
  look(): boolean;
  close(): void;
}

/** Silence is worth a word from this share of the stall threshold on. */
const QUIET_SHARE = 0.5;

interface Followed {
  dispatch: Dispatch;
  watch: UnitWatch | undefined;
  view: UnitView | undefined;
  row: BoardRow;
  /** Its dispatcher had ended before the last look, so that this look saw everything. */
  isFinal: boolean;
  /** The last line that was printed for it. */
  told: string;
}

/** Shows the dispatches as a board that is redrawn in place, or as one line a change. */
export function showLive(dispatches: readonly Dispatch[], title: string, output: LiveOutput): Live {
  const startedMs = performance.now();
  const screen = createScreen(output.write);
  const units = dispatches.map((dispatch): Followed => {
    return {
      dispatch,
      watch: undefined,
      view: undefined,
      row: startingRow(dispatch),
      isFinal: false,
      told: '',
    };
  });
  const unitCells = Math.max(...dispatches.map(({ unit }) => unit.id.length));

  function lookAt(unit: Followed): void {
    const { dispatch } = unit;
    if (unit.isFinal) return;
    unit.isFinal = dispatch.exitCode() !== undefined;
    const dir = dispatch.stateDir();
    if (dir) unit.watch ??= watchStateDir(dir, codex);
    unit.view = unit.watch?.look();
    unit.row = rowOf(unit, performance.now() - dispatch.startedMs);
  }

  function drawBoard(): void {
    // One column is left free: some terminals break a line that fills the last one.
    const columns = output.columns();
    const time = durationText(performance.now() - startedMs);
    const rows = units.map((unit) => unit.row);
    screen.draw(boardLines(`${title} · ${time}`, rows, columns - 1, output.paint), columns);
  }

  function printChanges(): void {
    for (const unit of units) {
      const { row } = unit;
      if (row.state === 'starting') continue;
      const line = `${row.unit.padEnd(unitCells)}  ${row.state.padEnd(9)}  ${changeText(unit)}`;
      if (line === unit.told) continue;
      unit.told = line;
      const time = durationText(performance.now() - startedMs).padStart(6);
      output.write(`${fitCells(`${time}  ${line}`.trimEnd(), output.columns())}\n`);
    }
  }

  return {
    look() {
      for (const unit of units) lookAt(unit);
      if (output.kind === 'board') drawBoard();
      if (output.kind === 'lines') printChanges();
      return units.every((unit) => unit.isFinal);
    },
    close() {
      screen.close();
      for (const unit of units) unit.watch?.close();
    },
  };
}

function startingRow({ unit }: Dispatch): BoardRow {
  return { unit: unit.id, state: 'starting', tone: 'faint', elapsedMs: 0, evidence: '', now: unit.role };
}

function rowOf({ dispatch, view, isFinal }: Followed, elapsedMs: number): BoardRow {
  const base = { ...startingRow(dispatch), elapsedMs };
  if (view?.outcome) return endedRow(base, view.outcome);
  if (isFinal) return { ...base, state: 'lost', tone: 'bad', now: readableLine(dispatch.complaint()) };
  if (!view) return base;
  const evidence = evidenceText(view);
  const now = view.says || 'started';
  if (view.phase === 'reaping') {
    return { ...base, state: 'reaping', tone: 'warn', evidence, now: 'ending it and all that it started' };
  }
  const isQuiet = quietMsOf(view) >= dispatch.unit.stallThresholdSeconds * 1000 * QUIET_SHARE;
  return { ...base, state: isQuiet ? 'quiet' : 'running', tone: isQuiet ? 'warn' : 'busy', evidence, now };
}

function endedRow(base: BoardRow, outcome: OutcomeRecord): BoardRow {
  const elapsedMs = outcome.durationMs;
  return {
    ...base,
    elapsedMs,
    state: outcome.status,
    tone: toneOfStatus(outcome.status),
    evidence: '',
    now: `${outcome.reason}${endNote(outcome)}`,
  };
}

/** What is worth knowing of an end at a glance. */
function endNote({ reaped, result, exitCode, reason, survivors }: OutcomeRecord): string {
  const notes: string[] = [];
  if (reason === 'exit' && exitCode !== null) notes.push(`code ${exitCode}`);
  if (reaped.length > 0) notes.push(`${countOf(reaped.length, 'process', 'processes')} reaped`);
  if (survivors.length > 0) notes.push(`${survivors.length} STILL ALIVE`);
  if (result?.origin === 'worker') notes.push('result written');
  if (result?.origin === 'last-message') notes.push('last message saved');
  if (result?.origin === 'tail') notes.push('output saved');
  if (!result) notes.push('no result');
  return notes.map((note) => `, ${note}`).join('');
}

function quietMsOf(view: UnitView): number {
  return view.evidence?.quietMs ?? 0;
}

function evidenceText(view: UnitView): string {
  return view.evidence ? `${view.evidence.kind} ${durationText(view.evidence.quietMs)}` : '';
}

/** What a line says of a change. No running figures: each would be a change. */
function changeText({ row, dispatch, view }: Followed): string {
  if (row.state !== 'quiet') return row.now;
  return `no progress since ${view?.evidence?.kind ?? 'its start'}; the limit is ${dispatch.unit.stallThresholdSeconds}s`;
}
