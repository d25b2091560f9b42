import { existsSync, mkdirSync } from 'node:fs';
import { faultPoint } from '../platform/fault.ts';
import { PRIVATE_DIR } from '../platform/files.ts';
import type { Family, Observer } from '../process/family.ts';
import type { ProcessHost } from '../process/types.ts';
import type { LastEvidence, OutcomeRecord, UnitRecord } from '../unit/records.ts';
import { rewriteUnitRecord } from './attempt.ts';
import type { EndCause } from './classify.ts';
import { type EndedWatch, endAttempt } from './end-attempt.ts';
import { evidenceSources } from './evidence-sources.ts';
import type { Cancellation } from './interruption.ts';
import type { LaunchedWorker } from './launch.ts';
import { noteMembers } from './member-ledger.ts';
import { type EarlierProgress, type Progress, trackProgress } from './progress.ts';
import type { SupervisedUnit } from './running-unit.ts';
import type { SharedLook } from './shared-look.ts';
import { isOverTokens } from './token-limit.ts';
import { lookIntervalMs, watchWorker } from './watch-worker.ts';
import { followOutput, type WorkerOutput } from './worker-output.ts';

/** What the supervisor of many units shares among them. */
export interface AttemptContext {
  host: ProcessHost;
  observer: Observer;
  look: SharedLook;
  /** File with the pid of the guardian that stands behind the supervisor: shims wait for it. */
  guardianPidFile: string;
  /** The compiled `prun`. */
  prun: string;
}

/** An attempt under way in this process. */
export interface LiveAttempt {
  stateDir: string;
  record: UnitRecord;
  lastEvidence(): LastEvidence;
  cancel(wish: Cancellation): void;
  /** Resolves with its outcome; undefined where somebody else had written one. Never rejects: see `onFault`. */
  ended: Promise<OutcomeRecord | undefined>;
}

/** What is in hand when the watch over an attempt begins. */
export interface AttemptWatch {
  worker: LaunchedWorker | undefined;
  wasStarted: boolean;
  family: Family;
  /** Why it ends, where that is known already. */
  cause: EndCause | undefined;
  cancel(wish: Cancellation): void;
  isAdopted: boolean;
  stallNoticeSeconds: number;
  earlier?: EarlierProgress | undefined;
}

/** Watches an attempt, and brings it to its outcome when its worker ends or must be ended. */
export function superviseAttempt(
  unit: SupervisedUnit,
  context: AttemptContext,
  watch: AttemptWatch,
): LiveAttempt {
  const { host, stateDir, record, executor } = unit;
  const { worker, wasStarted, family, cancel } = watch;
  const output = followOutput(stateDir, executor);
  const intervalMs = intervalOf(record.limits, watch.stallNoticeSeconds, host);
  let noted = '';
  const see = () => {
    context.look.see();
    if (host.platform === 'darwin') noted = noteMembers(host, stateDir, family, noted);
  };
  const progress = trackProgress(
    stateDir,
    record.boot,
    evidenceSources(unit, worker, output, family, see),
    intervalMs,
    (record.limits.stallThresholdSeconds * 1000) / 4,
    watch.earlier,
  );
  context.look.join(family);
  const run = async (): Promise<OutcomeRecord | undefined> => {
    try {
      const cause =
        watch.cause ?? (worker ? await watched(unit, worker, output, progress, see, intervalMs) : lost());
      context.look.leave(family);
      restoreStateDir(stateDir, record);
      faultPoint('run:ended', stateDir);
      const ended: EndedWatch = {
        ...{ worker, wasStarted, output, family, observer: context.observer, progress, cause },
        isAdopted: watch.isAdopted,
      };
      return (await endAttempt(unit, ended)).outcome;
    } finally {
      context.look.leave(family);
    }
  };
  return { stateDir, record, lastEvidence: progress.lastEvidence, cancel, ended: run() };
}

/** A worker that removed its own state dir has an end all the same: its outcome needs a place (promise P1). */
function restoreStateDir(stateDir: string, record: UnitRecord): void {
  if (existsSync(stateDir)) return;
  try {
    mkdirSync(stateDir, { mode: PRIVATE_DIR });
  } catch {
    // The whole run has gone, or the disk is full: then the outcome cannot be written, and that is said.
  }
  rewriteUnitRecord(stateDir, record);
}

function watched(
  { stateDir, record, interruption, host, executor, environment }: SupervisedUnit,
  worker: LaunchedWorker,
  output: WorkerOutput,
  progress: Progress,
  see: () => void,
  intervalMs: number,
): Promise<EndCause> {
  return watchWorker({
    ...{ stateDir, worker, progress, interruption, intervalMs, executor },
    limits: record.limits,
    askedSession: record.resumed?.sessionId,
    // Without marks descendants are known only while their parents live.
    onLook: host.platform === 'darwin' ? see : () => {},
    isOverTokens: () =>
      isOverTokens(record.limits.maxTokens, { executor, record, facts: output.events.facts(), environment }),
  });
}

/** A notice asks for looks as a threshold of the same length does. */
function intervalOf(limits: UnitRecord['limits'], noticeSeconds: number, { platform }: ProcessHost): number {
  const stallThresholdSeconds = noticeSeconds > 0 ? noticeSeconds : limits.stallThresholdSeconds;
  const byNotice = lookIntervalMs({ ...limits, stallThresholdSeconds }, platform);
  return Math.min(byNotice, lookIntervalMs(limits, platform));
}

function lost(): EndCause {
  return { kind: 'dispatcher-dead' };
}
