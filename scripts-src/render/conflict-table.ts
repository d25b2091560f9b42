import { type BytePath, type JsonPath, pathToJson, shownPath } from '../platform/byte-path.ts';
import type { ConflictMatrix } from '../workspace/merge/conflict-matrix.ts';
import type { MergeConflict } from '../workspace/merge/merge-trees.ts';

/** Lines in all (promise P7: the coordinator reads little). */
const LINES = 40;
/** Lines that files outside keep, however many conflicts there are. */
const OUTSIDE_LINES = 8;
/** Places of one file, and names in one line. */
const PLACES = 3;
const NAMES = 40;

/** A conflict matrix in at most 40 lines. Pure. */
export function conflictLinesOf(matrix: ConflictMatrix): string[] {
  const clashes = matrix.pairs.flatMap(({ units, conflicts }) =>
    conflicts.map((conflict) => clashLine(units, conflict)),
  );
  const outside = matrix.outside.flatMap(({ unit, paths }) =>
    paths.map((where) => `OUTSIDE ${unit} ${wordOf(where)}`),
  );
  const head = `CONFLICTS units=${matrix.units.length} pairs=${matrix.pairs.length} outside=${outside.length}`;
  // The header, the order, and the line that says how many are missing.
  const room = LINES - 3;
  const shownClashes = clashes.slice(0, room - Math.min(outside.length, OUTSIDE_LINES));
  const shownOutside = outside.slice(0, room - shownClashes.length);
  const missing = [clashes.length - shownClashes.length, outside.length - shownOutside.length] as const;
  return [
    head,
    ...shownClashes,
    ...shownOutside,
    ...(missing[0] + missing[1] > 0
      ? [`MORE conflicts=${missing[0]} outside=${missing[1]} (--json has all)`]
      : []),
    orderLine(matrix),
  ];
}

/** A conflict matrix for programs, complete. */
export interface ConflictJson {
  units: { unit: string; store: string; patch: string; base: string; result: string; files: number }[];
  conflicts: {
    units: [string, string];
    path: JsonPath;
    kind: string;
    detail: string;
    /** The places in the file, each with the lines of the first and of the second unit. */
    lines: [[number, number], [number, number]][];
  }[];
  outside: { unit: string; path: JsonPath }[];
  /** These apply cleanly in this order. */
  order: string[];
  leftOut: string[];
}

/** The matrix as JSON prints it. Paths that are no UTF-8 stand in base64. Pure. */
export function conflictJson({ units, pairs, outside, order }: ConflictMatrix): ConflictJson {
  return {
    units: units.map(({ name, delta }) => ({
      unit: name,
      store: delta.store,
      patch: delta.patchFile,
      base: delta.base,
      result: delta.result,
      files: delta.files.length,
    })),
    conflicts: pairs.flatMap(({ units: pair, conflicts }) =>
      conflicts.map(({ path, kind, detail, lines }) => ({
        units: pair,
        path: pathToJson(path),
        kind,
        detail,
        lines: lines.map(({ ours, theirs }) => [ours, theirs] satisfies [[number, number], [number, number]]),
      })),
    ),
    outside: outside.flatMap(({ unit, paths }) => paths.map((path) => ({ unit, path: pathToJson(path) }))),
    order: order.order,
    leftOut: order.leftOut,
  };
}

function clashLine(
  [one, other]: readonly [string, string],
  { path, kind, detail, lines }: MergeConflict,
): string {
  const start = `CONFLICT ${one} ${other} ${wordOf(path)} ${kind}`;
  if (lines.length === 0) return `${start}: ${detail}`;
  const of = (unit: string, side: 'ours' | 'theirs') =>
    `${unit}:${lines
      .slice(0, PLACES)
      .map((place) => place[side].join('-'))
      .join(',')}`;
  const more = lines.length > PLACES ? ` +${lines.length - PLACES} places` : '';
  return `${start} ${of(one, 'ours')} ${of(other, 'theirs')}${more}`;
}

function orderLine({ order: { order, leftOut } }: ConflictMatrix): string {
  return leftOut.length === 0
    ? `ORDER ${listOf(order)}`
    : `NO-ORDER ${listOf(order)} WITHOUT ${listOf(leftOut)}`;
}

function listOf(names: readonly string[]): string {
  const more = names.length > NAMES ? ` +${names.length - NAMES}` : '';
  return names.slice(0, NAMES).join(' ') + more;
}

/** A path as one word of a line: in quotes where it holds a space. */
function wordOf(where: BytePath): string {
  const shown = shownPath(where);
  return shown.includes(' ') && !shown.startsWith('"') ? `"${shown}"` : shown;
}
