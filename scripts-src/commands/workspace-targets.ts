import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue } from '../platform/read-flags.ts';
import { readRun, runsFolder } from '../run/run-folder.ts';
import { viewRun } from '../run/run-view.ts';
import { setFolderOf } from '../run/unit-facts.ts';
import type { WorkspaceRecord } from '../workspace/records.ts';
import {
  openSet,
  readSet,
  readWorkspace,
  unitsOf,
  type WorkspaceSet,
  workspaceAt,
} from '../workspace/workspace-set.ts';
import { runName, stateHomeFrom } from './clone-arguments.ts';
import { workspacesGone } from './workspaces-gone.ts';

/** A workspace that a command is to work on. */
export interface WorkspaceTarget {
  set: WorkspaceSet;
  workspace: WorkspaceRecord;
}

/** The workspaces that a command line names, and the run's set where one was named. */
export interface WorkspaceTargets {
  workspaces: WorkspaceTarget[];
  set: WorkspaceSet | undefined;
}

/** Reads clones given by path, and `--run` with `--unit`. Throws a usage error for what is no workspace. */
export function targetsFrom(flags: FlagValues, options: { mayBeEmpty?: boolean } = {}): WorkspaceTargets {
  const cwd = process.cwd();
  const run = runName(lastValue(flags, '--run'));
  const units = flags.values.get('--unit') ?? [];
  if (units.length > 0 && run === undefined) {
    throw usageError('--unit needs --run', 'give the run, or the path of the clone');
  }
  const set = run === undefined ? undefined : setOf(stateHomeFrom(flags, process.env, cwd), run, units);
  const workspaces = [
    ...flags.operands.map((folder) => workspaceAt(path.resolve(cwd, folder))),
    ...(set === undefined ? [] : targetsOf(set, units)),
  ];
  if (workspaces.length > 0 || (options.mayBeEmpty && set !== undefined)) return { workspaces, set };
  throw set === undefined
    ? usageError('no clone is given', 'give the path that prun clone printed, or --run')
    : usageError(`run ${set.record.id} has no workspaces`, 'make one with prun clone');
}

/** The set of that name. Of a run whose workspaces have gone it is said where its patches are. */
function setOf(stateHome: string, name: string, units: readonly string[]): WorkspaceSet {
  const run = readRun(path.join(runsFolder(stateHome), name), stateHome);
  if (run?.isHome && readSet(setFolderOf(run)) === undefined) {
    const view = viewRun(run);
    throw workspacesGone(view, units.length > 0 ? units : [...view.units.keys()]);
  }
  return openSet(stateHome, name);
}

function targetsOf(set: WorkspaceSet, units: readonly string[]): WorkspaceTarget[] {
  const names = units.length > 0 ? units : unitsOf(set);
  return names.map((unit) => {
    const workspace = readWorkspace(set, unit);
    if (workspace) return { set, workspace };
    throw usageError(
      `run ${set.record.id} has no unit ${JSON.stringify(unit)}`,
      `its units are: ${unitsOf(set).join(', ')}`,
    );
  });
}
