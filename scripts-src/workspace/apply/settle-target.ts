import { rmSync } from 'node:fs';
import path from 'node:path';
import type { BytePath } from '../../platform/byte-path.ts';
import { wallTime } from '../../platform/clock.ts';
import { PrunError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { isAlive, parseIdentity } from '../../process/identity.ts';
import type { ProcessHost } from '../../process/types.ts';
import {
  forgetKept,
  type Journal,
  journalFolder,
  listJournals,
  readChangeList,
  readIndexChanges,
  readJournal,
  removeJournal,
  scratchOf,
  writeJournal,
} from './change-journal.ts';
import {
  draftsIn,
  type Holder,
  type Holding,
  holdingOf,
  livingHolder,
  releaseTarget,
  takeOver,
} from './hold-target.ts';
import { lookAt } from './path-state.ts';
import { restoreIndexes } from './replace-index.ts';
import { hasLeft, rollBack } from './roll-back.ts';
import { type ChangePlace, stagingOf } from './staging-folder.ts';

/** What a rollback left as somebody else had made it meanwhile. */
export interface LeftBehind {
  /** Their former content is kept below `left/` and `before/` in the journal's folder. */
  paths: BytePath[];
  /** Index files. */
  indexes: string[];
}

const NOTHING_LEFT: LeftBehind = { paths: [], indexes: [] };

/** What was done about a change that a dead process left. */
export interface Settled {
  id: string;
  /** `finished`: it had been made, only its clean-up was left. */
  did: 'rolled-back' | 'finished' | 'cleared';
  /** What could not be given back because somebody changed it since. */
  left: LeftBehind;
  folder: string;
}

/** How long a living holder is waited for, and how often it is looked for, ms. */
const WAIT_MS = 60_000;
const LOOK_MS = 50;
const STRANGE_LOOKS = 3;

/**
 * Brings a target to rest before anything is done with it: waits for a change that is at work, rolls back one whose
 * process is dead, and finishes the clean-up of one that had been made. Throws where another state home knows of it.
 */
export async function settleTarget(host: ProcessHost, root: string, holder: Holder): Promise<Settled[]> {
  const settled: Settled[] = [];
  const until = performance.now() + WAIT_MS;
  let strange = 0;
  for (;;) {
    const holding = holdingOf(root);
    if (!holding) {
      if (!lookAt(stagingOf(root))) break;
      // A holder that lets go between two looks is not strange; a folder that stays is.
      if (++strange > STRANGE_LOOKS) throw strangeFolder(root);
      continue;
    }
    const living = livingHolder(host, root);
    if (living === undefined) {
      const folder = journalFolder(holder.stateHome, holding.id);
      if (readJournal(folder)?.root !== root) {
        // A holder that is done removes its journal after the staging folder.
        if (holdingOf(root)?.id !== holding.id) continue;
        throw unknownChange(root, holding, holder.stateHome);
      }
      if (takeOver(host, root, holding, holder.identity)) {
        settled.push(settle({ root, staging: stagingOf(root), folder }, holding.id, holder.stateHome));
      }
      continue;
    }
    if (performance.now() > until) throw busy(root, living);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  clearDrafts(host, root, holder.stateHome);
  return settled;
}

/** Only a journal in the private state home is followed: what lies in a working tree could be anybody's. */
function unknownChange(root: string, holding: Holding, stateHome: string): PrunError {
  return new PrunError(
    'E_STATE_HOME',
    `an apply of ${journalFolder(holding.stateHome, holding.id)} was interrupted in ${root}, and the state home ${stateHome} does not know it`,
    `run the command with --state-home ${holding.stateHome}; if that is gone, what was moved away lies in ${path.join(stagingOf(root), 'old')}`,
  );
}

function strangeFolder(root: string): PrunError {
  return new PrunError(
    'E_STAGING',
    `${stagingOf(root)} was not made by prun apply, which needs that name`,
    'move it away, and run the command again; nothing was changed',
  );
}

function busy(root: string, living: string): PrunError {
  return new PrunError(
    'E_BUSY',
    `another prun apply (process ${parseIdentity(living)?.pid ?? living}) is at work in ${root}`,
    'run the command again when it has ended; nothing was changed',
  );
}

function settle(place: ChangePlace, id: string, stateHome: string): Settled {
  const journal = readJournal(place.folder);
  const settled = (did: Settled['did'], left = NOTHING_LEFT): Settled => ({
    id,
    did,
    left,
    folder: place.folder,
  });
  if (journal?.state === 'done') {
    finishUndo(stateHome, journal);
    releaseTarget(place, id);
    rmSync(scratchOf(place.folder), { recursive: true, force: true, maxRetries: 5 });
    if (journal.kind === 'undo') removeJournal(place.folder);
    return settled('finished');
  }
  if (journal?.state !== 'changing') {
    // Killed after the rollback: what was kept are second names of files that are back in the tree.
    forgetKept(place.folder);
    releaseTarget(place, id);
    if (!hasLeft(place.folder)) removeJournal(place.folder);
    return settled('cleared');
  }
  const left = takeBack(place, journal);
  releaseTarget(place, id);
  if (isNothing(left)) removeJournal(place.folder);
  return settled('rolled-back', left);
}

/** Whether everything is as it was. */
export function isNothing({ paths, indexes }: LeftBehind): boolean {
  return paths.length + indexes.length === 0;
}

/** Rolls a change back, index first, and writes that down. */
export function takeBack(place: ChangePlace, journal: Journal): LeftBehind {
  const list = readChangeList(place.folder);
  const indexes = restoreIndexes(place.folder, readIndexChanges(place.folder));
  const paths = list ? rollBack(place, list) : [];
  faultPoint('rollback:done', place.folder);
  writeJournal(place.folder, { ...journal, state: 'rolled-back', endedAt: wallTime() });
  faultPoint('rollback:noted', place.folder);
  forgetKept(place.folder);
  return { paths, indexes };
}

/** Writes into the apply that an undo took back that it is undone. */
export function finishUndo(stateHome: string, journal: Journal): void {
  if (journal.of === null) return;
  const folder = journalFolder(stateHome, journal.of);
  const undone = readJournal(folder);
  if (undone?.state === 'done') writeJournal(folder, { ...undone, state: 'undone', endedAt: wallTime() });
  // By now these are second names of files in the tree.
  forgetKept(folder);
}

/** Removes what was killed before it held the target, or while it let go of it. */
function clearDrafts(host: ProcessHost, root: string, stateHome: string): void {
  const known = listJournals(stateHome, root).filter(({ holder }) => {
    const identity = parseIdentity(holder);
    return !identity || !isAlive(host, identity);
  });
  for (const id of draftsIn(root)) {
    // A folder of an id that is not known here is somebody else's.
    if (!known.some((journal) => journal.id === id)) continue;
    rmSync(`${stagingOf(root)}-${id}`, { recursive: true, force: true, maxRetries: 5 });
  }
  for (const { id, state } of known) {
    if (state === 'preparing') removeJournal(journalFolder(stateHome, id));
  }
}
