import { statSync } from 'node:fs';
import { monotonicMs, wallTime } from '../platform/clock.ts';
import { type FileStamp, sameStamp, sizeOf, stampOf, writeAtomic } from '../platform/files.ts';
import type { LastEvidence, ProgressRecord } from '../unit/records.ts';
import { SCHEMA } from '../unit/records.ts';
import { stateFile } from '../unit/state-dir.ts';
import type { ActivityMeter } from './activity.ts';
import { type AwakeClock, advanceClock, type EvidenceKind } from './stall-verdict.ts';
import type { WorkerOutput } from './worker-output.ts';
import { newestWrite } from './workspace-writes.ts';

/** Everything that a unit's evidence can come from. */
export interface EvidenceSources {
  output: WorkerOutput;
  /** Looks at the process table and says what the commands did. */
  activity: () => ReturnType<ActivityMeter['measure']>;
  resultFile: string;
  workspace: string;
  /** Growing log of the executor's session, once it is known. */
  sessionLog: () => string | undefined;
}

/** A unit's progress: how long it has been awake, and what it last did when. */
export interface Progress {
  /** Looks once. Costs a look at the process table only where nothing cheaper has moved. */
  look(): void;
  awakeMs(): number;
  lastEvidenceAwakeMs(): number;
  lastEvidence(): LastEvidence;
  /** Writes down that the supervisor itself is at work, for watchers: not the worker's evidence. */
  noteCollecting(what: 'collecting' | 'verifying'): void;
}

/** What a supervisor that took over knows of the time before it. */
export interface EarlierProgress {
  /** How long the unit has run, ms. */
  awakeMs: number;
  /** Since when it shows no progress, ms. */
  quietMs: number;
  kind: string;
  at: string;
}

/**
 * Follows a unit's evidence. `intervalMs` is how often `look` is meant to be called; `quietScanMs` is the silence
 * after which the workspace's files are looked at as well.
 */
export function trackProgress(
  stateDir: string,
  boot: string,
  sources: EvidenceSources,
  intervalMs: number,
  quietScanMs: number,
  earlier?: EarlierProgress,
): Progress {
  let clock: AwakeClock = { awakeMs: earlier?.awakeMs ?? 0, lastLookMs: monotonicMs() };
  let lastAwakeMs = clock.awakeMs - (earlier?.quietMs ?? 0);
  let last: ProgressRecord = record(boot, 'start');
  if (earlier) last = { ...last, kind: earlier.kind, at: earlier.at };
  // Nothing stood there when the worker was started: what is there at the first look is its own.
  let resultStamp: FileStamp | undefined;
  let logSize: number | undefined;
  let newest: number | undefined;
  // All output is read again from its beginning: what the supervisor before has seen of it is no news.
  let isReadAgain = earlier !== undefined;

  function cheapEvidence(): EvidenceKind | undefined {
    const printed = sources.output.advance();
    const log = sources.sessionLog();
    const size = log === undefined ? undefined : sizeOf(log);
    const logGrew = logSize !== undefined && size !== undefined && size > logSize;
    logSize = size ?? logSize;
    const stamp = stampOf(sources.resultFile);
    const resultMoved = !sameStamp(stamp, resultStamp);
    resultStamp = stamp;
    return printed ?? (logGrew ? 'session-log' : undefined) ?? (resultMoved ? 'result-file' : undefined);
  }

  /** What stands there already is no news: when it was written is what counts, and the files' times tell. */
  function takeOver({ quietMs }: EarlierProgress): void {
    cheapEvidence();
    const files = [stateFile(stateDir, 'tail'), stateFile(stateDir, 'stderr'), sources.resultFile];
    const sinceMs = Math.max(0, Date.now() - Math.max(...files.map(writtenMs)));
    if (sinceMs >= quietMs) return;
    lastAwakeMs = clock.awakeMs - sinceMs;
    const at = new Date(Date.now() - sinceMs).toISOString();
    last = { ...record(boot, 'output'), at, monotonicMs: monotonicMs() - sinceMs };
  }

  function workspaceEvidence(): EvidenceKind | undefined {
    if (clock.awakeMs - lastAwakeMs < quietScanMs) return undefined;
    const seen = newestWrite(sources.workspace);
    const moved = newest !== undefined && seen > newest;
    newest = seen;
    return moved ? 'workspace' : undefined;
  }

  if (earlier) takeOver(earlier);
  return {
    look() {
      const now = monotonicMs();
      const lateMs = now - clock.lastLookMs - intervalMs * 3;
      clock = advanceClock(clock, now, intervalMs);
      const wasSeen =
        isReadAgain && !hasNewOutput(stateDir, sources.resultFile, Date.parse(earlier?.at ?? ''));
      isReadAgain = false;
      const cheap = cheapEvidence();
      const kind = (wasSeen ? undefined : cheap) ?? sources.activity() ?? workspaceEvidence();
      if (kind) {
        lastAwakeMs = clock.awakeMs;
        last = record(boot, kind);
        writeProgress(stateDir, last);
      } else if (lateMs > 0) {
        // A suspend is nobody's silence: move the recorded time too, because monitors read it.
        last = { ...last, monotonicMs: last.monotonicMs + lateMs };
        writeProgress(stateDir, last);
      }
    },
    awakeMs: () => clock.awakeMs,
    lastEvidenceAwakeMs: () => lastAwakeMs,
    lastEvidence: () => ({
      kind: last.kind,
      at: last.at,
      quietSeconds: Math.round((clock.awakeMs - lastAwakeMs) / 100) / 10,
    }),
    noteCollecting: (what) => writeProgress(stateDir, record(boot, what)),
  };
}

/** Whether output or result were written after the last evidence that was noted (wall time, ms). */
function hasNewOutput(stateDir: string, resultFile: string, sinceMs: number): boolean {
  return [stateFile(stateDir, 'tail'), stateFile(stateDir, 'stderr'), resultFile].some((file) => {
    try {
      return statSync(file).mtimeMs > sinceMs;
    } catch {
      // It is not there: nobody has written it.
      return false;
    }
  });
}

/** When a file was last written to, ms since the epoch; 0 where there is none. */
function writtenMs(file: string): number {
  return Number(BigInt(stampOf(file)?.mtimeNs ?? '0') / 1_000_000n);
}

function record(boot: string, kind: EvidenceKind | 'collecting' | 'verifying'): ProgressRecord {
  return { schema: SCHEMA, boot, monotonicMs: monotonicMs(), at: wallTime(), kind };
}

function writeProgress(stateDir: string, progress: ProgressRecord): void {
  try {
    writeAtomic(stateFile(stateDir, 'progress'), `${JSON.stringify(progress)}\n`, { sync: false });
  } catch {
    // A full disk must not end the supervisor; the verdict is made from memory, and the next look tries again.
  }
}
