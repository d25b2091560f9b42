import { readEnd } from '../platform/files.ts';
import { fieldsOf } from './codex-items.ts';
import { codexUsage } from './codex-usage.ts';
import type { TokenUse } from './types.ts';

/** A command's output takes up to 1 MiB of a line, and counts stand before and behind it. */
const LOOK_BYTES = 4 * 1024 * 1024;
/** A record of counts is about 600 bytes long. */
const RECORD_CHARS = 16_384;

/**
 * The newest token counts in the end of a rollout file, cumulative over the thread as in `turn.completed`; undefined where
 * there are none, or no file. Never throws.
 *
 * Two records hold them (0.171.0): `token_usage_record` as soon as a response has ended, which is all that a worker killed
 * in its first command leaves, and `token_count` when its tool calls have ended, too. Older versions write the second only.
 */
export function codexLogTokens(file: string): TokenUse | undefined {
  const lines = readEnd(file, LOOK_BYTES).split('\n');
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] ?? '';
    if (line.length > RECORD_CHARS || !/"type":\s*"token_(?:count|usage_record)"/.test(line)) continue;
    const tokens = countsIn(line);
    if (tokens) return tokens;
  }
  return undefined;
}

function countsIn(line: string): TokenUse | undefined {
  const payload = fieldsOf(fieldsOf(parsed(line)).payload);
  const usage = payload.thread_token_usage ?? fieldsOf(payload.info).total_token_usage;
  const counts = fieldsOf(usage);
  return codexUsage(counts);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Torn by the end of the worker, or cut where the look begins.
    return undefined;
  }
}
