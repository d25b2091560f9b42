import { bytesText } from '../render/figures.ts';
import type { CommandText } from '../run/command-text.ts';
import type { RunCleanup } from './cleanup-parts.ts';
import { removedLines } from './cleanup-workspaces.ts';
import { fewLines } from './few-lines.ts';

const MAX_WORKTREES = 5;

/** What `prun cleanup --run` prints of a run: what was left alone first, at most 40 lines. */
export function cleanupReport(
  { run, cancelled, units, parts, worktrees }: RunCleanup,
  command: CommandText,
  all: boolean,
): string {
  const gone = units.filter(({ removed }) => removed);
  const freed = gone.reduce((sum, { bytes }) => sum + bytes, 0);
  const kept = units.length - gone.length + parts.filter(({ removed }) => !removed).length;
  const head = [
    `CLEANUP run=${run} removed=${gone.length} kept=${kept} freed=${bytesText(freed).replace(' ', '')}${cancelled.length > 0 ? ` cancelled=${cancelled.length}` : ''}`,
  ];
  const isRunGone = parts.some(({ part, removed }) => part === 'run' && removed);
  const lines = [
    ...units.filter(({ removed }) => !removed).flatMap((one) => removedLines(one, isRunGone)),
    ...parts.flatMap(({ part, path, removed, notes }) => [
      `${removed ? 'REMOVED' : 'KEPT'} ${part} ${path}`,
      ...notes.map((note) => `NOTE ${part} ${note}`),
    ]),
    ...gone.flatMap((one) => removedLines(one, all)),
  ];
  const tail = worktrees.map((folder) => `STAYS ${folder}`).slice(0, MAX_WORKTREES);
  if (tail.length > 0) tail.push(`NEXT ${command('cleanup', '--drop-worktrees')}`);
  return fewLines(head, lines, tail, isRunGone ? 'they are gone' : command('cleanup', '--json'));
}
