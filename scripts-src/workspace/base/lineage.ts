import { GitError, type GitPlace, gitText } from '../../platform/git.ts';
import { nullIdOf } from './index-entries.ts';

/*
 * Of what a base was made is kept as commits in the set's store, which nobody ever packs away: a base stands on the
 * results that were merged into it, a result on its base. So git itself finds where two results parted, also where one
 * unit builds on another one that was retried meanwhile. The commits are never in a clone.
 */

/** The newest tree of the user that a workspace of the set was made from, as it stood. */
const SOURCE_REF = 'refs/prun/source';
const TRIES = 20;

/** Subject of the commit of a unit's result. */
export function resultSubject(unit: string): string {
  return `result ${unit}`;
}

/** The unit whose result a commit is, by its subject; undefined for any other commit. */
export function unitOfSubject(subject: string): string | undefined {
  return /^result (\S+)$/.exec(subject)?.[1];
}

/** Writes a commit; the same facts are the same commit. */
export async function lineageCommit(
  store: GitPlace,
  tree: string,
  parents: readonly string[],
  subject: string,
): Promise<string> {
  const person = 'prun <prun@localhost> 0 +0000';
  const body = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${person}`,
    `committer ${person}`,
    '',
    subject,
    '',
  ].join('\n');
  return gitText(store, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input: body });
}

/** The commit of a set's own base. */
export async function rootLineage(store: GitPlace, baseTree: string): Promise<string> {
  return lineageCommit(store, baseTree, [], 'base');
}

/**
 * The commit of the user's tree as it stands now: on top of the tree that it was when a workspace was last made so, or of
 * the set's base.
 */
export async function sourceLineage(
  store: GitPlace,
  baseTree: string,
  tree: string,
  format: 'sha1' | 'sha256',
): Promise<string> {
  const root = await rootLineage(store, baseTree);
  for (let tries = 0; ; tries++) {
    const known = (
      await gitText(store, ['for-each-ref', '--format=%(objectname) %(tree)', SOURCE_REF])
    ).split(' ');
    const [before = '', beforeTree = ''] = known[0] ? known : [root, baseTree];
    if (beforeTree === tree) return before;
    const commit = await lineageCommit(store, tree, [before], 'source');
    try {
      await gitText(store, ['update-ref', SOURCE_REF, commit, known[0] ? before : nullIdOf(format)]);
      return commit;
    } catch (error) {
      // Another call was first: then this tree stands on its tree.
      if (!(error instanceof GitError) || tries >= TRIES) throw error;
    }
  }
}
