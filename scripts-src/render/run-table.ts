import { cellsOf, fitCells, fitMiddle } from './cells.ts';
import type { Paint, Tone } from './paint.ts';

/** One run, or something else that takes space, in the table of runs. */
export interface RunRow {
  run: string;
  state: string;
  tone: Tone;
  age: string;
  /** Its units by state, or why it is no run. */
  units: string;
  disk: string;
  /** Name of its repository, empty without one. */
  repository: string;
}

type Column = Exclude<keyof RunRow, 'tone'>;

const COLUMNS: readonly Column[] = ['run', 'state', 'age', 'units', 'disk', 'repository'];
const NUMBERS: readonly Column[] = ['age', 'disk'];
const GAP = '  ';
/** What a narrow terminal does without, in this order, and how far the others are cut before the next one goes. */
const DISPENSABLE: readonly Column[] = ['repository', 'disk', 'units', 'age'];
const LEAST: Readonly<Partial<Record<Column, number>>> = { repository: 10, run: 12, units: 16 };
/** Where nothing else is left to go: a name is cut so far. */
const LEAST_NAME = 4;

/** The runs as an aligned table of at most `width` cells, below a line of titles. Pure. */
export function runTable(rows: readonly RunRow[], width: number, paint: Paint): string[] {
  const clean = rows.map(cleanRow);
  const cells = cellsFor(clean, width);
  const columns = COLUMNS.filter((column) => cells[column] > 0);
  const title = columns.map((column) => padded(column, column, cells[column])).join(GAP);
  return [
    paint('faint', fitCells(title.trimEnd(), width)),
    ...clean.map((row) => {
      const texts = columns.map((column) => padded(row[column], column, cells[column]));
      const plain = fitCells(texts.join(GAP).trimEnd(), width);
      // Colour comes last: with it a text has no width any more.
      const at = (texts[0] ?? '').length + GAP.length;
      const end = at + row.state.length;
      return plain.length < end || columns[1] !== 'state'
        ? plain
        : plain.slice(0, at) + paint(row.tone, plain.slice(at, end)) + plain.slice(end);
    }),
  ];
}

function cellsFor(rows: readonly RunRow[], width: number): Record<Column, number> {
  const needed = (column: Column): number => {
    const most = Math.max(0, ...rows.map((row) => cellsOf(row[column])));
    return most === 0 ? 0 : Math.max(column.length, most);
  };
  const cells: Record<Column, number> = {
    run: needed('run'),
    state: needed('state'),
    age: needed('age'),
    units: needed('units'),
    disk: needed('disk'),
    repository: needed('repository'),
  };
  for (const next of [...DISPENSABLE, undefined]) {
    const fitted = cutTo(cells, width);
    if (fitted !== undefined) return fitted;
    if (next !== undefined) cells[next] = 0;
  }
  const others = spaceOf({ ...cells, run: 0 });
  return { ...cells, run: Math.min(cells.run, Math.max(LEAST_NAME, width - others - GAP.length)) };
}

/** The columns, those cut that may be, one after the other; undefined where that is not enough. */
function cutTo(cells: Readonly<Record<Column, number>>, width: number): Record<Column, number> | undefined {
  const cut = { ...cells };
  for (const column of ['repository', 'run', 'units'] as const) {
    const over = spaceOf(cut) - width;
    if (over > 0) cut[column] = Math.max(Math.min(LEAST[column] ?? 0, cut[column]), cut[column] - over);
  }
  return spaceOf(cut) <= width ? cut : undefined;
}

/** Cells of a line with these columns; one of no cells is not there. */
function spaceOf(cells: Readonly<Record<Column, number>>): number {
  const shown = COLUMNS.filter((column) => cells[column] > 0);
  return shown.reduce((sum, column) => sum + cells[column] + GAP.length, -GAP.length);
}

function padded(text: string, column: Column, width: number): string {
  const fitted = column === 'units' ? fitCells(text, width) : fitMiddle(text, width);
  const filler = ' '.repeat(Math.max(0, width - cellsOf(fitted)));
  return NUMBERS.includes(column) ? filler + fitted : fitted + filler;
}

function cleanRow(row: RunRow): RunRow {
  const clean = { ...row };
  for (const column of COLUMNS) clean[column] = row[column].replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return clean;
}
