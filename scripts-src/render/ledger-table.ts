import { cellsOf, padCells } from './cells.ts';
import type { Paint, Tone } from './paint.ts';

/** One attempt in the ledger. */
export interface LedgerRow {
  unit: string;
  executor: string;
  mode: string;
  status: string;
  reason: string;
  duration: string;
  /** Path as it is to be shown, or `none`. */
  result: string;
  tone: Tone;
}

type Column = Exclude<keyof LedgerRow, 'tone'>;

const TITLES: Record<Column, string> = {
  unit: 'unit',
  executor: 'executor',
  mode: 'mode',
  status: 'status',
  reason: 'reason',
  duration: 'time',
  result: 'result file',
};
const COLUMNS = Object.keys(TITLES) as Column[];
/** What a narrow terminal does without, in this order; then the widest columns are cut. */
const DISPENSABLE: readonly Column[] = ['executor', 'mode', 'duration'];
const GAP = '  ';
const LEAST_CELLS = 4;

/** The ledger as an aligned table of at most `width` cells. Pure. */
export function ledgerLines(
  rows: readonly LedgerRow[],
  width: number = Number.POSITIVE_INFINITY,
  paint: Paint = (_, text) => text,
): string[] {
  const clean = rows.map(cleanRow);
  const columns = columnsFor(clean, width);
  const widths = shrink(
    columns.map((column) => cellsNeeded(clean, column)),
    width - GAP.length * (columns.length - 1),
  );
  const line = (texts: readonly string[]) => texts.map((text, i) => padCells(text, widths[i] ?? 0)).join(GAP);
  return [
    paint('faint', line(columns.map((column) => TITLES[column])).trimEnd()),
    ...clean.map((row) => {
      const texts = columns.map((column, i) => {
        const cell = padCells(row[column], widths[i] ?? 0);
        return column === 'status' ? paint(row.tone, cell) : cell;
      });
      return texts.join(GAP).trimEnd();
    }),
  ];
}

/** The ledger as a Markdown table, for `agent-io/ledger.md`. Pure. */
export function ledgerMarkdown(rows: readonly LedgerRow[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(COLUMNS.map((column) => TITLES[column])),
    line(COLUMNS.map(() => '---')),
    ...rows
      .map(cleanRow)
      .map((row) => line(COLUMNS.map((column) => row[column].replace(/([\\|])/g, '\\$1')))),
  ];
}

function cleanRow(row: LedgerRow): LedgerRow {
  const clean = { ...row };
  for (const column of COLUMNS) clean[column] = row[column].replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return clean;
}

function cellsNeeded(rows: readonly LedgerRow[], column: Column): number {
  return Math.max(cellsOf(TITLES[column]), ...rows.map((row) => cellsOf(row[column])));
}

function columnsFor(rows: readonly LedgerRow[], width: number): Column[] {
  let columns = COLUMNS;
  for (const name of DISPENSABLE) {
    const needed = columns.reduce((sum, column) => sum + cellsNeeded(rows, column) + GAP.length, -GAP.length);
    if (needed <= width) break;
    columns = columns.filter((column) => column !== name);
  }
  return columns;
}

/** Takes from the widest until it fits; what is cut shows `…`. */
function shrink(widths: number[], room: number): number[] {
  const result = [...widths];
  for (let sum = total(result); sum > room; sum--) {
    const widest = result.indexOf(Math.max(...result));
    if ((result[widest] ?? 0) <= LEAST_CELLS) break;
    result[widest] = (result[widest] ?? 0) - 1;
  }
  return result;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}
