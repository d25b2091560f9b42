import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT, messageOf, usageError } from '../platform/errors.ts';
import { entriesOf } from '../platform/files.ts';
import { removeTree } from '../platform/remove-tree.ts';
import { currentHost } from '../process/host.ts';
import { ensureSupervisor } from '../run/ensure-supervisor.ts';
import { keepPatch, keptPatch } from '../run/kept-patches.ts';
import { isWell, reconcileRun } from '../run/reconcile.ts';
import { removeRun } from '../run/remove-run.ts';
import { requireHome } from '../run/require-home.ts';
import { isFinalState, type RunView, refreshView, viewRun } from '../run/run-view.ts';
import { setFolderOf } from '../run/unit-facts.ts';
import { removeSet } from '../workspace/clone/remove-workspace.ts';
import { removeIntegration } from '../workspace/integration/remove-integration.ts';
import {
  earlierFolders,
  readDelta,
  readSet,
  readWorkspace,
  SET_FILES,
  UNIT_FILES,
  unitFolder,
  unitsOf,
  type WorkspaceSet,
} from '../workspace/workspace-set.ts';
import { cancelUnits } from './cancel.ts';
import type { CleanupArguments } from './cleanup-arguments.ts';
import { isAnythingKept, type RunCleanup, type RunPart } from './cleanup-parts.ts';
import { cleanupReport } from './cleanup-report.ts';
import { GONE, type Removed, removeOne } from './cleanup-workspaces.ts';
import { dropBranch, holdsChanges } from './cleanup-worktrees.ts';
import { type NamedRun, runOfFlags } from './run-of-flags.ts';

/** What is to go. */
export type CleanupWish = Pick<CleanupArguments, 'force' | 'dropWorktrees' | 'all'> & {
  /** Units; empty for the whole run. */
  units: readonly string[];
};

/** `prun cleanup --run ID` of a run that has a folder. */
export async function cleanupNamedRun(request: CleanupArguments): Promise<number> {
  const named = runOfFlags(request.flags, 'cleanup');
  const units = [...new Set(request.flags.values.get('--unit') ?? [])];
  if (request.all && units.length > 0) {
    throw usageError('--all removes the whole run, and --unit names a part of it', 'leave one of them out');
  }
  const done = await cleanRun(named, { ...request, units });
  process.stdout.write(
    request.json ? `${JSON.stringify(done, null, 2)}\n` : cleanupReport(done, named.command, request.all),
  );
  return isAnythingKept(done) ? EXIT.unitFailed : EXIT.ok;
}

/**
 * Frees what a run has made, its deltas archived first (promise P6): clones; with `dropWorktrees` also worktrees, branches,
 * the integration worktree and the store; with `all` the run's folder. What is live, holds changes or is in doubt stays
 * without `force`.
 */
export async function cleanRun(named: NamedRun, wish: CleanupWish): Promise<RunCleanup> {
  const { run } = named;
  requireHome(run);
  // What a dead supervisor left open is settled first: a live worker is nobody's to lose.
  await ensureSupervisor(await currentHost(), run);
  const view = viewRun(run);
  const set = readSet(setFolderOf(run));
  refuseStrangers(view, set, wish.units);
  const done: RunCleanup = { run: run.record.id, cancelled: [], units: [], parts: [], worktrees: [] };
  const live = liveUnits(view, wish.units);
  if (wish.force && live.length > 0) {
    const ended = await cancelUnits(named, view, live, 10);
    done.cancelled = ended.filter(({ cancelled }) => cancelled).map(({ id }) => id);
  }
  const goesToo = wish.dropWorktrees || wish.all;
  if (set) done.units = await cleanWorkspaces(named, view, set, { ...wish, dropWorktrees: goesToo });
  if (!goesToo) done.worktrees = worktreesOf(run, set, wish.units);
  if (wish.units.length > 0 || !goesToo) return done;
  if (run.record.integration !== null) {
    done.parts.push(await dropIntegration(run, run.record.integration, wish, isAnythingKept(done)));
  }
  if (set) {
    const store = dropStore(named, set, wish.force, isAnythingKept(done));
    done.parts.push(store);
    if (store.removed) done.units = done.units.map((unit) => withKeptPatch(named, unit));
  } else finishRemovedSet(setFolderOf(run));
  if (wish.all) done.parts.push(await dropRun(named, view, wish.force, isAnythingKept(done)));
  return done;
}

