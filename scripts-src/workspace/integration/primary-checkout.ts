import path from 'node:path';
import type { SourceRepository } from '../base/source-repo.ts';

/**
 * Top of the repository's primary checkout, from any worktree of it. Where the primary one has no files (a bare repository
 * with worktrees), or its place is told nowhere, it is the given worktree. Pure.
 */
export function primaryCheckout(source: SourceRepository): string {
  const { workTree, gitDir, commonDir, settings } = source;
  if (gitDir === commonDir) return workTree;
  const named = settings.get('core.worktree');
  if (named) return path.resolve(commonDir, named);
  const isBare = settings.get('core.bare') === 'true';
  return path.basename(commonDir) === '.git' && !isBare ? path.dirname(commonDir) : workTree;
}
