import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { EXIT, messageOf, PrunError } from '../platform/errors.ts';
import { PRIVATE_FILE, publishOnce, writeOnce } from '../platform/files.ts';
import type { OutcomeRecord } from '../unit/records.ts';
import { stateFile } from '../unit/state-dir.ts';

/** Bytes that are kept on disk for the outcome from the start, so that a full disk cannot prevent it. */
const RESERVE_BYTES = 8192;

/** Fills the reserve at the start; its blocks are what the outcome is written into. */
export function reserveOutcome(folder: string): void {
  writeFileSync(stateFile(folder, 'outcomeReserve'), Buffer.alloc(RESERVE_BYTES, 32), { mode: PRIVATE_FILE });
}

/** Writes the one outcome by link, at need into the space that was kept for it; false where another one was first. */
export function publishOutcome(stateDir: string, outcome: OutcomeRecord, isHurried: boolean): boolean {
  const final = stateFile(stateDir, 'outcome');
  const text = `${JSON.stringify(outcome, null, 2)}\n`;
  if (outcome.supervisor !== 'guardian') setForeignAside(stateDir);
  try {
    return writeOnce(final, text, { sync: !isHurried });
  } catch (error) {
    // Mostly a full disk: overwrite blocks that are this attempt's already, then link.
    process.stderr.write(`prun: ${final}: ${messageOf(error)}: using the space that was kept for it\n`);
    const reserve = stateFile(stateDir, 'outcomeReserve');
    try {
      overwrite(reserve, text.length <= RESERVE_BYTES ? text : shortened(outcome));
      return publishOnce(reserve, final);
    } catch (again) {
      throw new PrunError(
        'E_OUTCOME',
        `the outcome (${outcome.status}, ${outcome.reason}) could not be written to ${final} (${messageOf(again)})`,
        'the worker is gone; look at the result file, and do not remove state dirs of running units',
        EXIT.noResult,
      );
    }
  }
}

/** A guardian writes only when the dispatcher is dead: what a living one finds there is no supervisor's. */
function setForeignAside(stateDir: string): void {
  const final = stateFile(stateDir, 'outcome');
  if (!existsSync(final)) return;
  try {
    renameSync(final, stateFile(stateDir, 'foreignOutcome'));
    process.stderr.write(`prun: ${final} was there already, and not by prun: moved to foreign-outcome\n`);
  } catch {
    // Then the writing fails, and says so.
  }
}

function overwrite(file: string, text: string): void {
  // Never through a link that a worker laid there.
  const fd = openSync(file, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    const written = writeSync(fd, text, 0);
    ftruncateSync(fd, written);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function shortened(outcome: OutcomeRecord): string {
  return `${JSON.stringify({
    ...outcome,
    detail: outcome.detail.slice(0, 200),
    resultError: outcome.resultError?.slice(0, 200) ?? null,
    reaped: outcome.reaped.slice(0, 20),
    survivors: outcome.survivors.slice(0, 20),
    claims: null,
    failure: outcome.failure && {
      ...outcome.failure,
      message: outcome.failure.message.slice(0, 200),
      evidence: [],
    },
    structured: null,
    tripwire: outcome.tripwire && { ...outcome.tripwire, changes: outcome.tripwire.changes.slice(0, 3) },
  })}\n`;
}

/** Touches the quiet file that watchers watch. */
export function wakeWatchers(stateDir: string): void {
  const now = new Date();
  try {
    utimesSync(stateFile(stateDir, 'wake'), now, now);
  } catch {
    // Somebody removed it: watchers fall back to their poll.
  }
}
