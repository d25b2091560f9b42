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
import os from 'node:os';
import path from 'node:path';
import type { Executor } from '../executor/types.ts';
import { wallTime } from '../platform/clock.ts';
import { EXIT, messageOf, PrunError } from '../platform/errors.ts';
import { faultPoint } from '../platform/fault.ts';
import { PRIVATE_FILE, publishOnce, readStart, readValue, writeOnce } from '../platform/files.ts';
import type {
  LastEvidence,
  OutcomeRecord,
  TripwireSummary,
  UnitRecord,
  VerifyRecord,
} from '../unit/records.ts';
import { SCHEMA } from '../unit/records.ts';
import { missingInResultFile } from '../unit/result-contract.ts';
import { isOwnFallback, type ResultState, resultStateOf } from '../unit/result-file.ts';
import { stateFile } from '../unit/state-dir.ts';
import { keepAnswer } from './answer.ts';
import { classifyEnd, type EndCause, exitFromShellCode, type WorkerExit } from './classify.ts';
import type { WorkspaceEnd } from './end-workspace.ts';
import { evidenceText } from './evidence-text.ts';
import type { Sweep } from './reap.ts';
import { setRestoredAside } from './restored-result.ts';
import { salvageResult } from './salvage.ts';
import type { WorkerOutput } from './worker-output.ts';

/** Bytes that are kept on disk for the outcome from the start, so that a full disk cannot prevent it. */
const RESERVE_BYTES = 8192;

const PROMPT_LOOK_BYTES = 4 * 1024 * 1024;

/** A finished attempt, after every process of it is gone. */
export interface Ending {
  stateDir: string;
  record: UnitRecord;
  executor: Executor;
  output: WorkerOutput;
  cause: EndCause;
  exit: WorkerExit;
  sweep: Sweep;
  lastEvidence: LastEvidence | null;
  durationMs: number;
  by: OutcomeRecord['supervisor'];
  /** What became of its workspace, if it had one. */
  workspace: WorkspaceEnd | undefined;
  /** What changed in the user's repository, for a unit without a workspace. */
  tripwire?: TripwireSummary | null | undefined;
  /** How the unit's own check ended, if it has one and it was run. */
  verify?: VerifyRecord | undefined;
  /** The host gives a stopped dispatcher 1.4 s, and an fsync on a busy disk can take longer than that. */
  isHurried: boolean;
}

/**
 * Turns an ended attempt into its one outcome: read what the worker said, name the end, rescue a result, publish
 * the record by link, wake the watchers. Returns the record, or undefined when another supervisor was first.
 */
