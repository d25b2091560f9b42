import { withoutEscapes } from './readable-line.ts';

const NOTICES: readonly RegExp[] = [
  /\breconnecting\b\s*(?:\.{2,}|…|$|to\b|in \d|\(|\d)/i,
  // A line that ends in it, or goes on with when, which or how often: not "retrying the failing test with -v".
  /\bretry(?:ing)?\b[\s.…!)\]]*$/i,
  /\bretrying\b\W*(?:in|after) (?:about )?\d/i,
  /\bretrying\b\W*(?:the )?(?:request|connection|download|api|stream|attempt|\d+\b)/i,
  /\bretry(?: attempt)?\s*[#(:]?\s*\d+(?:\s*(?:\/|of|in)\s*\d+|\W*$)/i,
  /\b(?:will|going to) retry\b/i,
  /\btrying again in \d/i,
  /\b(?:try|retry)(?: again)? (?:in|after) \d/i,
  /\bwaiting (?:for|on) (?:the )?(?:network|connection|connectivity|server|api|rate limit)\b/i,
  /\brate[ -]?limit\w*\b.*\b(?:try again|retry|wait|back(?:ing)?[ -]?off)/i,
  /\btoo many requests\b/i,
  /\bback(?:ing)?[ -]?off\b.*\b\d+ ?(?:ms|s|sec|seconds?)\b/i,
];
const ATTEMPT = /\battempt\s*#?\d+\s*(?:\/|of)\s*\d+/i;
const GOOD_NEWS = /\b(?:passe[sd]|succeeded|success|successful|complete[d]?|fixed|done|ok|finished)\b/i;

/**
 * True when a line of plain output only says that something is tried again: output, but no work (PEERS.md,
 * scenario 9). Tight on purpose: a hidden line of real progress could get a healthy worker reaped. Lines over 400
 * characters are never notices.
 */
export function isRetryNotice(line: string): boolean {
  if (line.length > 400) return false;
  const plain = withoutEscapes(line).trim();
  if (plain === '' || GOOD_NEWS.test(plain)) return false;
  return ATTEMPT.test(plain) || NOTICES.some((notice) => notice.test(plain));
}
