import { closeSync, copyFileSync, linkSync, openSync, unlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import type { BytePath } from '../../platform/byte-path.ts';
import { errnoOf, PrunError, usageError } from '../../platform/errors.ts';
import { PRIVATE_FILE } from '../../platform/files.ts';
import type { AppliedFile, UndoEnd } from './apply-records.ts';
import { sameEntries } from './apply-stage.ts';
import {
  type IndexChange,
  type Journal,
  journalFolder,
  keptFile,
  listJournals,
  type PathChange,
  readChangeList,
  readIndexChanges,
} from './change-journal.ts';
import { NO_LINKS } from './move-file.ts';
import { lookAt, type ObjectFormat, type PathState, readPath, type SeenPath } from './path-state.ts';
import type { TreeFile, WantedPath } from './plan-change.ts';
import { keepIndex } from './replace-index.ts';
import type { Settled } from './settle-target.ts';
import type { FillContent } from './stage-content.ts';
import { type ChangeIntent, changeTree, type HeldTarget, holdTarget } from './tree-change.ts';

/** What is to be undone. */
export interface UndoRequest {
  host: ChangeIntent['host'];
  stateHome: string;
  /** Top of the working tree, links resolved. */
  root: string;
  /** Id of the apply; the newest one that is not undone when left out. */
  id: string | undefined;
  signal?(): string | undefined;
}

/**
 * Takes an apply back: every touched path gets the bytes and bits that it had before. Nothing is changed where any of
 * them is not as the apply left it. Throws a usage error where there is nothing to undo.
 */
export async function undoApply(request: UndoRequest): Promise<UndoEnd> {
  const { host, stateHome, root } = request;
  const settled: Settled[] = [];
  // Asked once before the target is held, so that a wrong call does not touch it.
  const known = findApply(stateHome, root, request.id, true);
  return holdTarget(
    {
      host,
      stateHome,
      root,
      kind: 'undo',
      of: known.id,
      units: known.units,
      objectFormat: known.objectFormat,
      onSettled: (more) => settled.push(...more),
    },
    async (held) => {
      const apply = findApply(stateHome, root, request.id, false);
      if (apply.id !== known.id) {
        throw new PrunError(
          'E_BUSY',
          `${root} was changed by another prun apply meanwhile`,
          'run it again',
          1,
        );
      }
      return undo(held, apply, request, settled);
    },
  );
}

async function undo(
  held: HeldTarget,
  apply: Journal,
  request: UndoRequest,
  settled: Settled[],
): Promise<UndoEnd> {
  const folder = journalFolder(request.stateHome, apply.id);
  const list = readChangeList(folder);
  if (!list) throw new PrunError('E_JOURNAL', `${folder} has lost its list of changes`, 'restore it', 1);
  const wanted = list.changes.map(reversed);
  const contents = new Map(list.changes.map((change, n) => [change.path, keptFile(folder, n)]));
  let indexesLeft: string[] = [];
  const result = await changeTree(held, {
    wanted,
    fill: fillFromFiles(contents, apply.objectFormat),
    foldersThatGo: new Set(list.foldersMade),
    folderPerms: new Map(list.foldersRemoved.map(({ path: where, perm }) => [where, perm])),
    stageIndexes: async () => {
      const indexes = await indexesBack(folder, held.place.folder);
      indexesLeft = indexes.left;
      return indexes.changes;
    },
    ...(request.signal ? { signal: request.signal } : {}),
  });
  if (result.kind === 'refused') {
    return { kind: 'edited', root: request.root, id: apply.id, files: result.obstacles, settled };
  }
  return {
    kind: 'undone',
    root: request.root,
    id: apply.id,
    units: apply.units,
    files: result.plan.list.changes.map(fileOf),
    indexesLeft,
    settled,
  };
}

function findApply(stateHome: string, root: string, id: string | undefined, isEarly: boolean): Journal {
  const applies = listJournals(stateHome, root).filter(({ kind }) => kind === 'apply');
  if (id !== undefined) {
    const asked = applies.find((one) => one.id === id);
    if (asked?.state === 'done' || (isEarly && asked?.state === 'changing')) return asked;
    throw asked?.state === 'undone'
      ? usageError(`apply ${id} was undone already (${asked.endedAt})`, 'there is nothing left to do')
      : usageError(
          `there is no apply ${id} on ${root}`,
          applies.length > 0
            ? `known are: ${applies
                .map((one) => one.id)
                .slice(-5)
                .join(', ')}`
            : 'see --to',
        );
  }
  const newest = applies.filter(({ state }) => state === 'done').at(-1);
  if (newest) return newest;
  const undone = applies.filter(({ state }) => state === 'undone').at(-1);
  throw undone
    ? usageError(
        `every apply on ${root} is undone, the last one (${undone.id}) at ${undone.endedAt}`,
        'there is nothing left to do',
      )
    : usageError(
        `nothing was applied to ${root}`,
        `give the same --to and --state-home as prun apply (${stateHome})`,
      );
}

function reversed({ path: where, before, after }: PathChange): WantedPath {
  return { path: where, before: treeFileOf(after), after: treeFileOf(before) };
}

function treeFileOf(state: PathState): TreeFile | null {
  if (state.kind === 'none') return null;
  if (state.kind === 'symlink') return { mode: '120000', id: state.id };
  const { perm, uid, gid } = state;
  return { mode: perm & 0o100 ? '100755' : '100644', id: state.id, exact: { perm, uid, gid } };
}

function fileOf({ path: where, before, after }: PathChange): AppliedFile {
  if (before.kind === 'none') return { path: where, status: 'added' };
  return { path: where, status: after.kind === 'none' ? 'deleted' : 'modified' };
}

/**
 * Contents from the files in which the apply kept them, each hashed. Where the very file of before was kept, it gets a
 * second name and goes back itself, with everything that a copy would lose.
 */
function fillFromFiles(files: ReadonlyMap<BytePath, string>, format: ObjectFormat): FillContent {
  return async (wishes) => {
    for (const wish of wishes) {
      const from = files.get(wish.path) ?? '';
      if (isTheVeryFile(from, wish.after)) {
        if (!holds(readPath(from, format), wish.id)) throw changedSince(from);
        if (giveName(from, wish.file)) continue;
      }
      const fd = openSync(wish.file, 'r+');
      try {
        if (!holds(readPath(from, format, fd), wish.id)) throw changedSince(from);
      } finally {
        closeSync(fd);
      }
    }
  };
}

function holds(kept: SeenPath | undefined, id: string): boolean {
  return kept?.state.kind === 'file' && kept.state.id === id;
}

function isTheVeryFile(kept: string, { exact }: TreeFile): boolean {
  const stat = lookAt(kept);
  if (!stat?.isFile() || stat.nlink !== 1n || !exact || process.platform === 'win32') return false;
  const bits = Number(stat.mode & 0o7777n);
  return bits === exact.perm && Number(stat.uid) === exact.uid && Number(stat.gid) === exact.gid;
}

/** False where the file system has no second names. Its time is now: a build must see that it changed. */
function giveName(kept: string, file: string): boolean {
  unlinkSync(file);
  try {
    linkSync(kept, file);
  } catch (error) {
    if (!NO_LINKS.includes(errnoOf(error) ?? '') && errnoOf(error) !== 'EXDEV') throw error;
    closeSync(openSync(file, 'wx', PRIVATE_FILE));
    return false;
  }
  const now = new Date();
  utimesSync(file, now, now);
  return true;
}

function changedSince(kept: string): PrunError {
  return new PrunError(
    'E_KEPT',
    `${kept} is not what was kept any more`,
    'nothing was changed; the undo patch beside it may still apply: git apply undo.patch',
    1,
  );
}

/** The index files of before the apply, where they still say what the apply left in them. */
async function indexesBack(
  applied: string,
  undoing: string,
): Promise<{ changes: IndexChange[]; left: string[] }> {
  const changes: IndexChange[] = [];
  const left: string[] = [];
  for (const [n, { file, before, after }] of readIndexChanges(applied).entries()) {
    const gitDir = path.dirname(file);
    const now = keepIndex(file, undoing, `index-before-${n}`);
    const isSame = await sameEntries(
      gitDir,
      now && path.join(undoing, now),
      after && path.join(applied, after),
    );
    if (!isSame) {
      left.push(file);
      continue;
    }
    const name = before === null ? null : `index-after-${n}`;
    if (before !== null) copyFileSync(path.join(applied, before), path.join(undoing, `index-after-${n}`));
    changes.push({ file, before: now, after: name });
  }
  return { changes, left };
}
