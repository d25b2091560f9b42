import { lstatSync, type Stats } from 'node:fs';
import { type BytePath, below, fileAt, parentOf, shownPath, splitPaths } from '../../platform/byte-path.ts';
import { usageError } from '../../platform/errors.ts';
import { gitBytes } from '../../platform/git.ts';
import { type SourceRepository, sourcePlace } from './source-repo.ts';

const RULE_FILES = ['.gitignore', '.gitattributes'] as BytePath[];

/**
 * Refuses a working tree in which git would wait for ever: it opens files of rules like any other, and a pipe of such a
 * name has no end. Looked at are the top and the folders of the given paths; nothing is opened.
 */
export function refuseWaitingRules(workTree: string, paths: readonly BytePath[]): void {
  for (const folder of foldersOf(paths)) {
    for (const name of RULE_FILES) {
      const where = below(folder, name);
      const kind = waitingKind(workTree, where);
      if (kind === undefined) continue;
      throw usageError(
        `${shownPath(where)} in ${workTree} is a ${kind}; git would wait for ever to read it`,
        'remove it, and run the command again',
      );
    }
  }
}

/** The same for all folders with tracked files, by the index alone. */
export async function refuseWaitingRulesOf(source: SourceRepository): Promise<void> {
  refuseWaitingRules(source.workTree, splitPaths(await gitBytes(sourcePlace(source), ['ls-files', '-z'])));
}

function foldersOf(paths: readonly BytePath[]): Set<BytePath | undefined> {
  const found = new Set<BytePath | undefined>([undefined]);
  for (const where of paths) {
    for (
      let folder = parentOf(where);
      folder !== undefined && !found.has(folder);
      folder = parentOf(folder)
    ) {
      found.add(folder);
    }
  }
  return found;
}

function waitingKind(root: string, where: BytePath): string | undefined {
  let stat: Stats;
  try {
    stat = lstatSync(fileAt(root, where));
  } catch {
    // Not there, or in a folder that may not be entered: git reads none either.
    return undefined;
  }
  if (stat.isFIFO()) return 'pipe';
  return stat.isCharacterDevice() || stat.isBlockDevice() ? 'device' : undefined;
}
