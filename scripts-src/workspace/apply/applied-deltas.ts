import { realpathSync } from 'node:fs';
import path from 'node:path';
import { PrunError } from '../../platform/errors.ts';
import { entriesOf } from '../../platform/files.ts';
import { setsFolder } from '../workspace-set.ts';
import type { DeltaName } from './apply-deltas.ts';
import { type Journal, journalFolder, readJournal } from './change-journal.ts';

/** Whether a delta has been applied to a tree that is somebody's, and not been undone since. */
export type IsApplied = (delta: DeltaName) => boolean;

/**
 * The deltas that stand in the records of applies. An apply to a clone or worktree of prun is only a trial, and one to a tree
 * that has gone since is nobody's, unless it is `integration`, which goes only when what it holds is elsewhere. Records of
 * an older prun do not say which deltas they were.
 */
export function appliedDeltas(stateHome: string, integration: string | undefined): IsApplied {
  const trials = `${realOf(setsFolder(stateHome)) ?? setsFolder(stateHome)}${path.sep}`;
  const home = integration === undefined ? undefined : (realOf(integration) ?? integration);
  const applied = new Set<string>();
  for (const { kind, state, root, deltas } of journalsOf(stateHome)) {
    if (kind !== 'apply' || state !== 'done' || root.startsWith(trials)) continue;
    if (root !== home && realOf(root) === undefined) continue;
    for (const delta of deltas ?? []) applied.add(keyOf(delta));
  }
  return (delta) => applied.has(keyOf(delta));
}

/** Results of earlier attempts of a delta's unit, against the same base, that stand in a tree; newest first. */
export type EarlierResults = (delta: DeltaName) => readonly string[];

/** What was applied to a tree (its top, links resolved) before, and not been undone since. */
export function earlierResults(stateHome: string, root: string): EarlierResults {
  let known: Journal[] | undefined;
  return ({ set, unit, base, result }) => {
    known ??= journalsOf(stateHome)
      .filter((journal) => journal.kind === 'apply' && journal.state === 'done' && journal.root === root)
      .sort((a, b) => b.order - a.order);
    const results = known.flatMap(({ deltas = [] }) =>
      deltas
        .filter((one) => one.set === set && one.unit === unit && one.base === base)
        .map((one) => one.result),
    );
    return [...new Set(results)].filter((one) => one !== result);
  };
}

function journalsOf(stateHome: string): Journal[] {
  return entriesOf(path.dirname(journalFolder(stateHome, 'any'))).flatMap(({ name }) => {
    try {
      return readJournal(journalFolder(stateHome, name)) ?? [];
    } catch (error) {
      // By a newer prun: what it applied counts as not applied, and nothing is lost by that.
      if (error instanceof PrunError) return [];
      throw error;
    }
  });
}

function keyOf({ set, unit, base, result }: DeltaName): string {
  return [set, unit, base, result].join(' ');
}

function realOf(folder: string): string | undefined {
  try {
    return realpathSync.native(folder);
  } catch {
    // It has gone.
    return undefined;
  }
}
