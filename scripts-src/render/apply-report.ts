import { type BytePath, type JsonPath, pathToJson, shownPath } from '../platform/byte-path.ts';
import { quoted } from '../workspace/apply/apply-moves.ts';
import type {
  AppliedFile,
  ApplyConflict,
  ApplyEnd,
  SkippedMove,
  UndoEnd,
} from '../workspace/apply/apply-records.ts';
import type { Settled } from '../workspace/apply/settle-target.ts';

/** Lines of files or conflicts (promise P7: the coordinator reads little). */
const LINES = 40;
/** Places of one file, submodules, and names in one line. */
const PLACES = 3;
const MOVES = 10;

/** The words of the command that takes an apply back, by its id. */
export type UndoCommand = (id: string) => string[];

/** What an apply printed: every line, none of them long. `undo` gives the command line that takes an apply back. */
export function applyLines(end: ApplyEnd, undo: UndoCommand): string[] {
  if (end.kind === 'conflict') {
    const lines = end.conflicts.map(conflictLine);
    return [
      `CONFLICTS ${end.conflicts.length} (nothing was changed in ${shownWord(end.root)})`,
      ...bounded(lines, 'conflicts'),
    ];
  }
  const already = end.already.length > 0 ? ` already=${end.already.length}` : '';
  // Where nothing changes nobody needs to know which of the deltas hold something.
  const deltas = end.kind === 'empty' ? end.units.length : end.deltas;
  const counts = `${deltas} files=${end.files.length}${already}`;
  if (end.kind === 'empty') {
    return [
      `EMPTY ${counts} (nothing to change in ${shownWord(end.root)}: everything is there already, or the deltas are empty)`,
      ...moveLines(end.moves),
    ];
  }
  return [
    `${end.kind === 'applied' ? 'APPLIED' : 'WOULD-APPLY'} ${counts}${end.staged ? ' staged' : ''}`,
    ...fileLines(end.files),
    ...moveLines(end.moves),
    ...(end.undo
      ? [
          `UNDO ${shownWord(end.undo.patch)}`,
          `UNDO-COMMAND ${undo(end.undo.id)
            .map((word) => quoted(word))
            .join(' ')}`,
        ]
      : []),
  ];
}

/** What an undo printed. */
export function undoLines(end: UndoEnd): string[] {
  if (end.kind === 'edited') {
    const lines = end.files.map(
      ({ path: where, what }) =>
        `EDITED ${wordOf(where)}: ${what.replace('since it was read', 'since the apply')}`,
    );
    return [
      `EDITED-SINCE ${end.id} files=${end.files.length} (nothing was changed)`,
      ...bounded(lines, 'files'),
    ];
  }
  return [
    `UNDONE ${end.id} files=${end.files.length}`,
    ...fileLines(end.files),
    ...end.indexesLeft.map(
      (file) => `INDEX-LEFT ${shownWord(file)}: something was staged since, see git status`,
    ),
  ];
}

/** What was found of an earlier command that had been killed, one line each; for stderr. */
export function settledLines(settled: readonly Settled[]): string[] {
  return settled.flatMap(({ id, did, left, folder }) => {
    if (did === 'cleared') return [];
    const what =
      did === 'finished' ? 'was complete, and is cleaned up' : 'was interrupted, and is rolled back';
    const names = [...left.paths.map(shownPath), ...left.indexes];
    const more = names.length > PLACES ? ` and ${names.length - PLACES} more` : '';
    const kept =
      names.length > 0
        ? `; left as somebody changed it since: ${names.slice(0, PLACES).join(', ')}${more}; what was there before is kept in ${folder}`
        : '';
    return [`prun apply: an earlier change (${id}) ${what}${kept}`];
  });
}

