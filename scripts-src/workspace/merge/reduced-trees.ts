import { type BytePath, parentOf } from '../../platform/byte-path.ts';
import type { ChangedFile } from '../delta/load-delta.ts';
import { type FileVersion, formatOf, type ScratchObjects } from './scratch-objects.ts';

/** A delta as far as a merge needs it. */
export interface ReducibleDelta {
  base: string;
  files: readonly ChangedFile[];
}

/** Trees in the place of those of some deltas with one base. */
export interface ReducedTrees {
  base: string;
  /** Results, in the deltas' order. */
  results: string[];
}

/**
 * Trees that hold no more than what counts when these deltas of one base are merged with one another: paths that
 * several of them changed, folders of one where another has a file, and, of a delta that both adds and deletes, all
 * that it adds and deletes, because git finds its renames among them. Everything else is unchanged or changed by one
 * delta alone, and merges by itself; but git would write it into a tree for every pair (50,000 files, 435 pairs: 8 of
 * 10 parts of the time).
 */
export function reduceTrees(deltas: readonly ReducibleDelta[], scratch: ScratchObjects): ReducedTrees {
  const kept = keptPaths(deltas);
  const base = new Map<BytePath, FileVersion>();
  for (const { files } of deltas) {
    for (const { path: where, oldMode, oldId } of files) {
      if (kept.has(where)) setVersion(base, where, oldMode, oldId);
    }
  }
  const format = formatOf(deltas[0]?.base ?? '');
  return {
    base: scratch.tree(base, format),
    results: deltas.map(({ files }) => {
      const result = new Map(base);
      for (const { path: where, newMode, newId } of files) {
        if (kept.has(where)) setVersion(result, where, newMode, newId);
      }
      return scratch.tree(result, format);
    }),
  };
}

function keptPaths(deltas: readonly ReducibleDelta[]): Set<BytePath> {
  const changers = new Map<BytePath, number>();
  for (const { path: where } of deltas.flatMap(({ files }) => files)) {
    changers.set(where, (changers.get(where) ?? 0) + 1);
  }
  const kept = new Set<BytePath>();
  for (const [where, count] of changers) {
    if (count > 1) kept.add(where);
    for (let folder = parentOf(where); folder !== undefined; folder = parentOf(folder)) {
      if (changers.has(folder)) kept.add(where).add(folder);
    }
  }
  for (const { files } of deltas) {
    const added = files.filter(({ oldId }) => oldId === null);
    const deleted = files.filter(({ newId }) => newId === null);
    if (added.length === 0 || deleted.length === 0) continue;
    for (const { path: where } of [...added, ...deleted]) kept.add(where);
  }
  return kept;
}

function setVersion(
  tree: Map<BytePath, FileVersion>,
  where: BytePath,
  mode: string | null,
  id: string | null,
): void {
  if (mode === null || id === null) tree.delete(where);
  else tree.set(where, { mode, id });
}
