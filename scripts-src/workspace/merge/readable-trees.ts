import { PrunError } from '../../platform/errors.ts';
import { type GitPlace, gitText } from '../../platform/git.ts';

/**
 * Throws unless every tree that a merge of these pairs looks into can be read, top to bottom. `git merge-tree` takes
 * a tree that is missing for an empty one, ends with 0 and drops the folder (tried on 2.39; git 2.44 says it); a
 * comparison of the base with each side reads the same trees and does say it. One process for all pairs.
 */
export async function refuseMissingTrees(
  place: GitPlace,
  pairs: readonly (readonly [string, string])[],
): Promise<void> {
  const lines = [...new Set(pairs.map(([base, side]) => `${base} ${side}`))];
  const input = lines.map((line) => `${line}\n`).join('');
  // A pair whose own trees are missing is passed over with code 0: the ones that were compared are named.
  const compared = await gitText(place, ['diff-tree', '--stdin', '-r', '-s', '--no-renames'], { input });
  const done = new Set(compared.split('\n'));
  const missing = lines.find((line) => !done.has(line));
  if (missing === undefined) return;
  throw new PrunError(
    'E_TREE_MISSING',
    `one of these trees is missing: ${missing} (${place.gitDir ?? place.cwd})`,
    'collect the units again; nothing was changed',
    1,
  );
}
