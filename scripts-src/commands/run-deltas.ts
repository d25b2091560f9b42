import { existsSync } from 'node:fs';
import path from 'node:path';
import { type PrunError, usageError } from '../platform/errors.ts';
import { stateHome as usualStateHome } from '../platform/state-home.ts';
import { type CommandText, commandTextFor } from '../run/command-text.ts';
import { type Decisions, readDecisions } from '../run/decisions.ts';
import { requireHome } from '../run/require-home.ts';
import { type Run, readRun, runsFolder } from '../run/run-folder.ts';
import { isFinalState, type RunView, viewRun } from '../run/run-view.ts';
import { setFolderOf } from '../run/unit-facts.ts';
import { overlayOutcomes } from '../run/views/outcome-overlay.ts';
import { readOutcome } from '../unit/read-records.ts';
import { attemptsIn } from '../workspace/workspace-of.ts';
import { readSet, UNIT_FILES, unitFolder, unitsOf, type WorkspaceSet } from '../workspace/workspace-set.ts';
import { collectedPatches, uncollectedUnits } from './collected-patches.ts';
import { leftOutNotes, uncollectedNotes } from './delta-notes.ts';
import { workspacesGone } from './workspaces-gone.ts';

/** What is wanted of a run. */
export interface DeltasWish {
  stateHome: string;
  run: string;
  /** Units in the order in which they are taken; empty for all that are good. */
  units: readonly string[];
}

/** The deltas that a command takes by the name of their run. */
export interface RunDeltas {
  patches: string[];
  /** What somebody should know of those that it does not take, one line each, few. */
  notes: string[];
}

/**
 * Patches of a run's collected deltas: of the named units, or of all that are good: that have succeeded or were accepted,
 * and were not left out (prun reconcile). Of a set of clones without a run all of them. Throws a usage error for a unit that
 * has no delta, and where there is none at all.
 */
export function deltasOfRun({ stateHome, run: name, units }: DeltasWish): RunDeltas {
  const run = readRun(path.join(runsFolder(stateHome), name), stateHome);
  if (!run) {
    const notes = units.length > 0 ? [] : uncollectedNotes(uncollectedUnits(stateHome, name));
    return { patches: collectedPatches(stateHome, name, units), notes };
  }
  requireHome(run);
  const view = viewRun(run);
  // An outcome that no supervisor has told the log yet counts.
  overlayOutcomes(view);
  const decisions = readDecisions(view);
  const set = readSet(setFolderOf(run));
  if (!set) throw workspacesGone(view, units.length > 0 ? units : goodUnits(view, decisions));
  const of: KnownRun = {
    run,
    view,
    set,
    decisions,
    command: commandTextFor(run, usualStateHome(process.env)),
  };
  return units.length > 0 ? namedDeltas(of, units) : goodDeltas(of);
}

interface KnownRun {
  run: Run;
  view: RunView;
  set: WorkspaceSet;
  decisions: Decisions;
  command: CommandText;
}

function namedDeltas(of: KnownRun, units: readonly string[]): RunDeltas {
  const patches: string[] = [];
  const without: string[] = [];
  for (const unit of units) {
    const patch = patchOf(of.set, unit);
    if (existsSync(patch)) patches.push(patch);
    else if (hasNoFiles(of, unit)) without.push(unit);
    else throw uncollected(of, unit);
  }
  const [first] = without;
  if (first !== undefined && patches.length === 0) {
    throw usageError(
      `unit ${first} of run ${of.run.record.id} has no delta: ${whyNoFiles(of.view, first)}`,
      'leave it out: there is nothing of it to compare or to apply',
    );
  }
  return {
    patches,
    notes: [
      ...leftOutNotes(without.map((unit) => `unit ${unit} has no delta: ${whyNoFiles(of.view, unit)}`)),
      ...staleNotes(of, units),
    ],
  };
}

