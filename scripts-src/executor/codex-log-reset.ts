import { readEnd } from '../platform/files.ts';
import { type Fields, fieldsOf, parsedFields } from './codex-items.ts';
import { believedTime } from './reset-time.ts';

/** Records of limits are the last lines of a thread that met one, and small. */
const LOOK_BYTES = 256 * 1024;
const RECORD_CHARS = 16_384;

/**
 * When the limit ends that a thread has met, by the headers of the server's last answer, which codex keeps in its rollout
 * file (`token_count`, `rate_limits`, 0.171.0): to the second, where the message names the minute. ISO 8601; undefined
 * where no window is used up, or its end is not believed. `now` is epoch ms. Never throws.
 */
export function codexLogReset(file: string, now: number): string | undefined {
  const lines = readEnd(file, LOOK_BYTES).split('\n');
  for (const line of lines.reverse()) {
    if (line.length > RECORD_CHARS || !line.includes('"rate_limits"')) continue;
    const limits = fieldsOf(fieldsOf(parsedFields(line)?.payload).rate_limits);
    const ends = [limits.primary, limits.secondary].flatMap((window) => endOfUsed(fieldsOf(window)));
    return ends.length === 0 ? undefined : believedTime(Math.max(...ends), now);
  }
  return undefined;
}

/** The end of a window that is used up, epoch ms. */
function endOfUsed({ used_percent: used, resets_at: at }: Fields): number[] {
  return typeof used === 'number' && used >= 100 && typeof at === 'number' ? [at * 1000] : [];
}
