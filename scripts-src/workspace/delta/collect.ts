import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, type JsonPath, pathFromJson, pathToJson } from '../../platform/byte-path.ts';
import { wallTime } from '../../platform/clock.ts';
import { EXIT, PrunError } from '../../platform/errors.ts';
import { writeAtomic } from '../../platform/files.ts';
import type { GitPlace } from '../../platform/git.ts';
import { nullIdOf } from '../base/index-entries.ts';
import { flatten } from '../base/snapshot-source.ts';
import {
  type BaseRecord,
  type DeltaFile,
  type DeltaRecord,
  WORKSPACE_SCHEMA,
  type WorkspaceRecord,
} from '../records.ts';
import { compareWithKept } from '../tripwire/kept-tripwire.ts';
import { changeLine } from '../tripwire/repository-change.ts';
import {
  baseOf,
  presenceOf,
  SET_FILES,
  storeOf,
  UNIT_FILES,
  unitFolder,
  type WorkspaceSet,
} from '../workspace-set.ts';
import { type ChangedFile, changedFiles } from './load-delta.ts';
import { outsideOf } from './owns.ts';
import { type SubmoduleMove, writePatch } from './patch-file.ts';
import { liesIn, type TakeProblem } from './take-files.ts';
import { type Included, type Part, partsOf, takeParts } from './take-workspace.ts';
import { branchCommits, type WorkerCommits, workerCommits } from './worker-commits.ts';

const MAX_IGNORED = 200;

/** How a delta is taken. */
export interface CollectOptions {
  /** New files at ignored paths belong to it as well: all, or what lies at these paths. */
  ignored: Included;
}

/**
 * Takes a unit's delta: the files of its workspace now against the base, as two trees in the set's store, with a patch
 * and a record beside the workspace's other records. The workspace is not changed, and its own git folder is not
 * needed: whatever the worker did to it, the delta is right. What cannot be in a delta is named. Throws PrunError
 * where the workspace's folder has gone.
 */
