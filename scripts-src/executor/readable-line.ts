/** Longer input is cut before it is cleaned: one line for people never needs more. */
const LOOK_AT = 4096;

const ESCAPE_SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;

/** Text without terminal escape sequences (colours, titles, links); other characters stay as they are. */
export function withoutEscapes(text: string): string {
  return text.includes('\x1b') ? text.replace(ESCAPE_SEQUENCES, '') : text;
}

/**
 * One line for people from any text: no escape sequences, no control characters, no marks that turn the writing
 * direction, white space collapsed, at most `max` characters with `…` for what was left out. Empty when nothing
 * readable is there.
 */
export function readableLine(text: string, max = 200): string {
  const plain = withoutEscapes(text.slice(0, LOOK_AT))
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
  if (plain.length <= max && text.length <= LOOK_AT) return plain;
  // A high surrogate at the cut is half of a character.
  return `${plain.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
