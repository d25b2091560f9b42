import { type FileStamp, sameStamp } from '../platform/files.ts';

/** The two clocks of a watcher: monotonic for waiting, wall for the age of what was there before it. */
export interface Clocks {
  /** Monotonic milliseconds (platform/clock.ts). */
  nowMs(): number;
  /** Epoch milliseconds. */
  wallMs(): number;
}

/** How far the wall clock may drift from the monotonic one before ages by file time are no longer believed. */
const CLOCK_STEP_MS = 1000;

/** Tells how long one file has been quiet. */
export interface QuietFile {
  /** Milliseconds since the last change of the file with this stamp, as far as can be known. */
  quietMs(stamp: FileStamp): number;
}

/**
 * Watches one file for quiet: the time since this watcher saw its stamp change, or the age of its mtime where that
 * says more, so that a file that was there before does not wait again. An mtime in the future says nothing, and
 * after a clock step or a suspend (the wall clock left the monotonic one) no mtime does.
 */
export function createQuietFile(clocks: Clocks): QuietFile {
  const offset = clocks.wallMs() - clocks.nowMs();
  let seen: FileStamp | undefined;
  let sinceMs = 0;
  return {
    quietMs(stamp) {
      const nowMs = clocks.nowMs();
      if (!seen || !sameStamp(seen, stamp)) {
        seen = stamp;
        sinceMs = nowMs;
      }
      const wallMs = clocks.wallMs();
      const stepped = Math.abs(wallMs - nowMs - offset) > CLOCK_STEP_MS;
      return Math.max(nowMs - sinceMs, stepped ? 0 : wallMs - mtimeMs(stamp));
    },
  };
}

/** Epoch milliseconds of a stamp's mtime. */
export function mtimeMs(stamp: FileStamp): number {
  return Number(BigInt(stamp.mtimeNs) / 1_000_000n);
}