export async function collectDelta(
  set: WorkspaceSet,
  workspace: WorkspaceRecord,
  options: CollectOptions,
): Promise<DeltaRecord> {
  requireFiles(set, workspace);
  const scratch = mkdtempSync(path.join(unitFolder(set, workspace.unit), '.collect-'));
  try {
    const parts = partsOf(set, workspace, scratch);
    const taken = await takeParts(set, parts, options);
    const commits = await Promise.all(parts.map((part) => commitsOf(set, workspace, part)));
    const submodules = taken.trees
      .slice(1)
      .map((tree, n) => ({ path: parts[n + 1]?.path, snapshot: { tree } }));
    const result = await flatten(
      parts[0]?.place ?? { gitDir: storeOf(set), indexFile: path.join(scratch, 'none') },
      taken.trees[0] ?? workspace.base,
      submodules.flatMap(({ path: where, snapshot }) =>
        where === undefined ? [] : [{ path: where, snapshot }],
      ),
      nullIdOf(set.record.objectFormat),
    );
    const place: GitPlace = { gitDir: storeOf(set) };
    const files = await changedFiles(place, workspace.base, result);
    const moves = movesOf(
      baseOf(set, workspace.unit).record,
      parts,
      commits.map(({ head }) => head),
    );
    // Whoever removes the files has archived them all; what was seen here may be the rest of them.
    requireFiles(set, workspace);
    const patch = path.join(unitFolder(set, workspace.unit), UNIT_FILES.patch);
    const header = {
      unit: workspace.unit,
      set: set.record.id,
      base: workspace.base,
      result,
      store: storeOf(set),
    };
    const bytes = await writePatch(place, header, moves, patch);
    const record: DeltaRecord = {
      schema: WORKSPACE_SCHEMA,
      unit: workspace.unit,
      set: set.record.id,
      base: workspace.base,
      result,
      files: files.map(describeFile),
      moves: moves.map((move) => ({ ...move, path: pathToJson(move.path) })),
      commits: commits.flatMap(({ commits: own }) => own),
      problems: [...taken.problems, ...commits.flatMap(({ problems }) => problems)].map(describeProblem),
      included: { everything: options.ignored.everything, paths: options.ignored.paths.map(pathToJson) },
      ignored: newIgnored(workspace, taken.ignored).map(pathToJson),
      outside: outsideOf(
        workspace.owns,
        files.map(({ path: where }) => where),
      ).map(pathToJson),
      patch: { path: patch, bytes },
      repository: repositoryChanges(set, workspace),
      collectedAt: wallTime(),
    };
    const file = path.join(unitFolder(set, workspace.unit), UNIT_FILES.delta);
    writeAtomic(file, `${JSON.stringify(record, null, 2)}\n`);
    return record;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What was brought along by --warm is no news. */
function newIgnored({ warm }: WorkspaceRecord, ignored: readonly BytePath[]): BytePath[] {
  const brought = warm.map(pathFromJson);
  return ignored
    .filter((where) => !liesIn(brought, where.replace(/\/$/, '') as BytePath))
    .slice(0, MAX_IGNORED);
}

function requireFiles(set: WorkspaceSet, workspace: WorkspaceRecord): void {
  const presence = presenceOf(set, workspace);
  if (presence === 'there') return;
  const what = {
    gone: 'is gone',
    replaced: 'is no folder any more',
    elsewhere: 'lies behind a symlink, outside its run',
    removing: 'is being removed, or its removal was interrupted',
  }[presence];
  const kept = path.join(unitFolder(set, workspace.unit), UNIT_FILES.patch);
  const next = existsSync(kept)
    ? `the delta that was collected earlier is in ${kept}`
    : 'run the unit again in a new clone';
  throw new PrunError(
    'E_WORKSPACE_GONE',
    `the workspace ${workspace.folder} ${what}: no delta can be taken of it`,
    presence === 'removing' ? `${next}; prun cleanup finishes the removal` : next,
    EXIT.unitFailed,
  );
}

async function commitsOf(set: WorkspaceSet, workspace: WorkspaceRecord, part: Part): Promise<WorkerCommits> {
  if (workspace.mode === 'worktree' && part.n === 0) return branchCommits(set, workspace.unit);
  const { folder } = baseOf(set, workspace.unit);
  const template = path.join(folder, SET_FILES.templates, String(part.n));
  return workerCommits({ gitDir: storeOf(set) }, part.gitDir, template, part.path);
}

function movesOf(
  base: BaseRecord,
  parts: readonly Part[],
  heads: readonly (string | null)[],
): SubmoduleMove[] {
  return base.submodules.flatMap((submodule, n): SubmoduleMove[] => {
    const part = parts[n + 1];
    if (!part) return [];
    const head = heads[n + 1] ?? null;
    if (!part.isThere) return [{ path: part.path, base: submodule.commit, result: null }];
    // Without a git folder nobody can tell where it stands; that is named as a problem.
    return head === null || head === submodule.commit
      ? []
      : [{ path: part.path, base: submodule.commit, result: head }];
  });
}

function describeFile({ path: where, oldMode, newMode }: ChangedFile): DeltaFile {
  const kind = (mode: string): string => mode.slice(0, 3);
  const status =
    oldMode === null
      ? 'added'
      : newMode === null
        ? 'deleted'
        : kind(oldMode) === kind(newMode)
          ? 'modified'
          : 'type-changed';
  return { status, path: pathToJson(where), oldMode, newMode };
}

function describeProblem({ path: where, what, lost }: TakeProblem): {
  path: JsonPath;
  what: string;
  lost: boolean;
} {
  return { path: pathToJson(where), what, lost };
}

function repositoryChanges(set: WorkspaceSet, workspace: WorkspaceRecord): string[] {
  const kept = path.join(unitFolder(set, workspace.unit), UNIT_FILES.repository);
  return (compareWithKept(kept)?.changes ?? []).map(changeLine);
}
