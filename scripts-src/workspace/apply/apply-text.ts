import { rmSync } from 'node:fs';
import { bytePathOf } from '../../platform/byte-path.ts';
import { GitError, type GitPlace, runGit } from '../../platform/git.ts';
import { writeTree } from '../base/index-entries.ts';
import type { ApplyConflict } from './apply-records.ts';

/** Lines of git's explanation that are passed on. */
const LINES = 20;

/** The end of a patch by its text: the tree with it, or why it does not apply. */
export type TextResult = { kind: 'clean'; tree: string } | { kind: 'conflict'; conflicts: ApplyConflict[] };

/** Puts a patch without trees into a tree of the store, whole or not at all; no working tree is touched. */
export async function applyText(
  place: GitPlace & { indexFile: string },
  tree: string,
  input: { unit: string; patchFile: string; mayBeEmpty: boolean },
  against: string,
): Promise<TextResult> {
  rmSync(place.indexFile, { force: true });
  await runGit(place, ['read-tree', tree]);
  try {
    const empty = input.mayBeEmpty ? ['--allow-empty'] : [];
    const argv = ['apply', '--cached', ...empty, '--whitespace=nowarn', '--', input.patchFile];
    await runGit(place, argv);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { kind: 'conflict', conflicts: refusals(error.stderr, input.unit, against) };
  }
  return { kind: 'clean', tree: await writeTree(place) };
}

/** git's words, one conflict for each place that it names. */
function refusals(stderr: string, unit: string, against: string): ApplyConflict[] {
  const lines = stderr.split('\n').filter((line) => line.startsWith('error: '));
  const found = lines.slice(0, LINES).map((line): ApplyConflict => {
    const detail = line.slice('error: '.length);
    const place = /^patch failed: (.+):(\d+)$/.exec(detail);
    const where =
      place?.[1] ??
      /^(.+): (?:patch does not apply|does not exist in index|already exists in index)$/.exec(detail)?.[1];
    return {
      path: where === undefined ? null : bytePathOf(where),
      unit,
      against,
      kind: 'patch',
      detail,
      lines: [],
    };
  });
  const other: ApplyConflict = { path: null, unit, against, kind: 'patch', detail: stderr.trim(), lines: [] };
  return found.length > 0 ? found : [other];
}