/** An apply for programs, complete. */
export function applyJson(end: ApplyEnd, undo: UndoCommand): Record<string, unknown> {
  const base = { status: end.kind, tree: end.root, units: end.units, earlier: end.settled.map(settledJson) };
  if (end.kind === 'conflict') return { ...base, conflicts: end.conflicts.map(conflictJson) };
  return {
    ...base,
    deltas: end.deltas,
    files: end.files.map(fileJson),
    already: end.already.map(pathToJson),
    submodules: end.moves.map((move) => ({ ...move, path: pathToJson(move.path) })),
    staged: end.staged,
    undo: end.undo && {
      id: end.undo.id,
      patch: end.undo.patch,
      argv: undo(end.undo.id),
    },
  };
}

/** An undo for programs, complete. */
export function undoJson(end: UndoEnd): Record<string, unknown> {
  const base = { status: end.kind, tree: end.root, id: end.id, earlier: end.settled.map(settledJson) };
  if (end.kind === 'edited') {
    return { ...base, files: end.files.map(({ path: where, what }) => ({ path: pathToJson(where), what })) };
  }
  return { ...base, units: end.units, files: end.files.map(fileJson), indexesLeft: end.indexesLeft };
}

function settledJson({ id, did, left, folder }: Settled): Record<string, unknown> {
  return { id, did, left: { paths: left.paths.map(pathToJson), indexes: left.indexes }, folder };
}

function fileJson({ path: where, status }: AppliedFile): { path: JsonPath; status: string } {
  return { path: pathToJson(where), status };
}

function conflictJson(conflict: ApplyConflict): Record<string, unknown> {
  const { path: where, unit, against, kind, detail, lines } = conflict;
  return {
    path: where === null ? null : pathToJson(where),
    unit: unit === '' ? null : unit,
    against,
    kind,
    detail,
    lines: lines.map(({ ours, theirs }) => ({ against: ours, unit: theirs })),
  };
}

function fileLines(files: readonly AppliedFile[]): string[] {
  const letters = { added: 'A', modified: 'M', deleted: 'D' };
  return bounded(
    files.map(({ path: where, status }) => `${letters[status]} ${shownPath(where)}`),
    'files',
  );
}

function conflictLine({ path: where, unit, against, kind, detail, lines }: ApplyConflict): string {
  const start = [
    'CONFLICT',
    unit === '' ? '-' : spaced(unit),
    spaced(against),
    where === null ? '-' : wordOf(where),
    kind,
  ];
  if (lines.length === 0) return `${start.join(' ')}: ${oneLine(detail)}`;
  const of = (side: 'ours' | 'theirs'): string =>
    lines
      .slice(0, PLACES)
      .map((place) => place[side].join('-'))
      .join(',');
  const more = lines.length > PLACES ? ` +${lines.length - PLACES} places` : '';
  return `${start.join(' ')} ${spaced(unit)}:${of('theirs')} ${spaced(against)}:${of('ours')}${more}`;
}

function moveLines(moves: readonly SkippedMove[]): string[] {
  const lines = moves.map(({ path: where, unit, base, result, commands }) => {
    const to = result === null ? 'was removed' : `stands on ${result.slice(0, 12)}, not ${base.slice(0, 12)}`;
    return `SUBMODULE ${wordOf(where)} ${to} (${unit}); its commit is not applied: ${oneLine(commands.join(' && '))}`;
  });
  return bounded(lines, 'submodules', MOVES);
}

function bounded(lines: readonly string[], what: string, limit = LINES): string[] {
  if (lines.length <= limit) return [...lines];
  return [...lines.slice(0, limit), `MORE ${what}=${lines.length - limit} (--json has all)`];
}

/** A path as one word of a line: in quotes where it holds a space. */
function wordOf(where: BytePath): string {
  const text = shownPath(where);
  return text.includes(' ') && !text.startsWith('"') ? `"${text}"` : text;
}

function spaced(name: string): string {
  return /\s/.test(name) ? JSON.stringify(name) : name;
}

/** A path of the system: as it is, or as a JSON string where it would not stay on its line. */
function shownWord(file: string): string {
  return /[\u0000-\u001f\u007f"]/.test(file) ? JSON.stringify(file) : file;
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, '; ').slice(0, 400);
}
