import { rmSync } from 'node:fs';
import { readStart, writeAtomic } from '../platform/files.ts';
import { type Run, runFile } from './run-folder.ts';

const HELD_BYTES = 400;

/**
 * Why the supervisor of a run starts nothing more at the moment, in a few words; undefined where it may, or where
 * nobody said. What a dead supervisor has left is not true any more: ask whether one lives.
 */
export function readHeld(run: Pick<Run, 'folder'>): string | undefined {
  return readStart(runFile(run, 'held'), HELD_BYTES).split('\n', 1)[0]?.trim() || undefined;
}

/** Says in the run's folder why nothing is started; `undefined` takes that away. Writes only when it changes. */
export type KeepHeld = (why: string | undefined) => void;

/** The supervisor's end of it. */
export function keepHeld(run: Pick<Run, 'folder'>): KeepHeld {
  const file = runFile(run, 'held');
  // An earlier supervisor may have left one.
  let written: string | undefined | null = null;
  return (why) => {
    if (why === written) return;
    try {
      if (why === undefined) rmSync(file, { force: true });
      else writeAtomic(file, `${why.slice(0, HELD_BYTES)}\n`, { sync: false });
      written = why;
    } catch {
      // A full disk, or a folder that is being removed: without it status says less, and the next round tries again.
    }
  };
}
