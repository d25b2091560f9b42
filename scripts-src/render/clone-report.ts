import type { SetRecord } from '../workspace/records.ts';
import { bytesText, countOf } from './figures.ts';

const MAX_NOTES = 20;

/** What a person wants to know after `prun clone`, in a few lines. `note` is the path of the note for workers. Pure. */
export function cloneSummary(
  { id, source, base, createdAt }: SetRecord,
  note: string,
  { count, mode }: { count: number; mode: 'clone' | 'worktree' },
  notes: readonly string[],
): string[] {
  const at = base.head === null ? 'no commit yet' : base.head.slice(0, 12);
  const work = base.head === base.commit ? 'nothing uncommitted' : 'with the work that is not committed';
  return [
    `base of run ${id}, frozen ${createdAt.slice(0, 19)}Z: ${source.workTree}, ${base.branch ?? 'detached HEAD'} at ${at}, ${work}`,
    `${countOf(count, mode)} of ${countOf(base.files, 'file')}, ${bytesText(base.bytes)} each; the history is shared`,
    `what the base holds and lacks, for prompts: ${note}`,
    ...notes.slice(0, MAX_NOTES),
    ...(notes.length > MAX_NOTES ? [`… and ${notes.length - MAX_NOTES} more: --json has all`] : []),
  ];
}
