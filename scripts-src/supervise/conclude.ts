import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Executor } from '../executor/types.ts';
import { wallTime } from '../platform/clock.ts';
import { faultPoint } from '../platform/fault.ts';
import { readStart, readValue } from '../platform/files.ts';
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
import type { AskedAnswer, AskedRequest } from './asked-answer.ts';
import { hasAskedForm } from './asked-schema.ts';
import { classifyEnd, type EndCause, exitFromShellCode, type WorkerExit } from './classify.ts';
import type { WorkspaceEnd } from './end-workspace.ts';
import { evidenceText } from './evidence-text.ts';
import { publishOutcome, wakeWatchers } from './publish-outcome.ts';
import type { Sweep } from './reap.ts';
import { setRestoredAside } from './restored-result.ts';
import { salvageResult } from './salvage.ts';
import { toldTokens } from './told-tokens.ts';
import { failureOfOutcome, workerFailure } from './worker-failure.ts';
import type { WorkerOutput } from './worker-output.ts';

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
  /** The caller's, where the executor looks for its session log. */
  environment: NodeJS.ProcessEnv;
  /** Reads a last message that was to hold a schema; undefined where none was asked for (`askedReader`). */
  readAsked: ((request: AskedRequest) => AskedAnswer) | undefined;
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
  const { environment } = ending;
  const { startedAt } = record;
  const stderr = ending.output.stderrEnd();
  const failure = workerFailure({ executor, cause, exit, facts, stderr, startedAt, environment });
  const naming = {
    cause,
    exit,
    facts,
    failure,
    resultFile,
    quiet,
    limits,
    mayChangeNothing: executor.answersOnStdout,
    askedSession: record.resumed?.sessionId,
  };
  const written = resultOfWorker(record, stateDir);
  const isWell = classifyEnd({ ...naming, result: 'text' }).status === 'succeeded';
  const { lastMessage } = facts;
  // A stream that broke off before its turn was over has no last message, however the program ended.
  const hasAnswered = isWell && (!facts.structured || facts.ended === 'completed');
  const asked = hasAnswered ? ending.readAsked?.({ record, stateDir, written, lastMessage }) : undefined;
  // An answer that the worker said instead of writing it is the result from here on: claims and contract see it.
  const origin = keepAnswer({
    ...{ unit: record.unit, stateDir, resultFile, executor, left: written },
    ...{ isWell: hasAnswered, lastMessage, asked },
    acceptsLastMessage: by === 'run',
    sync: !ending.isHurried,
  });
  faultPoint(`${point}:answered`, stateDir);
  const left = origin === undefined ? written : 'text';
  // What a program prints need follow no contract: a line alone that begins with `Files:` claims nothing there.
  const isFree = origin === 'stdout' && missingInResultFile(resultFile).length > 0;
  // An answer in the caller's own schema claims nothing either.
  const isForeign = origin === 'last-message' && record.outputSchema !== undefined;
  const hasClaims = left === 'text' && !isFree && !isForeign;
  const claims = hasClaims ? ending.workspace?.claimsOf(resultFile, asked?.claims) : undefined;
  const verdict = classifyEnd({
    ...{ ...naming, result: left, claims: claims?.check, verify: ending.verify },
    asked: asked?.fault,
  });
  const mustWrite = !executor.answersOnStdout && !hasAskedForm(record);
  if (verdict.reason === 'no-result' && mustWrite && !promptNames(stateDir, record)) {
    verdict.detail += `; its prompt does not name ${record.resultFile}`;
  }
  const salvaged = salvageResult({
    unit: record.unit,
    stateDir,
    resultFile,
    executor,
    origin,
    verdict,
    failure: verdict.reason === failure?.reason ? failure : undefined,
    exitNote: exitNote(ending),
    lastMessage,
    sync: !ending.isHurried,
    environment,
  });
  faultPoint(`${point}:salvaged`, stateDir);
  if (
    salvaged.full &&
    verdict.status === 'failed' &&
    ['no-result', 'empty-result', 'empty-answer'].includes(verdict.reason)
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
    ...toldTokens({ executor, record, facts, environment: ending.environment }),
    structured: asked?.structured ?? null,
    failure: failureOfOutcome(verdict, cause, failure),
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

/** What reads the last message of this attempt, loaded where it is needed and for `Ending.readAsked`. */
export async function askedReader(record: UnitRecord): Promise<Ending['readAsked']> {
  return hasAskedForm(record) ? (await import('./asked-answer.ts')).readAsked : undefined;
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
