import type { Fields } from './codex-items.ts';
import { tokenCount } from './token-count.ts';
import type { TokenUse } from './types.ts';

/** The counts of codex's `usage`, in an event as in a rollout file; undefined where it does not say what went in and out. */
export function codexUsage(usage: Fields): TokenUse | undefined {
  const input = tokenCount(usage, 'input_tokens');
  const output = tokenCount(usage, 'output_tokens');
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    cachedInput: tokenCount(usage, 'cached_input_tokens') ?? 0,
    output,
    reasoningOutput: tokenCount(usage, 'reasoning_output_tokens') ?? 0,
  };
}
