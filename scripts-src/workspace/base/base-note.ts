import { type BytePath, below, shownPath } from '../../platform/byte-path.ts';
import { type GitPlace, gitBytes } from '../../platform/git.ts';
import type { SetRecord } from '../records.ts';
import type { SourceSnapshot } from './snapshot-source.ts';
import type { SourceRepository } from './source-repo.ts';

const MAX_PATHS = 30;

/**
 * The note for workers about what they start from: commit, branch, what of it was not committed yet, what is missing.
 * It lies beside the clones, and its path is told to the worker.
 */
export async function baseNote(
  store: GitPlace,
  record: SetRecord,
  source: SourceRepository,
  snapshot: SourceSnapshot,
  pointers: readonly BytePath[],
): Promise<string> {
  const { base } = record;
  const unfinished = await unfinishedWork(store, record);
  const missing = [
    ...snapshot.leftOut.map(({ path }) => `${shownPath(path)} (left out of the working tree by the user)`),
    ...snapshot.absent.map(({ path }) => `${shownPath(path)} (submodule that is not initialised)`),
    ...snapshot.nested.map((where) => `${shownPath(where)}/ (a repository of its own, not part of this one)`),
    ...pointers.map((where) => `${shownPath(where)} (Git LFS pointer: its content was never fetched)`),
    ...notTaken(snapshot),
  ];
  return [
    `# Base of ${record.id}`,
    '',
    `Repository: ${source.workTree}`,
    `Branch: ${base.branch ?? 'none (detached HEAD)'}`,
    `HEAD: ${base.head ?? 'none (no commit yet)'}`,
    `Base commit in a clone: ${base.commit}${base.commit === base.head ? ' (HEAD itself)' : ' (HEAD and the work that was not committed)'}`,
    ...(base.head === null
      ? []
      : [`Base commit in a worktree: ${base.head} (HEAD; what was not committed is in its files)`]),
    `Base tree: ${base.tree}`,
    ...(snapshot.unmerged.length > 0
      ? ['', 'A merge is not finished; these files are as they lie on disk, conflict markers included:']
      : []),
    ...bounded(snapshot.unmerged.map(shownPath)),
    '',
    unfinished.length === 0 ? 'Not committed yet: nothing.' : 'Not committed yet, and part of the base:',
    ...bounded(unfinished),
    '',
    ...(source.isShallow ? ['The history is shallow: older commits are missing.', ''] : []),
    missing.length === 0
      ? 'Missing: ignored files (installed packages, build output, local settings).'
      : 'Missing, beside ignored files (installed packages, build output, local settings):',
    ...bounded(missing),
    '',
    'Leave your changes in the files. Do not commit, push, or change branches. A clone has no remote; a worktree shares',
    "the repository's branches, remotes and hooks.",
    '',
  ].join('\n');
}

/** What could not be taken, or is git's own; that of submodules too. */
function notTaken({ gitFolders, problems, submodules }: SourceSnapshot, at?: BytePath): string[] {
  return [
    ...gitFolders.map((where) => `${shownPath(below(at, where))}/ (git's own folder of the repository)`),
    ...problems.map(({ path, what }) => `${shownPath(below(at, path))} (${what})`),
    ...submodules.flatMap(({ path, snapshot }) => notTaken(snapshot, below(at, path))),
  ];
}

function bounded(lines: readonly string[]): string[] {
  const shown = lines.slice(0, MAX_PATHS).map((line) => `- ${line}`);
  return lines.length > MAX_PATHS ? [...shown, `- and ${lines.length - MAX_PATHS} more`] : shown;
}

const LETTERS: Readonly<Record<string, string>> = { A: 'new', M: 'changed', D: 'deleted', T: 'other kind' };

async function unfinishedWork(store: GitPlace, { base }: SetRecord): Promise<string[]> {
  if (base.head === base.commit) return [];
  const from = base.head ?? (await emptyTree(store));
  const argv = ['diff-tree', '-r', '-z', '--name-status', '--no-renames', from, base.commit];
  const fields = (await gitBytes(store, argv)).toString('latin1').split('\0');
  const lines: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    lines.push(`${shownPath(fields[at + 1] as BytePath)} (${LETTERS[fields[at] ?? ''] ?? fields[at]})`);
  }
  return lines;
}

async function emptyTree(store: GitPlace): Promise<string> {
  return (await gitBytes(store, ['hash-object', '-t', 'tree', '-w', '--stdin'])).toString('utf8').trim();
}
