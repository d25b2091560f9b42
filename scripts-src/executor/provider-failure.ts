import type { FailureReason } from './types.ts';

/**
 * What model providers and the programs that call them say of a failure, in order: the first that matches wins, since a
 * text can wrap another. English only.
 */
const REASONS: readonly (readonly [FailureReason, RegExp])[] = [
  [
    'login',
    /not logged in|please (?:run \/?log ?in|log ?in|sign ?in)|no api key|api key (?:not found|is (?:missing|required))|no (?:models|credentials) available|missing (?:api key|credentials)/,
  ],
  [
    'quota',
    /credit balance|billing|insufficient[ _](?:quota|funds|credits)|out of credits|exceeded your current quota/,
  ],
  [
    'usage-limit',
    /usage limit|hit your (?:\S+ )?(?:limit|monthly spend)|(?:5-hour|five-hour|weekly|daily|monthly|session|opus|sonnet) limit|limit reached\|\d|limit .{0,40}\bresets\b/,
  ],
  [
    'context',
    /prompt is too long|context (?:window|length)|maximum context|too many (?:input )?tokens|input (?:is )?too long/,
  ],
  [
    'overloaded',
    /overloaded|\b529\b|at capacity|high demand|service unavailable|\b(?:500|502|503|504)\b|internal server error/,
  ],
  ['rate-limit', /rate[ _-]?limit|too many requests|resource[ _]exhausted|\b429\b/],
  [
    'auth',
    /authentication|unauthori[sz]ed|forbidden|permission[ _](?:error|denied)|(?:invalid|incorrect|bad|expired) (?:\S+ )?(?:api[ _-]?key|token|credentials)|api key not valid|\b40[13]\b/,
  ],
  [
    'model-gone',
    /model.{0,80}(?:not found|does not exist|may not exist|not available|is not supported)|(?:unknown|no such|no matching) model|no models? match/,
  ],
  [
    'stream-cut',
    /econnreset|socket hang up|connection (?:to the api )?was (?:lost|closed)|(?:closed|ended) (?:unexpectedly|before)|terminated|premature close|empty or malformed response|stream (?:was )?(?:cut|interrupted|ended)/,
  ],
  [
    'network',
    /econnrefused|enotfound|etimedout|eai_again|ehostunreach|enetunreach|connection (?:refused|error|failed|timed out)|unable to connect|fetch failed|network|\bdns\b|timed? ?out\b|certificate|\btls\b|\b407\b/,
  ],
  ['bad-request', /invalid[ _]request|\b400\b|bad request|\b422\b/],
];

/** Whether a number in a text is the status of an answer: by what stands before it, or by the name that follows. */
function isStatus(text: string, at: number): boolean {
  const before = text.slice(0, at);
  return (
    /^\W*$/.test(before) ||
    /(?:error|status|code|http\S{0,6})\W{0,4}$/i.test(before.slice(-20)) ||
    /^\W{1,2}(?:[A-Z][A-Za-z_]{3,}|\{)/.test(text.slice(at + 3, at + 12))
  );
}

/**
 * The reason that a text names, or undefined when it names none that is known. Addresses in it mean nothing, nor do numbers
 * that only look like a status.
 */
export function providerFailure(text: string): FailureReason | undefined {
  const plain = text
    .slice(0, 4000)
    .replace(/\b[45]\d\d\b/g, (number, at: number, whole: string) => (isStatus(whole, at) ? number : ''))
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\bhttps?:\/\/\S+|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?/g, '')
    .toLowerCase();
  return REASONS.find(([, pattern]) => pattern.test(plain))?.[0];
}