function goodDeltas(of: KnownRun): RunDeltas {
  const { run, set, command } = of;
  const patches: string[] = [];
  const taken: string[] = [];
  const left: { unit: string; why: string }[] = [];
  const missing: string[] = [];
  for (const unit of unitsOf(set)) {
    const why = whyLeftOut(of, unit);
    const patch = patchOf(set, unit);
    if (existsSync(patch)) {
      if (why === undefined) {
        patches.push(patch);
        taken.push(unit);
      } else left.push({ unit, why });
    } else if (!of.decisions.without.has(unit)) missing.push(unit);
  }
  const lines = left.map(({ unit, why }) => `unit ${unit} is left out: ${why}; --unit ${unit} takes it`);
  if (patches.length > 0) {
    const notes = [...leftOutNotes(lines), ...uncollectedNotes(missing), ...staleNotes(of, taken)];
    return { patches, notes };
  }
  const [first] = left;
  if (first) {
    throw usageError(
      `run ${run.record.id} has no delta of a good unit: ${leftOutNotes(lines, MAX_REASONS).join('; ')}`,
      `${command('reconcile')} says what is in doubt; what you accept there is taken`,
    );
  }
  throw usageError(
    `run ${run.record.id} has no collected delta`,
    `collect them first: ${command('collect')}`,
  );
}

const MAX_REASONS = 3;

/** Why a delta is not taken unless somebody names its unit, or undefined. */
function whyLeftOut({ view, set, decisions }: KnownRun, id: string): string | undefined {
  if (decisions.without.has(id)) return 'by reconcile --without';
  const unit = view.units.get(id);
  if (!unit) return whyStrangerLeftOut(set, id);
  const { state, reason } = unit;
  if (state === 'succeeded' || decisions.accept.has(id)) return undefined;
  if (state === 'created') return 'it was never started';
  if (!isFinalState(state)) return `it is still ${state}`;
  return `it ended ${state}${reason === null || reason === state ? '' : ` (${reason})`}`;
}

/**
 * A clone that somebody made in the run by hand, and collected, is taken, unless dispatch-task ran a unit in it that did not
 * succeed.
 */
function whyStrangerLeftOut(set: WorkspaceSet, unit: string): string | undefined {
  const last = attemptsIn({ set: set.folder, unit }).at(-1);
  if (last === undefined) return undefined;
  const outcome = readOutcome(last);
  if (outcome?.status === 'succeeded') return undefined;
  return outcome ? `it ended ${outcome.status} (${outcome.reason})` : 'its last attempt has no outcome yet';
}

/** Units whose delta is taken although a parent of theirs has a newer result than they were built on; few. */
function staleNotes({ view, command }: KnownRun, units: readonly string[]): string[] {
  const stale = units.flatMap((id) => {
    const parents = view.units.get(id)?.staleParents ?? [];
    return parents.length > 0 ? [`${id} (on ${parents.slice(0, MAX_REASONS).join(', ')})`] : [];
  });
  if (stale.length === 0) return [];
  const more = stale.length > MAX_REASONS ? ` and ${stale.length - MAX_REASONS} more` : '';
  const named = stale.slice(0, MAX_REASONS).join(', ');
  return [
    `built on an older result of a parent: ${named}${more}; a fresh attempt: ${command('retry')} --unit UNIT`,
  ];
}

function goodUnits(view: RunView, { accept, without }: Decisions): string[] {
  return [...view.units.values()]
    .filter(({ id, state }) => !without.has(id) && (state === 'succeeded' || accept.has(id)))
    .map(({ id }) => id);
}

function patchOf(set: WorkspaceSet, unit: string): string {
  return path.join(unitFolder(set, unit), UNIT_FILES.patch);
}

/** Whether a unit has no workspace, and by its mode is to have none. */
function hasNoFiles({ view, set }: KnownRun, unit: string): boolean {
  const mode = view.units.get(unit)?.spec.mode;
  return (mode === 'scratch' || mode === 'inplace') && !existsSync(unitFolder(set, unit));
}

function whyNoFiles(view: RunView, unit: string): string {
  return view.units.get(unit)?.spec.mode === 'inplace'
    ? 'it works in place, and what it changed is there already'
    : 'it has no files of its own (mode scratch)';
}

function uncollected({ run, view, set, command }: KnownRun, unit: string): PrunError {
  const state = view.units.get(unit)?.state;
  const what = `run ${run.record.id} has no collected delta of unit ${JSON.stringify(unit)}`;
  if (existsSync(unitFolder(set, unit))) {
    return usageError(what, `collect it first: ${command('collect', '--unit', unit)}`);
  }
  if (state === undefined) {
    const names = [...new Set([...view.units.keys(), ...unitsOf(set)])];
    const more = names.length > 10 ? ' and others' : '';
    return usageError(
      `run ${run.record.id} has no unit ${JSON.stringify(unit.slice(0, 120))}`,
      `its units are: ${names.slice(0, 10).join(', ')}${more}`,
    );
  }
  return usageError(
    `${what}: it has no workspace, it is ${state}`,
    `see ${command('status', '--unit', unit)}`,
  );
}