function worktreesOf(
  { record }: NamedRun['run'],
  set: WorkspaceSet | undefined,
  units: readonly string[],
): string[] {
  const names = units.length > 0 || !set ? units : unitsOf(set);
  const ofUnits = names.flatMap((unit) => {
    const workspace = set && readWorkspace(set, unit);
    return workspace?.mode === 'worktree' ? [workspace.folder] : [];
  });
  const integration = units.length === 0 && record.integration ? [record.integration.worktree] : [];
  return [...integration, ...ofUnits].filter((folder) => existsSync(folder));
}

function refuseStrangers(view: RunView, set: WorkspaceSet | undefined, units: readonly string[]): void {
  const known = new Set([...view.units.keys(), ...(set ? unitsOf(set) : [])]);
  const stranger = units.find((unit) => !known.has(unit));
  if (stranger === undefined) return;
  const names = [...known].slice(0, 10).join(', ');
  throw usageError(
    `run ${view.run.record.id} has no unit ${JSON.stringify(stranger.slice(0, 120))}`,
    known.size === 0 ? 'it has none yet' : `its units are: ${names}${known.size > 10 ? ' and others' : ''}`,
  );
}

function liveUnits(view: RunView, units: readonly string[]): string[] {
  const wanted = new Set(units);
  return [...view.units.values()]
    .filter(
      ({ id, state }) => state !== 'created' && !isFinalState(state) && (wanted.size === 0 || wanted.has(id)),
    )
    .map(({ id }) => id);
}

async function cleanWorkspaces(
  named: NamedRun,
  view: RunView,
  set: WorkspaceSet,
  wish: CleanupWish,
): Promise<Removed[]> {
  refreshView(view);
  const live = new Set(liveUnits(view, []));
  const results: Removed[] = [];
  for (const unit of wish.units.length > 0 ? wish.units : unitsOf(set)) {
    const workspace = readWorkspace(set, unit);
    if (!workspace) continue;
    const target = { set, workspace };
    const keep = (why: string): Removed => ({
      unit,
      folder: workspace.folder,
      removed: false,
      notes: [why],
      bytes: 0,
      patch: readDelta(set, unit)?.patch.path ?? null,
    });
    if (live.has(unit)) {
      results.push(
        keep(
          `it is ${view.units.get(unit)?.state}: wait for it, or ${named.command('cancel', '--unit', unit)}`,
        ),
      );
    } else if (workspace.mode === 'clone') results.push(await removeOne(target, wish.force));
    else if (wish.dropWorktrees) {
      const why = wish.force ? undefined : await holdsChanges(set, workspace);
      if (why !== undefined) results.push(keep(why));
      else {
        const removed = await removeOne(target, wish.force);
        results.push(removed.removed && wish.force ? await dropBranch(set, removed) : removed);
      }
    }
  }
  // A second call is not to tell of every clone that the first one has removed.
  return results.filter(({ notes, removed }) => !removed || !notes.includes(GONE));
}

/** Units' worktrees are entries of its repository, and are removed by it: it goes after them. */
async function dropIntegration(
  run: NamedRun['run'],
  integration: NonNullable<NamedRun['run']['record']['integration']>,
  { force, all }: CleanupWish,
  isKept: boolean,
): Promise<RunPart> {
  const part = { part: 'integration', path: integration.worktree } as const;
  if (isKept) return { ...part, removed: false, notes: ['something that needs it was left alone'] };
  // With the whole run its own folder goes, and an archive must not go with it (promise P6).
  const archive = all
    ? path.join(run.stateHome, 'archives', run.record.id)
    : path.dirname(keptPatch(run, 'integration'));
  return { ...part, ...(await removeIntegration(integration, { force, archive })) };
}

