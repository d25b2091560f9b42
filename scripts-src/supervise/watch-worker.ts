import type { Executor } from '../executor/types.ts';
import { sizeOf } from '../platform/files.ts';
import type { UnitLimits } from '../unit/records.ts';
import { stateFile } from '../unit/state-dir.ts';
import type { EndCause } from './classify.ts';
import type { Interruption } from './interruption.ts';
import type { LaunchedWorker } from './launch.ts';
import type { Progress } from './progress.ts';
import { checkSession, type SessionCheck } from './session-check.ts';
import { verdictOn } from './stall-verdict.ts';

const LOOK_MIN_MS = 250;
const LOOK_MAX_MS = 5000;
/** How often the size of the output is looked at while it is not near its limit, ms. */
const SIZE_CHECK_MS = 250;

/** Without marks a descendant is known only while its parents live: looks must not be far apart, ms. */
const LOOK_MAX_WITHOUT_MARKS_MS = 1000;

/** How far apart a unit's looks are, ms: a tenth of its stall threshold, within bounds. */
export function lookIntervalMs(limits: UnitLimits, platform: NodeJS.Platform): number {
  const most = platform === 'darwin' ? LOOK_MAX_WITHOUT_MARKS_MS : LOOK_MAX_MS;
  const shortest = Math.min(
    ...[limits.stallThresholdSeconds, limits.timeoutSeconds].filter((limit) => limit > 0),
  );
  return Number.isFinite(shortest) ? Math.min(most, Math.max(LOOK_MIN_MS, shortest * 100)) : most;
}

/** What `watchWorker` watches. */
export interface Watched {
  stateDir: string;
  worker: Pick<LaunchedWorker, 'ended'>;
  progress: Progress;
  limits: UnitLimits;
  intervalMs: number;
  interruption: Interruption;
  executor: Executor;
  /** The session that is to go on; undefined where a new one begins. */
  askedSession: string | undefined;
  /** Called once a look, for what else must be kept alive. */
  onLook: () => void;
  /** Asked once a look: whether it has used more tokens than it may. */
  isOverTokens?: () => boolean;
}

/** Waits until the worker ends, must be reaped, begins another session than it was to, or somebody wants an end. */
export async function watchWorker(watched: Watched): Promise<EndCause> {
  const session = checkSession(watched.stateDir, watched.executor, watched.askedSession);
  try {
    return await watchToItsEnd(watched, session);
  } finally {
    session.close();
  }
}

async function watchToItsEnd(watched: Watched, session: SessionCheck): Promise<EndCause> {
  const { worker, progress, limits, interruption } = watched;
  const size = outputMeter(watched.stateDir, limits.maxOutputBytes);
  let endedAlready = false;
  // One waker for all rounds: a race against promises that stay open for hours would keep something of every round.
  let wake = () => {};
  void worker.ended.then(() => {
    endedAlready = true;
    wake();
  });
  void interruption.arrived.then(() => wake());
  void interruption.cancelArrived?.then(() => wake());
  let sinceLookMs = 0;
  for (;;) {
    const nextMs = Math.min(nextLookMs(watched, sinceLookMs), size.nextCheckMs(), session.nextMs());
    const waitMs = Math.max(10, nextMs);
    if (!endedAlready && !interruption.signal() && !interruption.cancelled?.()) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const signal = interruption.signal();
    if (signal) return { kind: 'dispatcher-signalled', signal };
    if (endedAlready) return { kind: 'worker-ended' };
    const cancelled = interruption.cancelled?.();
    if (cancelled) return { kind: 'cancelled', by: cancelled.by };
    if (session.isOther()) return { kind: 'other-session' };
    sinceLookMs += waitMs;
    if (sinceLookMs >= nextLookMs(watched, 0)) {
      sinceLookMs = 0;
      progress.look();
      watched.onLook();
      if (watched.isOverTokens?.()) return { kind: 'reaped', reason: 'token-limit' };
    }
    const reason = verdictOn({
      awakeMs: progress.awakeMs(),
      lastEvidenceAwakeMs: progress.lastEvidenceAwakeMs(),
      outputBytes: size.check(),
      stallThresholdMs: limits.stallThresholdSeconds * 1000,
      timeoutMs: limits.timeoutSeconds * 1000,
      maxOutputBytes: limits.maxOutputBytes,
    });
    if (reason) return { kind: 'reaped', reason };
  }
}

/** Time to the next look: the interval, or less where a limit is about to be reached. */
function nextLookMs({ progress, limits, intervalMs }: Watched, passedMs: number): number {
  const untilTimeout =
    limits.timeoutSeconds > 0 ? limits.timeoutSeconds * 1000 - progress.awakeMs() : intervalMs;
  const quiet = progress.awakeMs() - progress.lastEvidenceAwakeMs();
  const untilStall =
    limits.stallThresholdSeconds > 0 ? limits.stallThresholdSeconds * 1000 - quiet : intervalMs;
  return Math.max(10, Math.min(intervalMs, untilTimeout, untilStall)) - passedMs;
}

interface OutputMeter {
  check(): number;
  nextCheckMs(): number;
}

/** Looks at the size of the output, more often the sooner the limit would be reached at the present rate. */
function outputMeter(stateDir: string, limit: number): OutputMeter {
  const files = [stateFile(stateDir, 'tail'), stateFile(stateDir, 'stderr')];
  let last = 0;
  let lastAt = performance.now();
  let next = SIZE_CHECK_MS;
  return {
    check() {
      if (limit === 0) return 0;
      const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0);
      const at = performance.now();
      const perMs = Math.max(0, bytes - last) / Math.max(1, at - lastAt);
      next = perMs > 0 ? Math.min(SIZE_CHECK_MS, Math.max(10, (limit - bytes) / perMs / 2)) : SIZE_CHECK_MS;
      last = bytes;
      lastAt = at;
      return bytes;
    },
    nextCheckMs: () => (limit === 0 ? LOOK_MAX_MS : next),
  };
}
