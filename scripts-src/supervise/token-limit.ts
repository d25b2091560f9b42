import { totalTokens } from '../unit/token-counts.ts';
import { type TokenSources, toldTokens } from './told-tokens.ts';

/**
 * Whether a running attempt has used more tokens than it may, as far as its worker has said by now: codex says it in its
 * session log, claude with each message. `maxTokens`: undefined for no limit. Reads the end of a file; ask it once a look.
 */
export function isOverTokens(maxTokens: number | undefined, sources: TokenSources): boolean {
  if (maxTokens === undefined) return false;
  const { tokens } = toldTokens(sources);
  return tokens !== null && totalTokens(tokens) > maxTokens;
}
