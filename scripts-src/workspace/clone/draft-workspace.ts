import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { wallTime } from '../../platform/clock.ts';
import { errnoOf, type PrunError, usageError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { PRIVATE_DIR, PRIVATE_FILE, writeAtomic } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import { WORKSPACE_SCHEMA, type WorkspaceRecord } from '../records.ts';
import { readWorkspace, SET_FILES, UNIT_FILES, unitFolder, type WorkspaceSet } from '../workspace-set.ts';

/**
 * A workspace that is being made under a name that nobody looks at. It becomes the unit's by `publishWorkspace`; until
 * then nothing of it counts.
 */
export interface DraftWorkspace {
  unit: string;
  /** The files, where they are now. */
  folder: string;
  /** prun's own files about it, where they are now. */
  records: string;
}

/** Makes the folders of a draft. Throws a usage error where the unit has a workspace already. */
export function makeDraft(set: WorkspaceSet, unit: string): DraftWorkspace {
  refuseTaken(set, unit);
  const name = `.${unit}-${process.pid}-${randomHex(8)}.draft`;
  const draft = {
    unit,
    folder: path.join(set.folder, SET_FILES.clones, name),
    records: path.join(set.folder, SET_FILES.units, name),
  };
  for (const folder of [draft.folder, draft.records]) mkdirSync(folder, { mode: PRIVATE_DIR });
  return draft;
}

/** Removes what there is of a draft. */
export function discardDraft({ folder, records }: DraftWorkspace): void {
  for (const left of [folder, records]) rmSync(left, { recursive: true, force: true });
}

/**
 * Gives a draft its name: from now on the unit has this workspace. Files that are at their place already (a worktree) stay
 * there. The records come last: what has records is complete. Throws a usage error where another call was first.
 */
export function publishWorkspace(
  set: WorkspaceSet,
  draft: DraftWorkspace,
  facts: Pick<WorkspaceRecord, 'mode' | 'base' | 'origin' | 'owns' | 'ports' | 'warm' | 'setup'>,
): WorkspaceRecord {
  const { unit } = draft;
  const record: WorkspaceRecord = {
    schema: WORKSPACE_SCHEMA,
    unit,
    set: set.record.id,
    mode: facts.mode,
    folder: cloneFolder(set, unit),
    base: facts.base,
    origin: facts.origin,
    owns: [...facts.owns],
    ports: facts.ports,
    createdAt: wallTime(),
    warm: facts.warm,
    setup: facts.setup,
  };
  writeFileSync(path.join(draft.records, UNIT_FILES.record), `${JSON.stringify(record, null, 2)}\n`, {
    mode: PRIVATE_FILE,
  });
  if (facts.mode === 'worktree') {
    claimByRename(draft.records, unitFolder(set, unit), set, unit);
    return record;
  }
  // The name is the claim: whoever comes second finds a folder that is not empty.
  claimByRename(draft.folder, record.folder, set, unit);
  faultPoint('clone-named', set.folder);
  try {
    claimByRename(draft.records, unitFolder(set, unit), set, unit);
  } catch (error) {
    renameSync(record.folder, draft.folder);
    throw error;
  }
  return record;
}

/** Where a unit's files lie. */
export function cloneFolder(set: Pick<WorkspaceSet, 'folder'>, unit: string): string {
  return path.join(set.folder, SET_FILES.clones, unit);
}

function claimByRename(from: string, to: string, set: WorkspaceSet, unit: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(errnoOf(error) ?? '')) throw error;
    refuseTaken(set, unit);
    if (existsSync(to)) throw takenMeanwhile(set, unit);
    throw error;
  }
}

/** Another call holds the unit's name, and is not at its end yet. */
export function takenMeanwhile(set: WorkspaceSet, unit: string): PrunError {
  return usageError(
    `unit ${unit} of run ${set.record.id} has a workspace already, which another call is making now`,
    'use that one, or give another --unit',
  );
}

/** Throws a usage error where a unit has records. */
export function refuseTaken(set: WorkspaceSet, unit: string): void {
  const folder = unitFolder(set, unit);
  if (!existsSync(folder)) return;
  const there = readWorkspace(set, unit);
  throw usageError(
    `unit ${unit} of run ${set.record.id} has a workspace already: ${there?.folder ?? folder}`,
    there && !existsSync(there.folder)
      ? `its clone is gone and its delta is kept: give another --unit, such as ${unit}-2`
      : 'use that one, or give another --unit',
  );
}

/** Rewrites a workspace's record, whole or not at all. */
export function rewriteWorkspace(set: WorkspaceSet, record: WorkspaceRecord): void {
  const file = path.join(unitFolder(set, record.unit), UNIT_FILES.record);
  writeAtomic(file, `${JSON.stringify(record, null, 2)}\n`);
}

/** Drafts in a set whose maker was killed. */
export function draftsOf(set: WorkspaceSet): string[] {
  return [SET_FILES.clones, SET_FILES.units].flatMap((name) =>
    readdirSync(path.join(set.folder, name))
      .filter((entry) => entry.startsWith('.') && entry.endsWith('.draft'))
      .map((entry) => path.join(set.folder, name, entry)),
  );
}
