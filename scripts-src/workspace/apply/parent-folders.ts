import type { BigIntStats } from 'node:fs';
import { type BytePath, fileAt, parentOf } from '../../platform/byte-path.ts';
import { lookAt } from './path-state.ts';

/** The folders that a path lies in, outer ones first. */
export function foldersOf(where: BytePath): BytePath[] {
  const found: BytePath[] = [];
  for (let folder = parentOf(where); folder !== undefined; folder = parentOf(folder)) found.unshift(folder);
  return found;
}

/** What stands where a path needs a folder. */
export interface ParentFault {
  path: BytePath;
  kind: 'missing' | 'symlink' | 'file';
}

/** The first of a path's folders that is no folder; undefined where all are. Links are never followed. */
export function faultInParents(root: string, where: BytePath): ParentFault | undefined {
  for (const folder of foldersOf(where)) {
    const kind = kindOfParent(lookAt(fileAt(root, folder)));
    if (kind !== 'folder') return { path: folder, kind };
  }
  return undefined;
}

function kindOfParent(stat: BigIntStats | undefined): ParentFault['kind'] | 'folder' {
  if (!stat) return 'missing';
  if (stat.isSymbolicLink()) return 'symlink';
  return stat.isDirectory() ? 'folder' : 'file';
}
