import type { TokenCounts } from './records.ts';

/** In and out together: cached input is part of the input, reasoning part of the output. */
export function totalTokens({ input, output }: TokenCounts): number {
  return input + output;
}

/** Both together. */
export function addTokens(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    output: a.output + b.output,
    reasoningOutput: a.reasoningOutput + b.reasoningOutput,
  };
}

/** What `all` has more than `before`, never negative: counts that went down began anew. */
export function tokensSince(all: TokenCounts, before: TokenCounts): TokenCounts {
  return {
    input: Math.max(0, all.input - before.input),
    cachedInput: Math.max(0, all.cachedInput - before.cachedInput),
    output: Math.max(0, all.output - before.output),
    reasoningOutput: Math.max(0, all.reasoningOutput - before.reasoningOutput),
  };
}
