import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { monotonicMs, wallTime } from '../platform/clock.ts';
import { PRIVATE_DIR, sameStamp, stampOf, writeAtomic, writeOnce } from '../platform/files.ts';
import type { ProcessHost } from '../process/types.ts';
import { createQuietFile } from '../unit/quiet-file.ts';
import { readUnitRecord } from '../unit/read-records.ts';
import { type LastEvidence, type OutcomeRecord, SCHEMA, type UnitRecord } from '../unit/records.ts';
import { isFallback, resultStateOf } from '../unit/result-file.ts';
import { stateFile } from '../unit/state-dir.ts';
import {
  type AttemptRequest,
  describeAttempt,
  discardAttempt,
  fillDraft,
  makeDraft,
  prepareAttempt,
  publishAttempt,
} from './attempt.ts';
import type { Cancellation } from './interruption.ts';
import { setPreviousResultAside } from './previous-result.ts';
import { wakeWatchers } from './publish-outcome.ts';

/** How often a subagent's result is looked for, ms: one stat. */
const LOOK_MS = 1000;
/** A subagent has no supervisor that sees its end: its result counts when it is quiet for so long, ms (DESIGN.md §5). */
const QUIET_MS = 10_000;

/** A unit that runs as a subagent in the coordinator's own session. */
export interface LiveSession {
  stateDir: string;
  record: UnitRecord;
  lastEvidence(): LastEvidence;
  /** No process of it can be ended from here: it only counts as cancelled. */
  cancel(wish: Cancellation): void;
  ended: Promise<OutcomeRecord | undefined>;
}

/**
 * Records a unit that the coordinator's session runs itself, and waits for its result. What is at the result's path
 * already counts in the first attempt (the subagent may be quick), and is moved aside before a later one.
 */
export function launchSession(
  request: Omit<AttemptRequest, 'prompt'> & { promptFor(stateDir: string): string },
  host: ProcessHost,
): LiveSession {
  const attempt = prepareAttempt(host, request);
  const prompt = Buffer.from(request.promptFor(attempt.stateDir));
  try {
    makeDraft(attempt);
    mkdirSync(path.dirname(request.promptFile), { recursive: true, mode: PRIVATE_DIR });
    writeAtomic(request.promptFile, prompt, { sync: false });
    fillDraft(attempt, { prompt }, { argv: [], environment: {}, stderr: 'tail' });
    publishAttempt(attempt);
    if ((request.attempt ?? 1) > 1) setPreviousResultAside(request.resultFile, attempt.stateDir);
  } catch (error) {
    discardAttempt(attempt);
    throw error;
  }
  describeAttempt(attempt);
  return watchSession(attempt.stateDir, attempt.record, host);
}

/** Goes on waiting for a subagent that an earlier supervisor had recorded; undefined where its record is unreadable. */
export function adoptSession(stateDir: string, host: ProcessHost): LiveSession | undefined {
  const record = readUnitRecord(stateDir);
  return record && watchSession(stateDir, record, host);
}

function watchSession(stateDir: string, record: UnitRecord, host: ProcessHost): LiveSession {
  const { resultFile, limits } = record;
  const quiet = createQuietFile({ nowMs: monotonicMs, wallMs: Date.now });
  const startedMs = startOf(record, host);
  let last: LastEvidence = { kind: 'start', at: record.startedAt, quietSeconds: 0 };
  let lastMs = startedMs;
  let seen = stampOf(resultFile);
  let end = (_: Pick<OutcomeRecord, 'status' | 'reason' | 'detail'>): void => {};
  const ended = new Promise<OutcomeRecord | undefined>((resolve, reject) => {
    const look = (): void => {
      const stamp = stampOf(resultFile);
      if (!sameStamp(stamp, seen)) {
        seen = stamp;
        lastMs = monotonicMs();
        last = { kind: 'result-file', at: wallTime(), quietSeconds: 0 };
      }
      const isLate = limits.timeoutSeconds > 0 && monotonicMs() - startedMs > limits.timeoutSeconds * 1000;
      if (stamp && resultStateOf(resultFile) === 'text' && quiet.quietMs(stamp) >= QUIET_MS) {
        end(
          isFallback(resultFile)
            ? { status: 'failed', reason: 'no-result', detail: 'its result is a FALLBACK' }
            : { status: 'succeeded', reason: 'ok', detail: 'its result is there, whole and quiet' },
        );
      } else if (isLate) {
        const detail = `no result within ${limits.timeoutSeconds} s`;
        end({ status: 'failed', reason: 'hard-timeout', detail });
      }
    };
    const timer = setInterval(look, LOOK_MS);
    end = (verdict) => {
      clearInterval(timer);
      end = () => {};
      try {
        resolve(conclude(stateDir, record, verdict, lastEvidence()));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    look();
  });
  function lastEvidence(): LastEvidence {
    return { ...last, quietSeconds: Math.round((monotonicMs() - lastMs) / 100) / 10 };
  }
  const cancel = ({ by }: Cancellation): void => {
    const detail = `cancelled by ${by}; a subagent that still runs is the session's own to stop`;
    end({ status: 'cancelled', reason: 'cancelled', detail });
  };
  return { stateDir, record, lastEvidence, cancel, ended };
}

/** When it began, by this boot's clock: a supervisor that takes over gives a subagent no further time. */
function startOf({ boot, startedMonotonicMs, startedAt }: UnitRecord, host: ProcessHost): number {
  if (boot === host.bootId()) return startedMonotonicMs;
  return monotonicMs() - Math.max(0, Date.now() - Date.parse(startedAt));
}

function conclude(
  stateDir: string,
  record: UnitRecord,
  verdict: Pick<OutcomeRecord, 'status' | 'reason' | 'detail'>,
  lastEvidence: LastEvidence,
): OutcomeRecord | undefined {
  const stamp = resultStateOf(record.resultFile) === 'text' ? stampOf(record.resultFile) : undefined;
  const outcome: OutcomeRecord = {
    schema: SCHEMA,
    unit: record.unit,
    attempt: record.attempt,
    executor: record.executor,
    ...verdict,
    exitCode: null,
    signal: null,
    signalInferred: false,
    result: stamp ? { path: record.resultFile, origin: 'worker', bytes: stamp.size } : null,
    resultError: stamp ? null : 'the subagent wrote no result',
    sessionId: null,
    tokens: null,
    startedAt: record.startedAt,
    endedAt: wallTime(),
    durationMs: Math.max(0, Date.now() - Date.parse(record.startedAt)),
    lastEvidence,
    reaped: [],
    survivors: [],
    delta: null,
    claims: null,
    tripwire: null,
    verify: null,
    supervisor: 'run',
    stateDir,
  };
  const won = writeOnce(stateFile(stateDir, 'outcome'), `${JSON.stringify(outcome, null, 2)}\n`);
  wakeWatchers(stateDir);
  return won ? outcome : undefined;
}
