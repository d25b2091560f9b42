import { type BytePath, parentOf } from '../../platform/byte-path.ts';
import type { ChangedFile } from '../delta/load-delta.ts';

/**
 * The pairs of deltas, by their places in the list and the lower one first, that git must merge: those that share a
 * path, or where a path of one is a folder of the other. All others are clean by construction: git merges path by
 * path, and a rename is the deletion of one path and the addition of another, both of which are in the list; folders
 * are not renamed. A path that both changed to the very same file is no contact either; two deletions are, because
 * one of them may be a rename. Pure.
 */
export function contactsOf(deltas: readonly { files: readonly ChangedFile[] }[]): [number, number][] {
  const byPath = new Map<BytePath, { at: number; version: string | null }[]>();
  for (const [at, { files }] of deltas.entries()) {
    for (const { path: where, newMode, newId } of files) {
      const version = newId === null ? null : `${newMode} ${newId}`;
      const known = byPath.get(where);
      if (known) known.push({ at, version });
      else byPath.set(where, [{ at, version }]);
    }
  }
  const found = new Set<number>();
  const meet = (a: number, b: number): void => {
    if (a !== b) found.add(Math.min(a, b) * deltas.length + Math.max(a, b));
  };
  for (const [where, changes] of byPath) {
    for (const [n, one] of changes.entries()) {
      for (const other of changes.slice(n + 1)) {
        if (one.version === null || one.version !== other.version) meet(one.at, other.at);
      }
    }
    for (let folder = parentOf(where); folder !== undefined; folder = parentOf(folder)) {
      for (const above of byPath.get(folder) ?? []) for (const one of changes) meet(above.at, one.at);
    }
  }
  return [...found]
    .sort((a, b) => a - b)
    .map((key) => [Math.floor(key / deltas.length), key % deltas.length]);
}
