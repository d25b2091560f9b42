import { pathFromJson, shownPath } from '../platform/byte-path.ts';
import type { DeltaFile, DeltaRecord } from '../workspace/records.ts';

/** Lines about one delta, at most: output for the coordinator is bounded (promise P7). */
const MAX_FILES = 40;
const MAX_NOTES = 10;

/** What is said of an empty delta. */
const CHANGED_NOTHING = 'the unit changed nothing against its base';

const LETTER: Readonly<Record<DeltaFile['status'], string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  'type-changed': 'T',
};

/** A line about a delta: its first word, and the rest. */
export type DetailLine = readonly [word: string, rest: string];

/** Everything that there is to say of a delta beside its counts, by kind. */
export interface DeltaDetails {
  empty: DetailLine[];
  files: DetailLine[];
  moves: DetailLine[];
  /** `LOST` and `NOTE` lines. */
  problems: DetailLine[];
  commits: DetailLine[];
  outside: DetailLine[];
  ignored: DetailLine[];
  repository: DetailLine[];
}

/** How many files a delta has, by what became of them, and what is lost. */
export interface DeltaCounts {
  files: number;
  added: number;
  modified: number;
  deleted: number;
  commits: number;
  lost: number;
}

/** A delta in lines: counts, patch, files, and what needs somebody's eye. `patch` is the path to show. Pure. */
export function deltaLines(record: DeltaRecord, patch: string): string[] {
  const { empty, files, moves, problems, commits, outside, ignored, repository } = deltaDetails(record);
  return [
    ...headLines(record, patch),
    ...empty.map(text),
    ...bounded(files, MAX_FILES),
    ...bounded(moves, MAX_NOTES),
    ...bounded(problems, MAX_NOTES),
    ...bounded(commits, MAX_NOTES),
    ...bounded(outside, MAX_NOTES),
    ...bounded(ignored, MAX_NOTES),
    ...bounded(repository, MAX_NOTES),
  ];
}

/** Whether a unit changed nothing against its base. Pure. */
export function isEmptyDelta({ files, moves }: Pick<DeltaRecord, 'files' | 'moves'>): boolean {
  return files.length + moves.length === 0;
}

/** The line that every delta has, and its patch, where there is something in it. Pure. */
export function headLines(record: DeltaRecord, patch: string): string[] {
  const counts = `DELTA ${record.unit} ${countsText(deltaCounts(record))}`;
  return isEmptyDelta(record) ? [counts] : [counts, `PATCH ${patch}`];
}

/** The counts of a DELTA line. Pure. */
export function countsText({ files, added, modified, deleted, commits, lost }: DeltaCounts): string {
  return `files=${files} added=${added} modified=${modified} deleted=${deleted} commits=${commits} lost=${lost}`;
}

/** Counts a delta. Pure. */
export function deltaCounts({ files, commits, problems }: DeltaRecord): DeltaCounts {
  const count = (status: DeltaFile['status']): number =>
    files.filter((file) => file.status === status).length;
  return {
    files: files.length,
    added: count('added'),
    modified: count('modified') + count('type-changed'),
    deleted: count('deleted'),
    commits: commits.length,
    lost: problems.filter((problem) => problem.lost).length,
  };
}

/** The lines of a delta. Pure. */
export function deltaDetails(record: DeltaRecord): DeltaDetails {
  const { unit, files, moves, commits, problems, ignored, outside, repository } = record;
  return {
    empty: isEmptyDelta(record) ? [['EMPTY', CHANGED_NOTHING]] : [],
    files: files.map((file) => [LETTER[file.status], `${shown(file.path)}${modeNote(file)}`]),
    moves: moves.map(({ path, base, result }) => [
      'SUBMODULE',
      `${shown(path)} ${short(base)} -> ${result === null ? 'deleted' : short(result)}`,
    ]),
    problems: problems.map(({ path, what, lost }) => [lost ? 'LOST' : 'NOTE', `${shown(path)} ${what}`]),
    commits: commits.map(({ id, subject }) => [
      'COMMIT',
      `${short(id)} ${subject.replace(/\p{Cc}+/gu, ' ').slice(0, 100)}`,
    ]),
    outside: outside.map((path) => ['OUTSIDE', `${shown(path)} is not what ${unit} owns`]),
    ignored: ignored.map((path) => ['IGNORED', `${shown(path)} is not in the delta (--include takes it)`]),
    repository: repository.map((change) => ['REPOSITORY', change]),
  };
}

function shown(path: DeltaFile['path']): string {
  return shownPath(pathFromJson(path));
}

function modeNote({ oldMode, newMode }: DeltaFile): string {
  return oldMode !== null && newMode !== null && oldMode !== newMode
    ? ` (mode ${oldMode} -> ${newMode})`
    : '';
}

function short(id: string): string {
  return id.slice(0, 12);
}

function text([word, rest]: DetailLine): string {
  return `${word} ${rest}`;
}

function bounded(lines: readonly DetailLine[], limit: number): string[] {
  if (lines.length <= limit) return lines.map(text);
  const word = lines[0]?.[0] ?? '';
  const kind = word.length > 1 ? ` ${word}` : '';
  return [
    ...lines.slice(0, limit).map(text),
    `… and ${lines.length - limit} more${kind} lines: --json has all`,
  ];
}
