import { evidenceOf, failureMessage } from './failure-evidence.ts';
import { resetTime, secondsToWait } from './reset-time.ts';
import type { FailureReason, WorkerFailure } from './types.ts';

/**
 * Tables of what codex says (FACTS-codex.md, Failures; further texts are those of the 0.171.0 binary), in order: the first
 * that matches wins, since a message can wrap another (`stream disconnected before completion: Rate limit reached …`).
 */
const REASONS: readonly (readonly [FailureReason, RegExp])[] = [
  ['usage-limit', /usage[ _]limit/],
  [
    'quota',
    /quota exceeded|exceeded your current quota|insufficient_quota|out of credits|credit limit|purchase more credits|spend(?:ing)? (?:limit|cap)|usage_not_included|to use codex with your chatgpt plan|billing hard limit/,
  ],
  [
    'context',
    /context[ _](?:window|length)|ran out of room|maximum context|prompt is too long|too many input tokens/,
  ],
  [
    'model-gone',
    /\bmodel\b.{0,80}\b(?:does not exist|not found|not available|is not supported when|requires a newer version|(?:is|was|has been) (?:deprecated|retired|removed|disabled))|model_not_found|(?:unknown|unsupported|no such) model\b/,
  ],
  ['rate-limit', /rate[ _-]?limit|too many requests|\bstatus:? 429\b/],
  // A proxy's own login: before `auth`, which is about the account.
  ['network', /\bstatus:? 407\b/],
  ['login', /not (?:logged|signed) in|missing bearer|no (?:credentials|auth) (?:found|available)/],
  [
    'auth',
    /\bstatus:? 40[13]\b|unauthorized|forbidden|(?:incorrect|invalid|missing) api key|(?:log|sign) in again|refresh token|access token|missing environment variable|authentication|not (?:currently )?authorized|do not have access to codex/,
  ],
  [
    'overloaded',
    /high (?:demand|load)|at capacity|capacity is unavailable|overloaded|\bstatus:? 5\d\d\b|server error|service unavailable|temporarily unavailable|bad gateway/,
  ],
  // No way to the server, also where the words around it are those of a cut stream (the try by WebSocket).
  [
    'network',
    /connection (?:failed|refused|timed out)|error sending request|waiting for network|\bdns\b|unreachable|certificate|\btls\b|tunnel|proxy/,
  ],
  ['bad-request', /content_filter/],
  [
    'stream-cut',
    /stream (?:disconnected|closed|ended|error)|idle timeout waiting|incomplete response|error decoding response|connection (?:reset|closed|aborted)|broken pipe|response\.completed/,
  ],
  ['network', /\bnetwork\b|transport error|connection error|timed? ?out\b/],
  [
    'bad-request',
    /invalid (?:value|request|prompt|type|schema|image)|invalid_\w+_error|\bstatus:? 4\d\d\b|bad request|unsupported (?:value|parameter)|(?:unknown|missing required) parameter|flagged for|limited access to this content/,
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

/**
 * The reason behind the message of a failed turn. The whole body of an answer is passed on where the server refused the
 * request itself (400); what else nobody knows is the model's.
 */
export function failureReason(message: string): FailureReason {
  const body = inBody(withoutRetry(message));
  return knownFailure(body?.text ?? withoutRetry(message)) ?? (body ? 'bad-request' : 'model-error');
}

/**
 * The failure that a message of codex tells. `lines`: the lines that it was told by. `saidAt`: epoch ms, for reset times
 * that are told as a clock's time.
 */
export function codexFailure(message: string, lines: readonly string[], saidAt: number): WorkerFailure {
  const reason = failureReason(message);
  const failure: WorkerFailure = {
    reason,
    message: failureMessage(plainMessage(message)),
    evidence: evidenceOf(lines),
  };
  const resetAt = reason === 'usage-limit' ? resetTime(message, saidAt) : undefined;
  const retryAfterSeconds = WAITED_FOR.includes(reason) ? secondsToWait(message) : undefined;
  return {
    ...failure,
    ...(resetAt === undefined ? {} : { resetAt }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

const WAITED_FOR: readonly FailureReason[] = ['rate-limit', 'overloaded', 'network', 'stream-cut'];

interface Body {
  error?: unknown;
  detail?: unknown;
  message?: unknown;
  status?: unknown;
}

/** The text in the body of a refused request, with its type and code, or undefined for text that is no such body. */
function inBody(text: string): { message: string; text: string } | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const body = JSON.parse(text) as Body | null;
    const error = (body?.error ?? {}) as { message?: unknown; type?: unknown; code?: unknown };
    const message = [error.message, body?.error, body?.detail, body?.message].find(isText);
    if (message === undefined) return undefined;
    const status = typeof body?.status === 'number' ? `status ${body.status}` : undefined;
    const names = [error.type, error.code, status].filter(isText);
    return { message, text: [message, ...names].join(' ') };
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Also in the words of versions before 0.60: `stream error: …; retrying 1/5 in 202ms…`. */
function withoutRetry(message: string): string {
  const inner = /^Reconnecting\.\.\.[^(]*\((.*)\)\s*$/s.exec(message) ?? OLD_RETRY.exec(message);
  return inner?.[1] ?? message;
}

const OLD_RETRY = /^(?:stream error: )?(.*); retrying \d+\/\d+ in \S+\s*$/s;

/** Whether an error only says that something is tried again. */
export function isRetryMessage(message: string): boolean {
  return /^Reconnecting\b/.test(message) || OLD_RETRY.test(message);
}

/**
 * What an error says, for people: without `Reconnecting... 2/5 (…)` around it, and the message alone where codex
 * passes on the whole body of a refused request (400).
 */
export function plainMessage(message: string): string {
  const inner = withoutRetry(message);
  return inBody(inner)?.message ?? inner;
}
