import { type Fields, fieldsOf, textField } from './codex-items.ts';
import { tokenCount } from './token-count.ts';
import type { TokenUse } from './types.ts';

/** Counts of each message of one process, by its id. */
export type MessageCounts = Map<string, TokenUse>;

function count(usage: Fields, name: string): number {
  return tokenCount(usage, name) ?? 0;
}

/** The counts in a `usage`: what was read from the cache or written to it is input as well. */
function countsIn(usage: Fields): TokenUse {
  const cachedInput = count(usage, 'cache_read_input_tokens');
  return {
    input: count(usage, 'input_tokens') + count(usage, 'cache_creation_input_tokens') + cachedInput,
    cachedInput,
    output: count(usage, 'output_tokens'),
    reasoningOutput: count(fieldsOf(usage.output_tokens_details), 'thinking_tokens'),
  };
}

/**
 * Takes the counts of a message in. A message is told several times, its output grows: the largest counts are the
 * message's. `usage` may lack the input (`message_delta`).
 */
export function takeCounts(counts: MessageCounts, id: string, usage: unknown): void {
  const now = countsIn(fieldsOf(usage));
  const before = counts.get(id);
  if (!before && now.input === 0 && now.output === 0) return;
  counts.set(id, {
    input: Math.max(before?.input ?? 0, now.input),
    cachedInput: Math.max(before?.cachedInput ?? 0, now.cachedInput),
    output: Math.max(before?.output ?? 0, now.output),
    reasoningOutput: Math.max(before?.reasoningOutput ?? 0, now.reasoningOutput),
  });
}

/**
 * What the messages of this process took together, sub-agents' among them; undefined before the first. Of claude's own
 * sums, `usage` of a result is that of one turn without sub-agents, and `modelUsage` goes on from an earlier process of
 * the session, but only from one that ended by itself (measured, 2.1.332).
 */
export function sumOf(counts: MessageCounts): TokenUse | undefined {
  if (counts.size === 0) return undefined;
  const sum: TokenUse = { input: 0, cachedInput: 0, output: 0, reasoningOutput: 0 };
  for (const each of counts.values()) {
    sum.input += each.input;
    sum.cachedInput += each.cachedInput;
    sum.output += each.output;
    sum.reasoningOutput += each.reasoningOutput;
  }
  return sum;
}

/** The id of a message, for its counts. */
export function messageId(message: Fields): string {
  return textField(message, 'id') ?? '';
}
