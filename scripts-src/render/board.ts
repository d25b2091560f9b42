import { cellsOf, fitCells, fitMiddle, padCells, padMiddle } from './cells.ts';
import { durationText } from './figures.ts';
import type { Paint, Tone } from './paint.ts';

/** One unit as the live board shows it. Texts hold no control characters. */
export interface BoardRow {
  unit: string;
  /** running, reaping, or the outcome's status. */
  state: string;
  tone: Tone;
  /** null where no time has passed yet. */
  elapsedMs: number | null;
  /** The last evidence and its age, such as `event 0.4s`. */
  evidence: string;
  /** What it does now, or how it ended. */
  now: string;
}

/** With less room for what it does now, the evidence gives up its column; with still less there is nothing but the state. */
const NOW_BESIDE_EVIDENCE = 16;
const LEAST_NOW = 6;
const LEAST_NAME = 10;
/** Longer names are cut, unless the terminal is wide. */
const UNIT_CELLS = 16;
const UNIT_SHARE = 1 / 4;
const STATE_CELLS = 11;
const TIME_CELLS = 6;
const EVIDENCE_CELLS = 16;

/** A title `name: rest` of at most `width` cells: of a long name the middle gives way before the rest does. Pure. */
export function boardTitle(name: string, rest: string, width: number): string {
  const room = Math.max(LEAST_NAME, width - cellsOf(rest) - 2);
  return fitCells(`${fitMiddle(name, room)}: ${rest}`, width);
}

/** The board as lines of at most `width` cells, one a unit below a title. Pure. */
export function boardLines(title: string, rows: readonly BoardRow[], width: number, paint: Paint): string[] {
  const most = Math.max(UNIT_CELLS, Math.floor(width * UNIT_SHARE));
  const unitCells = Math.min(most, Math.max(0, ...rows.map((row) => cellsOf(row.unit))));
  return [
    paint('strong', fitCells(title, width)),
    ...rows.map((row) => rowLine(row, unitCells, width, paint)),
  ];
}

function rowLine(row: BoardRow, unitCells: number, width: number, paint: Paint): string {
  const unit = `  ${padMiddle(row.unit, unitCells)} `;
  const time = (row.elapsedMs === null ? '' : durationText(row.elapsedMs)).padStart(TIME_CELLS);
  const room = width - cellsOf(unit) - STATE_CELLS - cellsOf(time) - 2;
  if (room < LEAST_NOW) return narrowLine(row, unit, width, paint);
  const hasEvidence = room - EVIDENCE_CELLS - 2 >= NOW_BESIDE_EVIDENCE;
  const evidence = hasEvidence ? `  ${padCells(row.evidence, EVIDENCE_CELLS)}` : '';
  const state = paint(row.tone, padCells(row.state, STATE_CELLS));
  const now = fitCells(row.now, room - cellsOf(evidence));
  return `${unit}${state}${time}${paint('faint', evidence)}  ${now}`;
}

function narrowLine(row: BoardRow, unit: string, width: number, paint: Paint): string {
  const head = fitCells(unit, width);
  return head + paint(row.tone, fitCells(row.state, Math.max(0, width - cellsOf(head))));
}
