import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT, messageOf, usageError } from '../platform/errors.ts';
import { currentHost } from '../process/host.ts';
import { ensureSupervisor } from '../run/ensure-supervisor.ts';
import { keptPatch } from '../run/kept-patches.ts';
import { isWell, reconcileRun } from '../run/reconcile.ts';
import { removeRun } from '../run/remove-run.ts';
import { requireHome } from '../run/require-home.ts';
import { isFinalState, type RunView, refreshView, viewRun } from '../run/run-view.ts';
import { setFolderOf } from '../run/unit-facts.ts';
import { removeIntegration } from '../workspace/integration/remove-integration.ts';
import { readDelta, readSet, readWorkspace, unitsOf, type WorkspaceSet } from '../workspace/workspace-set.ts';
import { cancelUnits } from './cancel.ts';
import type { CleanupArguments } from './cleanup-arguments.ts';
import { isAnythingKept, partOf, type RunCleanup, type RunPart } from './cleanup-parts.ts';
import { cleanupReport } from './cleanup-report.ts';
import { dropStore, finishRemovedSet, withKeptPatch } from './cleanup-store.ts';
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
    const { worktree } = run.record.integration;
    const wasThere = existsSync(worktree);
    const part = await dropIntegration(run, run.record.integration, wish, isAnythingKept(done));
    // One that went earlier is no news.
    if (wasThere || !part.removed || part.notes.length > 0) done.parts.push(part);
  }
  const store = set
    ? dropStore(named, set, wish.force, isAnythingKept(done))
    : finishRemovedSet(setFolderOf(run));
  if (store) done.parts.push(store);
  if (store?.removed) done.units = done.units.map((unit) => withKeptPatch(run, unit));
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
  const part = partOf('integration', integration.worktree);
  if (isKept) return part(false, 'something that needs it was left alone');
  // With the whole run its own folder goes, and an archive must not go with it (promise P6).
  const archive = all
    ? path.join(run.stateHome, 'archives', run.record.id)
    : path.dirname(keptPatch(run, 'integration'));
  const { removed, notes } = await removeIntegration(integration, { force, archive });
  return part(removed, ...notes);
}

async function dropRun(named: NamedRun, view: RunView, force: boolean, isKept: boolean): Promise<RunPart> {
  const { run, command } = named;
  const part = partOf('run', run.folder);
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
