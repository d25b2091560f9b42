import { messageOf } from '../platform/errors.ts';
import { lstatOrNone } from '../platform/files.ts';
import type { UnitRecord } from '../unit/records.ts';
import { attemptsIn } from '../workspace/workspace-of.ts';
import { presenceOf, readSet, readWorkspace } from '../workspace/workspace-set.ts';
import type { UnitSpec } from './records.ts';
import type { Run } from './run-folder.ts';
import { setFolderOf } from './unit-facts.ts';

/** Where an attempt worked (absolute), or why nobody can go on there, one line. */
export type LastWorkspace = { kind: 'there'; folder: string } | { kind: 'gone'; why: string };

/** The folder that an attempt worked in, if it is still there as that attempt left it. */
export function lastWorkspace(
  run: Run,
  { id, mode }: Pick<UnitSpec, 'id' | 'mode'>,
  { stateDir, record }: { stateDir: string; record: Pick<UnitRecord, 'cwd'> },
): LastWorkspace {
  try {
    const isMade = mode === 'clone' || mode === 'worktree';
    return isMade ? madeWorkspace(run, id, stateDir, record.cwd) : plainFolder(record.cwd);
  } catch (error) {
    // Nobody may look there, or a newer prun wrote its record.
    return { kind: 'gone', why: `its workspace ${record.cwd} cannot be looked at (${messageOf(error)})` };
  }
}

function plainFolder(folder: string): LastWorkspace {
  if (lstatOrNone(folder)?.isDirectory()) return { kind: 'there', folder };
  return { kind: 'gone', why: `its folder ${folder} is gone` };
}

function madeWorkspace(run: Run, unit: string, stateDir: string, folder: string): LastWorkspace {
  const set = readSet(setFolderOf(run));
  const workspace = set && readWorkspace(set, unit);
  if (!set || !workspace) return { kind: 'gone', why: `its workspace ${folder} was removed` };
  const presence = presenceOf(set, workspace);
  if (presence !== 'there') {
    return { kind: 'gone', why: `its workspace ${workspace.folder} is ${WHY_NOT[presence]}` };
  }
  // Workspaces of one unit follow each other at the same place: each knows who worked in it.
  if (!attemptsIn({ set: set.folder, unit }).includes(stateDir)) {
    return { kind: 'gone', why: `its workspace ${workspace.folder} was made anew since` };
  }
  return { kind: 'there', folder: workspace.folder };
}

const WHY_NOT = {
  gone: 'gone',
  removing: 'being removed',
  replaced: 'no folder any more',
  elsewhere: 'behind a symlink now',
} as const;
