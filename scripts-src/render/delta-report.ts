import { pathFromJson, shownPath } from '../platform/byte-path.ts';
import type { DeltaFile, DeltaRecord } from '../workspace/records.ts';

/** Lines about one delta, at most: output for the coordinator is bounded (promise P7). */
const MAX_FILES = 40;
const MAX_NOTES = 10;

const LETTER: Readonly<Record<DeltaFile['status'], string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  'type-changed': 'T',
};

/** A delta in lines: counts, patch, files, and what needs somebody's eye. `patch` is the path to show. Pure. */
export function deltaLines(record: DeltaRecord, patch: string): string[] {
  const { files, moves, commits, problems, ignored, outside, repository } = record;
  const count = (status: DeltaFile['status']): number =>
    files.filter((file) => file.status === status).length;
  const changed = count('modified') + count('type-changed');
  const lost = problems.filter((problem) => problem.lost).length;
  return [
    `DELTA ${record.unit} files=${files.length} added=${count('added')} modified=${changed} deleted=${count('deleted')} commits=${commits.length} lost=${lost}`,
    `PATCH ${patch}`,
    ...(files.length + moves.length === 0 ? ['EMPTY the unit changed nothing against its base'] : []),
    ...bounded(
      files.map((file) => `${LETTER[file.status]} ${shown(file.path)}${modeNote(file)}`),
      MAX_FILES,
    ),
    ...bounded(
      moves.map(
        ({ path, base, result }) =>
          `SUBMODULE ${shown(path)} ${short(base)} -> ${result === null ? 'deleted' : short(result)}`,
      ),
      MAX_NOTES,
    ),
    ...bounded(
      problems.map(({ path, what, lost: isLost }) => `${isLost ? 'LOST' : 'NOTE'} ${shown(path)} ${what}`),
      MAX_NOTES,
    ),
    ...bounded(
      commits.map(
        ({ id, subject }) => `COMMIT ${short(id)} ${subject.replace(/\p{Cc}+/gu, ' ').slice(0, 100)}`,
      ),
      MAX_NOTES,
    ),
    ...bounded(
      outside.map((path) => `OUTSIDE ${shown(path)} is not what ${record.unit} owns`),
      MAX_NOTES,
    ),
    ...bounded(
      ignored.map((path) => `IGNORED ${shown(path)} is not in the delta (--include takes it)`),
      MAX_NOTES,
    ),
    ...bounded(
      repository.map((change) => `REPOSITORY ${change}`),
      MAX_NOTES,
    ),
  ];
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

function bounded(lines: readonly string[], limit: number): string[] {
  if (lines.length <= limit) return [...lines];
  const word = lines[0]?.split(' ', 1)[0] ?? '';
  const kind = word.length > 1 ? ` ${word}` : '';
  return [...lines.slice(0, limit), `… and ${lines.length - limit} more${kind} lines: --json has all`];
}
