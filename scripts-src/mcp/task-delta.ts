import path from 'node:path';
import { pathFromJson, shownPath } from '../platform/byte-path.ts';
import { quotedWord } from '../run/command-text.ts';
import { setFolderOf } from '../run/unit-facts.ts';
import type { OutcomeRecord } from '../unit/records.ts';
import { readDelta, readSet } from '../workspace/workspace-set.ts';
import type { StartedTask } from './started-task.ts';
import { type InPlaceChange, pathBelow } from './tasks-in-place.ts';
import { LIMITS, type TaskDelta } from './tool-schemas.ts';
import type { FileChange } from './tree-look.ts';

type DeltaFile = TaskDelta['files'][number];

/** What a task in place changed, with what its caller must know of tasks beside it. */
export function inPlaceDelta(
  root: string,
  changes: readonly InPlaceChange[],
): { delta: TaskDelta; notes: string[] } {
  const files = changes.map(({ path: file, ...rest }) => ({ path: pathBelow(root, file), ...rest }));
  return { delta: deltaOf('inplace', files, null, null), notes: files.flatMap(overlapNote) };
}

function overlapNote({ path: file, alsoBy, isCertain }: DeltaFile): string[] {
  if (alsoBy.length === 0) return [];
  const names = alsoBy.slice(0, 5).join(', ');
  return [
    isCertain
      ? `${file} was changed at the same time by ${names}, too: look at it, one may have undone the other`
      : `${file} changed while ${names} worked here, too: it may be by either`,
  ];
}

/**
 * What a task changed in its clone; null where its delta was not collected, which the notes say. `prun`: the compiled script
 * that applies it. `top`: of the tree that the workspace lies in.
 */
export function cloneDelta(
  task: StartedTask,
  outcome: OutcomeRecord | undefined,
  { prun, top }: { prun: string; top: string | null },
): { delta: TaskDelta | null; notes: string[] } {
  const summary = outcome?.delta;
  if (summary?.state !== 'collected') {
    if (!summary) return { delta: null, notes: [] };
    return { delta: null, notes: [`its delta was not collected (${summary.detail}): ${summary.next}`] };
  }
  const { run, unit, workspaceRoot } = task;
  const set = readSet(setFolderOf(run));
  const record = set && readDelta(set, unit);
  const files = (record?.files ?? []).map(({ status, path: where }) => ({
    path: shownPath(pathFromJson(where)),
    change: status === 'type-changed' ? ('modified' as const) : status,
    alsoBy: [],
    isCertain: true,
  }));
  const words = ['apply', '--run', run.record.id, '--unit', unit, '--to', workspaceRoot];
  const command = ['node', prun, ...words, '--state-home', run.stateHome].map(quotedWord).join(' ');
  const notes = [
    'nothing of it is in the workspace: apply puts it there',
    ...(top === null || top === workspaceRoot ? [] : [`its paths are below ${top}`]),
    ...summary.lost.slice(0, 5).map((line) => `not in the delta: ${line}`),
  ];
  const delta = deltaOf('clone', files, summary.patch, files.length > 0 ? command : null);
  return { delta, notes: files.length > 0 ? notes : [] };
}

function deltaOf(
  isolation: TaskDelta['isolation'],
  files: readonly DeltaFile[],
  patch: string | null,
  apply: string | null,
): TaskDelta {
  const count = (wanted: FileChange): number => files.filter(({ change }) => change === wanted).length;
  return {
    isolation,
    files: files.slice(0, LIMITS.files),
    ...{ added: count('added'), modified: count('modified'), deleted: count('deleted') },
    more: Math.max(0, files.length - LIMITS.files),
    patch,
    apply,
  };
}

/** Changes below the top of a tree by absolute paths. */
export function absoluteChanges(
  top: string,
  changes: ReadonlyMap<string, FileChange>,
): Map<string, FileChange> {
  return new Map([...changes].map(([below, change]) => [path.join(top, below), change]));
}
