import { pathFromJson, shownPath } from '../platform/byte-path.ts';
import { diskUse } from '../platform/disk-use.ts';
import { messageOf } from '../platform/errors.ts';
import { isEmptyDelta } from '../render/delta-report.ts';
import { bytesText } from '../render/figures.ts';
import { removeWorkspace } from '../workspace/clone/remove-workspace.ts';
import { collectDelta } from '../workspace/delta/collect.ts';
import { includedBefore } from '../workspace/delta/included-before.ts';
import type { DeltaRecord } from '../workspace/records.ts';
import { presenceOf, readDelta, type WorkspaceSet } from '../workspace/workspace-set.ts';
import { runningAttempt } from './running-attempt.ts';
import type { WorkspaceTarget } from './workspace-targets.ts';

/** Said of a workspace that was removed before. */
export const GONE = 'it was gone already';
const NEVER_COLLECTED = 'no delta of it was ever collected';

/** What became of one workspace. */
export interface Removed {
  unit: string;
  folder: string;
  removed: boolean;
  /** Why it was left alone, or what stays behind. */
  notes: string[];
  bytes: number;
  patch: string | null;
  /** Whether the delta in the patch holds nothing. */
  isEmpty: boolean;
}

/** The patch of a unit's delta, if one was ever collected. */
export function patchOf(set: WorkspaceSet, unit: string): Pick<Removed, 'patch' | 'isEmpty'> {
  const record = readDelta(set, unit);
  return { patch: record?.patch.path ?? null, isEmpty: record !== undefined && isEmptyDelta(record) };
}

/** Archives the delta of a workspace and removes its files, or says why they stay (promise P6). Never rejects. */
export async function removeOne({ set, workspace }: WorkspaceTarget, force: boolean): Promise<Removed> {
  const { unit, folder } = workspace;
  const before = patchOf(set, unit);
  const end = (removed: boolean, notes: string[], bytes = 0): Removed => ({
    unit,
    folder,
    removed,
    notes,
    bytes,
    ...before,
  });
  try {
    const presence = presenceOf(set, workspace);
    if (presence === 'gone') return end(true, [GONE, ...(before.patch === null ? [NEVER_COLLECTED] : [])]);
    if (presence === 'elsewhere') {
      return end(false, [
        'the way to it leads out of the run by a symlink: nothing is removed there, look at it',
      ]);
    }
    if (presence === 'replaced' && !force) {
      return end(false, [
        'it is no folder any more: look at what stands there; --force removes that name alone',
      ]);
    }
    if (presence === 'there') {
      const reason = await whyKept(set, workspace, force);
      if (reason !== undefined) return { ...end(false, [reason]), ...patchOf(set, unit) };
    }
    // A figure for people: paths that are too long for the system are no reason to stop.
    const { bytes } = await diskUse(folder).catch(() => ({ bytes: 0 }));
    const notes = await removeWorkspace(set, workspace);
    return { ...end(true, notes, bytes), ...patchOf(set, unit) };
  } catch (error) {
    // One that cannot be removed is no reason to leave the others: what is archived stays so, and the next call goes on.
    return end(false, [`it cannot be removed (${messageOf(error)}): put that right and run cleanup again`]);
  }
}

/** Archives the delta; why the workspace is to stay, or undefined. */
async function whyKept(
  set: WorkspaceSet,
  workspace: WorkspaceTarget['workspace'],
  force: boolean,
): Promise<string | undefined> {
  const attempt = await runningAttempt(set, workspace.unit);
  if (attempt !== undefined) return `a unit runs in it (state dir ${attempt}): wait for it, or stop it first`;
  const archived = await archive(set, workspace, force);
  if (typeof archived === 'string') return archived;
  const [lost] = (archived?.problems ?? []).filter((problem) => problem.lost);
  if (!lost || force) return undefined;
  return `${shownPath(pathFromJson(lost.path))} ${lost.what}: save it, then use --force`;
}

/** The delta, or why there is none. With force a clone may go without one. */
async function archive(
  set: WorkspaceSet,
  workspace: WorkspaceTarget['workspace'],
  force: boolean,
): Promise<DeltaRecord | undefined | string> {
  try {
    return await collectDelta(set, workspace, { ignored: includedBefore(set, workspace.unit) });
  } catch (error) {
    if (force) return undefined;
    return `its delta cannot be taken (${messageOf(error)}): with --force it goes all the same`;
  }
}

/** Lines about a workspace. With `everything` the patches go too, and are not worth a line. */
export function removedLines(
  { unit, folder, removed, notes, bytes, patch, isEmpty }: Removed,
  everything: boolean,
): string[] {
  const head = removed ? `REMOVED ${unit} ${bytesText(bytes)} ${folder}` : `KEPT ${unit} ${folder}`;
  const kept =
    patch === null || everything
      ? []
      : [isEmpty ? `EMPTY ${unit} its delta holds no change` : `PATCH ${patch}`];
  return [head, ...kept, ...notes.map((note) => `NOTE ${unit} ${note}`)];
}