export function concludeAttempt(ending: Ending): OutcomeRecord | undefined {
  const { stateDir, record, by } = ending;
  const point = { guardian: 'guardian', run: 'run', 'dispatch-task': 'dispatch' }[by];
  ending.output.finish();
  const facts = ending.output.events.facts();
  faultPoint(`${point}:drained`, stateDir);
  setRestoredAside(stateDir, record);
  const { executor, cause, exit } = ending;
  const { resultFile, limits } = record;
  const quiet = evidenceText(ending.lastEvidence);
  const naming = {
    cause,
    exit,
    facts,
    resultFile,
    quiet,
    limits,
    mayChangeNothing: executor.answersOnStdout,
  };
  const written = resultOfWorker(record, stateDir);
  // An answer that the worker said instead of writing it is the result from here on: claims and contract see it.
  const origin = keepAnswer({
    ...{ unit: record.unit, stateDir, resultFile, executor, left: written },
    isWell: classifyEnd({ ...naming, result: 'text' }).status === 'succeeded',
    lastMessage: facts.lastMessage,
    acceptsLastMessage: by === 'run',
    sync: !ending.isHurried,
  });
  faultPoint(`${point}:answered`, stateDir);
  const left = origin === undefined ? written : 'text';
  // What a program prints need follow no contract: a line alone that begins with `Files:` claims nothing there.
  const hasClaims = left === 'text' && (origin !== 'stdout' || missingInResultFile(resultFile).length === 0);
  const claims = hasClaims ? ending.workspace?.claimsOf(resultFile) : undefined;
  const verdict = classifyEnd({ ...naming, result: left, claims: claims?.check, verify: ending.verify });
  if (verdict.reason === 'no-result' && !executor.answersOnStdout && !promptNames(stateDir, record)) {
    verdict.detail += `; its prompt does not name ${record.resultFile}`;
  }
  const salvaged = salvageResult({
    unit: record.unit,
    stateDir,
    resultFile,
    executor,
    origin,
    verdict,
    exitNote: exitNote(ending),
    lastMessage: facts.lastMessage,
    sync: !ending.isHurried,
  });
  faultPoint(`${point}:salvaged`, stateDir);
  if (
    salvaged.full &&
    verdict.status === 'failed' &&
    ['no-result', 'empty-result'].includes(verdict.reason)
  ) {
    verdict.reason = 'disk';
  }
  const outcome: OutcomeRecord = {
    schema: SCHEMA,
    unit: record.unit,
    attempt: record.attempt,
    executor: record.executor,
    status: verdict.status,
    reason: verdict.reason,
    detail: verdict.detail,
    exitCode: ending.exit.kind === 'code' ? ending.exit.code : null,
    signal: ending.exit.kind === 'signal' ? ending.exit.signal : null,
    signalInferred: ending.exit.kind === 'signal' && ending.exit.inferred,
    result: salvaged.result,
    resultError: salvaged.error,
    sessionId: facts.sessionId ?? null,
    tokens: facts.tokens ?? null,
    startedAt: record.startedAt,
    endedAt: wallTime(),
    durationMs: ending.durationMs,
    lastEvidence: ending.lastEvidence,
    reaped: ending.sweep.reaped,
    survivors: ending.sweep.survivors,
    delta: ending.workspace?.delta ?? null,
    claims: claims?.summary ?? null,
    tripwire: ending.workspace?.tripwire ?? ending.tripwire ?? null,
    verify: ending.verify ?? null,
    supervisor: by,
    stateDir,
  };
  const won = publishOutcome(stateDir, outcome, ending.isHurried);
  faultPoint(`${point}:outcome`, stateDir);
  wakeWatchers(stateDir);
  faultPoint(`${point}:woken`, stateDir);
  return won ? outcome : undefined;
}

/** A worker that was not told where its result belongs cannot write it there. */
function promptNames(stateDir: string, record: UnitRecord): boolean {
  return readStart(stateFile(stateDir, 'prompt'), PROMPT_LOOK_BYTES).includes(
    path.basename(record.resultFile),
  );
}

/** What the worker left; a FALLBACK there is prun's own, by a supervisor that died before it wrote the outcome. */
function resultOfWorker(record: UnitRecord, stateDir: string): ResultState {
  if (!isOwnFallback(record.resultFile, record.unit)) return resultStateOf(record.resultFile);
  return existsSync(stateFile(stateDir, 'emptyResult')) ? 'empty' : 'missing';
}

/** Fills the reserve at the start; its blocks are what the outcome is written into. */
export function reserveOutcome(folder: string): void {
  writeFileSync(stateFile(folder, 'outcomeReserve'), Buffer.alloc(RESERVE_BYTES, 32), { mode: PRIVATE_FILE });
}

function publishOutcome(stateDir: string, outcome: OutcomeRecord, isHurried: boolean): boolean {
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

function exitNote({ cause, exit }: Ending): string {
  if (cause.kind === 'reaped') return ', exit code 124';
  if (cause.kind === 'spawn-failed') return `, exit code ${cause.exitCode}`;
  if (cause.kind === 'dispatcher-signalled') return `, ${cause.signal}`;
  if (cause.kind === 'dispatcher-dead') return '';
  if (exit.kind === 'code') return `, exit code ${exit.code}`;
  if (exit.kind === 'signal') return `, ${exit.signal}`;
  return '';
}

/** How the worker ended according to the exit file of its shim; `lost` while there is none. */
export function exitFromFile(stateDir: string): WorkerExit {
  const text = readValue(stateFile(stateDir, 'exit'));
  return text && /^\d+$/.test(text) ? exitFromShellCode(Number(text), signalName) : { kind: 'lost' };
}

/** `SIGKILL` for 9 on this system, or undefined. */
export function signalName(number: number): string | undefined {
  return Object.entries(os.constants.signals).find(([, value]) => value === number)?.[0];
}
