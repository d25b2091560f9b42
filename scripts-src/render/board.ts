import { cellsOf, fitCells, padCells } from './cells.ts';
import { durationText } from './figures.ts';
import type { Paint, Tone } from './paint.ts';

/** One unit as the live board shows it. Texts hold no control characters. */
export interface BoardRow {
  unit: string;
  /** running, reaping, or the outcome's status. */
  state: string;
  tone: Tone;
  elapsedMs: number;
  /** The last evidence and its age, such as `event 0.4s`. */
  evidence: string;
  /** What it does now, or how it ended. */
  now: string;
}

/** Below this width the evidence has no column of its own, below the other one nothing but unit and state. */
const WIDTH_FOR_EVIDENCE = 64;
const WIDTH_FOR_NOW = 34;
const UNIT_CELLS = 16;
const STATE_CELLS = 11;
const TIME_CELLS = 6;
const EVIDENCE_CELLS = 18;

/** The board as lines of at most `width` cells, one a unit below a title. Pure. */
export function boardLines(title: string, rows: readonly BoardRow[], width: number, paint: Paint): string[] {
  const unitCells = Math.min(UNIT_CELLS, Math.max(0, ...rows.map((row) => cellsOf(row.unit))));
  return [
    paint('strong', fitCells(title, width)),
    ...rows.map((row) => rowLine(row, unitCells, width, paint)),
  ];
}

function rowLine(row: BoardRow, unitCells: number, width: number, paint: Paint): string {
  const unit = `  ${padCells(row.unit, unitCells)} `;
  if (width < WIDTH_FOR_NOW) return narrowLine(row, unit, width, paint);
  const time = durationText(row.elapsedMs).padStart(TIME_CELLS);
  const evidence = width >= WIDTH_FOR_EVIDENCE ? `  ${padCells(row.evidence, EVIDENCE_CELLS)}` : '';
  const state = padCells(row.state, STATE_CELLS);
  const used = cellsOf(unit) + STATE_CELLS + cellsOf(time) + cellsOf(evidence) + 2;
  return [
    unit,
    paint(row.tone, state),
    time,
    paint('faint', evidence),
    '  ',
    fitCells(row.now, Math.max(0, width - used)),
  ].join('');
}

function narrowLine(row: BoardRow, unit: string, width: number, paint: Paint): string {
  const head = fitCells(unit, width);
  return head + paint(row.tone, fitCells(row.state, Math.max(0, width - cellsOf(head))));
}
