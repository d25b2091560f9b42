import { EXIT } from '../platform/errors.ts';
import { conflictJson, conflictLinesOf } from '../render/conflict-table.ts';
import { baseAfter } from '../workspace/base/base-after.ts';
import { baseAsItStands } from '../workspace/base/base-as-it-stands.ts';
import type { ProvidedSet } from '../workspace/base/create-set.ts';
import { type OwnBase, withBaseDraft } from '../workspace/base/own-base.ts';
import type { SourceRepository } from '../workspace/base/source-repo.ts';
import type { ConflictMatrix } from '../workspace/merge/conflict-matrix.ts';
import { mergeParents } from '../workspace/merge/merge-parents.ts';
import type { CloneArguments } from './clone-arguments.ts';

/**
 * Does the work on the base that was asked for: the set's own (undefined), merged results, or the tree as it stands.
 * Results that do not go together are printed, and nothing else happens: 35.
 */
export async function withBase(
  request: CloneArguments,
  { set, isNew }: ProvidedSet,
  source: SourceRepository,
  work: (base: OwnBase | undefined) => Promise<number>,
): Promise<number> {
  if (request.after.length > 0) {
    const merged = await mergeParents(set, request.after);
    if (merged.kind === 'conflict') return printConflicts(merged.matrix, request);
    return withBaseDraft(set, async (folder) => work(await baseAfter(set, merged, folder)));
  }
  // A set that this call made has the tree as it stands.
  if (!request.asItStands || isNew) return work(undefined);
  return withBaseDraft(set, async (folder) => work(await baseAsItStands(set, source, folder)));
}

function printConflicts(matrix: ConflictMatrix, { json, after }: CloneArguments): number {
  const text = json
    ? `${JSON.stringify(conflictJson(matrix), null, 2)}\n`
    : conflictLinesOf(matrix)
        .map((line) => `${line}\n`)
        .join('');
  process.stdout.write(text);
  process.stderr.write(
    `prun clone: the results of ${after.join(', ')} do not go together: nothing was made\n`,
  );
  return EXIT.conflict;
}
