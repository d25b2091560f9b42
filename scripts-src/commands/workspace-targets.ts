import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue } from '../platform/read-flags.ts';
import type { WorkspaceRecord } from '../workspace/records.ts';
import {
  openSet,
  readWorkspace,
  unitsOf,
  type WorkspaceSet,
  workspaceAt,
} from '../workspace/workspace-set.ts';
import { runName, stateHomeFrom } from './clone-arguments.ts';

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
  const set = run === undefined ? undefined : openSet(stateHomeFrom(flags, process.env, cwd), run);
  const workspaces = [
    ...flags.operands.map((folder) => workspaceAt(path.resolve(cwd, folder))),
    ...(set === undefined ? [] : targetsOf(set, units)),
  ];
  if (workspaces.length > 0 || (options.mayBeEmpty && set !== undefined)) return { workspaces, set };
  throw set === undefined
    ? usageError('no clone is given', 'give the path that prun clone printed, or --run')
    : usageError(`run ${set.record.id} has no workspaces`, 'make one with prun clone');
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
