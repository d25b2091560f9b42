import type { TokenCounts } from '../unit/records.ts';
import { addTokens } from '../unit/token-counts.ts';

/** Tokens of several attempts, as far as their workers said. */
export interface TokenSum {
  /** In and out together. */
  total: number;
  /** The same in four counts; null where one of the attempts is known by its total only. */
  counts: TokenCounts | null;
}

/** A sum with one more attempt in it. What is not known of the attempt is left out; null: nothing is known at all. */
export function withAttempt(
  sum: TokenSum | null,
  total: number | null,
  counts: TokenCounts | null | undefined,
): TokenSum | null {
  return total === null ? sum : bothSums(sum, { total, counts: counts ?? null });
}

/** Tokens of all attempts of all units of a run; null where nothing is known of any. */
export function tokensOfRun({ units }: { units: ReadonlyMap<string, CountedUnit> }): TokenSum | null {
  let all: TokenSum | null = null;
  for (const { tokenSum } of units.values()) if (tokenSum) all = bothSums(all, tokenSum);
  return all;
}

interface CountedUnit {
  tokenSum: TokenSum | null;
}

function bothSums(a: TokenSum | null, b: TokenSum): TokenSum {
  if (!a) return b;
  return { total: a.total + b.total, counts: a.counts && b.counts && addTokens(a.counts, b.counts) };
}

/** Token counts for programs; null instead of a number that is not known. */
export interface TokensJson {
  total: number;
  input: number | null;
  cachedInput: number | null;
  output: number | null;
  reasoningOutput: number | null;
}

/** A sum as `--json` shows it. */
export function tokensJson(sum: TokenSum | null): TokensJson | null {
  if (!sum) return null;
  const { total, counts } = sum;
  return {
    total,
    input: counts?.input ?? null,
    cachedInput: counts?.cachedInput ?? null,
    output: counts?.output ?? null,
    reasoningOutput: counts?.reasoningOutput ?? null,
  };
}

/** A sum for people: `360 (300 in, 120 of it cached; 60 out, 15 of it reasoning)`. */
export function tokensText({ total, counts }: TokenSum): string {
  if (!counts) return String(total);
  const { input, cachedInput, output, reasoningOutput } = counts;
  return `${total} (${input} in, ${cachedInput} of it cached; ${output} out, ${reasoningOutput} of it reasoning)`;
}
