import { type BytePath, shownPath } from '../../platform/byte-path.ts';
import type { RawMerge, UnmergedEntry } from './merge-output.ts';

/** How two sides clash; git's own words, more exact for what git calls `contents`. */
export type ConflictKind =
  | 'content'
  | 'add/add'
  | 'modify/delete'
  | 'rename/delete'
  | 'rename/rename'
  | 'file/directory'
  | 'mode'
  | 'binary'
  | 'symlink'
  | 'other';

/** A clash at one path, before its lines are known. */
export interface FoundConflict {
  path: BytePath;
  kind: ConflictKind;
  /** One line for people. */
  detail: string;
  /** The three versions, where lines can clash. */
  blobs: { base: string | null; ours: string; theirs: string } | undefined;
}

/** One side of a merge: the name that people know it by, and the commit that git knew it by. */
export interface NamedSide {
  name: string;
  commit: string;
}

type Stages = Map<number, UnmergedEntry>;

/** Types of git's messages (merge-ort.c), the telling one first: a path may have several. */
const KINDS: readonly (readonly [string, ConflictKind])[] = [
  ['CONFLICT (file/directory)', 'file/directory'],
  ['CONFLICT (distinct modes)', 'mode'],
  ['CONFLICT (rename/rename)', 'rename/rename'],
  ['CONFLICT (rename collides)', 'rename/rename'],
  ['CONFLICT (rename/delete)', 'rename/delete'],
  ['CONFLICT (modify/delete)', 'modify/delete'],
  ['CONFLICT (binary)', 'binary'],
  ['CONFLICT (contents)', 'content'],
];

/** The path of what git says of none. */
const NOWHERE = '' as BytePath;

/**
 * What clashes in a merge, one conflict a path, sorted by path. Every unmerged path is covered, also where git says
 * nothing that is known here. Pure.
 */
export function conflictsOf(merge: RawMerge, ours: NamedSide, theirs: NamedSide): FoundConflict[] {
  const plain = (where: BytePath) => withoutSide(where, [ours.commit, theirs.commit]);
  const stages = new Map<BytePath, Stages>();
  for (const entry of merge.entries) {
    const where = plain(entry.path);
    stages.set(where, (stages.get(where) ?? new Map()).set(entry.stage, entry));
  }
  const found = new Map<BytePath, FoundConflict>();
  const covered = new Set<BytePath>();
  for (const [type, kind] of KINDS) {
    for (const message of merge.messages.filter((said) => said.type === type)) {
      const paths = [...new Set(message.paths.map(plain))];
      if (paths[0] === undefined || covered.has(paths[0])) continue;
      // git 2.39 says so too of a file that one side made a folder and the other did not touch, where it has to look
      // at renames elsewhere; it then deletes the file, and nothing is left unmerged.
      if (kind === 'file/directory' && !stages.has(paths[0])) continue;
      for (const where of paths) covered.add(where);
      const conflict = describe(kind, paths, stages, [ours.name, theirs.name]);
      found.set(conflict.path, conflict);
    }
  }
  const unknown = merge.messages.filter(
    ({ type }) => type.startsWith('CONFLICT') && KINDS.every(([known]) => known !== type),
  );
  for (const { paths, type } of [
    ...unknown,
    ...merge.entries.map((entry) => ({ paths: [entry.path], type: '' })),
  ]) {
    const where = plain(paths[0] ?? NOWHERE);
    if (covered.has(where)) continue;
    covered.add(where);
    const detail = `git cannot merge it${type === '' ? '' : ` (${type.slice(0, 100)})`}`;
    found.set(where, { path: where, kind: 'other', detail, blobs: undefined });
  }
  if (found.size === 0) {
    const where = plain(merge.messages.find(({ type }) => type.startsWith('CONFLICT'))?.paths[0] ?? NOWHERE);
    found.set(where, { path: where, kind: 'other', detail: 'git cannot merge it', blobs: undefined });
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function describe(
  kind: ConflictKind,
  paths: readonly BytePath[],
  stages: ReadonlyMap<BytePath, Stages>,
  [ours, theirs]: readonly [string, string],
): FoundConflict {
  const [where = '' as BytePath] = paths;
  const here: Stages = stages.get(where) ?? new Map();
  const isOurs = here.has(2);
  const [one, other] = isOurs ? [ours, theirs] : [theirs, ours];
  const plain = (detail: string): FoundConflict => ({ path: where, kind, detail, blobs: undefined });
  switch (kind) {
    case 'content':
      return describeContents(where, here, [ours, theirs]);
    case 'binary':
      return plain('both changed it, and it is a binary file');
    case 'modify/delete':
      return plain(`${one} changed it, ${other} deleted it`);
    case 'file/directory':
      return plain(`${one} has a file here, ${other} a folder`);
    case 'mode':
      return plain(`${ours} made it ${typeName(here.get(2))}, ${theirs} ${typeName(here.get(3))}`);
    case 'rename/delete': {
      // The versions lie at the new path; the old one is the name that both units know.
      const renamed = paths.find((each) => stages.get(each)?.has(2) || stages.get(each)?.has(3)) ?? where;
      const old = paths.find((each) => each !== renamed) ?? where;
      const renamer = stages.get(renamed)?.has(2) ? ours : theirs;
      const deleter = renamer === ours ? theirs : ours;
      return { ...plain(`${renamer} renamed it to ${shownPath(renamed)}, ${deleter} deleted it`), path: old };
    }
    case 'rename/rename': {
      const newNames = paths.slice(1).map(shownPath);
      if (newNames.length < 2) return plain('a renamed file meets another file of this name');
      const oursFirst = stages.get(paths[1] ?? where)?.has(2) ?? true;
      const [mine, their] = oursFirst ? newNames : newNames.reverse();
      return plain(`${ours} renamed it to ${mine}, ${theirs} to ${their}`);
    }
    default:
      return plain('git cannot merge it');
  }
}

/** What git calls `contents`: lines, but also links, and modes of a file that both sides added. */
function describeContents(
  where: BytePath,
  here: Stages,
  [ours, theirs]: readonly [string, string],
): FoundConflict {
  const [base, mine, their] = [here.get(1), here.get(2), here.get(3)];
  const plain = (kind: ConflictKind, detail: string) => ({ path: where, kind, detail, blobs: undefined });
  if (!mine || !their) return plain('content', 'both changed it');
  if (mine.mode === '120000') return plain('symlink', 'both changed where this symbolic link points');
  if (mine.id === their.id) {
    return plain('mode', `${ours} made it ${typeName(mine)}, ${theirs} ${typeName(their)}`);
  }
  const blobs = { base: base?.id ?? null, ours: mine.id, theirs: their.id };
  return base
    ? { path: where, kind: 'content', detail: 'both changed the same lines', blobs }
    : { path: where, kind: 'add/add', detail: 'both added it, with different content', blobs };
}

function typeName(entry: UnmergedEntry | undefined): string {
  const names: Record<string, string> = {
    '100644': 'a plain file',
    '100755': 'an executable file',
    '120000': 'a symbolic link',
  };
  return names[entry?.mode ?? ''] ?? 'something else';
}

/** Where both a file and a folder need a name, git calls the file `name~<commit>`, or `name~<commit>_<n>`. */
function withoutSide(where: BytePath, commits: readonly string[]): BytePath {
  for (const commit of commits) {
    const at = where.lastIndexOf(`~${commit}`);
    if (at > 0 && /^(?:_\d+)?$/.test(where.slice(at + 1 + commit.length)))
      return where.slice(0, at) as BytePath;
  }
  return where;
}
