import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { UnitRecord } from '../../scripts-src/unit/records.ts';
import { processesOf, readProcess, type Seen } from '../helpers/process-table.ts';
import { type RunPlace, textOf } from './run-place.ts';

// Who can be struck, found without prun's own code where there is another way.

/** Everything that supervises the run or stands behind somebody who does. */
export function supervisorsOf({ runFolder }: Pick<RunPlace, 'runFolder'>): Seen[] {
  return processesOf({ word: runFolder }).filter(
    ({ argv }) => argv.includes(' supervise --run-dir ') || argv.includes('prun-lifeline'),
  );
}

/** The elected supervisor, if it is alive. */
export function electedOf({ runFolder }: Pick<RunPlace, 'runFolder'>): Seen | undefined {
  const folder = path.join(runFolder, 'supervisors');
  const newest = Math.max(0, ...namesIn(folder).map(Number).filter(Number.isInteger));
  const [, pid, start] = textOf(path.join(folder, String(newest)))
    .trim()
    .split(':');
  const seen = pid === undefined ? undefined : readProcess(Number(pid));
  return seen && seen.start === start && seen.state !== 'Z' ? seen : undefined;
}

/** The guardians: orphans that sleep until their supervisor dies, and those who are about to be. */
export function guardiansOfRun(place: Pick<RunPlace, 'runFolder'>): Seen[] {
  return supervisorsOf(place).filter(({ argv }) => /prun-guardian|prun-lifeline/.test(argv));
}

/** An attempt on disk. */
export interface Attempt {
  stateDir: string;
  record: UnitRecord;
  hasOutcome: boolean;
}

/** Attempts of a run that have a name, oldest names first. */
export function attemptsOf({ runFolder }: Pick<RunPlace, 'runFolder'>): Attempt[] {
  const folder = path.join(runFolder, 'attempts');
  return namesIn(folder)
    .filter((name) => name.startsWith('prun-task-'))
    .map((name) => {
      const stateDir = path.join(folder, name);
      const record = JSON.parse(textOf(path.join(stateDir, 'unit.json')) || '{}') as UnitRecord;
      return { stateDir, record, hasOutcome: textOf(path.join(stateDir, 'outcome.json')) !== '' };
    });
}

/** Processes of attempts that go on, with the marker of theirs. */
export function workersOf(place: Pick<RunPlace, 'runFolder'>): { marker: string; seen: Seen }[] {
  return attemptsOf(place)
    .filter(({ hasOutcome }) => !hasOutcome)
    .flatMap(({ record: { marker, rssMark } }) =>
      processesOf({ marker, rssMark }).map((seen) => ({ marker, seen })),
    );
}

/** Names in a folder, none where it is not there. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
