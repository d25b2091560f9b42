import type { SetRecord, WorkspaceOrigin } from '../workspace/records.ts';
import { bytesText, countOf } from './figures.ts';

const MAX_NOTES = 20;

/** What a person wants to know after `prun clone`, in a few lines. `note` is the path of the note for workers. Pure. */
export function cloneSummary(
  { id, source, base, createdAt }: SetRecord,
  origin: WorkspaceOrigin | null,
  note: string,
  { count, mode }: { count: number; mode: 'clone' | 'worktree' },
  notes: readonly string[],
): string[] {
  const at = base.head === null ? 'no commit yet' : base.head.slice(0, 12);
  const work = base.head === base.commit ? 'nothing uncommitted' : 'with the work that is not committed';
  return [
    `base of run ${id}, ${madeOf(origin, createdAt)}: ${source.workTree}, ${base.branch ?? 'detached HEAD'} at ${at}, ${work}`,
    `${countOf(count, mode)} of ${countOf(base.files, 'file')}, ${bytesText(base.bytes)} each; the history is shared`,
    `what the base holds and lacks, for prompts: ${note}`,
    ...notes.slice(0, MAX_NOTES),
    ...(notes.length > MAX_NOTES ? [`… and ${notes.length - MAX_NOTES} more: --json has all`] : []),
  ];
}

function madeOf(origin: WorkspaceOrigin | null, frozenAt: string): string {
  if (origin === null) return `frozen ${frozenAt.slice(0, 19)}Z`;
  if (origin.kind === 'as-it-stands') return 'the tree as it stands now';
  const { units } = origin;
  const more = units.length > 10 ? ` and ${units.length - 10} more` : '';
  return `with the results of ${units.slice(0, 10).join(', ')}${more}`;
}