/** The store goes when nothing works on it any more; the patches are kept with the run. */
function dropStore({ run, command }: NamedRun, set: WorkspaceSet, force: boolean, isKept: boolean): RunPart {
  const part = (removed: boolean, ...notes: string[]): RunPart => ({
    part: 'store',
    path: set.folder,
    removed,
    notes,
  });
  if (isKept) return part(false, 'something that needs it was left alone');
  const changed = unitsOf(set).filter((unit) => (readDelta(set, unit)?.files.length ?? 0) > 0);
  if (changed.length > 0 && !force) {
    const names = `${changed.slice(0, 5).join(', ')}${changed.length > 5 ? ' and others' : ''}`;
    return part(
      false,
      `it holds the deltas of ${names}, which conflicts and apply read from it: when they are applied, ${command('cleanup', '--drop-worktrees', '--force')} (patches stay)`,
    );
  }
  try {
    const kept = keepPatches(run, set);
    const left = removeSet(set);
    if (left.length > 0) return part(false, `it still has clones: ${left.slice(0, 5).join(', ')}`);
    return part(true, ...(kept > 0 ? [`${kept} patches are in ${path.join(run.folder, 'patches')}`] : []));
  } catch (error) {
    return part(false, `it cannot be removed (${messageOf(error)}): put that right and run cleanup again`);
  }
}

/** A removal that was killed has left a folder that is no set any more; it began when nothing lay among the clones. */
function finishRemovedSet(folder: string): void {
  const clones = entriesOf(path.join(folder, SET_FILES.clones)).filter(
    ({ name }) => !name.endsWith('.draft'),
  );
  if (existsSync(folder) && clones.length === 0) removeTree(folder);
}

/** The patch went with the store, and its copy is what there is. */
function withKeptPatch({ run }: NamedRun, removed: Removed): Removed {
  return removed.patch === null ? removed : { ...removed, patch: keptPatch(run, removed.unit) };
}

/** Patches of the newest attempts, and of earlier ones as `<unit>.<n>`. */
function keepPatches(run: NamedRun['run'], set: WorkspaceSet): number {
  let count = 0;
  for (const unit of unitsOf(set)) {
    const earlier = earlierFolders(set, unit).map((folder): [string, string] => [
      `${unit}.${path.basename(folder)}`,
      path.join(folder, UNIT_FILES.patch),
    ]);
    for (const [name, patch] of [
      [unit, path.join(unitFolder(set, unit), UNIT_FILES.patch)] as const,
      ...earlier,
    ]) {
      // One that was never collected has none, and one of a removal that was killed has been kept before.
      if (!existsSync(patch)) continue;
      keepPatch(run, name, patch);
      count += 1;
    }
  }
  return count;
}

async function dropRun(named: NamedRun, view: RunView, force: boolean, isKept: boolean): Promise<RunPart> {
  const { run, command } = named;
  const part = (removed: boolean, ...notes: string[]): RunPart => ({
    part: 'run',
    path: run.folder,
    removed,
    notes,
  });
  refreshView(view);
  const live = liveUnits(view, []);
  if (live.length > 0)
    return part(false, `${live.length} of its units still run: ${command('wait')}, or --force`);
  if (isKept) return part(false, 'something that belongs to it was left alone');
  const { units } = reconcileRun(view, command, { accept: new Set(), without: new Set() });
  const inDoubt = units.filter((unit) => !isWell(unit)).length;
  if (inDoubt > 0 && !force) {
    return part(
      false,
      `${inDoubt} of its units are in doubt (${command('reconcile')}): --force removes it all the same`,
    );
  }
  try {
    const why = await removeRun(await currentHost(), run);
    return why === undefined ? part(true) : part(false, why);
  } catch (error) {
    return part(false, `it cannot be removed (${messageOf(error)}): put that right and run cleanup again`);
  }
}
