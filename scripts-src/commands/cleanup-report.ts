import { bytesText } from '../render/figures.ts';
import type { CommandText } from '../run/command-text.ts';
import type { CleanupWish } from './cleanup-arguments.ts';
import type { RunCleanup } from './cleanup-parts.ts';
import { removedLines } from './cleanup-workspaces.ts';
import { fewLines } from './few-lines.ts';

const MAX_WORKTREES = 5;
const MAX_UNITS = 10;

/** What `prun cleanup --run` prints of a run: what was left alone first, at most 40 lines. */
export function cleanupReport(done: RunCleanup, command: CommandText, wish: CleanupWish): string {
  const { run, cancelled, units, parts, worktrees } = done;
  const gone = units.filter(({ removed }) => removed);
  const freed = gone.reduce((sum, { bytes }) => sum + bytes, 0);
  const removed = gone.length + parts.filter((part) => part.removed).length;
  const kept = units.length + parts.length - removed;
  const head = [
    `CLEANUP run=${run} removed=${removed} kept=${kept} freed=${bytesText(freed).replace(' ', '')}${cancelled.length > 0 ? ` cancelled=${cancelled.length}` : ''}`,
  ];
  const isRunGone = parts.some((part) => part.part === 'run' && part.removed);
  const lines = [
    ...units.filter((unit) => !unit.removed).flatMap((one) => removedLines(one, isRunGone)),
    ...parts.flatMap(({ part, path, removed, notes }) => [
      `${removed ? 'REMOVED' : 'KEPT'} ${part} ${path}`,
      ...notes.map((note) => `NOTE ${part} ${note}`),
    ]),
    ...gone.flatMap((one) => removedLines(one, isRunGone)),
  ];
  const tail = worktrees.map((folder) => `STAYS ${folder}`).slice(0, MAX_WORKTREES);
  const next = nextOf(done, command, wish);
  if (next !== undefined) tail.push(`NEXT ${next}`);
  return fewLines(head, lines, tail, isRunGone ? 'they are gone' : command('cleanup', '--json'));
}

/** What does that which was asked for and was not done. */
function nextOf(
  { live, units, parts, worktrees }: RunCleanup,
  command: CommandText,
  wish: CleanupWish,
): string | undefined {
  const kept = [...units, ...parts].filter(({ removed }) => !removed);
  if (kept.length === 0) return worktrees.length > 0 ? command('cleanup', '--drop-worktrees') : undefined;
  const again = [
    ...wish.units.slice(0, MAX_UNITS).flatMap((unit) => ['--unit', unit]),
    ...(wish.dropWorktrees ? ['--drop-worktrees'] : []),
    ...(wish.all ? ['--everything'] : []),
  ];
  if (live.length > 0) return `${command('wait')} (then ${command('cleanup', ...again)})`;
  const isBroken = kept.some(({ notes }) => notes.some((note) => note.includes('put that right')));
  if (wish.force || isBroken) return undefined;
  return `${command('cleanup', ...again, '--force')} (when you have what the lines above name, or do not want it)`;
}
