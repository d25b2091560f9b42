import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT, messageOf, usageError } from '../platform/errors.ts';
import { currentHost } from '../process/host.ts';
import { readDecisions } from '../run/decisions.ts';
import { ensureSupervisor } from '../run/ensure-supervisor.ts';
import { keptPatch, keptPatches } from '../run/kept-patches.ts';
import { isWell, reconcileRun } from '../run/reconcile.ts';
import { removeRun } from '../run/remove-run.ts';
import { requireHome } from '../run/require-home.ts';
import { isFinalState, type RunView, refreshView, viewRun } from '../run/run-view.ts';
import { setFolderOf } from '../run/unit-facts.ts';
import { appliedDeltas, type IsApplied } from '../workspace/apply/applied-deltas.ts';
import { integrationHolds, removeIntegration } from '../workspace/integration/remove-integration.ts';
import { readSet, readWorkspace, unitsOf, type WorkspaceSet } from '../workspace/workspace-set.ts';
import { cancelUnits } from './cancel.ts';
import type { CleanupArguments, CleanupWish } from './cleanup-arguments.ts';
import { onlyCopies } from './cleanup-only-copies.ts';
import { isAnythingKept, partOf, type RunCleanup, type RunPart, stayText } from './cleanup-parts.ts';
import { cleanupReport } from './cleanup-report.ts';
import { dropStore, finishRemovedSet, withKeptPatch } from './cleanup-store.ts';
import { GONE, patchOf, type Removed, removeOne } from './cleanup-workspaces.ts';
import { dropBranch, holdsChanges } from './cleanup-worktrees.ts';
import { type NamedRun, runOfFlags } from './run-of-flags.ts';

/** `prun cleanup --run ID` of a run that has a folder. */
export async function cleanupNamedRun(request: CleanupArguments): Promise<number> {
  const named = runOfFlags(request.flags, 'cleanup');
  const units = [...new Set(request.flags.values.get('--unit') ?? [])];
  if (request.all && units.length > 0) {
    throw usageError(
      '--everything removes the whole run, and --unit names a part of it',
      'leave one of them out',
    );
  }
  const done = await cleanRun(named, { ...request, units });
  process.stdout.write(
    request.json
      ? `${JSON.stringify(done, null, 2)}\n`
      : cleanupReport(done, named.command, { ...request, units }),
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
  const done: RunCleanup = {
    run: run.record.id,
    cancelled: [],
    units: [],
    live: [],
    parts: [],
    worktrees: [],
  };
  // Before anything goes: an integration worktree that is removed was where its deltas were applied.
  const isApplied = appliedDeltas(run.stateHome, run.record.integration?.worktree);
  const live = liveUnits(view, wish.units);
  if (wish.force && live.length > 0) {
    const ended = await cancelUnits(named, view, live, 10);
    done.cancelled = ended.filter(({ cancelled }) => cancelled).map(({ id }) => id);
  }
  const goesToo = wish.dropWorktrees || wish.all;
  if (set) {
    const ofUnits = { ...wish, dropWorktrees: goesToo };
    done.units = await cleanWorkspaces(named, view, set, ofUnits, isApplied);
  }
  refreshView(view);
  done.live = liveUnits(view, wish.units);
  if (!goesToo) done.worktrees = worktreesOf(run, set, wish.units);
  if (wish.units.length > 0 || !goesToo) return done;
  if (run.record.integration !== null) {
    const { worktree } = run.record.integration;
    const wasThere = existsSync(worktree);
    const part = await dropIntegration(run, run.record.integration, wish, stayText(done));
    // One that went earlier is no news.
    if (wasThere || !part.removed || part.notes.length > 0) done.parts.push(part);
  }
  const store = set
    ? dropStore(run, set, { force: wish.force, all: wish.all, needed: stayText(done), isApplied })
    : finishRemovedSet(setFolderOf(run));
  if (store) done.parts.push(store);
  if (store?.removed) done.units = done.units.map((unit) => withKeptPatch(run, unit));
  if (!wish.all) return done;
  const ofRun = await dropRun(named, view, wish.force, stayText(done), isApplied);
  // What lay in it is no place to name any more.
  if (ofRun.removed) forgetPatches(done);
  done.parts.push(ofRun);
  return done;
}

function forgetPatches(done: RunCleanup): void {
  done.units = done.units.map((unit) => ({ ...unit, patch: null }));
  done.parts = done.parts.map((part) => (part.part === 'store' ? { ...part, notes: [] } : part));
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
  isApplied: IsApplied,
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
      ...patchOf(set, unit),
    });
    if (live.has(unit)) {
      results.push(
        keep(
          `it is ${view.units.get(unit)?.state}: wait for it, or ${named.command('cancel', '--unit', unit)}`,
        ),
      );
    } else if (workspace.mode === 'clone') results.push(await removeOne(target, wish.force));
    else if (wish.dropWorktrees) {
      const why = wish.force ? undefined : await holdsChanges(set, workspace, isApplied);
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
  needed: string | undefined,
): Promise<RunPart> {
  const part = partOf('integration', integration.worktree);
  if (needed !== undefined) {
    const holds = force ? undefined : await integrationHolds(integration);
    return part(false, ...(holds === undefined ? [] : [holds]), needed);
  }
  // With the whole run its own folder goes, and an archive must not go with it (promise P6).
  const archive = all
    ? path.join(run.stateHome, 'archives', run.record.id)
    : path.dirname(keptPatch(run, 'integration'));
  const { removed, notes } = await removeIntegration(integration, { force, archive });
  return part(removed, ...notes);
}

async function dropRun(
  named: NamedRun,
  view: RunView,
  force: boolean,
  needed: string | undefined,
  isApplied: IsApplied,
): Promise<RunPart> {
  const { run, command } = named;
  const part = partOf('run', run.folder);
  refreshView(view);
  const live = liveUnits(view, []);
  if (live.length > 0)
    return part(
      false,
      `${live.length} of its units still ${live.length === 1 ? 'runs' : 'run'}: ${command('wait')}, or --force`,
    );
  const why = force ? [] : whyNotRemoved(named, view, isApplied);
  if (needed !== undefined) why.push(needed);
  if (why.length > 0) return part(false, ...why);
  const patches = keptPatches(run).length;
  try {
    const stays = await removeRun(await currentHost(), run);
    if (stays !== undefined) return part(false, stays);
    return part(true, ...(patches > 0 ? [`patches=${patches} went with it`] : []));
  } catch (error) {
    return part(false, `it cannot be removed (${messageOf(error)}): put that right and run cleanup again`);
  }
}

/** Why a run is not to go without `--force`, one line each. */
function whyNotRemoved({ run, command }: NamedRun, view: RunView, isApplied: IsApplied): string[] {
  const { units } = reconcileRun(view, command, readDecisions(view));
  const inDoubt = units.filter((unit) => !isWell(unit)).length;
  const only = onlyCopies(run, view, isApplied);
  const names = `${only.slice(0, 5).join(', ')}${only.length > 5 ? ' and others' : ''}`;
  return [
    ...(only.length > 0
      ? [
          `its patches of ${names} (${only.length}) are in no apply, and nothing else has them: save them from ${path.dirname(keptPatch(run, 'any'))}, or --force`,
        ]
      : []),
    ...(inDoubt > 0
      ? [
          `${inDoubt} of its units ${inDoubt === 1 ? 'is' : 'are'} in doubt (${command('reconcile')}): --force removes it all the same`,
        ]
      : []),
  ];
}
