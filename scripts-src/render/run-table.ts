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
/** What gives way on a narrow terminal, in this order: a column down to so many cells, or with 0 all of it. */
const YIELDS: readonly (readonly [Column, number])[] = [
  ['repository', 10],
  ['run', 16],
  ['units', 20],
  ['repository', 0],
  ['units', 8],
  ['disk', 0],
  ['run', 6],
  ['units', 0],
  ['age', 0],
];

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
  const tooMany = (): number => {
    const shown = COLUMNS.filter((column) => cells[column] > 0);
    return shown.reduce((sum, column) => sum + cells[column] + GAP.length, -GAP.length) - width;
  };
  for (const [column, least] of YIELDS) {
    const over = tooMany();
    if (over <= 0) break;
    if (least === 0) cells[column] = 0;
    else cells[column] = Math.min(cells[column], Math.max(least, cells[column] - over));
  }
  return cells;
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
