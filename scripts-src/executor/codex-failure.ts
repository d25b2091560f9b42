import type { FailureReason } from './types.ts';

/**
 * Tables of what codex says (FACTS-codex.md, Failures), in order: the first that matches wins, since a message
 * can wrap another (`stream disconnected before completion: Rate limit reached …`).
 */
const REASONS: readonly (readonly [FailureReason, RegExp])[] = [
  [
    'usage-limit',
    /usage[ _]limit|quota exceeded|exceeded your current quota|insufficient_quota|out of credits|purchase more credits|spend(?:ing)? (?:limit|cap)/,
  ],
  ['rate-limit', /rate[ _-]?limit|too many requests|\bstatus:? 429\b/],
  // A proxy's own login: before `auth`, which is about the account.
  ['network', /\bstatus:? 407\b/],
  [
    'auth',
    /\bstatus:? 40[13]\b|unauthorized|forbidden|not logged in|(?:incorrect|invalid|missing) api key|(?:log|sign) in again|refresh token|access token|missing environment variable|authentication/,
  ],
  [
    'model-error',
    /context window|high demand|at capacity|overloaded|\bstatus:? [45]\d\d\b|does not exist|invalid (?:value|request)|server error/,
  ],
  [
    'network',
    /stream disconnected|connection (?:failed|refused|reset|closed|aborted|error|timed out)|error sending request|waiting for network|transport error|\bnetwork\b|\bdns\b|timed? ?out\b|broken pipe|unreachable|certificate|\btls\b/,
  ],
];

/** The reason that a text of codex names, or undefined when it names none that is known. Any language but English is unknown. */
export function knownFailure(text: string): FailureReason | undefined {
  // Curly apostrophes, and addresses, whose ports and paths look like status codes.
  const plain = text
    .slice(0, 4000)
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\bhttps?:\/\/\S+/g, '')
    .toLowerCase();
  return REASONS.find(([, pattern]) => pattern.test(plain))?.[0];
}

/** The reason behind the message of a failed turn: what is not an account's or a network's fault is the model's. */
export function failureReason(message: string): FailureReason {
  return knownFailure(message) ?? 'model-error';
}

/** The message in the body of a refused request, or undefined for text that is no such body. */
function messageInBody(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const body = JSON.parse(text) as { error?: { message?: unknown } } | null;
    return typeof body?.error?.message === 'string' ? body.error.message : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What an error says, for people: without `Reconnecting... 2/5 (…)` around it, and the message alone where codex
 * passes on the whole body of a refused request (400).
 */
export function plainMessage(message: string): string {
  const inner = /^Reconnecting\.\.\.[^(]*\((.*)\)\s*$/s.exec(message)?.[1] ?? message;
  return messageInBody(inner) ?? inner;
}
