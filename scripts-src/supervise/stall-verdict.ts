/** Kinds of evidence that work moves forward, strongest first. */
export type EvidenceKind =
  | 'start'
  | 'event'
  | 'output'
  | 'stream'
  | 'session-log'
  | 'result-file'
  | 'command-cpu'
  | 'command-io'
  | 'workspace';

/**
 * A command below the worker counts as working from this share of one core on. A loop that polls every 100 ms
 * stays near 3%; a compiler that prints nothing is far above.
 */
export const BUSY_CPU_SHARE = 0.05;
/** Least CPU time in one look, ms: two ticks of the kernel's clock, below which the share means nothing. */
export const BUSY_CPU_FLOOR_MS = 20;
/** Bytes that a command must read to count as working; starting programs in a loop reads a few KiB each. */
export const BUSY_READ_BYTES_PER_SECOND = 262_144;
/** A command that writes anything prints, downloads or builds: polling loops do not write. */
export const BUSY_WRITTEN_BYTES = 1;
/** A look that comes later than this many intervals was delayed by a suspend or a freeze, not by the worker. */
const LATE_FACTOR = 3;

/** What the processes below a worker did between two looks. */
export interface ActivityDelta {
  elapsedMs: number;
  cpuMs: number;
  readBytes: number;
  writtenBytes: number;
}

/** The evidence in a command's activity, if there is any. Thresholds are the constants above. */
export function evidenceOfActivity(delta: ActivityDelta): 'command-cpu' | 'command-io' | undefined {
  if (delta.cpuMs >= Math.max(BUSY_CPU_FLOOR_MS, delta.elapsedMs * BUSY_CPU_SHARE)) return 'command-cpu';
  if (delta.writtenBytes >= BUSY_WRITTEN_BYTES) return 'command-io';
  if (delta.readBytes >= Math.max(1, (delta.elapsedMs / 1000) * BUSY_READ_BYTES_PER_SECOND))
    return 'command-io';
  return undefined;
}

/**
 * Time that a unit really had: monotonic, with the part of late looks left out, so that a suspended laptop, a
 * stopped supervisor or a frozen machine harms nobody.
 */
export interface AwakeClock {
  /** Awake time since the start, ms. */
  awakeMs: number;
  lastLookMs: number;
}

/** Moves an awake clock to `nowMs`; `intervalMs` is how far apart looks are meant to be. */
export function advanceClock(clock: AwakeClock, nowMs: number, intervalMs: number): AwakeClock {
  const elapsed = Math.max(0, nowMs - clock.lastLookMs);
  return { awakeMs: clock.awakeMs + Math.min(elapsed, intervalMs * LATE_FACTOR), lastLookMs: nowMs };
}

/** The unit's clocks and limits as a verdict needs them. 0 switches a limit off. */
export interface VerdictInput {
  awakeMs: number;
  lastEvidenceAwakeMs: number;
  outputBytes: number;
  stallThresholdMs: number;
  timeoutMs: number;
  maxOutputBytes: number;
}

/** Why a unit must be reaped. */
export type ReapReason = (typeof REAP_REASONS)[number];

const REAP_REASONS = ['idle-stall', 'hard-timeout', 'output-limit', 'token-limit'] as const;

/** Whether a text is such a reason. */
export function isReapReason(text: string | undefined): text is ReapReason {
  return REAP_REASONS.some((reason) => reason === text);
}

/** The verdict on a running unit: a reason to reap it, or undefined to let it work. */
export function verdictOn(input: VerdictInput): ReapReason | undefined {
  if (input.maxOutputBytes > 0 && input.outputBytes > input.maxOutputBytes) return 'output-limit';
  if (input.timeoutMs > 0 && input.awakeMs >= input.timeoutMs) return 'hard-timeout';
  const quiet = input.awakeMs - input.lastEvidenceAwakeMs;
  if (input.stallThresholdMs > 0 && quiet >= input.stallThresholdMs) return 'idle-stall';
  return undefined;
}
