import { existsSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../platform/errors.ts';
import { entriesOf } from '../platform/files.ts';
import { removeTree } from '../platform/remove-tree.ts';
import { keepPatch, keptPatch } from '../run/kept-patches.ts';
import type { Run } from '../run/run-folder.ts';
import type { IsApplied } from '../workspace/apply/applied-deltas.ts';
import { removeSet } from '../workspace/clone/remove-workspace.ts';
import {
  earlierFolders,
  readDelta,
  SET_FILES,
  UNIT_FILES,
  unitFolder,
  unitsOf,
  type WorkspaceSet,
} from '../workspace/workspace-set.ts';
import { partOf, type RunPart } from './cleanup-parts.ts';
import type { Removed } from './cleanup-workspaces.ts';
import { deltaNameIn } from './cleanup-worktrees.ts';

/** What is known before the store goes. */
export interface StoreWish {
  force: boolean;
  /** Whether the patches go too, with the whole run. */
  all: boolean;
  /** What was left alone and needs the store, a few words; undefined where nothing was. */
  needed: string | undefined;
  isApplied: IsApplied;
}

/**
 * Removes the store of a run's workspaces, with their records. Its patches are kept with the run first. It stays where
 * something still lies among the clones, where something that needs it was left alone, and without `force` where it holds
 * deltas that were not applied: conflicts and apply read them from it.
 */
export function dropStore(
  run: Run,
  set: WorkspaceSet,
  { force, all, needed, isApplied }: StoreWish,
): RunPart {
  const part = partOf('store', set.folder);
  const changed = unitsOf(set).filter((unit) => {
    const delta = readDelta(set, unit);
    return delta !== undefined && delta.files.length > 0 && !isApplied(deltaNameIn(set, delta));
  });
  const why = [
    ...(changed.length > 0 && !force ? [unappliedText(changed, all)] : []),
    ...(needed === undefined ? [] : [needed]),
  ];
  if (why.length > 0) return part(false, ...why);
  try {
    const kept = keepPatches(run, set);
    const left = removeSet(set);
    if (left.length > 0) return part(false, `it still has clones: ${left.slice(0, 5).join(', ')}`);
    const where = path.dirname(keptPatch(run, 'any'));
    return part(true, ...(kept > 0 ? [`patches=${kept} in ${where}`] : []));
  } catch (error) {
    return part(false, `it cannot be removed (${messageOf(error)}): put that right and run cleanup again`);
  }
}

function unappliedText(units: readonly string[], all: boolean): string {
  const names = `${units.slice(0, 5).join(', ')}${units.length > 5 ? ' and others' : ''}`;
  const patches = all ? 'patches go, too' : 'patches stay';
  return `it holds the deltas of ${names}, which conflicts and apply read from it: when they are applied it goes, or with --force (${patches})`;
}

/**
 * Finishes a removal that was killed: it left a folder that is no set any more, and it had begun when nothing lay among the
 * clones. A folder of which that is not sure stays. undefined where there is none.
 */
export function finishRemovedSet(folder: string): RunPart | undefined {
  if (!existsSync(folder)) return undefined;
  const part = partOf('store', folder);
  const record = path.join(folder, SET_FILES.record);
  if (existsSync(record)) return part(false, `its record ${record} is damaged: look at what lies there`);
  const clones = entriesOf(path.join(folder, SET_FILES.clones)).map(({ name }) => name);
  const left = clones.filter((name) => !name.endsWith('.draft'));
  if (left.length > 0)
    return part(false, `its record is missing, and it has clones: ${left.slice(0, 5).join(', ')}`);
  removeTree(folder);
  return part(true);
}

/** The patch went with the store, and its copy is what there is. */
export function withKeptPatch(run: Run, removed: Removed): Removed {
  return removed.patch === null ? removed : { ...removed, patch: keptPatch(run, removed.unit) };
}

/** Patches of the newest attempts, and of earlier ones as `<unit>.<n>`; how many there are. */
function keepPatches(run: Run, set: WorkspaceSet): number {
  let count = 0;
  for (const unit of unitsOf(set)) {
    const places = [
      { name: unit, folder: unitFolder(set, unit) },
      ...earlierFolders(set, unit).map((folder) => ({ name: `${unit}.${path.basename(folder)}`, folder })),
    ];
    for (const { name, folder } of places) {
      const patch = path.join(folder, UNIT_FILES.patch);
      // One that was never collected has none, and what a removal that was killed has taken was kept before.
      if (!existsSync(patch)) continue;
      keepPatch(run, name, patch);
      count += 1;
    }
  }
  return count;
}
